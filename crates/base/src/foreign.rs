//! Input from outside: text is shown escaped, and files are read up to a size limit.
//!
//! A name, a line, a path, or an engine's output can contain control characters that a terminal
//! obeys, or marks that reorder or hide text (Unicode Technical Report 36, section 3.2, and Boucher
//! and Anderson, "Trojan Source", 2021). [`Foreign`] text is always shown escaped. `clippy.toml`
//! refuses the standard library's methods that bypass it.

mod file;

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt::{self, Write as _};
use std::path::Path;

use serde::Serialize;

pub use file::{read_bounded, read_bytes, read_text};

/// Text from outside. Its display is escaped; its serialisation is not, because JSON has escapes of
/// its own.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Foreign(String);

impl Foreign {
    /// The unescaped text: for files, other programs and comparisons.
    pub fn raw(&self) -> &str {
        &self.0
    }
}

impl<T: Into<String>> From<T> for Foreign {
    fn from(text: T) -> Self {
        Self(text.into())
    }
}

impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&escaped(&self.0, |_| false))
    }
}

/// Foreign text for display: escaped, on one line.
pub fn shown(text: &str) -> Foreign {
    text.into()
}

/// A file name for display.
pub fn shown_path(path: &Path) -> Foreign {
    raw_path(path).into()
}

/// A file name as data, for example in JSON. Invalid UTF-8 is replaced.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place that has names as they are"
)]
pub fn raw_path(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// The beginning of a foreign text for a message: at most `most` characters, on one line.
pub fn excerpt(text: &str, most: usize) -> String {
    let text = text.trim();
    let more = if text.chars().nth(most).is_some() {
        "…"
    } else {
        ""
    };
    let beginning: String = text.chars().take(most).collect();
    // Shows a tab as a blank.
    format!("{}{more}", shown(&beginning.replace('\t', " ")))
}

/// Makes text of this program safe for a terminal: foreign parts can neither control the terminal
/// nor reorder the text. Line ends and tabs stay.
pub fn on_terminal(text: &str) -> Cow<'_, str> {
    escaped(text, |letter| matches!(letter, '\n' | '\t'))
}

/// The same for text with colours (SGR sequences, ECMA-48 section 8.3.117), which stay.
pub fn coloured(text: &str) -> String {
    let mut safe = String::new();
    for (number, part) in text.split("\u{1b}[").enumerate() {
        if number > 0 {
            let codes = part.trim_start_matches(|it: char| it.is_ascii_digit() || it == ';');
            safe.push_str(if codes.starts_with('m') {
                "\u{1b}["
            } else {
                "\\u{1b}["
            });
        }
        safe.push_str(&on_terminal(part));
    }
    safe
}

/// Returns whether a word of the command line has a character that [`is_misleading`].
pub fn has_misleading(word: &OsStr) -> bool {
    raw_path(Path::new(word)).chars().any(is_misleading)
}

/// Returns whether a character controls a terminal, is invisible, or reorders others.
pub fn is_misleading(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}

fn escaped(text: &str, stays: impl Fn(char) -> bool) -> Cow<'_, str> {
    let is_fine = |letter: char| !is_misleading(letter) || stays(letter);
    if text.chars().all(is_fine) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 8);
    for letter in text.chars() {
        match letter {
            _ if is_fine(letter) => safe.push(letter),
            '\t' | '\n' | '\r' => safe.extend(letter.escape_default()),
            _ => {
                let _ = write!(safe, "{}", letter.escape_unicode());
            }
        }
    }
    Cow::Owned(safe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_words_command_no_terminal() {
        for (text, wanted) in [
            ("plain 炮二平五 è", "plain 炮二平五 è"),
            ("a\u{1b}[31mX\u{7}", "a\\u{1b}[31mX\\u{7}"),
            ("\u{9b}2J\u{9d}\u{7f}", "\\u{9b}2J\\u{9d}\\u{7f}"),
            ("\u{202e}gpj.exe\u{2066}", "\\u{202e}gpj.exe\\u{2066}"),
            ("a\nb\tc\r\u{2028}", "a\\nb\\tc\\r\\u{2028}"),
            ("\u{feff}a\u{200b}\u{61c}", "\\u{feff}a\\u{200b}\\u{61c}"),
        ] {
            assert_eq!(Foreign::from(text).to_string(), wanted);
            assert_eq!(Foreign::from(text).raw(), text);
        }
        assert_eq!(format!("{:<4}|", shown("ab")), "ab  |");
        assert_eq!(excerpt(" a\tb\u{1b}cdef", 4), "a b\\u{1b}…");
        assert_eq!(on_terminal("a\n\tb\r\u{1b}"), "a\n\tb\\r\\u{1b}");
        assert_eq!(
            coloured("\u{1b}[1;31mbad\u{1b}[0m \u{1b}[2J\u{9b}31m \u{1b}]0;x\u{7}"),
            "\u{1b}[1;31mbad\u{1b}[0m \\u{1b}[2J\\u{9b}31m \\u{1b}]0;x\\u{7}"
        );
    }
}
