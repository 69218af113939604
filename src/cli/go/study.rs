//! A study of solvers: compares solvers on a set of problems.

use crate::cli::OwnStudy;
use crate::cli::input::read_all;
use crate::cli::prelude::*;
use crate::cli::study::{Arguments, Contents, Files, report_stopped_searches};
use leitai_config::{SolverStudy, Variant};
use leitai_games::go::reading::CaptureParams;
use leitai_games::go::{Goal, Problem};
use leitai_go_problems::formats::read_problems;
use leitai_go_problems::study::report::{
    cells_csv, plots, render_solvers, summary_csv, trajectories_csv,
};
use leitai_go_problems::study::{
    Case, Clocks, ExternalSolver, Figures, InProcess, Solver, Solves, Solving, Task, Wanted, cases,
    judged,
};
use leitai_players::player::{adopt_orphans, watch_pauses};
use leitai_session::{Session, Verb, memory};

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
    let solvers = variants.iter().filter(|it| it.program.is_none());
    let solvers = solvers.filter_map(|variant| variant.search.solver.as_ref());
    memory::check_solvers(solvers, study.nodes, study.mode, arguments.threads.get())?;
    let files = Files::prepare(arguments, loaded)?;
    let session = arguments.session(files.listener());
    let name = loaded.warnings.name.clone();
    let is_complete = |exit: &Exit| *exit != Exit::Interrupted;
    session.report_session(Verb::Study, name, is_complete, || {
        solved(arguments, loaded, study, &cases, files, &session)
    })
}

/// Solves the missing cells, and reports the figures.
fn solved(
    arguments: &Arguments,
    loaded: &Loaded,
    study: &SolverStudy,
    cases: &[Case],
    mut files: Files,
    session: &Session<'static>,
) -> Outcome {
    adopt_orphans();
    watch_pauses()?;
    let wanted = &loaded.config.variants;
    let lineup = Lineup::start(wanted, study, session.cancel);
    if session.cancel.load(Ordering::Relaxed) {
        report_stopped_searches(arguments, (wanted.len() * cases.len(), 0));
        return Ok(Exit::Interrupted);
    }
    if lineup.solvers.is_empty() {
        bail!("no solver of the study starts");
    }
    let judges = lineup.judges.as_deref().unwrap_or_else(|| {
        eprint(
            "warning: a judge does not start: problems without a verdict in the suite stay without",
        );
        &[]
    });
    let task = &Task {
        cases,
        solvers: &lineup.solvers,
        nodes: study.nodes,
        time: study.time,
        repeats: if arguments.no_times { 1 } else { study.repeats },
    };
    let store = session.open_study(arguments.kept.get(), false)?;
    let began = Instant::now();
    let solving = Solving {
        task,
        clocks: Clocks {
            wall: &|| began.elapsed(),
            cpu: &leitai_platform::machine::thread_time,
        },
        make: &|number| make(lineup.variants[number], study, session.cancel),
    };
    let cells = session.measure(arguments.kept.get(), store.as_ref(), &solving)?;
    if !cells.is_full() {
        report_stopped_searches(arguments, cells.progress());
        return Ok(Exit::Interrupted);
    }
    let within: Vec<f64> = study.within.iter().map(Duration::as_secs_f64).collect();
    let cases = judged(cases, &cells, judges);
    let task = &Task {
        cases: &cases,
        ..*task
    };
    let wanted = Wanted {
        mode: study.mode.name(),
        judges,
        absent: &lineup.absent,
        within: &within,
        seed: loaded.config.seed,
        resamples: study.resamples,
        times: !arguments.no_times,
    };
    let figures = Figures::new(task, &cells, &wanted);
    let report = render_solvers(&figures);
    let told = files.print(&figures, &report);
    let written = files.write(&Contents {
        cells: &|| cells_csv(task, &cells, wanted.times),
        summary: &|| summary_csv(&figures),
        trajectories: &|| trajectories_csv(task, &cells),
        plots: &|| plots(&figures),
        report: &report,
    });
    let closed = store.map_or(Ok(()), |store| store.close().map_err(Failure::from));
    all([told, written, closed])?;
    let is_well = figures.solvers.iter().all(|solver| solver.faults == 0);
    Ok(Exit::PlayerFailed.unless(is_well && lineup.absent.is_empty()))
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
struct Lineup<'a> {
    variants: Vec<&'a Variant>,
    solvers: Vec<Solver>,
    /// Indices of the judges; `None` if one of them is absent, since a verdict needs the answers of
    /// all.
    judges: Option<Vec<usize>>,
    /// Names of the variants that do not start: excluded from means over the commonly solved
    /// problems, from tests and from tables.
    absent: Vec<String>,
}

impl<'a> Lineup<'a> {
    /// Starts each other program once, before the long work, and warns of those that do not start.
    fn start(variants: &'a [Variant], study: &SolverStudy, cancel: &AtomicBool) -> Self {
        let mut lineup = Self::default();
        let mut places = Vec::new();
        for variant in variants {
            let identity = match &variant.program {
                None => format!("{:?} {:?} {:?}", study.mode, variant.search, variant.eval),
                Some(program) => match ExternalSolver::start(program, cancel) {
                    Ok(solver) => {
                        let (command, profile) = (&program.command, &program.profile);
                        format!("{} {command:?} {profile:?}", solver.name())
                    }
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
                },
            };
            places.push(Some(lineup.variants.len()));
            lineup.variants.push(variant);
            lineup.solvers.push(Solver {
                name: variant.name.clone(),
                outside: variant.program.is_some(),
                identity,
            });
        }
        let present = study.judges.iter().map(|&it| places.get(it).copied()?);
        lineup.judges = present.collect();
        lineup
    }
}

/// Makes the solver of a variant.
fn make(
    variant: &Variant,
    study: &SolverStudy,
    cancel: &AtomicBool,
) -> Result<Box<dyn Solves>, String> {
    if let Some(program) = &variant.program {
        return match ExternalSolver::start(program, cancel) {
            Ok(solver) => Ok(Box::new(solver)),
            Err(refusal) => Err(format!("it does not start: {}", refusal.reason)),
        };
    }
    match (CaptureParams::of(&variant.eval), &variant.search.solver) {
        (Some(params), Some(solver)) => {
            Ok(Box::new(InProcess::new(params, solver.clone(), study.mode)))
        }
        _ => Err(format!("the variant `{}` has no solver", variant.name)),
    }
}
