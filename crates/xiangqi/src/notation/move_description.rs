//! Descriptions of moves from the mover's point of view, and of texts.
//!
//! Files are counted from the mover's right, `1` to `9`. Several pieces of a kind on one file form
//! a *stack*; within a stack, index 0 is the front, nearest the enemy.

use super::super::{Kind, Square, Xiangqi};
use leitai_game::{Move, Position, Side};

/// The direction of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Forward,
    Back,
    Across,
}

/// All facts about one move that the notations can express.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveDescription {
    pub(super) kind: Kind,
    pub(super) file: u8,
    pub(super) direction: Direction,
    /// The number of points for a piece that moves straight along its file, or else its target
    /// file.
    pub(super) value: u8,
    /// Place in the stack, 0 in front; 0 for a piece alone on its file.
    pub(super) index: u8,
    /// Size of the stack; 1 for a piece alone on its file.
    pub(super) stack: u8,
    /// The number of files with a stack of this kind.
    pub(super) stacks: u8,
    /// Place, from 0, among all stacked pieces of this kind: the stacks from right to left, each
    /// from front to rear.
    pub(super) ordinal: u8,
}

/// The description of a move in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Description {
    pub(super) kind: Kind,
    pub(super) which: Selector,
    pub(super) direction: Direction,
    pub(super) value: u8,
}

/// The distinction between pieces of a kind in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Selector {
    /// The piece on that file.
    On(u8),
    /// The piece at that place of its stack.
    At(Place),
    /// The piece at that place of the stack on that file.
    AtOn(Place, u8),
    /// The piece with that number (from 0) among all stacked pieces.
    Ordinal(u8),
}

/// A place in a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The foremost.
    Front,
    /// The second from the front in a stack of four or five, otherwise the foremost.
    InnerFront,
    /// The piece with equal numbers before and behind it.
    Middle,
    /// [`InnerFront`](Place::InnerFront) counted from the rear.
    InnerRear,
    /// The rearmost.
    Rear,
    /// The piece with that index.
    Index(u8),
}

impl Place {
    /// The index in a stack of `size`, if there is such a place.
    fn index_in(self, size: u8) -> Option<u8> {
        let inner = u8::from(size >= 4);
        match self {
            _ if size < 2 => None,
            Place::Front => Some(0),
            Place::InnerFront => Some(inner),
            Place::Middle => (size % 2 == 1).then_some(size / 2),
            Place::InnerRear => Some(size - 1 - inner),
            Place::Rear => Some(size - 1),
            Place::Index(index) => (index < size).then_some(index),
        }
    }
}

/// File from the right and rank from home, from the point of view of `side`.
fn seen_by(side: Side, square: Square) -> (u8, u8) {
    let square = match side {
        Side::First => square,
        Side::Second => square.rotated(),
    };
    (9 - square.file() as u8, square.rank() as u8)
}

/// Returns whether every move of the kind changes both file and rank.
const fn moves_askew(kind: Kind) -> bool {
    matches!(kind, Kind::Advisor | Kind::Elephant | Kind::Horse)
}

impl MoveDescription {
    /// The description of a move of the side to move; `None` without a piece of that side on the
    /// origin.
    pub(super) fn of(position: &Xiangqi, mv: Move) -> Option<MoveDescription> {
        let (from, to) = Xiangqi::squares_of(mv)?;
        let side = position.side_to_move();
        let kind = position
            .piece_at(from)
            .filter(|piece| piece.side == side)?
            .kind;
        let ((file, rank), (to_file, to_rank)) = (seen_by(side, from), seen_by(side, to));

        let mut on_file = [0_u8; 10];
        let mut index = 0;
        for (other_file, other_rank) in position.pieces(side, kind).map(|s| seen_by(side, s)) {
            on_file[usize::from(other_file)] += 1;
            index += u8::from(other_file == file && other_rank > rank);
        }
        let stack = on_file[usize::from(file)];
        let stacked = |count: &&u8| **count > 1;
        let to_the_right = on_file[..usize::from(file)].iter().filter(stacked);

        Some(MoveDescription {
            kind,
            file,
            direction: match to_rank.cmp(&rank) {
                std::cmp::Ordering::Greater => Direction::Forward,
                std::cmp::Ordering::Less => Direction::Back,
                std::cmp::Ordering::Equal => Direction::Across,
            },
            value: if moves_askew(kind) || rank == to_rank {
                to_file
            } else {
                rank.abs_diff(to_rank)
            },
            index,
            stack,
            stacks: on_file.iter().filter(stacked).count() as u8,
            ordinal: to_the_right.sum::<u8>() + index,
        })
    }

    /// Returns whether the text must distinguish the piece from another on its file.
    ///
    /// Never for an advisor or elephant: of two on a file, the one that can go forward is behind
    /// the other, so the direction identifies it.
    pub(super) const fn needs_place(self) -> bool {
        self.stack > 1 && !matches!(self.kind, Kind::Advisor | Kind::Elephant)
    }

    /// Returns whether `description` fits this move.
    pub(super) fn answers(self, description: Description) -> bool {
        let stands = match description.which {
            // In a stack with a middle, the middle needs no place (WXF, 1997).
            Selector::On(file) => {
                let middle = Place::Middle.index_in(self.stack);
                file == self.file && middle.is_none_or(|middle| middle == self.index)
            }
            Selector::At(place) => place.index_in(self.stack) == Some(self.index),
            Selector::AtOn(place, file) => {
                file == self.file && place.index_in(self.stack) == Some(self.index)
            }
            Selector::Ordinal(ordinal) => self.stack > 1 && ordinal == self.ordinal,
        };
        stands
            && description.kind == self.kind
            && description.direction == self.direction
            && description.value == self.value
    }
}
