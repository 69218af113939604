//! What a certificate consists of.

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

/// A point of the board, whatever its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Spot {
    /// Column from the left, 0 to 18.
    pub col: u8,
    /// Row from the top, 0 to 18.
    pub row: u8,
}

/// What a side does when it is its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Play {
    /// Nothing.
    Pass,
    /// A stone on an empty point.
    At(Spot),
}

choice! {
    /// What a certificate says of the target block. Where the other block is at stake (a
    /// semeai), the attacker fails once it is taken.
    pub enum Claim {
        /// The attacker takes it, whatever the defender does.
        Captured = "captured",
        /// It is never taken, whatever the attacker does, or has at some time as many
        /// liberties as the statement calls an escape.
        Escapes = "escapes",
        /// The attacker, who owns it, joins it with the other block.
        Connected = "connected",
        /// They are never joined, or one of them is taken.
        Cut = "cut",
    }
}

impl Claim {
    /// Whether it is the attacker's claim, who wants to get on: it has to end.
    pub const fn must_end(self) -> bool {
        matches!(self, Claim::Captured | Claim::Connected)
    }

    /// Whether two blocks are to be connected.
    pub const fn is_connection(self) -> bool {
        matches!(self, Claim::Connected | Claim::Cut)
    }

    /// Whose claim it is of a target of this colour.
    pub const fn prover(self, target: Stone) -> Stone {
        match self {
            Claim::Captured | Claim::Cut => target.other(),
            Claim::Escapes | Claim::Connected => target,
        }
    }
}

choice! {
    /// The side that may take every ko. The other side never plays a ko capture: a
    /// play that takes exactly one stone and whose own stone then stands alone with
    /// one liberty.
    pub enum Master {
        /// The side that wants to get on: to take the target, or to connect it.
        Attacker = "attacker",
        /// The side that wants to prevent that.
        Defender = "defender",
    }
}

/// A ko capture that a side may not play on its first move. The side may pass instead,
/// the attacker too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ban {
    /// Where it would be played.
    pub spot: Spot,
    /// Whose it would be.
    pub stone: Stone,
}

/// What is claimed, and of which position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// A name for messages, e.g. that of the problem: no control characters.
    pub id: Option<String>,
    /// The board, top row first: `X` black, `O` white, `.` empty; 2 to 19 rows of
    /// as many letters.
    pub rows: Vec<String>,
    /// A stone of the target block.
    pub target: Spot,
    /// A stone of the other block. Of a capture or an escape (`against`) the block of the
    /// attacker that is at stake, if one is; of a connection (`with`) the block that the
    /// target is to be connected with.
    pub other: Option<Spot>,
    /// Who plays first.
    pub to_move: Stone,
    /// What ko forbids at first. Without effect on the side that may take no ko at all.
    pub ban: Option<Ban>,
    /// What is claimed.
    pub claim: Claim,
    /// Who may take every ko.
    pub master: Master,
    /// The number of liberties, at least 2, with which the target counts as
    /// escaped; `None`: no number does. A claim of capture does not use it.
    pub escape_liberties: Option<u8>,
}

impl Statement {
    /// The ban as its header says it, such as `E5 black`.
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

    /// What the text calls the other block.
    pub(super) const fn other_key(&self) -> &'static str {
        if self.claim.is_connection() {
            "with"
        } else {
            "against"
        }
    }
}

/// One step of the strategy of the side whose claim it is (the *prover*: the
/// attacker for a capture or a connection, the defender for an escape or a cut).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Node {
    /// The prover's play. `None` at a root where the other side moves first, and
    /// where an escape is reached already: the target has the liberties that
    /// count as an escape, or lives even if the defender only passes (Benson); or
    /// blocks that live so keep the two blocks apart.
    pub answer: Option<Play>,
    /// The other side's plays that are answered one by one, and the node with the
    /// prover's next step. Those that cannot be played in a position do no harm there.
    pub replies: Vec<(Play, u32)>,
    /// The node that answers the pass and every play without an entry in
    /// `replies`. A capture needs it wherever the target still stands; an escape at the
    /// root, if a ban keeps the attacker from a first move. Elsewhere in an escape the
    /// attacker may not pass, and it answers plays alone; without it the defender passes
    /// instead and stands where it stood, as after its answer here.
    pub otherwise: Option<u32>,
}

/// A statement with a strategy that shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// What is claimed.
    pub statement: Statement,
    /// The steps; the first is the root. Steps may share what follows them, and
    /// those of an escape may lead back to earlier ones.
    pub nodes: Vec<Node>,
}
