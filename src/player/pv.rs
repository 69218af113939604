//! What is wrong with the lines of play that players report.

use serde::Serialize;

use crate::game::{Cause, Side};

crate::settings::choice! {
    /// What is wrong with a line of play.
    #[derive(PartialOrd, Ord)]
    pub enum PvFault {
        /// A move of it is not legal where it stands, or is no move.
        IllegalMove = "illegal-move",
        /// It goes on where the game is over.
        BeyondTheEnd = "beyond-the-end",
        /// Another move was played than the last one begins with.
        OtherMove = "other-move",
        /// It has fewer plies than the mate that is said to be in it.
        ShortMate = "short-mate",
        /// It has more plies than the mate that is said to be in it.
        LongMate = "long-mate",
        /// It has as many plies as that mate, and nobody is mated.
        NoMate = "no-mate",
    }
}

impl PvFault {
    /// The fault of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|fault| fault.name() == name)
    }

    /// What so many lines with it are, for a sentence.
    pub fn words(self) -> [&'static str; 2] {
        match self {
            Self::IllegalMove => ["line with an illegal move", "lines with an illegal move"],
            Self::BeyondTheEnd => [
                "line that goes on where the game is over",
                "lines that go on where the game is over",
            ],
            Self::OtherMove => [
                "line that begins with another move than was played",
                "lines that begin with another move than was played",
            ],
            Self::ShortMate => [
                "line shorter than its mate",
                "lines shorter than their mates",
            ],
            Self::LongMate => ["line longer than its mate", "lines longer than their mates"],
            Self::NoMate => [
                "line that does not end in its mate",
                "lines that do not end in their mates",
            ],
        }
    }
}

/// Bytes of a line that are kept.
const LONGEST: usize = 2_000;

/// One line of play with something wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PvWarning {
    /// What.
    #[serde(rename = "fault")]
    pub kind: PvFault,
    /// How the game is over where it goes on; of [`PvFault::BeyondTheEnd`] only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// The move that it is about, as the player writes it; empty of mates.
    #[serde(rename = "move")]
    pub word: String,
    /// Plies that were played in the game before, after the opening.
    pub ply: u32,
    /// The position then.
    pub position: String,
    /// What the player said but for times and speeds, its first 2,000 bytes.
    pub line: String,
}

impl PvWarning {
    /// Keeps as much of a line as is told: its times and speeds, which are others whenever the
    /// same game is played, are left out.
    pub(crate) fn shortened(line: &str) -> String {
        let mut kept: Vec<&str> = Vec::new();
        let mut words = line.split(' ').peekable();
        while let Some(word) = words.next() {
            let is_number = |next: &&str| next.parse::<u64>().is_ok();
            let is_time = matches!(word, "time" | "nps" | "cpuload");
            if !is_time || words.next_if(is_number).is_none() {
                kept.push(word);
            }
        }
        let mut line = kept.join(" ");
        line.truncate(line.floor_char_boundary(LONGEST));
        line
    }
}

/// The lines of one player in one game with the same thing wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PvWarnings {
    /// Who reported them.
    pub side: Side,
    /// How many they are, from 1.
    pub count: u32,
    /// The first of them.
    pub first: PvWarning,
}

impl PvWarnings {
    /// By what those of a game are ordered.
    pub(crate) fn order(&self) -> (usize, u32, &'static str) {
        (self.side.index(), self.first.ply, self.first.kind.name())
    }

    /// Adds what a player of that side is warned of, to those of the game so far: by fault
    /// the first is kept, and all are counted.
    pub(crate) fn add(all: &mut Vec<Self>, side: Side, warning: PvWarning) {
        let same = |it: &&mut Self| it.side == side && it.first.kind == warning.kind;
        match all.iter_mut().find(same) {
            Some(known) => known.count = known.count.saturating_add(1),
            None => all.push(Self {
                side,
                count: 1,
                first: warning,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_no_part_of_a_line_that_is_kept() {
        let line = "info depth 1 score mate -1 nodes 15 nps 3750 tbhits 0 time 4 pv f9f8 time nps";
        let kept = "info depth 1 score mate -1 nodes 15 tbhits 0 pv f9f8 time nps";
        assert_eq!(PvWarning::shortened(line), kept);
        assert_eq!(PvWarning::shortened(&"é".repeat(LONGEST)).len(), LONGEST);
    }
}
