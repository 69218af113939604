//! Faults in the principal variations that players report.

use serde::{Deserialize, Serialize};

use leitai_game::{Cause, Side};

leitai_base::settings::choice! {
    /// A fault in a principal variation.
    #[derive(PartialOrd, Ord, Deserialize)]
    pub enum PvFault {
        /// One of its moves is not legal in its position, or is no move.
        IllegalMove = "illegal-move",
        /// The line continues after the end of the game.
        BeyondTheEnd = "beyond-the-end",
        /// The player played another move than the last line begins with.
        OtherMove = "other-move",
        /// The line has fewer plies than its reported mate.
        ShortMate = "short-mate",
        /// The line has more plies than its reported mate.
        LongMate = "long-mate",
        /// The line has as many plies as its reported mate, but does not end in mate.
        NoMate = "no-mate",
        /// The score of the line cannot be read.
        UnreadScore = "unread-score",
        /// A move came with other lines, and none of them has a score.
        NoScore = "no-score",
    }
}

impl PvFault {
    /// The noun for one line and for several lines with the fault.
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
            Self::UnreadScore => [
                "line with an unreadable score",
                "lines with an unreadable score",
            ],
            Self::NoScore => ["move without a score", "moves without a score"],
            Self::NoMate => [
                "line that does not end in its mate",
                "lines that do not end in their mates",
            ],
        }
    }
}

/// Number of bytes kept of a line.
const LONGEST: usize = 2_000;

/// One principal variation with a fault.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct PvWarning {
    /// The fault.
    #[serde(rename = "fault")]
    pub kind: PvFault,
    /// The cause of the end of the game before the line ends; for [`PvFault::BeyondTheEnd`] only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// The faulty move in the player's notation; empty for mates.
    #[serde(rename = "move")]
    pub word: String,
    /// Plies of the game before the fault, after the opening.
    pub ply: u32,
    /// The position at that ply.
    pub position: String,
    /// The first 2,000 bytes of the player's line, without times and speeds.
    pub line: String,
}

impl PvWarning {
    /// Shortens a line and removes times and speeds, which differ whenever the same game is played.
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
        Self::cut(&kept.join(" "))
    }

    /// The beginning of a line.
    pub(crate) fn cut(line: &str) -> String {
        line[..line.floor_char_boundary(LONGEST)].to_owned()
    }
}

/// The lines of one player in one game with the same fault.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct PvWarnings {
    /// The side that reported them.
    pub side: Side,
    /// The number of lines, from 1.
    pub count: u32,
    /// The first line.
    pub first: PvWarning,
}

impl PvWarnings {
    /// Sort key within a game.
    pub fn order(&self) -> (usize, u32, &'static str) {
        (self.side.index(), self.first.ply, self.first.kind.name())
    }

    /// Adds a warning about a player to those of the game: of each fault the first is kept, and all
    /// are counted.
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
