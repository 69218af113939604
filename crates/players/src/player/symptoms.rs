//! The last output of a player that failed.

use serde::{Deserialize, Serialize};

use leitai_base::foreign::{excerpt, shown};

/// Number of characters kept of a line.
const LONGEST: usize = 160;
/// Number of lines kept of each kind.
const LINES: usize = 5;

leitai_base::settings::choice! {
    /// The reply that an engine did not give.
    #[derive(Deserialize)]
    pub enum Awaited {
        /// The end of its greeting.
        Greeting = "greeting",
        /// The reply to a ping.
        Pong = "pong",
        /// Any line about its search.
        Output = "output",
        /// A move: it gave other lines about its search.
        Move = "move",
    }
}

/// A failed player's output and the exit of its engine, for users who look for the cause. All
/// fields except `answer` may hold times, addresses and paths, so they are not used for
/// comparisons.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Symptoms {
    /// The line of its reply, if that has no legal move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// The reply that its engine did not give.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub awaited: Option<Awaited>,
    /// The exit status of the engine, or the signal that killed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit: Option<String>,
    /// The reason that the engine could not play, if it adds to the cause of the loss.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The last lines that could not be parsed as its reply.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<String>,
    /// The last lines of its error output.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<String>,
}

impl Symptoms {
    /// Limits the text to a few short lines without control characters, for any engine output.
    #[must_use]
    pub fn bounded(&self) -> Self {
        // Escaped before truncation: an escape has six characters.
        let cut = |text: &str, most| excerpt(&shown(&text.replace('\t', " ")).to_string(), most);
        let line = |text: &String| cut(text, LONGEST);
        let last = |lines: &[String]| {
            let kept = &lines[lines.len().saturating_sub(LINES)..];
            kept.iter().map(line).collect()
        };
        Self {
            answer: self.answer.as_ref().map(line),
            awaited: self.awaited,
            exit: self.exit.as_ref().map(line),
            reason: self.reason.as_ref().map(|text| cut(text, LINES * LONGEST)),
            unread: last(&self.unread),
            errors: last(&self.errors),
        }
    }

    /// Keeps only data that is the same whenever the same games are played.
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
    let quoted = lines.iter().map(|line| format!("`{}`", shown(line)));
    quoted.collect::<Vec<_>>().join(" / ")
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
