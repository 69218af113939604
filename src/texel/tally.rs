//! What became of the games and positions that a dataset was offered.

use serde::Serialize;

use crate::game::Cause;

/// Why a whole game is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// A repetition ended it, perpetual check and chase included: that says
    /// little about the material.
    Repetition,
    /// A player failed other than by its moves.
    Failure,
    /// The same moves from the same start are there already.
    Duplicate,
    /// A move is not legal, or the result none.
    Damaged,
    /// No position is quiet after the first plies.
    Nothing,
}

impl Reason {
    /// Why a game that ended so is left out.
    pub(super) fn of(cause: Cause) -> Option<Reason> {
        match cause {
            Cause::Repetition | Cause::PerpetualCheck | Cause::PerpetualChase => {
                Some(Reason::Repetition)
            }
            cause if cause.is_failure() => Some(Reason::Failure),
            _ => None,
        }
    }
}

/// What became of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    /// So many of its positions are in the dataset.
    Positions(usize),
    /// It is left out.
    Not(Reason),
}

/// How many games and positions were taken or left out, and why.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Games that positions were taken of.
    pub games: u64,
    /// Games ended by repetition, perpetual check or perpetual chase.
    pub repetitions: u64,
    /// Games lost by a failure.
    pub failures: u64,
    /// Games that were there already.
    pub duplicates: u64,
    /// Games with an illegal move.
    pub damaged: u64,
    /// Games without a quiet position.
    pub empty: u64,
    /// Positions of the first plies, in games that were looked at.
    pub early: u64,
    /// Positions in check.
    pub in_check: u64,
    /// Positions in which a capture was played or wins material.
    pub captures: u64,
    /// Positions in which the mover saw a mate.
    pub mates: u64,
    /// Positions whose numbers are too large for a row: none of any evaluation
    /// of ours.
    pub too_large: u64,
    /// Quiet positions that were not drawn, since their game has enough.
    pub surplus: u64,
    /// Positions that were taken.
    pub positions: u64,
}

impl Tally {
    pub(super) fn count(&mut self, added: Added) {
        let place = match added {
            Added::Positions(number) => {
                self.positions += number as u64;
                &mut self.games
            }
            Added::Not(Reason::Repetition) => &mut self.repetitions,
            Added::Not(Reason::Failure) => &mut self.failures,
            Added::Not(Reason::Duplicate) => &mut self.duplicates,
            Added::Not(Reason::Damaged) => &mut self.damaged,
            Added::Not(Reason::Nothing) => &mut self.empty,
        };
        *place += 1;
    }
}
