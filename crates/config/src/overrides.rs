//! `PATH=VALUE`: changes a value of a config from outside the file.
//!
//! Every value of a config has a path: its keys separated by dots, an index in a list in brackets,
//! and the name of a variant instead of its index in the list of variants.
//!
//! ```text
//! limits.nodes                              tune.parameter[0].range
//! variant.new.search.null_move.reduction    variant.fairy.options.Skill Level
//! variant."v1.2".eval.material.rook         openings.file
//! ```
//!
//! An override is written into the text before reading, so it is checked as if the file contained
//! it, and recorded with the run.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use leitai_base::foreign::raw_path;
use thiserror::Error;
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, TableLike, Value};

/// A changed value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    path: Vec<Step>,
    /// The value as typed.
    value: String,
    /// The whole override as typed.
    text: String,
}

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Key(String),
    Index(usize),
}

/// Maximum number of steps in a path, three times the depth of any config. Readers and writers
/// recurse into each step's table.
const MAX_STEPS: usize = 24;

/// The reason why an override cannot be applied.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OverrideError {
    /// The text does not have the form `PATH=VALUE`.
    #[error(
        "`{0}` is not PATH=VALUE: {1}\nhelp: write it like `limits.nodes=5000` or \
         `variant.NAME.options.Hash=16`"
    )]
    Form(String, &'static str),
    /// The path leads to a value that does not exist.
    #[error("`{text}`: `{at}` {problem}")]
    Path {
        /// The override.
        text: String,
        /// The invalid part of the path.
        at: String,
        /// The problem.
        problem: String,
    },
}

impl FromStr for Override {
    type Err = OverrideError;

    fn from_str(text: &str) -> Result<Self, OverrideError> {
        let wrong = |why| OverrideError::Form(text.to_owned(), why);
        let (path, value) = split(text).ok_or_else(|| wrong("there is no `=`"))?;
        let path = steps(path).ok_or_else(|| wrong("a part of the path is empty or not closed"))?;
        if path.len() > MAX_STEPS {
            return Err(wrong("its path has too many parts"));
        }
        let value = value.trim();
        if value.is_empty() {
            return Err(wrong("there is no value"));
        }
        Ok(Self {
            path,
            value: value.to_owned(),
            text: text.to_owned(),
        })
    }
}

/// A config and its overrides as words of a command line. With overrides this is the config's name.
pub fn config_command_words(config: &Path, overrides: &[Override]) -> String {
    let mut words = path_word(config);
    for change in overrides {
        words.push_str(" --set ");
        words.push_str(&shell_word(&change.text));
    }
    words
}

/// A path as a word for the shell and the command. A leading dash would make it an option, so it
/// gets a `./`.
pub fn path_word(path: &Path) -> String {
    let text = raw_path(path);
    if text.starts_with('-') {
        shell_word(&format!("./{text}"))
    } else {
        shell_word(&text)
    }
}

/// A config as words of a command line, from the name in the run's record. With overrides the name
/// already consists of such words.
pub fn config_words(name: &str) -> String {
    if name.contains(" --set ") {
        name.to_owned()
    } else {
        path_word(Path::new(name))
    }
}

/// The name of a run for people: its config's file name, without folders and overrides, and its
/// variants.
pub fn run_name(config: &str, variants: &[String]) -> String {
    const MAX: usize = 4;
    let file = config.split_once(" --set ").map_or(config, |words| words.0);
    let file = file.trim_matches('\'').rsplit('/').next();
    let shown = variants.get(..MAX).unwrap_or(variants).join(", ");
    let parts = file
        .into_iter()
        .chain((!shown.is_empty()).then_some(shown.as_str()));
    let name = parts.collect::<Vec<_>>().join(": ");
    match variants.len().saturating_sub(MAX) {
        0 => name,
        more => format!("{name} and {more} more"),
    }
}

/// A text quoted for the shell.
pub fn shell_word(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+=:,@%".contains(c);
    if text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// Applies the overrides to the text of a config, in order.
///
/// # Errors
/// A path leads nowhere. A text that is no TOML is returned unchanged, because the reader reports
/// its problems.
pub(super) fn apply(text: &str, overrides: &[Override]) -> Result<String, OverrideError> {
    let Ok(mut document) = text.parse::<DocumentMut>() else {
        return Ok(text.to_owned());
    };
    for change in overrides {
        change.apply(&mut document)?;
    }
    Ok(document.to_string())
}

impl Override {
    fn apply(&self, document: &mut DocumentMut) -> Result<(), OverrideError> {
        let is_variant =
            matches!(&self.path[..], [Step::Key(list), Step::Key(_), ..] if list == "variant");
        if is_variant && self.path.len() == 2 {
            return Err(self.lost(1, "names a whole variant: name a value in it"));
        }
        let mut item = document.as_item_mut();
        for (index, step) in self.path.iter().enumerate() {
            // Variants are looked up by name, everything else step by step.
            let by_name = match step {
                Step::Key(name) if is_variant && index == 1 => {
                    let place = variant(item, name);
                    Some(Step::Index(
                        place.map_err(|problem| self.lost(1, &problem))?,
                    ))
                }
                _ => None,
            };
            let next = self.path.get(index + 1);
            let end = next.is_none().then(|| self.parsed());
            let is_key_next = matches!(next, Some(Step::Key(_)));
            let found = step_into(item, by_name.as_ref().unwrap_or(step), is_key_next, end);
            item = found.map_err(|problem| self.lost(index, &problem))?;
        }
        Ok(())
    }

    /// The value; unquoted text is allowed.
    fn parsed(&self) -> Value {
        let value = self.value.parse::<Value>();
        value.unwrap_or_else(|_| Value::from(self.value.clone()))
    }

    /// The error for a path that leads nowhere after its step `last`.
    fn lost(&self, last: usize, problem: &str) -> OverrideError {
        let mut at = String::new();
        for step in &self.path[..=last] {
            let is_inner = matches!(step, Step::Key(_)) && !at.is_empty();
            at += if is_inner { "." } else { "" };
            at += &step.to_string();
        }
        OverrideError::Path {
            text: self.text.clone(),
            at,
            problem: problem.to_owned(),
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Step::Key(key) => write!(out, "{key}"),
            Step::Index(index) => write!(out, "[{index}]"),
        }
    }
}

/// The index of the variant with that name, in any notation of the list, or an error message.
fn variant(variants: &Item, name: &str) -> Result<usize, String> {
    let variants = (0..).map_while(|index| variants.get(index));
    let names = variants.map(|it| it.get("name").and_then(Item::as_str).unwrap_or_default());
    let names: Vec<&str> = names.collect();
    let found = names.iter().position(|own| *own == name);
    found.ok_or_else(|| format!("is not a variant; there are {}", names.join(", ")))
}

/// Goes one step further, or writes `value` if the step is the last one.
fn step_into<'d>(
    item: &'d mut Item,
    step: &Step,
    is_key_next: bool,
    value: Option<Value>,
) -> Result<&'d mut Item, String> {
    match step {
        Step::Key(_) if item.is_array_of_tables() => {
            Err("lies in a list of tables: write its index, from 0, in brackets".to_owned())
        }
        Step::Key(key) => {
            let table = item.as_table_like_mut();
            let table = table.ok_or("lies in a value that is not a table")?;
            if let Some(value) = value {
                put(table, key, value);
            } else if is_key_next && table.get(key).is_none() {
                table.insert(key, Item::Value(InlineTable::new().into()));
            }
            let found = table.get_mut(key).filter(|item| !item.is_none());
            found.ok_or_else(|| "is not in the file: give the whole list".to_owned())
        }
        Step::Index(_) if item.is_array_of_tables() && value.is_some() => {
            Err("names a whole table: name a value in it".to_owned())
        }
        Step::Index(index) => {
            let tables = item.as_array_of_tables().map(ArrayOfTables::len);
            let length = tables.or(item.as_array().map(Array::len));
            let length = length.ok_or("has an index, but is not a list")?;
            let slot = item.get_mut(*index);
            let slot = slot.ok_or_else(|| format!("is beyond a list of {length}"))?;
            if let (Some(value), Item::Value(old)) = (value, &mut *slot) {
                replace(old, value);
            }
            Ok(slot)
        }
    }
}

fn put(table: &mut dyn TableLike, key: &str, value: Value) {
    match table.get_mut(key) {
        Some(Item::Value(old)) => replace(old, value),
        _ => {
            table.insert(key, Item::Value(value));
        }
    }
}

/// Replaces the value and keeps the comments and blanks around it.
fn replace(old: &mut Value, mut value: Value) {
    *value.decor_mut() = old.decor().clone();
    *old = value;
}

/// Splits a text at the first `=` outside quotes into path and value.
fn split(text: &str) -> Option<(&str, &str)> {
    let mut quoted = false;
    let at = text.find(|letter| {
        quoted ^= letter == '"';
        letter == '=' && !quoted
    })?;
    Some((&text[..at], &text[at + 1..]))
}

/// The steps of a path; `None` if it is invalid.
fn steps(path: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    let mut rest = path.trim();
    loop {
        let (key, after) = if let Some(quoted) = rest.strip_prefix('"') {
            quoted.split_once('"')?
        } else {
            let end = rest.find(['.', '[']).unwrap_or(rest.len());
            let (key, after) = rest.split_at(end);
            let key = Some(key.trim()).filter(|key| !key.is_empty() && !key.contains('"'))?;
            (key, after)
        };
        steps.push(Step::Key(key.to_owned()));
        rest = after;
        while let Some(place) = rest.strip_prefix('[') {
            let (number, after) = place.split_once(']')?;
            steps.push(Step::Index(number.trim().parse().ok()?));
            rest = after;
        }
        match rest.strip_prefix('.') {
            Some(more) => rest = more,
            None if rest.trim().is_empty() => return Some(steps),
            None => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TEXT: &str = "\
# A match.
limits = { nodes = 100 } # few

[[variant]]
name = \"a.1\"
search = { ordering = [\"tt\", \"history\"] }

[[variant]]
name = \"fairy\"
options = { Hash = 4 }
";

    fn with(overrides: &[&str]) -> Result<String, OverrideError> {
        let overrides: Result<Vec<Override>, _> =
            overrides.iter().map(|text| text.parse()).collect();
        apply(TEXT, &overrides?)
    }

    #[test]
    fn values_are_replaced_and_the_rest_stays() {
        let text = with(&[
            "limits.nodes=5000",
            "variant.\"a.1\".search.ordering[1]=killers",
            "variant.\"a.1\".search.null_move.reduction = 3",
            "variant.fairy.options.Skill Level=-2",
            "seed=7",
            "variant[1].options.Hash=8",
            "tournament.pairs=10",
        ])
        .unwrap();
        let expected = "\
# A match.
limits = { nodes = 5000 } # few
seed = 7
tournament = { pairs = 10 }

[[variant]]
name = \"a.1\"
search = { ordering = [\"tt\", \"killers\"] , null_move = { reduction = 3 } }

[[variant]]
name = \"fairy\"
options = { Hash = 8 , \"Skill Level\" = -2 }
";
        assert_eq!(text, expected);
        assert_eq!(with(&[]).as_deref(), Ok(TEXT));
    }

    #[test]
    fn words_survive_the_shell() {
        assert_eq!(shell_word("/a/b-1.toml"), "/a/b-1.toml");
        assert_eq!(shell_word("my $1.toml"), "'my $1.toml'");
        assert_eq!(shell_word("it's"), r"'it'\''s'");
        assert_eq!(path_word(Path::new("-x y.toml")), "'./-x y.toml'");
        assert_eq!(config_command_words(Path::new("-x.toml"), &[]), "./-x.toml");
        let change: Override = "variant.fairy.options.Skill Level=-2".parse().unwrap();
        let words = config_command_words(Path::new("a.toml"), &[change]);
        assert_eq!(words, "a.toml --set 'variant.fairy.options.Skill Level=-2'");
        assert_eq!(config_words(&words), words);
        assert_eq!(config_words("my file.toml"), "'my file.toml'");
        let variants: Vec<String> = ["a", "b", "c", "d", "e"].map(str::to_owned).to_vec();
        assert_eq!(run_name(&words, &variants[..2]), "a.toml: a, b");
        let five = run_name("'some/my file.toml' --set seed=1", &variants);
        assert_eq!(five, "my file.toml: a, b, c, d and 1 more");
        assert_eq!(run_name("x.toml", &[]), "x.toml");
    }

    #[test]
    fn invalid_overrides_are_refused() {
        for (text, message) in [
            ("limits.nodes", "there is no `=`"),
            ("=5", "empty"),
            ("a..b=5", "empty"),
            ("a[x]=5", "empty"),
            ("a[1=5", "empty"),
            ("seed= ", "there is no value"),
            (
                "variant.b.seed=1",
                "`variant.b` is not a variant; there are a.1, fairy",
            ),
            ("variant.fairy=1", "names a whole variant"),
            ("limits.nodes.x=1", "lies in a value that is not a table"),
            (
                "variant.\"a.1\".search.ordering[2]=x",
                "is beyond a list of 2",
            ),
            ("variant[0]=1", "names a whole table"),
            ("variant[2].name=x", "is beyond a list of 2"),
            ("variant[0].search[0]=1", "is not a list"),
            ("limits[0]=1", "has an index, but is not a list"),
            ("variant.fairy.init[0]=1", "is not in the file"),
        ] {
            let error = with(&[text]).unwrap_err().to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    /// Deeper paths overflowed the stack of the TOML reader or writer.
    #[test]
    fn no_path_is_deeper_than_a_config() {
        let deep = format!("{}a=1", "a.".repeat(30_000));
        assert!(matches!(
            deep.parse::<Override>(),
            Err(OverrideError::Form(..))
        ));
        let usual = format!("{}a=1", "a.".repeat(MAX_STEPS - 1));
        assert!(usual.parse::<Override>().is_ok());
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "[a-z\"\\[\\]0-9.= ]{0,30}", tail in ".{0,20}") {
            let _ = with(&[&text]);
            let _ = with(&[&format!("variant.fairy.{text}={tail}")]);
        }
    }
}
