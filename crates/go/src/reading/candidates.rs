//! Selects the moves to try.

use arrayvec::ArrayVec;

use super::chain::chain;
use super::eyes::is_real_eye;
use super::kos::Kos;
use super::ladder::falls;
use super::liberties::{Liberties, point_value, related_value};
use super::params::{CaptureParams, Stone};
use crate::{Board, Colour, Point, PointSet, move_at};
use leitai_game::Move;

/// A position of a capture problem.
pub struct Context<'a> {
    /// The stones; every function restores them.
    pub board: &'a mut Board,
    /// A point of the block to take.
    pub target: Point,
    /// The colour that the target has, or had.
    pub defender: Colour,
    /// The point of the last stone, if any.
    pub last: Option<Point>,
    /// The side to move.
    pub to_move: Colour,
    /// The side that may take kos.
    pub kos: Kos,
}

/// Blocks of one colour with their related points.
struct Source {
    stones: PointSet,
    liberties: Liberties,
    points: PointSet,
    owner: Colour,
    least: u32,
    most: u32,
}

/// A point under consideration.
#[derive(Clone, Copy)]
struct Candidate {
    point: Point,
    value: i32,
    /// True for the least points of a source, which stay if there are too many points.
    is_kept: bool,
}

/// Number of points of a board.
const POINTS: usize = 361;

/// Finds the moves to try with their values (Zhang and Chen 2007, section 1.2): the best of the
/// points related to five types of blocks; greatest value first, then in the order of the points.
/// Replaces the contents of `out`. Omits the defender's pass. Finds none if the target is gone.
pub fn candidates(context: &mut Context<'_>, params: &CaptureParams, out: &mut Vec<(Move, i32)>) {
    out.clear();
    let mut found = considered(context, params);
    let is_attacker = context.to_move != context.defender;
    let most = if is_attacker {
        params.attack_most
    } else {
        params.defend_most
    };
    let order = |a: &Candidate, b: &Candidate| (-a.value, a.point).cmp(&(-b.value, b.point));
    found.sort_unstable_by(|a, b| b.is_kept.cmp(&a.is_kept).then_with(|| order(a, b)));
    let filter = params.ladder_filter && !is_attacker;
    let mut taken: ArrayVec<Candidate, POINTS> = ArrayVec::new();
    for candidate in found {
        if taken.len() >= most as usize {
            break;
        }
        if !(filter && leaves_ladder(context, candidate.point, params)) {
            taken.push(candidate);
        }
    }
    taken.sort_unstable_by(order);
    out.extend(taken.iter().map(|it| (move_at(it.point), it.value)));
}

/// The points that the sources propose, each once.
fn considered(context: &mut Context<'_>, params: &CaptureParams) -> ArrayVec<Candidate, POINTS> {
    let mut found: ArrayVec<Candidate, POINTS> = ArrayVec::new();
    let sources = sources(context, params);
    let Context {
        board,
        target,
        defender,
        to_move,
        kos,
        ..
    } = context;
    let mut refused = PointSet::EMPTY;
    if let Some(urgent) = urgent(board, *target, *to_move, *kos, params) {
        refused = *board.empties() - urgent;
    }
    let mut known = PointSet::EMPTY;
    let mut values = None;
    for source in sources {
        let mut ranked: ArrayVec<(i32, Point), POINTS> = ArrayVec::new();
        for point in source.points - refused {
            if !known.contains(point) {
                let is_open = kos.may_play(board, point, *to_move, *defender)
                    && !(params.eye_filter && is_real_eye(board, point, *to_move));
                if !is_open {
                    refused.insert(point);
                    continue;
                }
            }
            let Source {
                stones,
                liberties,
                owner,
                ..
            } = &source;
            let value = match params.point_stone {
                Stone::Related => related_value(board, point, *owner, stones, liberties, params),
                Stone::Owner => values
                    .get_or_insert_with(Values::default)
                    .of(board, point, *owner, params),
                Stone::Mover => values
                    .get_or_insert_with(Values::default)
                    .of(board, point, *to_move, params),
            };
            ranked.push((-value, point));
        }
        ranked.sort_unstable();
        for (rank, &(value, point)) in ranked.iter().take(source.most as usize).enumerate() {
            let new = Candidate {
                point,
                value: -value,
                is_kept: rank < source.least as usize,
            };
            if known.insert(point) {
                found.push(new);
            } else if let Some(old) = found.iter_mut().find(|it| it.point == point) {
                old.value = old.value.max(new.value);
                old.is_kept |= new.is_kept;
            }
        }
    }
    found
}

/// The only moves that can save a target in atari: extensions, and captures of adjacent blocks.
/// `None` if other moves can save it too.
fn urgent(
    board: &Board,
    target: Point,
    to_move: Colour,
    kos: Kos,
    params: &CaptureParams,
) -> Option<PointSet> {
    let defender = board.at(target)?;
    if !params.ladder_filter || to_move != defender || board.liberty_count(target) != 1 {
        return None;
    }
    let taken_at = board.liberties(target).first()?;
    if !kos.may_play(board, taken_at, to_move.other(), defender) {
        return None;
    }
    let mut points = board.liberties(target);
    if kos == Kos::Defender && board.stone_count(target) == 1 {
        // A single stone may also be saved by a move that makes its capture a ko.
        points |= points.grown() & *board.empties();
    }
    for stone in board.stones(target).grown() & *board.all(to_move.other()) {
        if board.liberty_count(stone) == 1 {
            points |= board.liberties(stone);
        }
    }
    Some(points)
}

/// The values of points, computed once per colour.
struct Values {
    known: [PointSet; 2],
    values: [[i32; INDICES]; 2],
}

/// More than the greatest index of a point.
const INDICES: usize = 420;

impl Default for Values {
    fn default() -> Self {
        Values {
            known: [PointSet::EMPTY; 2],
            values: [[0; INDICES]; 2],
        }
    }
}

impl Values {
    fn of(&mut self, board: &Board, point: Point, colour: Colour, params: &CaptureParams) -> i32 {
        let is_new = self.known[colour.index()].insert(point);
        let Some(value) = self.values[colour.index()].get_mut(usize::from(point.0)) else {
            return 0;
        };
        if is_new {
            *value = point_value(board, point, colour, params);
        }
        *value
    }
}

/// The five types of blocks: the target, its crucial chain, the block of the last move, the
/// attacker's blocks next to the chain, and the blocks next to that of the last move.
fn sources(context: &mut Context<'_>, params: &CaptureParams) -> ArrayVec<Source, 5> {
    let mut sources = ArrayVec::new();
    let Context {
        target,
        last,
        to_move,
        ..
    } = *context;
    let board = &mut *context.board;
    let Some(defender) = board.at(target) else {
        return sources;
    };
    let chain = chain(board, target, params);
    let target = board.stones(target);
    let mut add = |stones: PointSet, owner, least, most: u32| {
        if most > 0 && !stones.is_empty() {
            let (liberties, points) = related(board, &stones, owner, params);
            sources.push(Source {
                stones,
                liberties,
                points,
                owner,
                least,
                most,
            });
        }
    };
    add(target, defender, params.target_least, params.target_most);
    if chain != target {
        add(chain, defender, params.chain_least, params.chain_most);
    }
    let adjacent = touching(board, &chain, defender);
    let attacker = defender.other();
    add(
        adjacent,
        attacker,
        params.adjacent_least,
        params.adjacent_most,
    );
    let looks_back = params.last_for_attack || to_move == defender;
    if let Some(last) = last.filter(|_| looks_back)
        && let Some(owner) = board.at(last)
    {
        let block = board.stones(last);
        add(block, owner, params.last_least, params.last_most);
        let adjacent = touching(board, &block, owner);
        add(
            adjacent,
            owner.other(),
            params.last_adjacent_least,
            params.last_adjacent_most,
        );
    }
    sources
}

/// The stones of all enemy blocks that touch `stones`, which are of `colour`.
fn touching(board: &Board, stones: &PointSet, colour: Colour) -> PointSet {
    let mut blocks = PointSet::EMPTY;
    let mut left = stones.grown() & *board.all(colour.other());
    while let Some(stone) = left.first() {
        let block = board.stones(stone);
        left -= block;
        blocks |= block;
    }
    blocks
}

/// The liberties of blocks of `colour`, and their related points: these liberties, the second
/// liberties, and the liberties of adjacent enemy blocks that are short of liberties.
fn related(
    board: &Board,
    stones: &PointSet,
    colour: Colour,
    params: &CaptureParams,
) -> (Liberties, PointSet) {
    let near = stones.grown();
    let first = near & *board.empties();
    let liberties = Liberties::of_stones(board, colour, stones, first, params.second);
    let mut points = liberties.first | liberties.second;
    for stone in near & *board.all(colour.other()) {
        if board.liberty_count(stone) <= params.adjacent_liberties {
            points |= board.liberties(stone);
        }
    }
    (liberties, points)
}

/// Returns whether a ladder captures the target after the defender's move.
fn leaves_ladder(context: &mut Context<'_>, point: Point, params: &CaptureParams) -> bool {
    let Context {
        target,
        defender,
        kos,
        ..
    } = *context;
    let board = &mut *context.board;
    // The target gains at most one liberty from the move itself.
    if board.liberty_count(target) >= 4 {
        return false;
    }
    board.play(point, defender);
    let falls = falls(board, target, defender.other(), kos, params);
    board.undo();
    falls
}
