//! Counts of the games and positions that were offered to a dataset.

use serde::Serialize;

use leitai_game::Cause;

/// The reason why a whole game is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LeftOutReason {
    /// It ended by repetition, perpetual check and chase included, which says little about
    /// material.
    Repetition,
    /// A player failed by something other than its moves.
    Failure,
    /// A game with the same start and moves is in the dataset.
    Duplicate,
    /// A move is illegal, or the result is not valid.
    Damaged,
    /// No position is quiet after the first plies.
    Nothing,
}

impl LeftOutReason {
    /// The reason for leaving out a game with this cause of its end, if there is one.
    pub(super) fn of(cause: Cause) -> Option<LeftOutReason> {
        match cause {
            Cause::Repetition
            | Cause::PerpetualCheck
            | Cause::PerpetualChase
            | Cause::PerpetualAttack => Some(LeftOutReason::Repetition),
            cause if cause.is_failure() => Some(LeftOutReason::Failure),
            _ => None,
        }
    }
}

/// The outcome of adding a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddedGame {
    /// The dataset took this number of its positions.
    Positions(usize),
    /// The game is left out.
    Not(LeftOutReason),
}

/// The numbers of games and positions taken or left out, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Games with positions in the dataset.
    pub games: u64,
    /// Games ended by repetition, perpetual check or perpetual chase.
    pub repetitions: u64,
    /// Games lost by a failure.
    pub failures: u64,
    /// Games that the dataset already had.
    pub duplicates: u64,
    /// Games with an illegal move.
    pub damaged: u64,
    /// Games without a quiet position.
    pub empty: u64,
    /// Skipped positions of the first plies.
    pub early: u64,
    /// Positions in check.
    pub in_check: u64,
    /// Positions in which a capture was played or wins material.
    pub captures: u64,
    /// Positions in which the mover's search found a mate.
    pub mates: u64,
    /// Positions whose numbers are too large for a row; no evaluation of Leitai has any.
    pub too_large: u64,
    /// Quiet positions that were not drawn because their game has enough.
    pub surplus: u64,
    /// Positions in the dataset.
    pub positions: u64,
}

impl Tally {
    /// Adds the counts of positions of another.
    pub(super) fn add(&mut self, other: &Self) {
        self.in_check += other.in_check;
        self.captures += other.captures;
        self.too_large += other.too_large;
        self.positions += other.positions;
    }

    pub(super) fn count(&mut self, added: AddedGame) {
        let place = match added {
            AddedGame::Positions(number) => {
                self.positions += number as u64;
                &mut self.games
            }
            AddedGame::Not(LeftOutReason::Repetition) => &mut self.repetitions,
            AddedGame::Not(LeftOutReason::Failure) => &mut self.failures,
            AddedGame::Not(LeftOutReason::Duplicate) => &mut self.duplicates,
            AddedGame::Not(LeftOutReason::Damaged) => &mut self.damaged,
            AddedGame::Not(LeftOutReason::Nothing) => &mut self.empty,
        };
        *place += 1;
    }
}
