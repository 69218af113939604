//! Zones: the part of the board that a proof depends on.
//!
//! The *prover* has a strategy from a position P; the *opponent* is the other side. A
//! set of points Z is a zone of it if the strategy also wins from every position that
//! the opponent can reach from P by playing outside Z while the prover passes. A move
//! outside the zone then needs no reply of its own, and one search of the pass (or,
//! where the prover is the defender, standing still) covers them all.
//!
//! Z is *closed* in P when
//!
//! 1. every stone in Z has its whole block and all liberties of the block in Z;
//! 2. every block of the opponent in Z has the prover's blocks that touch it in Z too,
//!    and so their liberties.
//!
//! Call P' like P on Z if it has the same points in Z, and every block with stones in Z
//! has the same stones and the same liberties. A legal move q of the opponent outside a
//! closed Z leaves P' like P. It takes no block in Z, as q is not a liberty of one (1).
//! It fills no liberty of one and joins none, as it is not next to one. It gives a
//! prover's block no liberty, since it takes only the prover's stones, and those next
//! to the block would be its own. It gives an opponent's block in Z no liberty, as the
//! blocks next to that are in Z and are not taken (2). Without (2) it could: a stone
//! of the prover far from the target's last liberty, but next to the target, would be
//! taken by a move outside the zone and the target would breathe again.
//!
//! A move inside Z does the same in P' and in P to all that matters. The prover's move m
//! has its neighbours in Z (see [`lift_own`]), so that it joins and takes the same
//! blocks. The opponent's move n is tried; the zone of the position after it is in Z.
//! If n is in that zone, rule 1 and 2 hold there, and so all its neighbours are in Z or
//! are what it took; a prover's block outside Z that n takes only in P' touches no
//! opponent's block of the zone (2), so that nothing in it changes. An n that the
//! opponent may play in P' but not in P does not exist, as the neighbours of such
//! points of Z are in Z ([`close_replies`]): suicides and forbidden ko captures stay
//! what they are.

use crate::games::go::{Board, Colour, Point, PointSet};

/// Closes `zone` in the position of `board` for a strategy of `prover`.
pub fn close(board: &Board, zone: &mut PointSet, prover: Colour) {
    let mut open = *zone & *board.all(prover.other());
    while let Some(stone) = open.first() {
        let block = board.stones(stone);
        open -= block;
        // With the prover's stones that touch it: their blocks come next.
        *zone |= block | board.liberties(stone) | (block.grown() & *board.all(prover));
    }
    let mut open = *zone & *board.all(prover);
    while let Some(stone) = open.first() {
        let block = board.stones(stone);
        open -= block;
        *zone |= block | board.liberties(stone);
    }
}

/// Makes the zone of the position after the prover's move `point` one of the position
/// of `board`, before it.
pub fn lift_own(board: &Board, point: Point, zone: &mut PointSet, prover: Colour) {
    add_with_neighbours(board, point, zone);
    close(board, zone, prover);
}

/// What kos forbid to the opponent.
#[derive(Clone, Copy, Debug)]
pub struct Replies {
    /// Whether he may take kos.
    pub takes_ko: bool,
    /// Where he may take none.
    pub closed: PointSet,
}

impl Replies {
    /// Of one who may take every ko, or none.
    pub const fn of(takes_ko: bool) -> Self {
        Self {
            takes_ko,
            closed: PointSet::EMPTY,
        }
    }

    /// Whether the opponent may play on an empty point.
    fn may_play(&self, board: &Board, point: Point, opponent: Colour) -> bool {
        !board.is_suicide(point, opponent)
            && !self.closed.contains(point)
            && (self.takes_ko || !board.is_ko_capture(point, opponent))
    }
}

/// Closes the zone of a position with the opponent to move, which is the union of the
/// zones of his replies so far: with the neighbours of those empty points in it where he
/// may not play.
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
            if !replies.may_play(board, point, opponent) {
                add_with_neighbours(board, point, zone);
                is_wider = true;
            }
        }
        if is_wider {
            close(board, zone, prover);
        }
    }
}

/// The points of `zone` where the opponent may play and that are not among `tried`.
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

/// The zone of a capture: the attacker takes the block of `target` at `point`.
pub fn taken(board: &Board, target: Point, point: Point) -> PointSet {
    let mut zone = board.stones(target);
    add_with_neighbours(board, point, &mut zone);
    if let Some(defender) = board.at(target) {
        close(board, &mut zone, defender.other());
    }
    zone
}

/// The zone of an escape by the number of liberties.
pub fn escaped(board: &Board, target: Point) -> PointSet {
    board.stones(target) | board.liberties(target)
}

fn add_with_neighbours(board: &Board, point: Point, zone: &mut PointSet) {
    zone.insert(point);
    let neighbours = point.neighbours().into_iter();
    zone.extend(neighbours.filter(|&neighbour| board.on_board(neighbour)));
}
