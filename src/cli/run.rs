//! `leitai run`: play a tournament.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use serde::Serialize;

use super::Exit;
use super::books::load_plan;
use super::configs::{Overrides, default_store, load_config, resume};
use super::display::Display;
use super::execution::ExecutionContext;
use super::execution_options::{ExecutionArguments, tell_losses};
use super::failure::{Failure, Outcome};
use super::recorded::open_to_record;
use super::speed::scale_clocks;
use super::stopped::{self, Stopped};
use super::terminal::{note, say, say_json};
use super::threads::Threads;
use super::{beforehand, memory, processors, signals};
use crate::config::Loaded;
use crate::foreign::shown_path;
use crate::player::{adopt_orphans, identify, watch_pauses};
use crate::report::{Summary, render};
use crate::tournament::{Ending, Event, Plan, Source, Standings, play};

/// Play a tournament and rate its players.
///
/// Every finished pair of games is recorded at once: after Ctrl-C, or whatever
/// else stops the program, the same command carries on where it was, with the
/// same result. With node or depth limits the games are the same for any
/// number of threads.
///
/// A player that crashes, stalls or breaks a rule loses the game; under `[failures]`
/// the config may have the pair played again instead, or the run stopped.
///
/// Exit codes: 0 done; 2 wrong input; 4 stopped by a player that failed; 130
/// interrupted.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  leitai run configs/ordering.toml
  leitai run mine.toml --store night.sqlite --threads 4 --json")]
pub(super) struct Arguments {
    /// The config: game, limits, openings, variants.
    config: PathBuf,
    #[command(flatten)]
    overrides: Overrides,
    #[command(flatten)]
    threads: Threads,
    /// The record; by default the config's name with `.sqlite`, here.
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    #[command(flatten)]
    execution_options: ExecutionArguments,
    /// Print the results as JSON at the end.
    #[arg(long)]
    json: bool,
    /// Show no progress.
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Serialize)]
struct Answer<'a> {
    run: &'a str,
    store: &'a Path,
    complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<Stopped>,
    #[serde(flatten)]
    summary: &'a Summary,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let loaded = load_config(&arguments.config, &arguments.overrides)?;
    let path = arguments
        .store
        .clone()
        .unwrap_or_else(|| default_store(&arguments.config));
    let threads = arguments.threads.get();
    let execution = ExecutionContext {
        store: &path,
        threads,
        execution_options: &arguments.execution_options,
        quiet: arguments.quiet,
        cancel: signals::heed(),
    };
    let (plan, ending, standings) = conduct(loaded, &execution)?;
    let summary = Summary::new(&plan, &standings);
    if arguments.json {
        let complete = ending == Ending::Complete;
        say_json(&Answer {
            run: plan.id(),
            store: &path,
            complete,
            stopped: Stopped::of(&plan, &ending),
            summary: &summary,
        })?;
    } else {
        say(&render(&summary))?;
    }
    let overrides = &arguments.overrides;
    let (config, execution_options) = (&arguments.config, &arguments.execution_options);
    let again = || resume("run", config, overrides, &path, threads, execution_options);
    match ending {
        Ending::Complete => Ok(Exit::Success),
        Ending::Cancelled => {
            note(&format!(
                "stopped after {} of {} pairs, all recorded in {}; carry on with\n  {}",
                standings.played,
                plan.schedule.len(),
                shown_path(&path),
                again(),
            ));
            Ok(Exit::Interrupted)
        }
        Ending::Stopped(stop) => Ok(stopped::tell(&plan, &stop, &again())),
    }
}

/// Plays what is left of a tournament, and says nothing of its results.
pub(super) fn conduct(
    mut loaded: Loaded,
    execution: &ExecutionContext<'_>,
) -> Result<(Plan, Ending, Standings), Failure> {
    let config = &loaded.config;
    let others = [
        ("gate", config.gate.is_some()),
        ("tune", config.tune.is_some()),
    ];
    if let Some((other, _)) = others.iter().find(|(_, is)| *is) {
        bail!(
            "{} is the config of a {other}\nhelp: run it with `leitai {other}`",
            loaded.warnings.name
        );
    }
    let (threads, cancel) = (execution.threads, execution.cancel);
    let players = config.variants.iter().zip(config.limits_by_variant());
    processors::check(players, threads, execution.execution_options.force)?;
    adopt_orphans();
    watch_pauses()?;
    identify(&mut loaded.config, cancel)?;
    let (text, name) = (loaded.warnings.text.clone(), loaded.warnings.name.clone());
    let mut plan = load_plan(loaded)?;
    plan.execution_options = execution.execution_options.get(threads)?;
    let variants = &plan.config.variants;
    memory::check_players(variants, plan.schedule.len(), threads)?;
    let store = open_to_record(execution.store)?;
    scale_clocks(&mut plan, threads, Some(&store))?;
    let mut display = Display::new(&plan, execution.quiet);
    let source = Source {
        name: &name,
        text: &text,
    };
    let (ending, standings) = play(&plan, source, &store, threads, cancel, |event| {
        if let Event::Begun {
            recorded, total, ..
        } = &event
            && recorded < total
        {
            beforehand::warn(&plan);
        }
        display.show(&event);
    })?;
    display.finish();
    store.close()?;
    tell_losses(&plan.execution_options, &plan.terms.spare);
    Ok((plan, ending, standings))
}
