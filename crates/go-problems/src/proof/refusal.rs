//! Reasons to refuse a certificate.

use std::fmt;

use thiserror::Error;

use super::certificate::{Play, Spot, Stone};
use super::names::{play_name, spot_name};

/// The refusal of a certificate: the reason, the node, and the plays that lead there.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct Refusal {
    /// The reason.
    pub reason: Reason,
    /// The node; `None` if the statement itself is at fault.
    pub node: Option<u32>,
    /// The plays that lead from the root to the position at the node, without a length limit.
    pub line: Vec<(Stone, Play)>,
    /// The side of the board, for the names of points.
    pub size: u8,
}

/// The fault of a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The board is smaller than 2x2, larger than 19x19 or not a square.
    Size,
    /// A row has a letter other than `.`, `X` and `O`.
    Letter(char),
    /// A block of the board has no liberty.
    NoLiberties(Spot),
    /// The target is no stone.
    EmptyTarget,
    /// The play that is forbidden at first takes no ko.
    NoKo(Spot),
    /// A connection names no other block.
    NoOther,
    /// The other block is no stone of the board, or of the wrong colour.
    WrongOther(Spot),
    /// The two blocks are one already.
    OneBlock,
    /// The liberty limit of an escape is below two, and every block has one liberty.
    Liberties(u8),
    /// There is no root.
    Empty,
    /// The node refers to a missing node.
    Dangling(u32),
    /// The node answers the same play twice.
    Twice(Play),
    /// The node names a point that is not on the board.
    Outside(Spot),
    /// The plan of a capture leads back to an earlier node.
    Cycle,
    /// The prover is to move and has no play, and has not won.
    NoAnswer,
    /// The root plays for the side that is not to move.
    RootAnswers,
    /// The attacker passes.
    AttackerPasses,
    /// The prover's play is on a point with a stone.
    Occupied(Spot),
    /// The prover's play has no liberty and takes nothing.
    Suicide(Spot),
    /// The prover takes a ko, but the other side is the master.
    ForbiddenKo(Spot),
    /// The prover takes the ko that is forbidden to it at first.
    Banned(Spot),
    /// A pass, or a play that is not listed, has no answer, and the claim is not reached.
    NoOtherwise,
    /// The play takes the target of an escape, or a block of a connection.
    TargetTaken(Play),
    /// The play takes the block that is at stake.
    StakeTaken(Play),
    /// The play joins the blocks of a cut.
    Joined(Play),
    /// The check needs more positions than the limit allows.
    TooMany(u64),
    /// The check was stopped before its end.
    Stopped,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(node) = self.node {
            write!(f, "node {node}")?;
            // The end of a long line shows the problem; its beginning rarely does.
            let hidden = self.line.len().saturating_sub(SHOWN);
            let plays = self.plays().split_off(hidden);
            if !plays.is_empty() {
                let dots = if hidden > 0 { "..., " } else { "" };
                write!(f, ", after {dots}{}", plays.join(", "))?;
            }
            f.write_str(": ")?;
        }
        f.write_str(&self.why())
    }
}

/// Maximum number of plays of a line in a message.
const SHOWN: usize = 12;

impl Refusal {
    /// A refusal of a node, or of the statement, on a board of this size.
    pub(super) fn new(reason: Reason, node: Option<u32>, size: u8) -> Self {
        let line = Vec::new();
        Self {
            reason,
            node,
            line,
            size,
        }
    }

    /// The plays of [`line`](Refusal::line) in words, such as `black D4`.
    pub fn plays(&self) -> Vec<String> {
        let line = self.line.iter();
        line.map(|&(stone, play)| format!("{} {}", stone.name(), play_name(play, self.size)))
            .collect()
    }

    /// The fault, without the place.
    pub fn why(&self) -> String {
        let spot = |spot| spot_name(spot, self.size);
        let play = |play| play_name(play, self.size);
        match self.reason {
            Reason::Size => "the board is not a square of 2 to 19 rows".to_owned(),
            Reason::Letter(letter) => {
                format!(
                    "`{}` in a row: expected `.`, `X` or `O`",
                    letter.escape_default()
                )
            }
            Reason::NoLiberties(at) => format!("the block at {} has no liberties", spot(at)),
            Reason::EmptyTarget => "no stone stands on the target".to_owned(),
            Reason::NoKo(at) => format!("the play at {} that is banned takes no ko", spot(at)),
            Reason::NoOther => "`with` and a point are missing".to_owned(),
            Reason::WrongOther(at) => format!(
                "no stone of the right colour stands on {}: `against` names one of the \
                 attacker, `with` one of the colour of the target",
                spot(at)
            ),
            Reason::OneBlock => "the two blocks are one already".to_owned(),
            Reason::Liberties(count) => {
                format!("an escape by {count} liberties: at least 2 are needed")
            }
            Reason::Empty => "there are no nodes".to_owned(),
            Reason::Dangling(node) => format!("refers to the missing node {node}"),
            Reason::Twice(twice) => format!("answers {} twice", play(twice)),
            Reason::Outside(at) => format!(
                "column {}, row {} (from the left and the top, from 0) is not on the board",
                at.col, at.row
            ),
            Reason::Cycle => {
                "is on a way back to itself, and the attacker's plan must end".to_owned()
            }
            Reason::NoAnswer => "nothing is played, and the claim is not reached here".to_owned(),
            Reason::RootAnswers => {
                "the root has a play of its own, but the other side moves first".to_owned()
            }
            Reason::AttackerPasses => "the attacker passes, which it never may".to_owned(),
            Reason::Occupied(at) => format!("{} is not empty", spot(at)),
            Reason::Suicide(at) => format!("a stone at {} has no liberty", spot(at)),
            Reason::ForbiddenKo(at) => {
                format!("takes a ko at {}, which only the master may", spot(at))
            }
            Reason::Banned(at) => {
                format!(
                    "takes the ko at {}, which is banned on the first move",
                    spot(at)
                )
            }
            Reason::NoOtherwise => {
                "the claim is not reached, and a pass is not answered (`*`)".to_owned()
            }
            Reason::TargetTaken(by) => format!("{} takes the target", play(by)),
            Reason::StakeTaken(by) => {
                format!("{} takes the attacker's own block first", play(by))
            }
            Reason::Joined(by) => format!("{} connects the two blocks", play(by)),
            Reason::Stopped => "the check was stopped before its end".to_owned(),
            Reason::TooMany(limit) => {
                format!("more than {limit} positions have to be looked at; a higher limit may help")
            }
        }
    }
}
