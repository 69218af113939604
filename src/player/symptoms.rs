//! The last words of a player that failed.

use serde::{Deserialize, Serialize};

use crate::foreign::{excerpt, shown};

/// Letters of a line that are kept.
const LONGEST: usize = 160;
/// Lines that are kept of each kind.
const LINES: usize = 5;

/// What a player said and how its program ended when it failed, for people who look for the
/// cause. All but `answer` may hold times, addresses and paths: nothing is compared by it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Symptoms {
    /// The line of its answer, if that named no legal move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// The exit status of its program, or the signal that killed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit: Option<String>,
    /// Why its program could not play, if there is more to say than the cause of the loss.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The last lines that could not be read as its answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<String>,
    /// The last lines of its error output.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<String>,
}

impl Symptoms {
    /// The same in a few short lines without control characters, whatever a program wrote.
    #[must_use]
    pub fn bounded(&self) -> Self {
        // Escaped first: an escape is six letters long.
        let cut = |text: &str, most| excerpt(&shown(&text.replace('\t', " ")).to_string(), most);
        let line = |text: &String| cut(text, LONGEST);
        let last = |lines: &[String]| {
            let kept = &lines[lines.len().saturating_sub(LINES)..];
            kept.iter().map(line).collect()
        };
        Self {
            answer: self.answer.as_ref().map(line),
            exit: self.exit.as_ref().map(line),
            reason: self.reason.as_ref().map(|text| cut(text, LINES * LONGEST)),
            unread: last(&self.unread),
            errors: last(&self.errors),
        }
    }

    /// Only what is the same each time that the same games are played.
    #[must_use]
    pub fn reproducible(&self) -> Self {
        Self {
            answer: self.answer.clone(),
            ..Self::default()
        }
    }
}

/// Foreign lines in a sentence, each in backticks.
pub(crate) fn quoted_lines(lines: &[String]) -> String {
    let lines: Vec<String> = lines
        .iter()
        .map(|line| format!("`{}`", shown(line)))
        .collect();
    lines.join(" / ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_bounded_and_control_characters_are_escaped() {
        let errors = (0..900).map(|number| format!("{number} {}", "\u{1b}[31m".repeat(9_000)));
        let symptoms = Symptoms {
            answer: Some("bestmove e2e4\u{0}".to_owned()),
            unread: vec!["y".repeat(20_000)],
            errors: errors.collect(),
            ..Symptoms::default()
        };
        let bounded = symptoms.bounded();
        assert_eq!(bounded.answer.as_deref(), Some("bestmove e2e4\\u{0}"));
        assert_eq!(bounded.errors.len(), 5);
        assert!(bounded.errors[4].starts_with("899 \\u{1b}[31m\\u{1b}"));
        let all = bounded.errors.iter().chain(&bounded.unread);
        assert!(all.map(String::len).sum::<usize>() < 2_000);
        assert_eq!(bounded.bounded(), bounded);
        assert_eq!(bounded.reproducible().errors, [""; 0]);
    }
}
