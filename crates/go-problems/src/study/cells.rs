//! Solves the cells of a study.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::case::Case;
use super::kept;
use super::solver_result::{Caps, Solver, SolverResult, Solves};
use leitai_game::search::proof::Event;
use leitai_go::CaptureVerdict;
use leitai_runs::study::{Grid, Measure};

/// The maximum number of events that a cell keeps of its search.
const MAX_STEPS: usize = 2_000;

/// A longer search is not repeated: disturbances matter less.
const LONGEST_REPEATED: Duration = Duration::from_secs(1);

/// The problems and limits of a study.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// The problems.
    pub cases: &'a [Case],
    /// The solvers.
    pub solvers: &'a [Solver],
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
    pub answer: SolverResult,
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

/// Node limit of the small search in a cell's signature.
const SIGNATURE_NODES: u64 = 2_000;

/// The solvers of a task at work.
///
/// With a node limit alone the cells are the same for any number of threads, except for their
/// times.
#[derive(Clone, Copy)]
pub struct Solving<'a> {
    /// The problems and limits.
    pub task: &'a Task<'a>,
    /// The clocks.
    pub clocks: Clocks<'a>,
    /// Makes the solver with a number, once for each thread.
    pub make: &'a (dyn Fn(usize) -> Result<Box<dyn Solves>, String> + Sync),
}

impl Measure for Solving<'_> {
    type Cell = Cell;

    fn size(&self) -> [usize; 2] {
        [self.task.solvers.len(), self.task.cases.len()]
    }

    fn names(&self, solver: usize, problem: usize) -> [String; 2] {
        let id = self.task.cases[problem].problem.id.clone();
        [self.task.solvers[solver].name.clone(), id]
    }

    fn worker<'a>(&'a self, cancel: &'a AtomicBool) -> impl FnMut(usize, usize) -> Option<Cell> {
        let mut bench = Bench {
            solving: *self,
            cancel,
            solvers: HashMap::new(),
        };
        move |solver, problem| bench.cell(solver, &self.task.cases[problem])
    }

    /// The key of another program's cell has no small search: the program reports its version.
    fn describer(&self) -> impl FnMut(usize, usize) -> String {
        let mut solvers = HashMap::new();
        move |number, problem| {
            let (solver, case) = (&self.task.solvers[number], &self.task.cases[problem]);
            if solver.outside {
                return kept::description(self.task, &case.problem, &solver.identity);
            }
            let caps = Caps {
                nodes: Some(SIGNATURE_NODES),
                time: None,
                cancel: &AtomicBool::new(false),
                stop: &|| false,
            };
            let started = solvers.entry(number);
            let started = started.or_insert_with(|| (self.make)(number).ok());
            let found = started.as_mut();
            let found = found.map(|it| it.solve(&case.problem, &caps, &mut |_| {}));
            let described = format!("{} {found:?}", solver.identity);
            kept::description(self.task, &case.problem, &described)
        }
    }

    fn cost(cell: &Cell) -> (Option<u64>, f64) {
        (cell.answer.visited, cell.time().as_secs_f64())
    }

    fn write(cell: &Cell) -> Option<String> {
        let is_kept = cell.fault.is_none();
        is_kept.then(|| serde_json::json!(cell).to_string())
    }

    fn read(content: &str) -> Option<Cell> {
        serde_json::from_str(content).ok().filter(kept::is_sound)
    }
}

/// One thread's solvers.
struct Bench<'a> {
    solving: Solving<'a>,
    cancel: &'a AtomicBool,
    solvers: HashMap<usize, Box<dyn Solves>>,
}

impl Bench<'_> {
    /// A problem's cell; `None` if cancelled.
    fn cell(&mut self, solver: usize, case: &Case) -> Option<Cell> {
        let mut cell = self.once(solver, case)?;
        for _ in 1..self.solving.task.repeats {
            let solved = cell.answer.verdict != CaptureVerdict::Unknown;
            if !solved || cell.wall > LONGEST_REPEATED {
                break;
            }
            let again = self.once(solver, case)?;
            let counted = |cell: &Cell| SolverResult {
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
        let Solving { task, clocks, make } = self.solving;
        let mut solver = match self.solvers.remove(&number) {
            Some(solver) => solver,
            None => match make(number) {
                Ok(solver) => solver,
                Err(fault) => return Some(failed(fault, Duration::ZERO)),
            },
        };
        let Clocks { wall, cpu } = clocks;
        let (began, began_cpu) = (wall(), cpu());
        let elapsed = || wall().saturating_sub(began);
        let late = || task.time.is_some_and(|cap| elapsed() >= cap);
        let caps = Caps {
            nodes: task.nodes,
            time: task.time,
            cancel: self.cancel,
            stop: &|| self.cancel.load(Ordering::Relaxed) || late(),
        };
        let mut steps = Vec::new();
        let answer = solver.solve(&case.problem, &caps, &mut |step| {
            if steps.len() < MAX_STEPS {
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
        let thread = thread.filter(|_| !task.solvers[number].outside);
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
