//! The board with incremental blocks and liberties.

mod check;
mod play;
mod rows;

use std::fmt;

use arrayvec::ArrayVec;

use super::colour::Colour;
use super::point::Point;
use super::set::PointSet;
use play::Step;

pub use rows::BoardError;

/// The least size of a board.
pub const SMALLEST: u8 = 2;

/// The greatest size of a board.
pub const LARGEST: u8 = 19;

/// As many indices as the tables of a board have: a power of two above the
/// padded points, so that no look-up needs a check.
const INDICES: usize = 512;

/// What lies on a point: the index of a colour, or one of the next two.
const EMPTY: u8 = 2;
const BORDER: u8 = 3;

/// Blocks, each by its head. No block of 19x19 touches more than 242 others:
/// `n` stones have at most `2 n + 2` neighbours.
pub type Blocks = ArrayVec<Point, 242>;

/// What is known of a block: one cache line, kept at the index of its head.
#[derive(Clone, Copy, Default)]
struct Group {
    liberties: PointSet,
    liberty_count: u16,
    stone_count: u16,
}

impl Group {
    #[inline]
    fn add_liberty(&mut self, point: Point) -> bool {
        let new = self.liberties.insert(point);
        self.liberty_count += u16::from(new);
        new
    }

    #[inline]
    fn drop_liberty(&mut self, point: Point) -> bool {
        let there = self.liberties.remove(point);
        self.liberty_count -= u16::from(there);
        there
    }
}

/// A board of 2x2 to 19x19 points with stones, blocks and liberties, and the
/// plays that led there.
///
/// Two boards are equal if size, stones and ko are; the plays before do not
/// count.
///
/// ```
/// use leitai::game::go::{Board, Colour, Point};
///
/// let mut board = Board::from_rows(&["..X.", ".XOX", "....", "...."])?;
/// let stone = Point::from_name("C3", 4).expect("a point of the board");
/// assert_eq!(board.liberty_count(stone), 1);
/// let last = Point::from_name("C2", 4).expect("a point of the board");
/// assert_eq!(board.play(last, Colour::Black), 1);
/// assert!(board.is_empty(stone));
/// board.undo();
/// assert_eq!(board.at(stone), Some(Colour::White));
/// # Ok::<(), leitai::game::go::BoardError>(())
/// ```
#[derive(Clone)]
pub struct Board {
    /// What lies on each index.
    cells: [u8; INDICES],
    /// The head of the block of each stone. Blocks off the board keep theirs,
    /// to be put back by `undo`.
    heads: [u16; INDICES],
    /// The next stone of the same block: a ring. Kept like `heads`.
    nexts: [u16; INDICES],
    groups: Box<[Group; INDICES]>,
    /// The points of black stones, of white stones and without stones.
    sets: [PointSet; 3],
    key: u128,
    size: u8,
    ko: Option<Point>,
    steps: Vec<Step>,
    /// The groups that were joined by steps of the stack.
    saved: Vec<Group>,
}

#[inline]
const fn index(point: Point) -> usize {
    point.0 as usize % INDICES
}

impl Board {
    /// A board without stones. A size outside 2 to 19 becomes the nearest
    /// inside.
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

    /// Whether `point` is one of this board.
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

    /// Whether `point` is on the board and without a stone.
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

    /// The point that simple ko forbids to the side that moves next.
    #[inline]
    pub fn ko(&self) -> Option<Point> {
        self.ko
    }

    /// Sets the point that simple ko forbids to the side that moves next; any
    /// play or pass lifts the ban, and taking that back restores it.
    pub fn set_ko(&mut self, ko: Option<Point>) {
        self.ko = ko;
    }

    /// The hash key of the stones: neither of the size, nor the side to move,
    /// nor ko.
    #[inline]
    pub fn key(&self) -> u128 {
        self.key
    }

    /// The block of a stone, by its head: one of its stones, the same for all
    /// of them until the next play. Which one it is depends on the order of
    /// the plays. A point without a stone is its own block of no stones.
    #[inline]
    pub fn block(&self, point: Point) -> Point {
        if self.cell(point) < EMPTY {
            Point(self.heads[index(point)])
        } else {
            point
        }
    }

    /// The stones of the block of `point`; none if there is no stone.
    #[inline]
    pub fn stones(&self, point: Point) -> PointSet {
        let mut stones = PointSet::EMPTY;
        if self.cell(point) < EMPTY {
            self.for_each_stone(point, |stone| {
                stones.insert(stone);
            });
        }
        stones
    }

    /// Calls `visit` with every stone of the ring that `point` is of.
    #[inline]
    fn for_each_stone(&self, point: Point, mut visit: impl FnMut(Point)) {
        let mut stone = point;
        loop {
            visit(stone);
            stone = Point(self.nexts[index(stone)]);
            if stone == point {
                break;
            }
        }
    }

    /// The liberties of the block of `point`: the empty points next to it;
    /// none if there is no stone.
    #[inline]
    pub fn liberties(&self, point: Point) -> PointSet {
        if self.cell(point) < EMPTY {
            self.group(point).liberties
        } else {
            PointSet::EMPTY
        }
    }

    /// How many liberties the block of `point` has; 0 if there is no stone.
    #[inline]
    pub fn liberty_count(&self, point: Point) -> u32 {
        if self.cell(point) < EMPTY {
            u32::from(self.group(point).liberty_count)
        } else {
            0
        }
    }

    /// How many stones the block of `point` has; 0 if there is no stone.
    #[inline]
    pub fn stone_count(&self, point: Point) -> u32 {
        if self.cell(point) < EMPTY {
            u32::from(self.group(point).stone_count)
        } else {
            0
        }
    }

    /// The heads of the enemy blocks that touch the block of `point`, in
    /// ascending order of the first point where they touch it, which does not
    /// depend on the order of the plays.
    pub fn adjacent_blocks(&self, point: Point) -> Blocks {
        let mut blocks = Blocks::new();
        let Some(colour) = self.at(point) else {
            return blocks;
        };
        let mut seen = PointSet::EMPTY;
        let touching = self.stones(point).grown() & *self.all(colour.other());
        for stone in touching {
            let head = self.block(stone);
            if seen.insert(head) {
                // Cannot be full: see `Blocks`.
                let _ = blocks.try_push(head);
            }
        }
        blocks
    }

    /// How many stones a play would take.
    pub fn captures(&self, point: Point, colour: Colour) -> u32 {
        let enemy = colour.other().index() as u8;
        let mut heads = [Point(0); 4];
        let mut taken = 0;
        for (place, neighbour) in point.neighbours().into_iter().enumerate() {
            if self.cell(neighbour) != enemy {
                continue;
            }
            let (head, group) = (self.block(neighbour), self.group(neighbour));
            if group.liberty_count == 1 && !heads.contains(&head) {
                heads[place] = head;
                taken += u32::from(group.stone_count);
            }
        }
        if self.is_empty(point) { taken } else { 0 }
    }

    /// Whether a play on an empty point would leave its own block without
    /// liberties. False where there is a stone.
    #[inline]
    pub fn is_suicide(&self, point: Point, colour: Colour) -> bool {
        let own = colour.index() as u8;
        self.is_empty(point)
            && point
                .neighbours()
                .into_iter()
                .all(|neighbour| match self.cell(neighbour) {
                    EMPTY => false,
                    BORDER => true,
                    cell => (self.group(neighbour).liberty_count == 1) == (cell == own),
                })
    }

    /// Whether a play takes exactly one stone and the stone that takes it
    /// would stand alone with that point as its only liberty, so that it could
    /// be taken back at once.
    pub fn is_ko_capture(&self, point: Point, colour: Colour) -> bool {
        let enemy = colour.other().index() as u8;
        self.is_empty(point)
            && point.neighbours().into_iter().all(|neighbour| {
                let cell = self.cell(neighbour);
                cell == BORDER || cell == enemy
            })
            && self.captures(point, colour) == 1
    }

    /// Whether a play is legal: on an empty point, no suicide, and not on the
    /// point that ko forbids.
    #[inline]
    pub fn is_legal(&self, point: Point, colour: Colour) -> bool {
        self.is_empty(point) && self.ko != Some(point) && !self.is_suicide(point, colour)
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
