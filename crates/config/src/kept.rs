//! `[record]`: output of external programs that the record keeps besides their moves.

use std::borrow::Cow;

use regex_lite::Regex;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

/// Lines of external programs that the record keeps for each move. No move depends on them. None are
/// kept by default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "record")]
#[serde(default, deny_unknown_fields, expecting = "a table")]
pub struct Kept {
    /// Keeps the `info` line from which the score of a move was read; false if absent.
    pub info: bool,
    /// Keeps the times of the first and the last move of each game, and the player's clock after each
    /// move; false if absent.
    pub times: bool,
    /// Keeps, for each of these regular expressions, the last line that matches it.
    pub lines: Vec<LinePattern>,
}

impl Kept {
    /// Returns whether any line is kept.
    pub fn any(&self) -> bool {
        self.info || self.times || !self.lines.is_empty()
    }
}

/// A regular expression, in the syntax of the crate `regex-lite`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct LinePattern(Regex);

impl LinePattern {
    /// Returns whether a line matches.
    pub fn matches(&self, line: &str) -> bool {
        self.0.is_match(line)
    }
}

impl PartialEq for LinePattern {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_str() == other.0.as_str()
    }
}

impl Eq for LinePattern {}

impl TryFrom<String> for LinePattern {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let read = Regex::new(&text);
        read.map(Self)
            .map_err(|error| format!("`{text}` is not a regular expression: {error}"))
    }
}

impl From<LinePattern> for String {
    fn from(pattern: LinePattern) -> Self {
        pattern.0.as_str().to_owned()
    }
}

impl JsonSchema for LinePattern {
    fn schema_name() -> Cow<'static, str> {
        "line-pattern".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        String::json_schema(generator)
    }
}
