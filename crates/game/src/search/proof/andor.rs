//! The interface between solvers and games.

use std::fmt::Debug;

/// A position's outcome without any search. The zone is the part of the position on which the
/// outcome depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome<Z> {
    /// The goal is reached, or certain to be reached.
    Proved(Z),
    /// The goal is out of reach.
    Disproved(Z),
    /// A search is needed.
    Open,
}

impl<Z> Outcome<Z> {
    /// A proved or a disproved position.
    pub(super) fn decided(proved: bool, zone: Z) -> Self {
        if proved {
            Outcome::Proved(zone)
        } else {
            Outcome::Disproved(zone)
        }
    }

    /// Returns whether the goal can be reached; `None` if unknown.
    pub fn is_proved(&self) -> Option<bool> {
        match self {
            Outcome::Proved(_) => Some(true),
            Outcome::Disproved(_) => Some(false),
            Outcome::Open => None,
        }
    }
}

/// A position with a goal, as a node of an AND/OR tree: at OR nodes the side that wants to prove
/// the goal (the attacker) is to move, at AND nodes the side that wants to disprove it (the
/// defender). The sides need not alternate.
///
/// An OR node without moves is disproved and an AND node without moves is proved: if the defender
/// may pass, the pass must be among the moves. A position that repeats an earlier one of its line
/// is disproved: repetition is enough for the defender.
///
/// # Zones
///
/// A game may report the part of a position on which a result depends. Then, if a side cannot reach
/// its aim by the moves of [`moves`](AndOr::moves), the solver need not search all other moves, but
/// only those that [`widen`](AndOr::widen) finds in the zone. With `Zone = ()` no zones are stored
/// or used.
pub trait AndOr {
    /// A move. Within one position a value identifies at most one move.
    type Move: Copy + Eq + Debug;

    /// The part of a position on which a result depends; `()` if unused.
    type Zone: Clone + Default + Debug;

    /// A hash of everything that affects the outcome of the position, including the side to move,
    /// the goal and any forbidden moves. Solvers treat positions with equal keys as equal.
    fn key(&self) -> u128;

    /// Returns whether the side that wants the proof is to move.
    fn is_or(&self) -> bool;

    /// Returns the outcome that is known without search.
    fn outcome(&mut self) -> Outcome<Self::Zone>;

    /// Appends the moves to search first, in order from best to worst; always the same moves in the
    /// same order for the same position.
    fn moves(&mut self, moves: &mut Vec<Self::Move>);

    /// Called when all moves of `tried` have failed for the side to move (at an OR node they are
    /// disproved, at an AND node proved). `zone` is the merged zone of these results; `passed` is
    /// the zone of the pass's failure, if the pass is among them and the solver knows it. Changes
    /// `zone` to the zone of the failure here and appends further moves that must be tried; if
    /// there are none, the node is decided. Called again when those have failed as well.
    fn widen(
        &mut self,
        tried: &[Self::Move],
        passed: Option<&Self::Zone>,
        zone: &mut Self::Zone,
        moves: &mut Vec<Self::Move>,
    ) {
        let _ = (tried, passed, zone, moves);
    }

    /// The move that passes the turn, in games where moves outside the zone are worth no more.
    fn pass(&self) -> Option<Self::Move> {
        None
    }

    /// Returns whether `mv` is outside `zone`, the zone of the pass's failure: then it fails in the
    /// same way.
    fn is_elsewhere(&self, mv: Self::Move, zone: &Self::Zone) -> bool {
        let _ = (mv, zone);
        false
    }

    /// Converts the zone of the position after `mv`, which is proved if `proved` and otherwise
    /// disproved, to one of the current position before `mv`. The move is thus part of the winner's
    /// strategy or fails against it.
    fn lift(&mut self, mv: Self::Move, proved: bool, zone: &mut Self::Zone) {
        let _ = (mv, proved, zone);
    }

    /// Adds the other zone to `zone`.
    fn merge(zone: &mut Self::Zone, other: &Self::Zone) {
        let _ = (zone, other);
    }

    /// The zone of a position that repeats an earlier one: all of it, because a repetition requires
    /// that nothing has changed.
    fn everything(&self) -> Self::Zone {
        Self::Zone::default()
    }

    /// The key of the position after `mv`, if it can be computed without playing the move.
    fn key_after(&self, mv: Self::Move) -> Option<u128> {
        let _ = mv;
        None
    }

    /// Plays a move of the side to move.
    fn play(&mut self, mv: Self::Move);

    /// Undoes the last move.
    fn undo(&mut self);

    /// The defender's evaluation, from 0; below 0 counts as 0. Alpha-beta compares these values,
    /// and `pn+` and `df-pn+` derive initial numbers from them. Called only for positions with an
    /// open outcome.
    fn evaluate(&mut self) -> i32;
}
