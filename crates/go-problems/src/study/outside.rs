//! Other programs as solvers, by GTP.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::answer::{Answer, Caps, Solves};
use super::external::ExternalSolver;
use leitai_config::Program;
use leitai_game::search::proof::Event;
use leitai_go::{Play, Problem};

/// Another program, such as GNU Go.
pub struct Outside {
    solver: ExternalSolver,
    /// Time limit of an answer if the study has none.
    patience: Duration,
    cancel: &'static AtomicBool,
}

impl Outside {
    /// Starts the program; the wait for an answer ends when `cancel` is set.
    ///
    /// # Errors
    /// The program does not start, or lacks a command.
    pub fn start(program: &Program, cancel: &'static AtomicBool) -> Result<Self, String> {
        let solver = ExternalSolver::start(program, cancel)
            .map_err(|refusal| format!("it does not start: {}", refusal.reason))?;
        Ok(Self {
            solver,
            patience: program.stall,
            cancel,
        })
    }
}

impl Solves for Outside {
    fn is_outside(&self) -> bool {
        true
    }

    /// Node and time limits cannot be transmitted: the program has its own levels. A program
    /// without an answer in time has failed: it may never have one.
    fn solve(
        &mut self,
        problem: &Problem,
        caps: &Caps<'_>,
        _watch: &mut dyn FnMut(Event),
    ) -> Result<Answer, String> {
        let patience = caps.time.unwrap_or(self.patience);
        match self.solver.solve(problem, patience, self.cancel) {
            Ok(answer) => Ok(Answer {
                verdict: answer.verdict,
                best: answer.play.map(Play::to_move),
                visited: answer.nodes,
                wall: Some(answer.time),
                ..Answer::default()
            }),
            Err(fault) => Err(fault.to_string()),
        }
    }
}
