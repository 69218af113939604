//! Zones: the part of the board that a proof depends on.
//!
//! The *prover* has a strategy from a position P; the *opponent* is the other side. A set of points
//! Z is a zone of it if the strategy also wins from every position that has the same stones on Z,
//! and elsewhere at least the opponent's stones of P. A move of the opponent outside the zone then
//! needs no individual reply, and one search of the pass (or, if the prover is the defender, of the
//! unchanged position) covers them all.
//!
//! `docs/go-proofs.md` has the rules and the proof that they yield zones. In short: every block of
//! the prover in Z is in Z with its liberties ([`close`]), so that no move outside takes it or
//! fills one. The prover's move has its neighbours in Z and takes the same blocks: a block that it
//! takes is in Z with everything that touches it, an adjacent block that it does not take has
//! another liberty there ([`lift_own`]). If a play in Z is forbidden to the opponent, it stays
//! forbidden after moves elsewhere, since the points that forbid it are in Z ([`close_replies`]).

use arrayvec::ArrayVec;

use crate::{Board, Colour, Point, PointSet};

/// Closes `zone` in the position of `board`: adds the blocks of the prover in it and their
/// liberties.
pub fn close(board: &Board, zone: &mut PointSet, prover: Colour) {
    let mut open = *zone & *board.all(prover);
    while let Some(stone) = open.first() {
        let block = board.stones(stone);
        open -= block;
        *zone |= block | board.liberties(stone);
    }
}

/// Turns the zone of the position after the prover's move `point` into one of the position of
/// `board`, before the move.
pub fn lift_own(board: &Board, point: Point, zone: &mut PointSet, prover: Colour) {
    add_with_neighbours(board, point, zone);
    let mut others = ArrayVec::<PointSet, 4>::new();
    for neighbour in point.neighbours() {
        if board.at(neighbour) == Some(prover.other()) {
            let mut liberties = board.liberties(neighbour);
            liberties.remove(point);
            if liberties.is_empty() {
                *zone |= with_neighbours(board, neighbour);
            } else {
                others.push(liberties);
            }
        }
    }
    close(board, zone, prover);
    for liberties in others {
        if !liberties.meets(zone) {
            zone.extend(liberties.first());
        }
    }
}

/// The ko restrictions on the opponent.
#[derive(Clone, Copy, Debug)]
pub struct Replies {
    /// True if the opponent may take kos.
    pub takes_ko: bool,
    /// Points where the opponent may take none.
    pub closed: PointSet,
}

impl Replies {
    /// Restrictions of a side that may take every ko, or none.
    pub const fn of(takes_ko: bool) -> Self {
        Self {
            takes_ko,
            closed: PointSet::EMPTY,
        }
    }

    /// Returns whether the opponent may play on an empty point.
    fn may_play(&self, board: &Board, point: Point, opponent: Colour) -> bool {
        !board.is_suicide(point, opponent)
            && !self.closed.contains(point)
            && (self.takes_ko || !board.is_ko_capture(point, opponent))
    }
}

/// Closes the zone of a position with the opponent to move, which is the union of the zones after
/// the replies so far: adds the neighbours of the empty points in it where the opponent may not
/// play.
pub fn close_replies(board: &Board, zone: &mut PointSet, prover: Colour, replies: &Replies) {
    let opponent = prover.other();
    close(board, zone, prover);
    let mut seen = PointSet::EMPTY;
    loop {
        let open = (*zone & *board.empties()) - seen;
        if open.is_empty() {
            return;
        }
        seen |= open;
        let mut is_wider = false;
        for point in open {
            if replies.may_play(board, point, opponent) {
                continue;
            }
            is_wider = true;
            add_with_neighbours(board, point, zone);
            if board.is_suicide(point, opponent) {
                for neighbour in point.neighbours() {
                    if board.at(neighbour) == Some(opponent) {
                        *zone |= with_neighbours(board, neighbour);
                    }
                }
            }
        }
        if is_wider {
            close(board, zone, prover);
        }
    }
}

/// The points of `zone` where the opponent may play, without the points of `tried`.
pub fn untried(
    board: &Board,
    zone: &PointSet,
    tried: &PointSet,
    opponent: Colour,
    replies: &Replies,
) -> PointSet {
    let open = (*zone & *board.empties()) - *tried;
    let legal = |&point: &Point| replies.may_play(board, point, opponent);
    open.iter().filter(legal).collect()
}

/// The zone of a capture: the block of `target` is taken at `point`.
pub fn taken(board: &Board, target: Point, point: Point) -> PointSet {
    let mut zone = with_neighbours(board, target);
    if let Some(owner) = board.at(target) {
        let taker = owner.other();
        if board.stone_count(target) == 1 {
            // The move must take a ko in both positions or in neither.
            lift_own(board, point, &mut zone, taker);
        } else {
            close(board, &mut zone, taker);
        }
    }
    zone
}

/// The zone of an escape by liberties.
pub fn escaped(board: &Board, target: Point) -> PointSet {
    board.stones(target) | board.liberties(target)
}

/// The zone of an escape by the defender's move `point` onto a liberty of the target, which gives
/// it enough liberties. With more attacking stones elsewhere the move may take some, but then the
/// target has more liberties.
pub fn extended(board: &mut Board, target: Point, point: Point) -> PointSet {
    let Some(defender) = board.at(target) else {
        return PointSet::EMPTY;
    };
    let taken = board.play(point, defender);
    let mut zone = escaped(board, target);
    board.undo();
    zone.insert(point);
    if taken > 0 {
        lift_own(board, point, &mut zone, defender);
    }
    zone
}

/// The block of a stone and all points next to it.
fn with_neighbours(board: &Board, stone: Point) -> PointSet {
    let stones = *board.all(Colour::Black) | *board.all(Colour::White);
    board.stones(stone).grown() & (stones | *board.empties())
}

fn add_with_neighbours(board: &Board, point: Point, zone: &mut PointSet) {
    zone.insert(point);
    let neighbours = point.neighbours().into_iter();
    zone.extend(neighbours.filter(|&neighbour| board.on_board(neighbour)));
}
