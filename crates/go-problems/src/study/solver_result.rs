//! The interface of solvers: limits and answers.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use leitai_game::Move;
use leitai_game::search::proof::Event;
use leitai_go::{CaptureVerdict, Problem};

/// Limits for one problem.
#[derive(Clone, Copy)]
pub struct Caps<'a> {
    /// Nodes by the solver's own main count, [`SolverResult::visited`].
    pub nodes: Option<u64>,
    /// Wall-clock time. `stop` enforces it; an external program must be informed.
    pub time: Option<Duration>,
    /// Set when the user cancels the study.
    pub cancel: &'a AtomicBool,
    /// Returns whether to give up: called every few hundred nodes.
    pub stop: &'a dyn Fn() -> bool,
}

/// A solver's answer to one problem.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SolverResult {
    /// The verdict; unknown if it gave up.
    pub verdict: CaptureVerdict,
    /// The best move; `None` if the solver does not report one.
    pub best: Option<Move>,
    /// Moves played, to search a position or to inspect it for the first time: time is proportional
    /// to them, and the node limit counts them. For an external program its own count. Absent if it
    /// does not count.
    pub visited: Option<u64>,
    /// Positions whose moves were generated, counted each time.
    pub expanded: Option<u64>,
    /// Generated moves, played or not.
    pub generated: Option<u64>,
    /// The maximum distance in moves between the problem and a visited position.
    pub depth: Option<u32>,
    /// Wall-clock time, if only the solver knows the part that belongs to the problem: an external
    /// program first receives the position.
    pub wall: Option<Duration>,
    /// Processor time, if only the solver knows it.
    pub cpu: Option<Duration>,
}

/// A column of a study.
#[derive(Clone, Debug, Default)]
pub struct Solver {
    /// The name of its variant.
    pub name: String,
    /// True for another program, whose node counts are not comparable, and whose processor time is
    /// not that of the calling thread.
    pub outside: bool,
    /// Everything in the config, and in the program's own report, that determines its answers.
    pub identity: String,
}

/// A solver of problems; the order of problems has no effect.
pub trait Solves {
    /// Solves `problem` within `caps`; calls `watch` for the events of its search. Must not keep
    /// anything from earlier problems.
    ///
    /// # Errors
    /// The program died, or sent an invalid answer. The solver is not used again.
    fn solve(
        &mut self,
        problem: &Problem,
        caps: &Caps<'_>,
        watch: &mut dyn FnMut(Event),
    ) -> Result<SolverResult, String>;
}
