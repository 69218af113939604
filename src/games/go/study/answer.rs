//! Whoever solves: what it is given and what it answers.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::game::Move;
use crate::games::go::{CaptureVerdict, Problem};
use crate::search::proof::Event;

/// What a solver may spend on one problem.
#[derive(Clone, Copy)]
pub struct Caps<'a> {
    /// Nodes by the solver's own main count, [`Answer::visited`].
    pub nodes: Option<u64>,
    /// Wall-clock time. `stop` watches it; a program outside has to be told.
    pub time: Option<Duration>,
    /// Whether to give up: asked every few hundred nodes.
    pub stop: &'a dyn Fn() -> bool,
}

/// What a solver found on one problem.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The verdict; unknown if it gave up.
    pub verdict: CaptureVerdict,
    /// The move that it would play; none if it does not say.
    pub best: Option<Move>,
    /// Moves played, to search a position or to look at it for the first time: what
    /// time goes by, and what the cap of nodes counts. Of a program outside, its
    /// own count. Absent if it does not count.
    pub visited: Option<u64>,
    /// Positions whose moves were listed, each time that they were.
    pub expanded: Option<u64>,
    /// Moves listed there, played or not.
    pub generated: Option<u64>,
    /// The most moves between the problem and a position that was visited.
    pub depth: Option<u32>,
    /// Wall-clock time, where the solver itself knows better what belongs to the
    /// problem: a program outside is told the position first.
    pub wall: Option<Duration>,
    /// Processor time, where the solver alone knows it.
    pub cpu: Option<Duration>,
}

/// Solves problems, each as if it were the first.
pub trait Solves {
    /// Whether the work is done by another process, whose processor time is not
    /// that of the calling thread.
    fn is_outside(&self) -> bool {
        false
    }

    /// Solves `problem` within `caps`; `watch` hears of the moments of its search.
    /// Nothing may be left of earlier problems.
    ///
    /// # Errors
    /// It cannot: a program that died, or answered what is no answer. The solver is
    /// not asked again.
    fn solve(
        &mut self,
        problem: &Problem,
        caps: &Caps<'_>,
        watch: &mut dyn FnMut(Event),
    ) -> Result<Answer, String>;
}
