//! `leitai study`: compares the nodes that variants need to each depth, or the problems that
//! solvers solve.

mod files;
mod outline;

use super::configs::default_store;
use super::entry::OwnStudy;
use super::failure::{all as every, report_early_end, report_resumable};
use super::games::{entries, entry_of, known};
use super::prelude::*;
use super::watching::WatchArguments;
use leitai_report::study::{NodeCount, cells_csv, plots, render_study, summary_csv};
use leitai_session::study::{searches_of, task_of};
use leitai_session::{EarlyEnd, Session, Storage, StudyEnding};

pub(crate) use files::{Contents, Files};

pub(crate) use outline::{Outline, outline, outline_of_solvers};

/// Measure the nodes and time that variants need to each depth.
///
/// A study of solvers measures the problems that they solve, and their cost.
///
/// Every variant searches every position of the config's `[study]` separately; the other variants
/// are compared with the first, paired over the positions. Except for the times, the output is the
/// same for any number of threads: `--no-times` leaves the times out. If the config asks for games,
/// they are recorded like those of `leitai run`.
///
/// Every finished search is recorded at once: after Ctrl-C, or any other stop of the program, the
/// same command resumes the study.
#[derive(Debug, Args)]
#[command(after_help = after_help())]
pub(crate) struct Arguments {
    /// The config: game, `[study]`, variants.
    pub(crate) config: PathBuf,
    #[command(flatten)]
    pub(crate) overrides: Overrides,
    #[command(flatten)]
    pub(crate) threads: Threads,
    #[command(flatten)]
    pub(crate) shown: Shown,
    /// Leave out everything that depends on the clock.
    #[arg(long)]
    pub(crate) no_times: bool,
    /// Write the raw cells as CSV: a row per variant, position and depth, or per solver and
    /// problem.
    #[arg(long)]
    pub(crate) csv: Option<PathBuf>,
    /// Write the figures: a row per variant and depth, or per solver.
    #[arg(long, value_name = "FILE")]
    pub(crate) summary_csv: Option<PathBuf>,
    /// Write the progress of all searches of solvers: best values by depth, proof and disproof
    /// numbers by nodes.
    #[arg(long, value_name = "FILE")]
    pub(crate) trajectories: Option<PathBuf>,
    /// Write a page with tables and plots for a browser: one file, which loads nothing from a
    /// network.
    #[arg(long)]
    pub(crate) html: Option<PathBuf>,
    /// Write the plots as SVG into this folder; the current folder if none is given.
    #[arg(long, value_name = "DIR")]
    pub(crate) svg: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) kept: Keeping,
    /// The record of finished searches, with their times, and of the games; by default the config's
    /// name with `.sqlite`, in the current folder.
    #[arg(long, value_name = "FILE", aliases = ["resume", "record"])]
    store: Option<PathBuf>,
    /// Play the games with a clock even if they need twice as many processors as the machine has.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    pub(crate) watching: WatchArguments,
}

fn after_help() -> String {
    let own = entries().iter().filter_map(|entry| entry.solver_study);
    let own = own.map(|study| format!("\n\n{}", study.help));
    let shared = examples("study", "study.toml --no-times --json");
    format!("{shared}{}", own.collect::<String>())
}

impl Arguments {
    /// The record.
    fn record(&self) -> PathBuf {
        let store = self.store.clone();
        store.unwrap_or_else(|| default_store(&self.config))
    }

    /// Reports the end of a study's games, and the command that resumes them.
    fn report_ending(&self, ending: &StudyEnding) -> Exit {
        let StudyEnding::Games(games) = ending else {
            return Exit::Success;
        };
        if let Some(early) = EarlyEnd::of(&games.plan, &games.ending) {
            return report_early_end(&early, false);
        }
        report_resumable(&format!(
            "stopped after {} of {} pairs at {}, all recorded in {}",
            games.played,
            games.plan.schedule.len(),
            games.terms,
            shown_path(&self.record())
        ));
        Exit::Interrupted
    }

    /// The session of the study.
    pub(crate) fn session(&self, listener: Arc<dyn Listener>) -> Session<'static> {
        let cancel = signals::install_handler();
        let mut session = Session::new(known(), &self.record(), cancel, listener);
        session.threads = self.threads.get();
        session.options.force = self.force;
        session
    }
}

/// Options for recording finished searches.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Keeping {
    /// Repeat all searches, and replace the recorded ones.
    #[arg(long)]
    fresh: bool,
    /// Neither record searches nor use recorded ones: a stopped study loses its searches.
    #[arg(long, conflicts_with = "fresh")]
    no_resume: bool,
}

impl Keeping {
    pub(crate) fn get(self) -> Storage {
        match (self.fresh, self.no_resume) {
            (true, _) => Storage::Fresh,
            (_, true) => Storage::Nothing,
            _ => Storage::Usual,
        }
    }
}

/// Options for the printed figures.
#[derive(Clone, Debug, Args)]
pub(crate) struct Shown {
    /// Use the nodes of the whole search to a depth in tables and plots, all iterations up to it,
    /// not only of the last iteration. The two are equal for a variant that does not deepen
    /// iteratively.
    #[arg(long)]
    pub(crate) total: bool,
    /// Print the figures as JSON.
    #[arg(long)]
    json: Option<PathBuf>,
    /// Print the tables as Markdown.
    #[arg(long)]
    markdown: Option<PathBuf>,
}

impl Shown {
    fn count(&self) -> NodeCount {
        if self.total {
            NodeCount::Total
        } else {
            NodeCount::Iteration
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let loaded = load_config(&arguments.config, &arguments.overrides)?;
    if let Some(study) = &loaded.solver_study {
        return (solver_study_of(&loaded)?.run)(arguments, &loaded, study);
    }
    if arguments.trajectories.is_some() {
        bail!("`--trajectories` is about solvers: a study of searches has none");
    }
    study(arguments, &loaded)
}

/// The study of the game's solvers.
fn solver_study_of(loaded: &Loaded) -> Result<OwnStudy, Failure> {
    let card = loaded.config.game.card;
    let own = entry_of(card).and_then(|entry| entry.solver_study);
    own.with_context(|| format!("there are no studies of solvers of {}", card.facts().title))
}

fn study(arguments: &Arguments, loaded: &Loaded) -> Outcome {
    let study = searches_of(loaded)?;
    let mut files = Files::prepare(arguments, loaded)?;
    let session = arguments.session(files.listener());
    let (keep, times) = (arguments.kept.get(), !arguments.no_times);
    let studied = session.study(loaded, keep, times)?;
    let cells = studied.cells;
    let Some(figures) = studied.figures else {
        report_stopped_searches(arguments, cells.progress());
        return Ok(Exit::Interrupted);
    };
    // The searches are printed and written even if the games fail, and printed even if a file
    // cannot be written.
    let ended = studied
        .ending
        .map(|ending| arguments.report_ending(&ending));
    let task = task_of(loaded, study, &studied.suite);
    let report = render_study(&figures, arguments.shown.count());
    let told = files.print(&figures, &report);
    let written = files.write(&Contents {
        cells: &|| cells_csv(&task, &cells, times),
        summary: &|| summary_csv(&figures),
        trajectories: &String::new,
        plots: &|| plots(&figures, arguments.shown.count()),
        report: &report,
    });
    let mut exit = Exit::Success;
    let ended = ended.map(|ended| exit = ended);
    every([told, written, ended])?;
    Ok(exit)
}

/// Reports the number of finished searches, whether they are recorded, and the command that resumes
/// the study.
pub(crate) fn report_stopped_searches(arguments: &Arguments, (all, done): (usize, usize)) {
    let state = format!("stopped after {done} of {all} searches");
    match arguments.kept.get() {
        Storage::Nothing => eprint(&format!(
            "{state}; nothing is kept: `--no-resume` asked for that"
        )),
        Storage::Usual | Storage::Fresh => report_resumable(&format!(
            "{state}; they are kept in {}",
            shown_path(&arguments.record())
        )),
    }
}
