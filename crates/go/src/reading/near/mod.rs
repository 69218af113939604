//! The moves near a target, the likeliest first.
//!
//! The points considered are the liberties of the target, their neighbours, and the liberties of
//! short blocks that matter to it: the attacker's blocks around it, friends that share a liberty,
//! and the blocks that threaten either. Each point has [`traits`](mod@traits), and a sum of weights
//! puts the points in order. The candidates of Zhang and Chen (2007) put stones on the board to
//! find their value; these need no play.

mod traits;
mod weights;

use arrayvec::ArrayVec;

use super::around::Around;
use super::kos::Kos;
use super::threats::threats;
use crate::{Board, Colour, Point, PointSet, move_at};
use leitai_game::Move;
use traits::Traits;
use traits::{
    CLOSED, DIAGONAL, FAR, FRIEND, GAIN, HALF_RESCUE, JOINS, LAST, LIBERTY, LINE, MINE, NEAR_LAST,
    NEXT, OPEN, RESCUE, SECOND, SEVERAL, SHORT, STRONG_FRIEND, TAKES, THEIRS, WEAK_FRIEND,
};
use weights::WEIGHTS;

/// Maximum number of considered points.
const POINTS: usize = 64;

/// Maximum number of moves.
pub const MAX: usize = 16;

/// Maximum number of blocks around a target.
const BLOCKS: usize = 24;

/// Maximum number of liberties of a block that is short of liberties.
const FEW: u32 = 3;

/// An upper bound of the indices of points; a power of two.
const INDICES: usize = 512;

/// A request for moves in a position.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// A stone of the block to take.
    pub target: Point,
    /// Its colour.
    pub defender: Colour,
    /// The side to move.
    pub to_move: Colour,
    /// The side that may take kos.
    pub kos: Kos,
    /// The point of the last stone, if any.
    pub last: Option<Point>,
    /// The attacker has to meet all threats of the target to get this number of liberties; 0 to
    /// ignore threats.
    pub escape_liberties: u32,
    /// Maximum number of moves; never more than [`MAX`].
    pub most: u32,
}

impl Question {
    /// A hash of everything that the moves depend on.
    fn key(&self, board: &Board) -> u64 {
        let point = |point: Point| u64::from(point.0);
        let last = self.last.map_or(0, point);
        let side = u64::from(self.to_move == self.defender);
        let [most, enough] = [self.most, self.escape_liberties].map(u64::from);
        let ko = board
            .ko()
            .filter(|_| self.kos == Kos::Both)
            .map_or(0, point);
        let rest =
            ko << 44 | enough << 36 | point(self.target) << 24 | last << 12 | most << 3 | side << 2;
        let key = board.key();
        let rest = (rest | self.kos as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((key ^ (key >> 64)) as u64) ^ rest
    }
}

/// Finds moves, with a memory that is reused between positions.
#[derive(Clone, Debug)]
pub struct Near {
    points: ArrayVec<(Point, Traits), POINTS>,
    /// The index of each point in `points`, from 1; 0 if absent.
    places: Box<[u8; INDICES]>,
    order: Vec<(i32, Point)>,
    memory: Vec<Kept>,
}

/// The moves of an earlier position.
#[derive(Clone, Debug, Default)]
struct Kept {
    key: u64,
    moves: ArrayVec<Move, MAX>,
}

/// The number of positions in the memory.
const MEMORY: usize = 1 << 11;

impl Default for Near {
    fn default() -> Self {
        Self {
            points: ArrayVec::new(),
            places: Box::new([0; INDICES]),
            order: Vec::new(),
            memory: Vec::new(),
        }
    }
}

/// Heads of blocks, each once.
type Heads = ArrayVec<Point, BLOCKS>;

fn add_head(heads: &mut Heads, head: Point) {
    if !heads.is_full() && !heads.contains(&head) {
        heads.push(head);
    }
}

impl Near {
    /// The best moves, the likeliest first, equal ones in the order of the points. Omits the pass,
    /// moves that the ko rule forbids, moves that leave a target in atari, and moves that leave a
    /// threat to escape.
    pub fn moves(&mut self, board: &Board, asked: &Question) -> ArrayVec<Move, MAX> {
        if board.at(asked.target) != Some(asked.defender) {
            return ArrayVec::new();
        }
        let key = asked.key(board);
        let place = (key >> 32) as usize % MEMORY;
        if let Some(kept) = self.memory.get(place).filter(|kept| kept.key == key) {
            return kept.moves.clone();
        }
        let moves = self.find(board, asked);
        if self.memory.is_empty() {
            self.memory.resize(MEMORY, Kept::default());
        }
        self.memory[place] = Kept {
            key,
            moves: moves.clone(),
        };
        moves
    }

    fn find(&mut self, board: &Board, asked: &Question) -> ArrayVec<Move, MAX> {
        let threats = threats(board, asked.target, asked.escape_liberties);
        let within = threats.map(|threats| threats.answers);
        let is_asked = |point: Point| {
            within.is_none_or(|within| within.contains(point)) && is_open(board, asked, point)
        };
        if let Some(within) = within
            && within.len() <= 1
        {
            let one = within.iter().filter(|&point| is_asked(point));
            return one.map(move_at).collect();
        }
        self.consider(board, asked);
        let target = Target::of(board, asked);
        let side = usize::from(asked.to_move == asked.defender);
        let weights = &WEIGHTS[side][target.count.clamp(1, 4) as usize - 1];
        self.order.clear();
        for &(point, traits) in &self.points {
            if is_asked(point) {
                let traits = target.describe(board, asked, point, traits);
                self.order.push((-traits.worth(weights), point));
            }
        }
        self.order.sort_unstable();
        let order = self.order.iter().map(|&(_, point)| move_at(point));
        order.take(MAX.min(asked.most as usize)).collect()
    }

    #[inline]
    fn add(&mut self, point: Point, which: u32) {
        let place = &mut self.places[usize::from(point.0) % INDICES];
        if let Some((_, traits)) = usize::from(*place)
            .checked_sub(1)
            .and_then(|at| self.points.get_mut(at))
        {
            let was_short = traits.has(SHORT + 1) || traits.has(SHORT + 2);
            traits.set_if(
                SEVERAL,
                was_short && (SHORT + 1..=SHORT + 2).contains(&which),
            );
            traits.set(which);
        } else if !self.points.is_full() {
            self.points.push((point, Traits(1 << which)));
            *place = self.points.len() as u8;
        }
    }

    /// Collects the points, with the traits that blocks determine.
    fn consider(&mut self, board: &Board, asked: &Question) {
        for (point, _) in self.points.drain(..) {
            self.places[usize::from(point.0) % INDICES] = 0;
        }
        let friends = self.liberties(board, asked);
        let attacker = asked.defender.other();
        let mut around = touching(board, asked.target, attacker);
        let close = around.len();
        for &friend in &friends {
            if board.liberty_count(friend) > FEW {
                continue;
            }
            for point in board.liberties(friend) {
                self.add(point, FRIEND);
            }
            for head in touching(board, friend, attacker) {
                if board.liberty_count(head) < FEW {
                    add_head(&mut around, head);
                }
            }
        }
        if let Some(last) = asked.last.filter(|&last| board.at(last) == Some(attacker)) {
            add_head(&mut around, board.block(last));
        }
        for (place, &head) in around.iter().enumerate() {
            self.short(board, asked, head, if place < close { SHORT } else { FAR });
        }
    }

    /// Adds liberties and second liberties. Returns the defender's blocks that share a liberty.
    fn liberties(&mut self, board: &Board, asked: &Question) -> Heads {
        let liberties = board.liberties(asked.target);
        let own = board.block(asked.target);
        let mut friends = Heads::new();
        for point in liberties {
            self.add(point, LIBERTY);
            for neighbour in point.neighbours() {
                if board.is_empty(neighbour) {
                    if !liberties.contains(neighbour) {
                        self.add(neighbour, SECOND);
                    }
                } else if board.at(neighbour) == Some(asked.defender)
                    && board.block(neighbour) != own
                {
                    add_head(&mut friends, board.block(neighbour));
                }
            }
        }
        friends
    }

    /// Adds the liberties of an attacking block that is short of them, and those of blocks that
    /// threaten it.
    fn short(&mut self, board: &Board, asked: &Question, head: Point, kind: u32) {
        let liberties = board.liberty_count(head);
        if liberties > FEW {
            return;
        }
        for point in board.liberties(head) {
            self.add(point, kind + liberties - 1);
        }
        if liberties == FEW {
            return;
        }
        let own = board.block(asked.target);
        for threat in touching(board, head, asked.defender) {
            let which = match board.liberty_count(threat) {
                _ if threat == own => continue,
                1 => RESCUE,
                2 => HALF_RESCUE,
                _ => continue,
            };
            for point in board.liberties(threat) {
                self.add(point, which);
            }
        }
    }
}

/// The heads of the blocks of `colour` that touch the block of `point`.
fn touching(board: &Board, point: Point, colour: Colour) -> Heads {
    let mut heads = Heads::new();
    board.for_each_stone(point, |stone| {
        for neighbour in stone.neighbours() {
            if board.at(neighbour) == Some(colour) {
                add_head(&mut heads, board.block(neighbour));
            }
        }
    });
    heads
}

/// Returns whether the side to move may play on `point` without leaving a target of its own in
/// atari.
fn is_open(board: &Board, asked: &Question, point: Point) -> bool {
    let Question {
        target,
        defender,
        to_move,
        kos,
        ..
    } = *asked;
    if !kos.may_play(board, point, to_move, defender) {
        return false;
    }
    if to_move != defender
        || board.liberty_count(target) != 1
        || board.captures(point, defender) > 0
    {
        return true;
    }
    if board.liberties(target).contains(point) {
        return Around::of(board, point).liberties(board, defender, 2) > 1;
    }
    // A single stone may also be saved by a move that makes its capture a ko.
    kos == Kos::Defender && board.stone_count(target) == 1
}

/// The block of the target.
struct Target {
    head: Point,
    liberties: PointSet,
    count: u32,
}

impl Target {
    fn of(board: &Board, asked: &Question) -> Self {
        Self {
            head: board.block(asked.target),
            liberties: board.liberties(asked.target),
            count: board.liberty_count(asked.target),
        }
    }

    /// The traits of a point, completed by those that its neighbours determine.
    fn describe(
        &self,
        board: &Board,
        asked: &Question,
        point: Point,
        mut traits: Traits,
    ) -> Traits {
        let Question {
            to_move, defender, ..
        } = *asked;
        let around = Around::of(board, point);
        // A larger number makes no difference.
        let most = (self.count + 2).max(4);
        let mine = around.liberties(board, to_move, most);
        let theirs = around.liberties(board, to_move.other(), most);
        let few = |count: u32| count.clamp(1, 4) - 1;
        traits.set(if around.takes(board, to_move) {
            TAKES
        } else {
            MINE + few(mine)
        });
        traits.set(THEIRS + few(theirs));
        if traits.has(LIBERTY) {
            let out = if to_move == defender { mine } else { theirs };
            traits.set(GAIN + (out + 1).saturating_sub(self.count).min(3));
        }
        for &head in &around.heads[defender.index()] {
            if head != self.head {
                let is_weak = board.liberty_count(head) <= 2;
                traits.set(if is_weak { WEAK_FRIEND } else { STRONG_FRIEND });
            }
        }
        let is_next = |&&at: &&Point| self.liberties.contains(at);
        let next = around.empty.iter().filter(is_next).count() as u32;
        if next > 0 {
            traits.set(NEXT + (next - 1).min(2));
        }
        traits.set_if(JOINS, around.heads[to_move.index()].len() >= 2);
        traits.set_if(CLOSED, around.empty.is_empty());
        traits.set_if(OPEN, around.empty.len() >= 3);
        let far = board.size() - 1;
        let (col, row) = (point.col(), point.row());
        let line = col
            .min(row)
            .min(far.saturating_sub(col))
            .min(far.saturating_sub(row));
        traits.set(LINE + u32::from(line.min(2)));
        if let Some(last) = asked.last {
            match col.abs_diff(last.col()) + row.abs_diff(last.row()) {
                1 => traits.set(LAST),
                2 => traits.set(NEAR_LAST),
                _ => {}
            }
        }
        let is_own = |at: Point| board.at(at) == Some(defender) && board.block(at) == self.head;
        traits.set_if(DIAGONAL, point.diagonals().into_iter().any(is_own));
        traits
    }
}
