//! `leitai study`: how many nodes variants need to each depth, or which solver solves
//! what.

mod files;
mod games;
mod solvers;

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::{Context, bail};
use clap::Args;

use super::Exit;
use super::common::{Failure, Game, Outcome, Threads, for_game, note, read_book, say, say_json};
use super::configs::{Overrides, default_store, load_config};
use super::display::Bar;
use super::{memory, signals};
use crate::config::Loaded;
use crate::player::Playable;
use crate::report::study::{
    Count, cells_csv, plots, render_study, render_study_markdown, summary_csv,
};
use crate::study::{Cells, Figures, Task, journal_line, keys, read_journal, search};
use crate::tournament::Ending;
use files::{Journal, write, write_plots};
use games::Games;

/// Study how many nodes, and how much time, variants need to each depth; or which
/// solver solves what, and for how much.
///
/// Every variant searches every position of the config's `[study]` on its own;
/// the first variant is the one that the others are compared with, paired over
/// the positions. But for the times, the output is the same for any number of
/// threads: `--no-times` leaves them out. Where the config asks for games, they
/// are recorded like those of `leitai run`.
///
/// With `game = "go"` the positions are capture problems and the variants solvers, of
/// which it is told how many problems each solves, rightly or wrongly, and how many
/// nodes and how much time it takes, paired over the problems: try `leitai study
/// configs/seed-002.toml`.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The config: game, `[study]`, variants.
    config: PathBuf,
    #[command(flatten)]
    overrides: Overrides,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    shown: Shown,
    /// Leave out all that depends on the clock.
    #[arg(long)]
    no_times: bool,
    /// Write the raw cells: a row per variant, position and depth, or per solver and
    /// problem.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the figures: a row per variant and depth, or per solver.
    #[arg(long, value_name = "FILE")]
    summary_csv: Option<PathBuf>,
    /// Write the moments of all searches of solvers: best values by depth, proof and
    /// disproof numbers by nodes.
    #[arg(long, value_name = "FILE")]
    trajectories: Option<PathBuf>,
    /// Write the plots into this folder.
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
    /// Keep finished searches in this file and take from it those that it holds,
    /// their times too, so that a study that was stopped carries on.
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// The record of the games; by default the config's name with `.sqlite`,
    /// here.
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Show no progress.
    #[arg(long, short)]
    quiet: bool,
}

/// What is printed, and how.
#[derive(Clone, Copy, Debug, Args)]
struct Shown {
    /// Tables and plots of the nodes of the whole search to a depth, all
    /// iterations up to it, not of the last iteration alone. The two are the same
    /// for a variant that does not deepen.
    #[arg(long)]
    total: bool,
    /// Print the figures as JSON.
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print the tables as Markdown.
    #[arg(long)]
    markdown: bool,
}

impl Shown {
    fn count(self) -> Count {
        if self.total {
            Count::Total
        } else {
            Count::Iteration
        }
    }
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let loaded = load_config(&arguments.config, &arguments.overrides)?;
    if let Some(study) = &loaded.solver_study {
        return solvers::run(arguments, &loaded, study);
    }
    if arguments.trajectories.is_some() {
        bail!("`--trajectories` is about solvers: a study of searches has none");
    }
    for_game!(Game::of(loaded.config.game), study(arguments, &loaded))
}

fn study<P: Playable>(arguments: &Arguments, loaded: &Loaded) -> Outcome {
    let config = &loaded.config;
    let study = loaded.study.as_ref().with_context(|| {
        format!(
            "{} has no `[study]`\nhelp: add one with `suite = \"positions.epd\"` and `depth = 6`, \
             or play the config's tournament with `leitai run`",
            arguments.config.display()
        )
    })?;
    let suite = read_book::<P>(&study.suite)?;
    let task = Task {
        rules: P::rules(config.game)
            .with_context(|| format!("{} is not about {}", loaded.warnings.name, P::NAME))?,
        variants: &config.variants,
        suite: &suite,
        depth: study.depth,
        nodes: study.nodes,
    };
    let threads = arguments.threads.get();
    memory::check_searches(task.variants, suite.len(), threads)?;
    let games = match &study.games {
        None => None,
        Some(games) => {
            let store = arguments.store.clone();
            let path = store.unwrap_or_else(|| default_store(&arguments.config));
            Some(Games::<P>::plan(loaded, games, &path, threads)?)
        }
    };
    let cancel = signals::install()?;
    let cells = search_cells(arguments, &task, cancel)?;
    if let (all, done) = cells.progress()
        && done < all
    {
        tell_stopped(arguments, done, all);
        return Ok(Exit::Interrupted);
    }
    let resamples = (config.seed, study.resamples);
    let mut figures = Figures::new(&task, &cells, resamples, !arguments.no_times);
    let mut ending = Ending::Complete;
    if let Some(games) = games {
        // What has been searched is not to be lost with the games.
        write_files(arguments, &task, &cells, &figures)?;
        ending = games.play(threads, arguments.quiet, cancel, &mut figures.games)?;
    }
    write_files(arguments, &task, &cells, &figures)?;
    show(arguments, &figures)?;
    Ok(match ending {
        Ending::Complete => Exit::Success,
        Ending::Cancelled => Exit::Interrupted,
        Ending::Stopped(_) => Exit::PlayerFailed,
    })
}

/// Says how much was done, and whether it is kept.
fn tell_stopped(arguments: &Arguments, done: usize, all: usize) {
    let kept = match &arguments.resume {
        Some(path) => format!(
            "they are kept in {}: the same command carries on",
            path.display()
        ),
        None => "nothing is kept: `--resume FILE` would have kept them".to_owned(),
    };
    note(&format!("stopped after {done} of {all} searches; {kept}"));
}

/// Searches what the journal does not hold.
fn search_cells<P: Playable>(
    arguments: &Arguments,
    task: &Task<'_, P>,
    cancel: &AtomicBool,
) -> Result<Cells, Failure> {
    let mut cells = Cells::empty(task);
    let mut journal = None;
    if let Some(path) = &arguments.resume {
        let (opened, text) = Journal::open(path)?;
        let Some(keys) = keys(task, arguments.threads.get(), cancel) else {
            return Ok(cells);
        };
        let known = read_journal(&text);
        for (number, key) in keys.iter().enumerate() {
            if let Some(cell) = known.get(key) {
                cells.put(number, cell.clone());
            }
        }
        journal = Some((opened, keys));
    }
    let (all, before) = cells.progress();
    let bar = Bar::new(all as u64, "searches", arguments.quiet);
    bar.set(before as u64);
    let mut done = before;
    let began = Instant::now();
    let clock = || began.elapsed();
    let threads = arguments.threads.get();
    search(task, &mut cells, threads, cancel, &clock, |number, cell| {
        done += 1;
        bar.set(done as u64);
        match &mut journal {
            Some((journal, keys)) => journal.add(&journal_line(&keys[number], cell)),
            None => Ok(()),
        }
    })?;
    bar.finish();
    Ok(cells)
}

fn write_files<P: Playable>(
    arguments: &Arguments,
    task: &Task<'_, P>,
    cells: &Cells,
    figures: &Figures,
) -> Result<(), Failure> {
    if let Some(path) = &arguments.csv {
        write(path, &cells_csv(task, cells, !arguments.no_times))?;
    }
    if let Some(path) = &arguments.summary_csv {
        write(path, &summary_csv(figures))?;
    }
    if let Some(folder) = &arguments.svg {
        write_plots(folder, &plots(figures, arguments.shown.count()))?;
    }
    Ok(())
}

fn show(arguments: &Arguments, figures: &Figures) -> Result<(), Failure> {
    let shown = arguments.shown;
    if shown.json {
        say_json(figures)
    } else if shown.markdown {
        say(&render_study_markdown(figures, shown.count()))
    } else {
        say(&render_study(figures, shown.count()))
    }
}
