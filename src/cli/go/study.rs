//! A study of solvers: compares solvers on a set of problems.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::cli::OwnStudy;
use crate::cli::failure::all;
use crate::cli::input::read_all;
use crate::cli::prelude::*;
use crate::cli::study::{Arguments, Contents, Files, report_stopped_searches};
use crate::config::{Loaded, SolverStudy, Variant};
use crate::games::go::formats::read_problems;
use crate::games::go::reading::CaptureParams;
use crate::games::go::study::report::{
    cells_csv, plots, render_solvers, summary_csv, trajectories_csv,
};
use crate::games::go::study::{
    Caps, Cell, Cells, Clocks, ExternalSolver, Figures, InProcess, Outside, Solves, Task, Wanted,
    cases, cell_of, content, judged, keys, solve,
};
use crate::games::go::{Goal, Problem};
use crate::player::{adopt_orphans, watch_pauses};
use crate::session::study::cells::{Finished, Form};
use crate::session::{Searched, Session, Verb, memory};

/// Node limit of the small search in a cell's signature.
const SIGNATURE_NODES: u64 = 2_000;

/// Studies of solvers.
pub(super) const STUDY: OwnStudy = OwnStudy {
    help: "With `game = \"go\"` the positions are capture problems and the variants solvers, of \
           which it\nis told how many problems each solves, rightly or wrongly, and how many nodes \
           and how much\ntime it takes, paired over the problems.",
    run,
    problems: |study| Ok(read_suite(study)?.len()),
};

/// Runs the study of solvers of a config.
fn run(arguments: &Arguments, loaded: &Loaded, study: &SolverStudy) -> Outcome {
    if arguments.shown.total {
        bail!("`--total` is about depths: a study of solvers has none");
    }
    let cases = cases(read_suite(study)?);
    let variants = &loaded.config.variants;
    let task = Task {
        cases: &cases,
        solvers: variants.len(),
        nodes: study.nodes,
        time: study.time,
        repeats: if arguments.no_times { 1 } else { study.repeats },
    };
    let solvers = variants.iter().filter(|it| it.program.is_none());
    let solvers = solvers.filter_map(|variant| variant.search.solver.as_ref());
    memory::check_solvers(solvers, study.nodes, study.mode, arguments.threads.get())?;
    let files = Files::prepare(arguments, loaded)?;
    let session = arguments.session(files.listener());
    let name = loaded.warnings.name.clone();
    let is_complete = |exit: &Exit| *exit != Exit::Interrupted;
    session.during(Verb::Study, name, is_complete, || {
        solved(arguments, loaded, study, &task, files, &session)
    })
}

/// Solves the missing cells, and reports the figures.
#[expect(clippy::too_many_lines, reason = "one step after the other")]
fn solved(
    arguments: &Arguments,
    loaded: &Loaded,
    study: &SolverStudy,
    task: &Task<'_>,
    mut files: Files,
    session: &Session<'static>,
) -> Outcome {
    let cases = task.cases;
    let keep = arguments.kept.get();
    let cancel: &'static AtomicBool = session.cancel;
    adopt_orphans();
    watch_pauses()?;
    let wanted = &loaded.config.variants;
    let lineup = Lineup::start(wanted, &study.judges, cancel);
    if cancel.load(Ordering::Relaxed) {
        report_stopped_searches(arguments, (wanted.len() * cases.len(), 0));
        return Ok(Exit::Interrupted);
    }
    let Lineup {
        variants,
        names,
        judges,
        absent,
    } = lineup;
    if variants.is_empty() {
        bail!("no solver of the study starts");
    }
    let judges = judges.unwrap_or_else(|| {
        eprint(
            "warning: a judge does not start: problems without a verdict in the suite stay without",
        );
        Vec::new()
    });
    let variants = &variants;
    let task = &Task {
        solvers: variants.len(),
        ..*task
    };
    let solvers = Solvers {
        variants,
        study,
        cancel,
    };
    let store = session.open_study(keep, false)?;
    let threads = arguments.threads.get();
    let mut cells = Cells::empty(task.solvers, cases.len());
    let form = Form {
        keys: &|| keys(task, threads, cancel, || signatures(&solvers, &names, task)),
        read: cell_of,
        write: content,
        searched: &|number, cell: &Cell| Searched {
            variant: variants[number % variants.len()].name.clone(),
            position: cases[number / variants.len()].problem.id.clone(),
            nodes: cell.answer.visited,
            seconds: cell.time().as_secs_f64(),
        },
    };
    let began = Instant::now();
    let clocks = Clocks {
        wall: &|| began.elapsed(),
        cpu: &leitai_platform::machine::thread_time,
    };
    let make = |number: usize| solvers.make(number);
    let solving = |cells: &mut Cells, finished: Finished<'_, Cell>| {
        solve(task, cells, threads, cancel, clocks, &make, finished)
    };
    if !session.fill(keep, store.as_ref(), &mut cells, &form, solving)? {
        report_stopped_searches(arguments, cells.progress());
        return Ok(Exit::Interrupted);
    }
    let names: Vec<(String, bool)> = variants
        .iter()
        .map(|variant| (variant.name.clone(), variant.program.is_some()))
        .collect();
    let within: Vec<f64> = study.within.iter().map(Duration::as_secs_f64).collect();
    let cases = judged(cases, &cells, &judges);
    let task = &Task {
        cases: &cases,
        ..*task
    };
    let wanted = Wanted {
        names: &names,
        mode: study.mode.name(),
        judges: &judges,
        absent: &absent,
        within: &within,
        seed: loaded.config.seed,
        resamples: study.resamples,
        times: !arguments.no_times,
    };
    let figures = Figures::new(task, &cells, &wanted);
    let report = render_solvers(&figures);
    let told = files.print(&figures, &report);
    let written = files.write(&Contents {
        cells: &|| cells_csv(task, &cells, &names, wanted.times),
        summary: &|| summary_csv(&figures),
        trajectories: &|| trajectories_csv(task, &cells, &names),
        plots: &|| plots(&figures),
        report: &report,
    });
    let closed = store.map_or(Ok(()), |store| store.close().map_err(Failure::from));
    all([told, written, closed])?;
    let failed = figures.solvers.iter().any(|solver| solver.faults > 0);
    Ok(if failed || !absent.is_empty() {
        Exit::PlayerFailed
    } else {
        Exit::Success
    })
}

/// The problems of the suite. Reports invalid ones, and leaves them out.
fn read_suite(study: &SolverStudy) -> Result<Vec<Problem>, Failure> {
    let name = shown_path(&study.suite);
    let bytes = read_all(&study.suite).context("the suite")?;
    let mut problems = Vec::new();
    for read in read_problems(&bytes) {
        match read {
            Ok(problem) if problem.goal == Goal::Capture => problems.push(problem),
            Ok(problem) => eprint(&format!(
                "warning: {name}: the goal of `{}` is `{}`, and a study asks for captures \
                 alone; it is left out",
                shown(&problem.id),
                problem.goal.name()
            )),
            Err(error) => eprint(&format!("warning: {name}: {error}; it is left out")),
        }
    }
    if problems.is_empty() {
        bail!("the suite {name} has no problem that could be read and asks for a capture");
    }
    Ok(problems)
}

/// The solvers that take part in a study.
#[derive(Default)]
struct Lineup {
    variants: Vec<Variant>,
    /// The name that each program reports.
    names: Vec<Option<String>>,
    /// Indices of the judges; `None` if one of them is absent, since a verdict needs the answers of
    /// all.
    judges: Option<Vec<usize>>,
    /// Names of the variants that do not start: excluded from means over the commonly solved
    /// problems, from tests and from tables.
    absent: Vec<String>,
}

impl Lineup {
    /// Starts each other program once, before the long work, and warns of those that do not start.
    fn start(variants: &[Variant], judges: &[usize], cancel: &AtomicBool) -> Self {
        let mut lineup = Self::default();
        let mut places = Vec::new();
        for variant in variants {
            let mut name = None;
            if let Some(program) = &variant.program {
                match ExternalSolver::start(program, cancel) {
                    Ok(solver) => name = Some(solver.name().to_owned()),
                    Err(refusal) => {
                        eprint(&format!(
                            "warning: `{}`, {}: {}; the study leaves it out\nhelp: {}",
                            variant.name,
                            program.command.join(" "),
                            refusal.reason,
                            refusal.help
                        ));
                        lineup.absent.push(variant.name.clone());
                        places.push(None);
                        continue;
                    }
                }
            }
            places.push(Some(lineup.variants.len()));
            lineup.variants.push(variant.clone());
            lineup.names.push(name);
        }
        let present = judges.iter().map(|&judge| places.get(judge).copied()?);
        lineup.judges = present.collect();
        lineup
    }
}

/// The solvers of a config.
struct Solvers<'a> {
    variants: &'a [Variant],
    study: &'a SolverStudy,
    cancel: &'static AtomicBool,
}

impl Solvers<'_> {
    /// Makes the solver of variant `number`.
    fn make(&self, number: usize) -> Result<Box<dyn Solves>, String> {
        let variant = &self.variants[number];
        if let Some(program) = &variant.program {
            let solver = Outside::start(program, self.cancel)?;
            return Ok(Box::new(solver));
        }
        match (CaptureParams::of(&variant.eval), &variant.search.solver) {
            (Some(params), Some(solver)) => Ok(Box::new(InProcess::new(
                params,
                solver.clone(),
                self.study.mode,
            ))),
            _ => Err(format!("the variant `{}` has no solver", variant.name)),
        }
    }
}

/// Descriptions of solver and problem that identify a cell in the record: every number of the
/// variant, and the result of a small search by this build; for another program its command and the
/// name that it reports.
fn signatures<'a>(
    solvers: &'a Solvers<'a>,
    names: &'a [Option<String>],
    task: &'a Task<'a>,
) -> impl FnMut(usize, usize) -> String + 'a {
    let mut started: Vec<Option<Box<dyn Solves>>> = solvers
        .variants
        .iter()
        .enumerate()
        .map(|(number, variant)| {
            variant
                .program
                .is_none()
                .then(|| solvers.make(number).ok())?
        })
        .collect();
    move |solver, problem| {
        let Variant {
            search,
            eval,
            program,
            ..
        } = &solvers.variants[solver];
        // The name of the variant has no effect.
        if let (Some(program), Some(name)) = (program, &names[solver]) {
            return format!("{name} {:?} {:?}", program.command, program.profile);
        }
        let caps = Caps {
            nodes: Some(SIGNATURE_NODES),
            time: None,
            stop: &|| false,
        };
        let problem = &task.cases[problem].problem;
        let found = started[solver]
            .as_mut()
            .map(|solver| solver.solve(problem, &caps, &mut |_| {}));
        format!("{:?} {search:?} {eval:?} {found:?}", solvers.study.mode)
    }
}
