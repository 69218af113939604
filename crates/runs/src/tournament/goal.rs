//! The goal of a run, which decides the pairs that it needs.

use super::Standings;
use crate::store::WorkerName;
use leitai_players::play::PairRecord;
use leitai_players::schedule::PairSpec;

/// The margin by which the first mover won each game of a pair, in the points of the game (Othello:
/// discs), negative if it lost; `None` for games that were not counted out.
pub type Margins = [Option<i32>; 2];

/// The results of replaying a pair's games, and the worker that played them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replay {
    /// The margins of the games.
    pub margins: Margins,
    /// Key of the position from which both games began.
    pub start: u64,
    /// The ply at which both games began; `None` if the opening's ply is unknown.
    pub start_ply: Option<u32>,
    /// True if the start is deeper than the opening.
    pub deeper: bool,
    /// Keys of positions for detecting transpositions between games: the start, then positions of
    /// the games, each once. Empty if unknown.
    pub passed: Vec<u64>,
    /// Indices of openings to which the games came and that `passed` has for that reason alone.
    pub openings: Vec<usize>,
    /// Times of moves: index of the variant, and microseconds. Empty if unknown.
    pub latencies: Vec<(usize, u32)>,
    /// The excess of measured times over those that the players report: index of the variant, and
    /// microseconds. Empty if no player reports times.
    pub delays: Vec<(usize, u32)>,
    /// The worker that played the pair; `None` for the recording process.
    pub worker: Option<WorkerName>,
    /// Wall-clock time of the pair, in microseconds.
    pub elapsed_us: u64,
    /// True if a clock limits play, so that the worker can affect the games.
    pub by_the_clock: bool,
}

/// The goal of a run. It takes pairs in schedule order and decides which ones are still wanted: the
/// driver neither plays nor waits for the others, so that reaching the goal ends the run.
///
/// A goal must depend only on the pairs that it has taken. The wanted pairs are then a function of
/// the schedule and the games alone, not of timing.
pub trait Goal {
    /// Returns whether the pairs of that pairing (a number in the order of
    /// [`Schedule::pairings`](leitai_players::schedule::Schedule::pairings)) are still wanted. A pairing
    /// that is no longer wanted stays so.
    fn wants(&self, pairing: usize) -> bool;

    /// Takes the next wanted pair in schedule order with its replay. Returns whether something that
    /// was wanted before no longer is.
    fn take(&mut self, spec: &PairSpec, record: &PairRecord, replay: &Replay) -> bool;
}

/// A tournament wants every pair of its schedule, unless a player fails in all its games.
impl Goal for Standings {
    fn wants(&self, _pairing: usize) -> bool {
        self.ended_by().is_none()
    }

    fn take(&mut self, spec: &PairSpec, record: &PairRecord, replay: &Replay) -> bool {
        self.add(spec, record, replay);
        self.ended_by().is_some()
    }
}
