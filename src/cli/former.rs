//! Spellings of earlier versions, which go on working for this one, with a word.

use std::ffi::{OsStr, OsString};

use super::answers;
use super::terminal::note;

/// An option that has another name now.
struct Renamed {
    /// The command, its parent before it; empty for all.
    command: &'static str,
    former: &'static str,
    /// Empty if what it names stands there by itself.
    now: &'static str,
}

const RENAMED: [Renamed; 5] = [
    Renamed {
        command: "",
        former: "--output",
        now: "--out",
    },
    Renamed {
        command: "report",
        former: "--store",
        now: "",
    },
    Renamed {
        command: "verify",
        former: "--store",
        now: "",
    },
    Renamed {
        command: "openings generate",
        former: "-n",
        now: "--count",
    },
    Renamed {
        command: "openings go",
        former: "-n",
        now: "--count",
    },
];

/// The words of a command line as they are spelled now, each renamed option told.
pub(super) fn renamed(words: Vec<OsString>) -> Vec<OsString> {
    let command = command(&words);
    // Other programs' spelling is their own.
    if command.first() == Some(&"fastchess") {
        return words;
    }
    let is_of = |renamed: &&Renamed| {
        let mut path = renamed.command.split_whitespace().zip(&command);
        path.all(|(name, word)| name == *word)
    };
    let of_command: Vec<&Renamed> = RENAMED.iter().filter(is_of).collect();
    let mut all = Vec::with_capacity(words.len());
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let said = of_command
            .iter()
            .find_map(|it| Some((*it, spelled(&word, it.former)?)));
        let Some((Renamed { former, now, .. }, joined)) = said else {
            let is_last = word == "--";
            all.push(word);
            if is_last {
                break;
            }
            continue;
        };
        note(&match *now {
            "" => format!("note: the record stands there by itself now, without `{former}`"),
            now => format!("note: `{former}` is `{now}` now"),
        });
        if !now.is_empty() {
            all.push(OsString::from(now));
        }
        let value = match joined {
            Spelled::With(value) => Some(value.to_owned()),
            Spelled::Alone => words.next(),
        };
        all.extend(value.map(|value| if now.is_empty() { plain(value) } else { value }));
    }
    all.extend(words);
    all
}

/// The words from the command on: behind the program, and the option that may stand before.
fn command(words: &[OsString]) -> Vec<&str> {
    let mut words = words.iter().skip(1).map_while(|word| word.to_str());
    let mut first = words.next();
    while let Some(option) = first.filter(|word| word.starts_with('-')) {
        if option == "--color" {
            words.next();
        }
        first = words.next();
    }
    first.into_iter().chain(words).collect()
}

/// How an option stands in a line.
enum Spelled<'w> {
    /// Its value is the next word.
    Alone,
    /// This is joined to it.
    With(&'w OsStr),
}

/// How the option is spelled, if the word is that option.
fn spelled<'w>(word: &'w OsStr, option: &str) -> Option<Spelled<'w>> {
    if word == option {
        return Some(Spelled::Alone);
    }
    let rest = word.to_str()?.strip_prefix(option)?;
    match rest.strip_prefix('=') {
        Some(rest) => Some(Spelled::With(OsStr::new(rest))),
        // `-n5`
        None if !option.starts_with("--") => Some(Spelled::With(OsStr::new(rest))),
        None => None,
    }
}

/// A file that is taken for no option.
fn plain(file: OsString) -> OsString {
    if !file.as_encoded_bytes().starts_with(b"-") || file == "-" {
        return file;
    }
    let mut plain = OsString::from("./");
    plain.push(file);
    plain
}

/// The words with the file that follows an option of an output joined to it: `--html PAGE` of
/// earlier versions is `--html=PAGE`. `None` if there is none.
pub(super) fn joined(words: &[OsString]) -> Option<Vec<OsString>> {
    let mut all: Vec<OsString> = Vec::with_capacity(words.len());
    let mut any = None;
    let mut words = words.iter().peekable();
    while let Some(word) = words.next() {
        let is_output = word.to_str().and_then(|word| word.strip_prefix("--"));
        let is_output = is_output.is_some_and(|name| answers::OPTIONS.contains(&name));
        let is_value = |next: &OsString| next == "-" || !next.as_encoded_bytes().starts_with(b"-");
        let mut word = word.clone();
        if is_output
            && word != "--json"
            && let Some(file) = words.next_if(|next| is_value(next))
        {
            word.push("=");
            word.push(file);
            any.get_or_insert_with(|| word.clone());
        }
        all.push(word);
    }
    any.map(|_| all)
}

/// Tells that a file was joined to an option.
pub(super) fn tell_joined(words: &[OsString]) {
    let is_joined = |word: &&str| {
        let name = word
            .strip_prefix("--")
            .and_then(|word| word.split_once('='));
        name.is_some_and(|(name, _)| answers::OPTIONS.contains(&name))
    };
    for word in words
        .iter()
        .filter_map(|word| word.to_str())
        .filter(is_joined)
    {
        note(&format!(
            "note: a file is joined to its option now: `{word}`"
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn former_names_become_those_of_today() {
        for (former, now) in [
            ("x merge a --output b", "x merge a --out b"),
            ("x merge a --output=b", "x merge a --out b"),
            ("x report --store a --json", "x report a --json"),
            ("x verify --store=-a", "x verify ./-a"),
            (
                "x --color never report --store a",
                "x --color never report a",
            ),
            (
                "x --color=never openings go -n 5",
                "x --color=never openings go --count 5",
            ),
            (
                "x --color never fastchess -output format=x",
                "x --color never fastchess -output format=x",
            ),
            (
                "x openings generate chess -n 5",
                "x openings generate chess --count 5",
            ),
            ("x openings go -n5", "x openings go --count 5"),
            // Elsewhere they are what they were.
            ("x run a --store b", "x run a --store b"),
            ("x solve go -n 5", "x solve go -n 5"),
            (
                "x fastchess -output format=x",
                "x fastchess -output format=x",
            ),
            ("x convert -- --output", "x convert -- --output"),
        ] {
            assert_eq!(renamed(words(former)), words(now), "{former}");
        }
    }

    #[test]
    fn files_are_joined_to_their_options() {
        let line = joined(&words("x study a --csv b --json --html c --svg"));
        assert_eq!(line, Some(words("x study a --csv=b --json --html=c --svg")));
        assert_eq!(joined(&words("x study a --csv --json b")), None);
    }
}
