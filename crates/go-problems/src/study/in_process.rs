//! Leitai's solvers.

use super::solver_result::{Caps, SolverResult, Solves};
use leitai_game::search::proof::{Event, Mode, SolveLimits, SolverParams};
use leitai_go::Problem;
use leitai_go::reading::{CaptureParams, Captures};

/// One of Leitai's solvers.
pub struct InProcess {
    captures: Captures,
    mode: Mode,
}

impl InProcess {
    /// A solver with these parameters.
    pub fn new(params: CaptureParams, solver: SolverParams, mode: Mode) -> Self {
        Self {
            captures: Captures::new(params, solver),
            mode,
        }
    }
}

impl Solves for InProcess {
    fn solve(
        &mut self,
        problem: &Problem,
        caps: &Caps<'_>,
        watch: &mut dyn FnMut(Event),
    ) -> Result<SolverResult, String> {
        let limits = SolveLimits {
            nodes: caps.nodes,
            stop: caps.stop,
        };
        let answer = self.captures.solve(problem, self.mode, limits, Some(watch));
        let effort = answer.effort;
        Ok(SolverResult {
            verdict: answer.verdict,
            best: answer.best,
            visited: Some(effort.visited),
            expanded: Some(effort.expanded),
            generated: Some(effort.generated),
            depth: Some(effort.depth),
            ..SolverResult::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use leitai_go::{Board, CaptureVerdict, Colour, Point};

    #[test]
    fn a_stone_in_atari_is_taken() {
        let rows = [".....", ".X...", "XO...", ".X...", "....."];
        let board = Board::from_rows(&rows).unwrap();
        let target = Point::new(1, 2);
        let problem = Problem::new(board, target, Colour::Black).unwrap();
        let mut solver = InProcess::new(
            CaptureParams::default(),
            SolverParams::default(),
            Mode::Fast,
        );
        let calm = std::sync::atomic::AtomicBool::new(false);
        let caps = Caps {
            nodes: Some(1000),
            time: None,
            cancel: &calm,
            stop: &|| false,
        };
        let mut steps = 0;
        let mut solve = || solver.solve(&problem, &caps, &mut |_| steps += 1).unwrap();
        let first = solve();
        assert_eq!(first.verdict, CaptureVerdict::Captured);
        assert_eq!(first.best.map(|mv| mv.0), Some(Point::new(2, 2).0));
        // The second run does not depend on the first.
        assert_eq!(solve(), first);
    }
}
