//! `leitai run`: plays a tournament.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::Exit;
use super::answers::Json;
use super::beside::BesideArguments;
use super::configs::{Overrides, default_store, load_config, resume};
use super::ending::EndArguments;
use super::execution_options::{AgainArguments, ExecutionArguments, StrictArguments};
use super::failure::{Outcome, tell_failing, tell_strictly_ended};
use super::games;
use super::terminal::{note, say};
use super::threads::Threads;
use super::watching::WatchArguments;
use crate::foreign::shown_path;
use crate::output::Door;
use crate::report::{Summary, render};
use crate::session::{Ending, PlayOptions, Played, PlayerFails, Session, Stopped, StrictlyEnded};

/// Play a tournament and rate its players.
///
/// Every finished pair of games is recorded at once: after Ctrl-C, or any other stop of the
/// program, the same command resumes the tournament, with the same result. With node or depth
/// limits the games are the same for any number of threads.
///
/// A player that crashes, stalls or breaks a rule loses the game; `[failures]` in the config can
/// replay the pair instead, or stop the run.
///
/// SIGUSR1 raises the number of pairs at once by one, SIGUSR2 lowers it by one.
///
/// Exit codes: 0 done, or the time of `--until` or `--for` is up; 2 wrong input; 4 stopped by a
/// player that failed, or that lost all of its first ten games by its own failures, or with
/// `--strict` was warned; 130 interrupted.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  leitai run configs/ordering.toml
  leitai run mine.toml --store night.sqlite --threads 4 --json
  leitai run mine.toml --events - | jq 'select(.event == \"pair\")'")]
pub(super) struct Arguments {
    /// The config: game, limits, openings, variants.
    config: PathBuf,
    #[command(flatten)]
    overrides: Overrides,
    #[command(flatten)]
    threads: Threads,
    /// The record; by default the config's name with `.sqlite`, in the current folder.
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    #[command(flatten)]
    execution_options: ExecutionArguments,
    /// Print the results as JSON at the end.
    #[arg(long)]
    json: Option<PathBuf>,
    #[command(flatten)]
    watching: WatchArguments,
    #[command(flatten)]
    beside: BesideArguments,
    #[command(flatten)]
    ending: EndArguments,
    #[command(flatten)]
    again: AgainArguments,
    #[command(flatten)]
    strict: StrictArguments,
}

#[derive(Serialize)]
struct Answer<'a> {
    run: &'a str,
    store: &'a Path,
    complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<Stopped>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ended_by: Option<StrictlyEnded>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    limited_by_time: bool,
    #[serde(flatten)]
    summary: &'a Summary,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    arguments.ending.around(|| play(arguments))
}

fn play(arguments: &Arguments) -> Outcome {
    let loaded = load_config(&arguments.config, &arguments.overrides)?;
    let path = arguments
        .store
        .clone()
        .unwrap_or_else(|| default_store(&arguments.config));
    let threads = arguments.threads.get();
    let mut door = Door::of(&arguments.config, &loaded);
    door.records(&path);
    let watching = arguments.watching.prepare(&mut door)?;
    let json = Json::prepare(arguments.json.as_ref(), &mut door)?;
    let cancel = arguments.ending.heed()?;
    let listener = arguments.beside.beside(watching.listener, &path)?;
    let session = Session {
        threads: arguments.execution_options.threads(threads),
        options: PlayOptions {
            retry_failed: arguments.again.retry_failed,
            strict: arguments.strict.strict,
            ..arguments.execution_options.get(&listener)?
        },
        ..Session::new(games::known(), &path, cancel, listener)
    };
    let Played {
        plan,
        ending,
        so_far: standings,
    } = session.run(loaded)?;
    let summary = Summary::new(&plan, &standings);
    let stopped = Stopped::of(&plan, &ending);
    let ended_by = StrictlyEnded::of(&plan, &ending);
    let limited_by_time = ending == Ending::Cancelled && cancel.is_time_up();
    let fails = PlayerFails::of(&plan, &standings);
    if !json.is_printed() && !watching.is_stdout {
        say(&render(&summary))?;
    }
    json.tell(&Answer {
        run: plan.id(),
        store: &path,
        complete: ending == Ending::Complete && fails.is_none(),
        stopped: stopped.clone(),
        ended_by: ended_by.clone(),
        limited_by_time,
        summary: &summary,
    })?;
    let overrides = &arguments.overrides;
    let (config, execution_options) = (&arguments.config, &arguments.execution_options);
    let again = || {
        let command = resume("run", config, overrides, &path, threads, execution_options);
        let strict = arguments.strict.in_words();
        command
            + strict
            + &arguments.watching.in_words()
            + arguments.beside.in_words()
            + &arguments.ending.in_words()
    };
    if let Some(fails) = &fails {
        return Ok(tell_failing(fails, true));
    }
    if let Some(stopped) = &stopped {
        return Ok(arguments.strict.tell_stopped(stopped, &again()));
    }
    if let Some(ended) = &ended_by {
        return Ok(tell_strictly_ended(ended));
    }
    match ending {
        Ending::Cancelled => {
            note(&format!(
                "{} after {} of {} pairs, all recorded in {}; carry on with\n  {}",
                if limited_by_time {
                    "the time is up"
                } else {
                    "stopped"
                },
                standings.played,
                plan.schedule.len(),
                shown_path(&path),
                again(),
            ));
            Ok(if limited_by_time {
                Exit::Success
            } else {
                Exit::Interrupted
            })
        }
        Ending::Complete | Ending::Stopped(_) | Ending::Warned(_) => Ok(Exit::Success),
    }
}
