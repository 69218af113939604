//! Why a certificate is not accepted.

use std::fmt;

use thiserror::Error;

use super::certificate::{Play, Spot, Stone};
use super::names::{play_name, spot_name};

/// Why a certificate is not accepted, where in it, and after which plays.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct Refusal {
    /// Why.
    pub reason: Reason,
    /// The node; `None` where the statement itself is at fault.
    pub node: Option<u32>,
    /// The plays that lead from the root to the position at the node; of a long line
    /// all of it.
    pub line: Vec<(Stone, Play)>,
    /// The side of the board, for the names of points.
    pub size: u8,
}

/// What is wrong with a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The board is smaller than 2x2, larger than 19x19 or not a square.
    Size,
    /// A row has another letter than `.`, `X` and `O`.
    Letter(char),
    /// A block of the board has no liberty.
    NoLiberties(Spot),
    /// No stone stands on the target.
    EmptyTarget,
    /// Every block has one liberty, so that an escape by fewer than two says nothing.
    Liberties(u8),
    /// There is no root.
    Empty,
    /// It names a node that there is not.
    Dangling(u32),
    /// It answers the same play twice.
    Twice(Play),
    /// It names a point that is not on the board.
    Outside(Spot),
    /// The plan of a capture leads back to an earlier node.
    Cycle,
    /// The prover is to move and has no play, and has not won.
    NoAnswer,
    /// The root plays for the side whose turn it is not.
    RootAnswers,
    /// The attacker passes.
    AttackerPasses,
    /// The prover's play is on a point with a stone.
    Occupied(Spot),
    /// The prover's play has no liberty and takes nothing.
    Suicide(Spot),
    /// The prover takes a ko, and the other side is the master.
    ForbiddenKo(Spot),
    /// A pass, or a play that is not listed, has no answer, and the claim is not reached.
    NoOtherwise,
    /// The play takes the target of an escape.
    TargetTaken(Play),
    /// More positions than the checker may look at.
    TooMany(u64),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(node) = self.node {
            write!(f, "node {node}")?;
            // The end of a long line says what is played; its beginning rarely does.
            let hidden = self.line.len().saturating_sub(SHOWN);
            let shown = self.line.iter().skip(hidden);
            let plays: Vec<String> = shown
                .map(|&(stone, play)| format!("{stone} {}", play_name(play, self.size)))
                .collect();
            if !plays.is_empty() {
                let dots = if hidden > 0 { "..., " } else { "" };
                write!(f, ", after {dots}{}", plays.join(", "))?;
            }
            f.write_str(": ")?;
        }
        self.explain(f)
    }
}

/// Plays of a line that a message shows.
const SHOWN: usize = 12;

impl Refusal {
    /// The play of the other side at which the strategy fails, where it is one.
    pub fn play(&self) -> Option<Play> {
        match self.reason {
            Reason::TargetTaken(play) => Some(play),
            _ => None,
        }
    }

    fn explain(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let spot = |spot| spot_name(spot, self.size);
        let play = |play| play_name(play, self.size);
        match self.reason {
            Reason::Size => write!(f, "the board is not a square of 2 to 19 rows"),
            Reason::Letter(letter) => {
                write!(
                    f,
                    "`{}` in a row: expected `.`, `X` or `O`",
                    letter.escape_default()
                )
            }
            Reason::NoLiberties(at) => write!(f, "the block at {} has no liberties", spot(at)),
            Reason::EmptyTarget => write!(f, "no stone stands on the target"),
            Reason::Liberties(count) => write!(
                f,
                "an escape by {count} liberties says nothing: 2 are the fewest"
            ),
            Reason::Empty => write!(f, "there are no nodes"),
            Reason::Dangling(node) => write!(f, "names node {node}, which there is not"),
            Reason::Twice(twice) => write!(f, "answers {} twice", play(twice)),
            Reason::Outside(at) => write!(
                f,
                "column {}, row {} (from the left and the top, from 0) is not on the board",
                at.col, at.row
            ),
            Reason::Cycle => write!(f, "is on a way back to itself, and a capture must end"),
            Reason::NoAnswer => {
                write!(f, "nothing is played, and the claim is not reached here")
            }
            Reason::RootAnswers => {
                write!(
                    f,
                    "the root has a play of its own, but the other side moves first"
                )
            }
            Reason::AttackerPasses => write!(f, "the attacker passes, which it never may"),
            Reason::Occupied(at) => write!(f, "{} is not empty", spot(at)),
            Reason::Suicide(at) => write!(f, "a stone at {} has no liberty", spot(at)),
            Reason::ForbiddenKo(at) => {
                write!(f, "takes a ko at {}, which only the master may", spot(at))
            }
            Reason::NoOtherwise => {
                write!(
                    f,
                    "the target still stands, and a pass is not answered (`*`)"
                )
            }
            Reason::TargetTaken(by) => write!(f, "{} takes the target", play(by)),
            Reason::TooMany(limit) => write!(
                f,
                "more than {limit} positions have to be looked at; a higher limit may help"
            ),
        }
    }
}
