//! The parts of a certificate.

use super::names::spot_name;
use leitai_base::settings::choice;

choice! {
    /// The colour of a stone.
    #[derive(PartialOrd, Ord)]
    pub enum Stone {
        /// `X` in rows, `black` in words.
        Black = "black",
        /// `O` in rows, `white` in words.
        White = "white",
    }
}

impl Stone {
    /// The enemy's colour.
    #[must_use]
    pub const fn other(self) -> Stone {
        match self {
            Stone::Black => Stone::White,
            Stone::White => Stone::Black,
        }
    }

    /// The letter of the colour in rows.
    pub const fn letter(self) -> char {
        match self {
            Stone::Black => 'X',
            Stone::White => 'O',
        }
    }
}

/// A point of the board, independent of the board size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Spot {
    /// Column from the left, 0 to 18.
    pub col: u8,
    /// Row from the top, 0 to 18.
    pub row: u8,
}

/// A move of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Play {
    /// No stone.
    Pass,
    /// A stone on an empty point.
    At(Spot),
}

choice! {
    /// The claim of a certificate about the target block. In a semeai, where another block is at
    /// stake, the attacker fails when that block is taken.
    pub enum Claim {
        /// The attacker takes the target against every defence.
        Captured = "captured",
        /// The attacker never takes the target, or the target gets as many liberties as the
        /// statement calls an escape.
        Escapes = "escapes",
        /// The attacker, who owns the target, joins it with the other block.
        Connected = "connected",
        /// The two blocks are never joined, or one of them is taken.
        Cut = "cut",
    }
}

impl Claim {
    /// Returns whether the claim is the attacker's, who must succeed in finitely many moves.
    pub const fn must_end(self) -> bool {
        matches!(self, Claim::Captured | Claim::Connected)
    }

    /// Returns whether the claim is about a connection of two blocks.
    pub const fn is_connection(self) -> bool {
        matches!(self, Claim::Connected | Claim::Cut)
    }

    /// The side that makes the claim, for a target of this colour.
    pub const fn prover(self, target: Stone) -> Stone {
        match self {
            Claim::Captured | Claim::Cut => target.other(),
            Claim::Escapes | Claim::Connected => target,
        }
    }
}

choice! {
    /// The side that may take every ko. The other side never plays a ko capture: a play that takes
    /// exactly one stone and leaves its own stone alone with one liberty.
    pub enum Master {
        /// The side that wants to make progress: to take the target, or to connect it.
        Attacker = "attacker",
        /// The side that wants to prevent that.
        Defender = "defender",
    }
}

/// A ko capture that a side may not play on its first move. The side may pass instead, the attacker
/// too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ban {
    /// The point of the capture.
    pub spot: Spot,
    /// The colour of the capturing stone.
    pub stone: Stone,
}

/// A claim and the position that it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// A name for messages, e.g. that of the problem: no control characters.
    pub id: Option<String>,
    /// The board, top row first: `X` black, `O` white, `.` empty; 2 to 19 rows of as many letters.
    pub rows: Vec<String>,
    /// A stone of the target block.
    pub target: Spot,
    /// A stone of the other block. For a capture or an escape (`against`): the attacker's block at
    /// stake, if any. For a connection (`with`): the block to connect the target with.
    pub other: Option<Spot>,
    /// The side that plays first.
    pub to_move: Stone,
    /// The ko that is forbidden at first. Without effect on the side that may take no ko.
    pub ban: Option<Ban>,
    /// The claim.
    pub claim: Claim,
    /// The side that may take every ko.
    pub master: Master,
    /// The number of liberties, at least 2, with which the target counts as escaped; `None` for no
    /// limit. A claim of capture does not use it.
    pub escape_liberties: Option<u8>,
}

impl Statement {
    /// The ban as in the header, such as `E5 black`.
    pub fn ban_name(&self) -> Option<String> {
        let size = u8::try_from(self.rows.len()).unwrap_or(u8::MAX);
        let ban = self.ban?;
        Some(format!(
            "{} {}",
            spot_name(ban.spot, size),
            ban.stone.name()
        ))
    }

    /// The name of the target, such as `D6`.
    pub fn target_name(&self) -> String {
        self.spot_name(self.target)
    }

    /// The name of the other block, if there is one.
    pub fn other_name(&self) -> Option<String> {
        self.other.map(|other| self.spot_name(other))
    }

    fn spot_name(&self, spot: Spot) -> String {
        spot_name(spot, u8::try_from(self.rows.len()).unwrap_or(u8::MAX))
    }

    /// The header key of the other block.
    pub(super) const fn other_key(&self) -> &'static str {
        if self.claim.is_connection() {
            "with"
        } else {
            "against"
        }
    }
}

/// One step of the strategy of the *prover*, the side that makes the claim: the attacker for a
/// capture or a connection, the defender for an escape or a cut.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Node {
    /// The prover's play. `None` at a root where the other side moves first, and where an escape or
    /// a cut is reached already: the target has the liberties that count as an escape, or lives
    /// even if the defender only passes (Benson); or blocks that live unconditionally keep the two
    /// blocks apart.
    pub answer: Option<Play>,
    /// The other side's plays with an individual answer, and the node with the prover's next step.
    /// Plays that are impossible in a position are ignored there.
    pub replies: Vec<(Play, u32)>,
    /// The node that answers the pass and every play without an entry in `replies`. A capture needs
    /// it in every position where the target is still on the board; an escape at the root, if a ban
    /// keeps the attacker from a first move. Elsewhere in an escape the attacker may not pass, and
    /// the node answers only plays; without it the defender passes and stays at this node, as after
    /// its answer here.
    pub otherwise: Option<u32>,
}

/// A statement with a strategy that proves it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The claim and its position.
    pub statement: Statement,
    /// The steps; the first is the root. Steps may share their successors, and steps of an escape
    /// may lead back to earlier ones.
    pub nodes: Vec<Node>,
}
