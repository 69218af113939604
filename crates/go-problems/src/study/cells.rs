//! Solves the cells of a study.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::answer::{Answer, Caps, Solves};
use super::case::Case;
use leitai_game::search::proof::Event;
use leitai_go::CaptureVerdict;
use leitai_runs::study::Grid;

/// The maximum number of events that a cell keeps of its search.
const MOST_STEPS: usize = 2_000;

/// A longer search is not repeated: disturbances matter less.
const LONGEST_REPEATED: Duration = Duration::from_secs(1);

/// The problems and limits of a study.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// The problems.
    pub cases: &'a [Case],
    /// The number of solvers.
    pub solvers: usize,
    /// Node limit of a problem.
    pub nodes: Option<u64>,
    /// Time limit of a problem.
    pub time: Option<Duration>,
    /// The number of runs per problem to measure time, at least one: the shortest counts. Searches
    /// without a verdict, or of more than a second, are not repeated.
    pub repeats: u32,
}

/// The clocks of a study; both are read on the solving thread.
#[derive(Clone, Copy)]
pub struct Clocks<'a> {
    /// Time since an arbitrary moment.
    pub wall: &'a (dyn Fn() -> Duration + Sync),
    /// Processor time of the calling thread; `None` if it is not available.
    pub cpu: &'a (dyn Fn() -> Option<Duration> + Sync),
}

/// One solver on one problem.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// The solver's answer.
    pub answer: Answer,
    /// Events of its search, in order.
    pub steps: Vec<Event>,
    /// Wall-clock time of the shortest search.
    pub wall: Duration,
    /// Processor time of the shortest search.
    pub cpu: Option<Duration>,
    /// True if a repeated search had a different answer or count: unexpected with a node limit
    /// alone.
    pub unsteady: bool,
    /// The reason why there is no answer, if the solver failed.
    pub fault: Option<String>,
}

impl Cell {
    /// The time of the search: processor time if known, since other load on the machine does not
    /// lengthen it; otherwise wall-clock time.
    pub fn time(&self) -> Duration {
        self.cpu.unwrap_or(self.wall)
    }
}

/// The cells of a task.
pub type Cells = Grid<Cell>;

/// Solves the missing cells on `threads` threads. `make` makes the solver with a number, once for
/// each thread; `finished` is called with each cell and its number on the calling thread. When
/// `cancel` is set, or `finished` fails, unfinished cells are left out.
///
/// With a node limit alone the cells are the same for any number of threads, except for their
/// times.
///
/// # Errors
/// The error of `finished`.
pub fn solve<E>(
    task: &Task<'_>,
    cells: &mut Cells,
    threads: NonZeroUsize,
    cancel: &AtomicBool,
    clocks: Clocks<'_>,
    make: &(dyn Fn(usize) -> Result<Box<dyn Solves>, String> + Sync),
    finished: impl FnMut(usize, &Cell) -> Result<(), E>,
) -> Result<(), E> {
    let worker = || {
        let mut bench = Bench {
            task,
            cancel,
            clocks,
            make,
            solvers: HashMap::new(),
        };
        move |number| bench.cell(number as usize)
    };
    cells.fill(threads, cancel, worker, finished)
}

/// One thread's solvers.
struct Bench<'a> {
    task: &'a Task<'a>,
    cancel: &'a AtomicBool,
    clocks: Clocks<'a>,
    make: &'a (dyn Fn(usize) -> Result<Box<dyn Solves>, String> + Sync),
    solvers: HashMap<usize, Box<dyn Solves>>,
}

impl Bench<'_> {
    /// Cell `number`; `None` if cancelled.
    fn cell(&mut self, number: usize) -> Option<Cell> {
        let solver = number % self.task.solvers;
        let case = &self.task.cases[number / self.task.solvers];
        let mut cell = self.once(solver, case)?;
        for _ in 1..self.task.repeats {
            let solved = cell.answer.verdict != CaptureVerdict::Unknown;
            if !solved || cell.wall > LONGEST_REPEATED {
                break;
            }
            let again = self.once(solver, case)?;
            let counted = |cell: &Cell| Answer {
                wall: None,
                cpu: None,
                ..cell.answer.clone()
            };
            if again.fault.is_some() {
                return Some(again);
            }
            cell.unsteady |= counted(&again) != counted(&cell);
            cell.wall = cell.wall.min(again.wall);
            cell.cpu = cell.cpu.zip(again.cpu).map(|(one, other)| one.min(other));
        }
        Some(cell)
    }

    fn once(&mut self, number: usize, case: &Case) -> Option<Cell> {
        let mut solver = match self.solvers.remove(&number) {
            Some(solver) => solver,
            None => match (self.make)(number) {
                Ok(solver) => solver,
                Err(fault) => return Some(failed(fault, Duration::ZERO)),
            },
        };
        let Clocks { wall, cpu } = self.clocks;
        let (began, began_cpu) = (wall(), cpu());
        let elapsed = || wall().saturating_sub(began);
        let late = || self.task.time.is_some_and(|cap| elapsed() >= cap);
        let caps = Caps {
            nodes: self.task.nodes,
            time: self.task.time,
            stop: &|| self.cancel.load(Ordering::Relaxed) || late(),
        };
        let mut steps = Vec::new();
        let answer = solver.solve(&case.problem, &caps, &mut |step| {
            if steps.len() < MOST_STEPS {
                steps.push(step);
            }
        });
        let wall = elapsed();
        let thread = cpu().zip(began_cpu);
        let thread = thread.map(|(now, then)| now.saturating_sub(then));
        if self.cancel.load(Ordering::Relaxed) {
            return None;
        }
        let answer = match answer {
            Ok(answer) => answer,
            Err(fault) => return Some(failed(fault, wall)),
        };
        let thread = thread.filter(|_| !solver.is_outside());
        self.solvers.insert(number, solver);
        Some(Cell {
            wall: answer.wall.unwrap_or(wall),
            cpu: answer.cpu.or(thread),
            answer,
            steps,
            unsteady: false,
            fault: None,
        })
    }
}

/// The cell of a solver that failed.
fn failed(fault: String, wall: Duration) -> Cell {
    Cell {
        wall,
        fault: Some(fault),
        ..Cell::default()
    }
}
