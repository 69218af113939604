//! The only writer of Markdown, for `CommonMark` and GitHub: foreign text never becomes markup,
//! HTML or a link.

use leitai_base::foreign::{on_terminal, shown};

/// Escapes text for any place, including tables.
pub(super) fn escape(text: &str) -> String {
    let mut safe = String::new();
    for letter in shown(text).to_string().chars() {
        match letter {
            '`' | '*' | '_' | '[' | ']' | '~' | '|' => safe.extend(['\\', letter]),
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            // Avoids mentions of users: GitHub looks for names after resolving entities.
            '@' => safe.push_str("@&#8203;"),
            // A backslash before a bar would make the bar end the cell again.
            '\\' => safe.push_str("&#92;"),
            _ => safe.push(letter),
        }
    }
    safe.replace("://", "&#58;//").replace("www.", "www&#46;")
}

/// The place of names in code style.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Code {
    /// Code without tags: for pages that keep tags even within code.
    Tagless,
    /// Code in running text.
    Running,
    /// Code in a table, where a bar ends a cell even within code.
    InTable,
}

/// A name as code; only escaped if it has characters that code does not support there.
pub(super) fn code(name: &str, place: Code) -> String {
    let others: &[char] = match place {
        Code::Tagless => &['`', '\\', '<', '|'],
        Code::Running | Code::InTable => &['`', '\\'],
    };
    let is_code = !name.is_empty() && name.trim() == name && !name.contains(others);
    match (is_code, place) {
        (false, _) => escape(name),
        (true, Code::InTable) => format!("`{}`", shown(name)).replace('|', "\\|"),
        (true, _) => format!("`{}`", shown(name)),
    }
}

/// A sentence with names between backticks. If the backticks are ambiguous, nothing in it becomes
/// code.
pub(super) fn sentence(text: &str, place: Code) -> String {
    let text = &text.replace('\n', " ");
    let pieces: Vec<&str> = text.split('`').collect();
    let mut within = pieces.iter().skip(1).take(pieces.len().saturating_sub(2));
    let is_clear = pieces.len() % 2 == 1 && within.all(|piece| !piece.is_empty());
    // No paragraph becomes a heading or a list.
    let begins_other = text.starts_with(['#', '-', '+', '=']) && place != Code::InTable;
    let mut safe = String::from(if begins_other { "\\" } else { "" });
    if !is_clear {
        return safe + &escape(text);
    }
    for (number, piece) in pieces.into_iter().enumerate() {
        safe += &match number % 2 {
            1 => code(piece, place),
            _ => escape(piece),
        };
    }
    safe
}

/// Any text as a fenced code block.
pub fn fenced(text: &str) -> String {
    let runs = text.split(|letter| letter != '`').map(str::len);
    let fence = "`".repeat(runs.max().unwrap_or_default().max(2) + 1);
    format!("{fence}\n{}\n{fence}", on_terminal(text))
}

/// A table whose first row is the header. `is_words` returns whether a column, from 0, is
/// left-aligned.
pub(super) fn table(rows: &[Vec<String>], is_words: impl Fn(usize) -> bool) -> String {
    let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    let columns = rows.first().map_or(0, Vec::len);
    let rule = |column: usize| if is_words(column) { "---" } else { "---:" }.to_owned();
    let cells = |row: &Vec<String>| row.iter().map(|cell| escape(cell)).collect();
    let mut lines: Vec<String> = rows.iter().map(|row| line(cells(row))).collect();
    lines.insert(1.min(lines.len()), line((0..columns).map(rule).collect()));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_no_markup() {
        for (text, wanted) in [
            ("plain 1.5 %", "plain 1.5 %"),
            ("ask @you", "ask @&#8203;you"),
            ("<img src=x onerror=1>", "&lt;img src=x onerror=1&gt;"),
            (
                "[a](https://b) | *c* `d`",
                "\\[a\\](https&#58;//b) \\| \\*c\\* \\`d\\`",
            ),
            ("a&lt;\\|", "a&amp;lt;&#92;\\|"),
            ("a\u{1b}\nb\u{202e}", "a&#92;u{1b}&#92;nb&#92;u{202e}"),
        ] {
            assert_eq!(escape(text), wanted);
        }
        assert_eq!(code("new", Code::Tagless), "`new`");
        assert_eq!(code("a|<b>", Code::Running), "`a|<b>`");
        assert_eq!(code("a|<b>", Code::InTable), "`a\\|<b>`");
        assert_eq!(code("a|<b>", Code::Tagless), "a\\|&lt;b&gt;");
        assert_eq!(code("a`<b>", Code::Running), "a\\`&lt;b&gt;");
        assert_eq!(code("a\\|<b>", Code::InTable), "a&#92;\\|&lt;b&gt;");
    }

    #[test]
    fn names_in_sentences_stay_code() {
        for (text, wanted) in [
            ("`a` beats `b`.", "`a` beats `b`."),
            ("`<a>` is < b", "`<a>` is &lt; b"),
            // A backtick in a name cannot turn the rest into markup.
            ("`a`<img>` wins", "\\`a\\`&lt;img&gt;\\` wins"),
            ("`a``<b>` wins", "\\`a\\`\\`&lt;b&gt;\\` wins"),
            ("`` is `<b>`", "\\`\\` is \\`&lt;b&gt;\\`"),
            ("# `a`", "\\# `a`"),
        ] {
            assert_eq!(sentence(text, Code::Running), wanted, "{text}");
        }
        assert_eq!(sentence("`<a>`", Code::Tagless), "&lt;a&gt;");
        assert_eq!(fenced("x ``` y"), "````\nx ``` y\n````");
    }

    #[test]
    fn a_table_has_its_columns_whatever_is_in_it() {
        let rows = [
            vec!["name".to_owned(), "n".to_owned()],
            vec!["a|b".to_owned(), "1".to_owned()],
        ];
        let text = table(&rows, |column| column == 0);
        assert_eq!(text, "| name | n |\n| --- | ---: |\n| a\\|b | 1 |");
    }
}
