//! Splits the words of a command line into options with values.

use super::table::{Dialect, KnownOption, Style, Support, options};
use crate::cli::prelude::*;
use leitai_base::suggest::nearest_names;

/// An option from the command line.
#[derive(Debug)]
pub(super) struct OptionWords<'a> {
    pub(super) option: KnownOption,
    /// The words after it.
    pub(super) words: Vec<&'a str>,
}

impl<'a> OptionWords<'a> {
    /// The only word after the option; empty if there is none.
    pub(super) fn word(&self) -> &'a str {
        self.words.first().copied().unwrap_or_default()
    }

    /// The words as keys and values; a key alone has an empty value.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        let pairs = self.words.iter();
        pairs.map(|word| word.split_once('=').unwrap_or((word, "")))
    }
}

/// Reads a command line. Options keep their order, except that `-each` is last, as in fastchess.
///
/// # Errors
/// An option is unknown or refused, or is followed by words that it does not take.
pub(super) fn read<'a>(
    words: &'a [String],
    dialect: Dialect,
) -> Result<Vec<OptionWords<'a>>, Failure> {
    let mut all: Vec<OptionWords<'a>> = Vec::new();
    let mut left = words.iter().map(String::as_str).peekable();
    while let Some(word) = left.next() {
        let Some(option) = options(dialect).find(|known| known.name == word) else {
            bail!("{}", unknown(word, dialect));
        };
        let mut given = OptionWords {
            option,
            words: Vec::new(),
        };
        // The remaining words are the command line of the program to examine.
        let takes_all = option.name == "--compliance";
        while let Some(value) = left.next_if(|next| takes_all || !is_option(next)) {
            given.words.push(value);
        }
        if let Support::Refused(instead) = option.support {
            bail!("leitai has no `{}`\nhelp: {instead}", option.name);
        }
        check(&given)?;
        all.push(given);
    }
    all.sort_by_key(|given| given.option.name == "-each");
    Ok(all)
}

/// Keys of engines without a value.
const FLAGS: [&str; 4] = ["debug", "ponder", "trust", "whitepov"];

/// Returns whether a word is an option: a dash, not followed by a digit.
pub(super) fn is_option(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next() == Some('-') && !letters.next().is_some_and(|next| next.is_ascii_digit())
}

fn unknown(word: &str, dialect: Dialect) -> String {
    let names: Vec<&str> = options(dialect).map(|known| known.name).collect();
    let near = nearest_names(word, &names);
    let help = match near.first() {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`-help` lists all options".to_owned(),
    };
    format!(
        "`{}` is not an option of {}\nhelp: {help}",
        shown(word),
        dialect.program()
    )
}

fn check(given: &OptionWords<'_>) -> Result<(), Failure> {
    let (name, count) = (given.option.name, given.words.len());
    match given.option.style {
        Style::Alone if count > 0 => {
            bail!(
                "`{name}` takes no value, but `{}` follows it",
                shown(given.word())
            );
        }
        Style::Single if count != 1 => bail!("`{name}` takes exactly one value"),
        Style::Pairs if count == 0 => bail!("`{name}` takes words `key=value`"),
        Style::Pairs | Style::PairsOrNone => {
            let pair = |word: &&str| match word.split_once('=') {
                Some((key, _)) => !key.is_empty(),
                None => FLAGS.contains(word) && ["-engine", "-each"].contains(&name),
            };
            if let Some(wrong) = given.words.iter().find(|word| !pair(word)) {
                bail!(
                    "`{name}` takes words `key=value`, and `{}` is not one\n\
                     help: put a value with blanks in quotes: `args=\"-a -b\"`",
                    shown(wrong)
                );
            }
        }
        _ => {}
    }
    Ok(())
}

/// The error for an unknown key of an option; `keys` are the known ones, with blanks between.
pub(super) fn unknown_key(option: &str, key: &str, keys: &str) -> Failure {
    let names: Vec<&str> = keys.split(' ').collect();
    let near = nearest_names(key, &names);
    let help = match near.first() {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the keys are {}", names.join(", ")),
    };
    Failure::msg(format!(
        "`{option}` has no key `{}`\nhelp: {help}",
        shown(key)
    ))
}
