//! Evidence of player failures, for users who look for the cause.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use crate::player::{Awaited, Symptoms, quoted_lines};
use leitai_base::count::count;
use leitai_base::foreign::shown;
use leitai_game::Cause;
use leitai_game::card::AnyPosition;

/// Number of characters kept of a position: more than any game of ours needs.
const LONGEST_POSITION: usize = 1_000;

/// A player's failure: its place in the game, and the player's last output.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// The attempt at the pair, from 1.
    #[serde(skip)]
    pub attempt: u32,
    /// The game of the pair, 0 or 1.
    #[serde(skip)]
    pub game: usize,
    /// Plies of the game before the failure, without the opening.
    pub plies: usize,
    /// The position.
    pub position: String,
    /// Legal moves in the position.
    pub legal_moves: usize,
    /// The player's last output.
    #[serde(flatten)]
    pub symptoms: Symptoms,
}

/// Evidence of failures. It is not part of comparisons: lists of it are always equal.
#[derive(Clone, Debug, Default, Eq)]
pub struct EvidenceList(pub Vec<Evidence>);

impl PartialEq for EvidenceList {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl EvidenceList {
    /// The evidence of a failure in the given game of the given attempt.
    pub fn of(&self, attempt: u32, game: usize) -> Option<&Evidence> {
        let mut all = self.0.iter();
        all.find(|it| (it.attempt, it.game) == (attempt, game))
    }
}

impl Evidence {
    /// A failure in this position, `plies` after the opening.
    pub(crate) fn at(position: &dyn AnyPosition, plies: usize, symptoms: Option<Symptoms>) -> Self {
        Self {
            attempt: 1,
            game: 0,
            plies,
            position: position.to_fen(),
            legal_moves: position.count_legal_moves(),
            symptoms: symptoms.unwrap_or_default(),
        }
    }

    /// Limits the length of foreign text to a few short lines.
    #[must_use]
    pub fn bounded(mut self) -> Self {
        self.position = self.position.chars().take(LONGEST_POSITION).collect();
        self.symptoms = self.symptoms.bounded();
        self
    }

    /// Keeps only data that is the same whenever the same games are played.
    #[must_use]
    pub fn reproducible(&self) -> Self {
        let mut evidence = self.clone();
        evidence.symptoms = self.symptoms.reproducible();
        evidence
    }

    /// A sentence about the failure, including the position.
    pub fn sentence(&self, cause: Cause) -> String {
        let place = format!(", in `{}`", shown(&self.position));
        self.describe(cause, &place)
    }

    /// A sentence about the failure for use next to the moves of the game, which lead to the
    /// position.
    pub fn sentence_without_position(&self, cause: Cause) -> String {
        self.describe(cause, "")
    }

    fn describe(&self, cause: Cause, place: &str) -> String {
        let Symptoms {
            answer,
            awaited,
            exit,
            reason,
            unread,
            errors,
        } = &self.symptoms;
        let moves = count(self.legal_moves as u64, "legal move", "legal moves");
        let event = match (cause, answer, exit, reason) {
            (Cause::IllegalMove | Cause::MalformedOutput, Some(answer), ..) => {
                format!("it replied `{}` in a position with {moves}", shown(answer))
            }
            (_, _, _, Some(reason)) => shown(reason).to_string(),
            (Cause::Crash | Cause::Disconnect, _, Some(exit), _) => shown(exit).to_string(),
            (Cause::Crash, ..) => "its program ended".to_owned(),
            (Cause::Disconnect, ..) => "it closed its output".to_owned(),
            (Cause::Stall, ..) if *awaited == Some(Awaited::Pong) => {
                "it did not reply to a ping within the limit".to_owned()
            }
            (Cause::Stall, ..) => "it gave no move within the limit".to_owned(),
            (Cause::TimeForfeit, ..) => "its move came too late".to_owned(),
            (Cause::IllegalMove, ..) => format!("it chose no move in a position with {moves}"),
            _ => cause.name().to_owned(),
        };
        let plies = count(self.plies as u64, "ply", "plies");
        let mut text = format!("{event} after {plies}{place}");
        let [lines, last] = [unread, errors].map(|lines| quoted_lines(lines));
        if !lines.is_empty() {
            let _ = write!(
                text,
                "; it printed {lines}, which Leitai cannot read as an answer"
            );
        }
        if !last.is_empty() {
            let _ = write!(text, "; its error output ends with {last}");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evidence(symptoms: Symptoms) -> Evidence {
        Evidence {
            attempt: 1,
            game: 0,
            plies: 12,
            position: "8/8 w".to_owned(),
            legal_moves: 34,
            symptoms,
        }
    }

    #[test]
    fn sentences_name_the_answer_the_exit_and_the_last_words() {
        let lines = |lines: &[&str]| lines.iter().map(|&line| line.to_owned()).collect();
        for (cause, symptoms, sentence) in [
            (
                Cause::IllegalMove,
                Symptoms {
                    answer: Some("bestmove (none)".to_owned()),
                    ..Symptoms::default()
                },
                "it replied `bestmove (none)` in a position with 34 legal moves after 12 plies, in `8/8 w`",
            ),
            (
                Cause::Crash,
                Symptoms {
                    exit: Some("exit status 139".to_owned()),
                    errors: lines(&["one", "Segmentation\u{1b}"]),
                    ..Symptoms::default()
                },
                "exit status 139 after 12 plies, in `8/8 w`; its error output ends with `one` / \
                 `Segmentation\\u{1b}`",
            ),
            (
                Cause::Stall,
                Symptoms {
                    unread: lines(&["mock> bestmove e2e4"]),
                    ..Symptoms::default()
                },
                "it gave no move within the limit after 12 plies, in `8/8 w`; it printed `mock> \
                 bestmove e2e4`, which Leitai cannot read as an answer",
            ),
            (
                Cause::IllegalMove,
                Symptoms::default(),
                "it chose no move in a position with 34 legal moves after 12 plies, in `8/8 w`",
            ),
        ] {
            assert_eq!(evidence(symptoms).sentence(cause), sentence);
        }
    }

    #[test]
    fn evidence_survives_its_text_and_is_never_compared() {
        let symptoms = Symptoms {
            answer: Some("bestmove (none)".to_owned()),
            errors: vec!["a".to_owned()],
            ..Symptoms::default()
        };
        let evidence = evidence(symptoms);
        let text = serde_json::to_string(&evidence).unwrap();
        let mut read: Evidence = serde_json::from_str(&text).unwrap();
        read.attempt = 1;
        assert_eq!(read, evidence);
        assert_ne!(evidence.reproducible(), evidence);
        assert_eq!(EvidenceList(vec![evidence]), EvidenceList::default());
    }
}
