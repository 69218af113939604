//! The board with incremental blocks and liberties.

mod blocks;
mod check;
mod legal;
mod play;
mod rows;
mod step;

use std::fmt;

use super::colour::Colour;
use super::point::Point;
use super::set::PointSet;
use step::Step;

pub use rows::BoardError;

/// The minimum size of a board.
pub const SMALLEST: u8 = 2;

/// The maximum size of a board.
pub const LARGEST: u8 = 19;

/// Number of indices in the tables of a board: a power of two above the number of padded points, so
/// that lookups need no bounds check.
const INDICES: usize = 512;
const _: () = assert!(INDICES.is_power_of_two());

/// The contents of a point: the index of a colour, or one of the next two values.
const EMPTY: u8 = 2;
const BORDER: u8 = 3;

/// Data of a block: one cache line, stored at the index of its head.
#[derive(Clone, Copy, Default)]
struct Group {
    liberties: PointSet,
    liberty_count: u16,
    stone_count: u16,
}

impl Group {
    /// Adds a liberty on a condition; returns whether it was new.
    #[inline]
    fn add_liberty_if(&mut self, point: Point, condition: bool) -> bool {
        let new = self.liberties.insert_if(point, condition);
        self.liberty_count += u16::from(new);
        new
    }

    /// Removes a liberty on a condition; returns whether it existed.
    #[inline]
    fn drop_liberty_if(&mut self, point: Point, condition: bool) -> bool {
        let there = self.liberties.remove_if(point, condition);
        self.liberty_count -= u16::from(there);
        there
    }
}

/// A board of 2x2 to 19x19 points with stones, blocks and liberties, and the plays since its setup.
///
/// Two boards are equal if size, stones and ko are; earlier plays do not count.
///
/// ```
/// use leitai_go::{Board, Colour, Point};
///
/// let mut board = Board::from_rows(&["..X.", ".XOX", "....", "...."])?;
/// let stone = Point::from_name("C3", 4).expect("a point of the board");
/// assert_eq!(board.liberty_count(stone), 1);
/// let last = Point::from_name("C2", 4).expect("a point of the board");
/// assert_eq!(board.play(last, Colour::Black), 1);
/// assert!(board.is_empty(stone));
/// board.undo();
/// assert_eq!(board.at(stone), Some(Colour::White));
/// # Ok::<(), leitai_go::BoardError>(())
/// ```
#[derive(Clone)]
pub struct Board {
    /// The contents of each index.
    cells: [u8; INDICES],
    /// The head of the block of each stone. Captured blocks keep theirs for `undo`.
    heads: [u16; INDICES],
    /// The next stone of the same block, in a ring. Kept like `heads`.
    nexts: [u16; INDICES],
    groups: Box<[Group; INDICES]>,
    /// The points of black stones, of white stones and without stones.
    sets: [PointSet; 3],
    key: u128,
    size: u8,
    ko: Option<Point>,
    steps: Vec<Step>,
    /// The groups joined by the steps of the stack.
    saved: Vec<Group>,
}

#[inline]
const fn index(point: Point) -> usize {
    point.0 as usize % INDICES
}

impl Board {
    /// A board without stones. A size outside 2 to 19 is clamped.
    #[expect(
        clippy::large_stack_arrays,
        reason = "32 KiB, and on the heap as soon as made"
    )]
    pub fn empty(size: u8) -> Board {
        let size = size.clamp(SMALLEST, LARGEST);
        let mut board = Board {
            cells: [BORDER; INDICES],
            heads: [0; INDICES],
            nexts: [0; INDICES],
            groups: Box::new([Group::default(); INDICES]),
            sets: [PointSet::EMPTY; 3],
            key: 0,
            size,
            ko: None,
            steps: Vec::new(),
            saved: Vec::new(),
        };
        for point in Point::all(size) {
            board.cells[index(point)] = EMPTY;
            board.sets[usize::from(EMPTY)].insert(point);
        }
        board
    }

    /// The number of rows and of columns.
    #[inline]
    pub fn size(&self) -> u8 {
        self.size
    }

    /// Returns whether `point` is on this board.
    #[inline]
    pub fn on_board(&self, point: Point) -> bool {
        usize::from(point.0) < INDICES && self.cell(point) != BORDER
    }

    #[inline]
    fn cell(&self, point: Point) -> u8 {
        self.cells[index(point)]
    }

    #[inline]
    fn group(&self, point: Point) -> &Group {
        &self.groups[index(self.block(point))]
    }

    /// The group at the head stored for an index; for an index without a stone any group, which
    /// must not be changed.
    #[inline]
    fn group_mut(&mut self, point: Point) -> &mut Group {
        &mut self.groups[index(Point(self.heads[index(point)]))]
    }

    /// The colour of the stone on `point`.
    #[inline]
    pub fn at(&self, point: Point) -> Option<Colour> {
        match self.cell(point) {
            0 => Some(Colour::Black),
            1 => Some(Colour::White),
            _ => None,
        }
    }

    /// Returns whether `point` is on the board and without a stone.
    #[inline]
    pub fn is_empty(&self, point: Point) -> bool {
        self.cell(point) == EMPTY
    }

    /// The points without stones.
    #[inline]
    pub fn empties(&self) -> &PointSet {
        &self.sets[usize::from(EMPTY)]
    }

    /// The points with stones of a colour.
    #[inline]
    pub fn all(&self, colour: Colour) -> &PointSet {
        &self.sets[colour.index()]
    }

    /// The point that simple ko forbids to the side to move.
    #[inline]
    pub fn ko(&self) -> Option<Point> {
        self.ko
    }

    /// Sets the point that simple ko forbids to the side to move; any play or pass lifts the ban,
    /// and undoing it restores the ban.
    pub fn set_ko(&mut self, ko: Option<Point>) {
        self.ko = ko;
    }

    /// The hash key of the stones, without the size, the side to move and the ko.
    #[inline]
    pub fn key(&self) -> u128 {
        self.key
    }
}

impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        self.size == other.size && self.ko == other.ko && self.sets == other.sets
    }
}

impl Eq for Board {}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Board")
            .field("rows", &self.to_rows().join("/"))
            .field("ko", &self.ko.map(|ko| ko.name(self.size)))
            .field("plies", &self.steps.len())
            .finish_non_exhaustive()
    }
}
