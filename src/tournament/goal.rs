//! What pairs are played for.

use super::Standings;
use crate::play::PairRecord;
use crate::schedule::PairSpec;
use crate::store::WorkerName;

/// By how much the first mover won each game of a pair, in the points of the game
/// (Othello: discs), negative if it lost; `None` of games that were not counted.
pub type Margins = [Option<i32>; 2];

/// What is found by replaying the games of a pair, and who has played them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replay {
    /// What they were won by.
    pub margins: Margins,
    /// Key of the position that both began from.
    pub start: u64,
    /// The ply at which both began; `None` where the opening's is unknown.
    pub start_ply: Option<u32>,
    /// Whether that is deeper than the opening.
    pub deeper: bool,
    /// Keys of positions by which games are seen to run into each other: where both
    /// began, then those that a game came by, each once. Empty if that is not known.
    pub passed: Vec<u64>,
    /// How long moves took: the index of the variant, and microseconds. Empty where nobody
    /// knows.
    pub latencies: Vec<(usize, u32)>,
    /// How much longer they took than the players say themselves: the index of the variant,
    /// and microseconds. Empty where none does.
    pub delays: Vec<(usize, u32)>,
    /// The worker that played the pair; `None` of the process itself.
    pub worker: Option<WorkerName>,
    /// Wall-clock time that the pair took, in microseconds.
    pub elapsed_us: u64,
    /// Whether the clock limits play, so that the worker has a say in the games.
    pub by_the_clock: bool,
}

/// What the pairs of a run are played for. It takes them in schedule order and
/// says which ones are still wanted: the driver neither plays nor waits for the
/// others, so that a goal which is reached ends the run.
///
/// A goal must know nothing but the pairs that it was given. What is wanted is
/// then a function of the schedule and the games alone, not of timing.
pub trait Goal {
    /// Whether the pairs of that pairing (a number in the order of
    /// [`Schedule::pairings`](crate::schedule::Schedule::pairings)) are still
    /// wanted. What is not wanted is never wanted again.
    fn wants(&self, pairing: usize) -> bool;

    /// Takes the next wanted pair in schedule order, and what its replay has found.
    /// Returns whether anything is no longer wanted now that was before.
    fn take(&mut self, spec: &PairSpec, record: &PairRecord, replay: &Replay) -> bool;
}

/// A tournament wants every pair of its schedule, unless a player does nothing but fail.
impl Goal for Standings {
    fn wants(&self, _pairing: usize) -> bool {
        self.ended_by().is_none()
    }

    fn take(&mut self, spec: &PairSpec, record: &PairRecord, replay: &Replay) -> bool {
        self.add(spec, record, replay);
        self.ended_by().is_some()
    }
}
