//! What a solver asks of a game.

use std::fmt::Debug;

/// What is known of a position without any search. The zone is what of the
/// position the answer rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome<Z> {
    /// The goal is reached, or is sure to be.
    Proved(Z),
    /// The goal is out of reach.
    Disproved(Z),
    /// The search has to find out.
    Open,
}

/// A position with a goal, seen as a node of an AND/OR tree: at OR nodes the
/// side moves that wants to prove the goal (the attacker), at AND nodes the side
/// that wants to disprove it (the defender). The sides need not alternate.
///
/// An OR node without moves is disproved and an AND node without moves is
/// proved: a defender who may pass has the pass among the moves. A position that
/// repeats one of the line that led to it is disproved: the defender is content
/// to go in circles.
///
/// # Zones
///
/// A game may say on which part of a position a result depends. Then a side that
/// cannot reach its aim by the moves of [`moves`](AndOr::moves) need not have all
/// others tried, but only those that [`widen`](AndOr::widen) finds in the zone.
/// With `Zone = ()` nothing is kept and nothing is asked.
pub trait AndOr {
    /// A move. Within one position a value names at most one.
    type Move: Copy + Eq + Debug;

    /// The part of a position that a result depends on; `()` where nobody asks.
    type Zone: Clone + Default + Debug;

    /// A hash of everything that decides what can be proved of the position: the
    /// side to move, the goal and whatever is forbidden included. Positions with
    /// equal keys are taken for one.
    fn key(&self) -> u128;

    /// Whether the side that wants the proof is to move.
    fn is_or(&self) -> bool;

    /// What is known without search.
    fn outcome(&mut self) -> Outcome<Self::Zone>;

    /// Appends the moves to begin with, the best first; the same ones in the
    /// same order whenever the position is met.
    fn moves(&mut self, moves: &mut Vec<Self::Move>);

    /// All moves of `tried` have failed for the side to move (at an OR node they
    /// are disproved, at an AND node proved), and `zone` is what these results
    /// rest on, merged; `passed` is what that of the pass rests on, if it is among
    /// them and the solver knows. Makes of `zone` that of the failure here and
    /// appends the moves that have to be tried too; if there are none, the node is
    /// decided. Called again when those have failed as well.
    fn widen(
        &mut self,
        tried: &[Self::Move],
        passed: Option<&Self::Zone>,
        zone: &mut Self::Zone,
        moves: &mut Vec<Self::Move>,
    ) {
        let _ = (tried, passed, zone, moves);
    }

    /// The move that gives the turn away, where moves elsewhere are worth no more.
    fn pass(&self) -> Option<Self::Move> {
        None
    }

    /// Whether `mv` is a move outside `zone`, which is all that the failure of the
    /// pass rests on: it fails in the same way.
    fn is_elsewhere(&self, mv: Self::Move, zone: &Self::Zone) -> bool {
        let _ = (mv, zone);
        false
    }

    /// Turns the zone of the position after `mv`, which is `proved` or else
    /// disproved, into one of this position, which is the one before. The move is
    /// thus one of the winner's strategy or one that fails against it.
    fn lift(&mut self, mv: Self::Move, proved: bool, zone: &mut Self::Zone) {
        let _ = (mv, proved, zone);
    }

    /// Adds the other zone.
    fn merge(zone: &mut Self::Zone, other: &Self::Zone) {
        let _ = (zone, other);
    }

    /// The zone of a position that repeats an earlier one: the whole of it, as the
    /// circle is only closed if nothing at all has changed.
    fn everything(&self) -> Self::Zone {
        Self::Zone::default()
    }

    /// The key of the position after `mv`, where that is known without playing it.
    fn key_after(&self, mv: Self::Move) -> Option<u128> {
        let _ = mv;
        None
    }

    /// Plays a move of the side to move.
    fn play(&mut self, mv: Self::Move);

    /// Takes the last move back.
    fn undo(&mut self);

    /// How well the defender stands, from 0; below 0 counts as 0. Alpha-beta
    /// compares such values, and `pn+` and `df-pn+` begin with them. Only asked
    /// where the outcome is open.
    fn evaluate(&mut self) -> i32;
}
