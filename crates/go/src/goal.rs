//! The goal of a problem.

use super::{Board, CaptureVerdict, Point, Symmetry};

/// The attacker's aim. The attacker has to make progress: repetition and endless play count for the
/// defender.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Goal {
    /// To take the target.
    #[default]
    Capture,
    /// To take the target before the defender takes the block of this stone, the attacker's own.
    Semeai(Point),
    /// To join the target, the attacker's own block, with the block of this stone. The defender
    /// cuts.
    Connect(Point),
}

impl Goal {
    /// The names of the goals in files.
    pub const NAMES: [&'static str; 3] = ["capture", "semeai", "connect"];

    /// The name of the goal.
    pub const fn name(self) -> &'static str {
        match self {
            Goal::Capture => Self::NAMES[0],
            Goal::Semeai(_) => Self::NAMES[1],
            Goal::Connect(_) => Self::NAMES[2],
        }
    }

    /// A stone of the other block: the one at stake, or the one to join.
    pub const fn other(self) -> Option<Point> {
        match self {
            Goal::Capture => None,
            Goal::Semeai(point) | Goal::Connect(point) => Some(point),
        }
    }

    /// The possible verdicts of such a problem.
    pub const fn verdicts(self) -> &'static [CaptureVerdict] {
        use CaptureVerdict::{Captured, Connected, Cut, Escapes, Ko, Loses, Seki, Unknown, Wins};
        match self {
            Goal::Capture => &[Captured, Escapes, Ko, Unknown],
            Goal::Semeai(_) => &[Wins, Loses, Seki, Ko, Unknown],
            Goal::Connect(_) => &[Connected, Cut, Ko, Unknown],
        }
    }

    /// The goal on a board of `size` that is turned or mirrored.
    #[must_use]
    pub fn transformed(self, symmetry: Symmetry, size: u8) -> Goal {
        match self {
            Goal::Capture => Goal::Capture,
            Goal::Semeai(point) => Goal::Semeai(symmetry.apply(point, size)),
            Goal::Connect(point) => Goal::Connect(symmetry.apply(point, size)),
        }
    }

    /// The reason why this goal does not fit a target, which is a stone.
    pub(super) fn fault(self, board: &Board, target: Point) -> Option<String> {
        let other = self.other()?;
        if !board.on_board(other) {
            return Some("the other block is not a point of the board".to_owned());
        }
        let size = board.size();
        let (name, target_name) = (other.name(size), target.name(size));
        let is_enemy = board.at(other) == board.at(target).map(super::Colour::other);
        match self {
            Goal::Semeai(_) if !is_enemy => Some(format!(
                "{name} and {target_name} must be stones of different colours for a semeai"
            )),
            Goal::Connect(_) if board.at(other) != board.at(target) => Some(format!(
                "{name} and {target_name} must be stones of one colour to be connected"
            )),
            Goal::Connect(_) if board.block(other) == board.block(target) => {
                Some(format!("{name} and {target_name} are one block already"))
            }
            _ => None,
        }
    }
}
