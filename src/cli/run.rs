//! `leitai run`: play a tournament.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::bail;
use clap::Args;
use serde::Serialize;

use super::Exit;
use super::common::{
    Game, Outcome, Threads, for_game, load_config, load_plan, note, say, say_json,
};
use super::display::Display;
use super::speed::scale_clocks;
use super::{memory, signals};
use crate::config::Loaded;
use crate::player::{Playable, identify};
use crate::report::{Summary, render};
use crate::store::{Mode, Store};
use crate::tournament::{Ending, Source, play};

/// Play a tournament and rate its players.
///
/// Every finished pair of games is recorded at once: after Ctrl-C, or whatever
/// else stops the program, the same command carries on where it was, with the
/// same result. With node or depth limits the games are the same for any
/// number of threads.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The config: game, limits, openings, variants.
    config: PathBuf,
    #[command(flatten)]
    threads: Threads,
    /// The record; by default the config's name with `.sqlite`, here.
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Print the results as JSON at the end.
    #[arg(long)]
    json: bool,
    /// Show no progress.
    #[arg(long, short)]
    quiet: bool,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let loaded = load_config(&arguments.config)?;
    for_game!(Game::of(loaded.config.game), tournament(arguments, loaded))
}

#[derive(Serialize)]
struct Answer<'a> {
    run: &'a str,
    store: &'a Path,
    complete: bool,
    #[serde(flatten)]
    summary: &'a Summary,
}

fn tournament<P: Playable>(arguments: &Arguments, mut loaded: Loaded) -> Outcome {
    if loaded.config.gate.is_some() {
        bail!(
            "{} is the config of a gate\nhelp: run it with `leitai gate`",
            loaded.warnings.name
        );
    }
    identify(&mut loaded.config)?;
    let (text, name) = (loaded.warnings.text.clone(), loaded.warnings.name.clone());
    let mut plan = load_plan::<P>(loaded)?;
    let path = arguments
        .store
        .clone()
        .unwrap_or_else(|| default_store(&arguments.config));
    let variants = &plan.config.variants;
    memory::check_players(variants, plan.schedule.len(), arguments.threads.get())?;
    let store = Store::open(&path, Mode::Write)?;
    scale_clocks(&mut plan, arguments.threads.get())?;
    let cancel: &'static AtomicBool = signals::install()?;
    let mut display = Display::new(&plan, arguments.quiet);
    let source = Source {
        name: &name,
        text: &text,
    };
    let threads = arguments.threads.get();
    let (ending, standings) = play(&plan, source, &store, threads, cancel, |event| {
        display.show(&event);
    })?;
    display.finish();

    let summary = Summary::new(&plan, &standings);
    if arguments.json {
        let complete = ending == Ending::Complete;
        say_json(&Answer {
            run: plan.id(),
            store: &path,
            complete,
            summary: &summary,
        })?;
    } else {
        say(&render(&summary))?;
    }
    if ending == Ending::Cancelled {
        note(&format!(
            "stopped after {} of {} pairs, all recorded in {}; carry on with\n  {}",
            standings.played,
            plan.schedule.len(),
            path.display(),
            resume("run", &arguments.config, &path, threads),
        ));
        return Ok(Exit::Interrupted);
    }
    Ok(Exit::Success)
}

/// The record of a config that names none.
pub(super) fn default_store(config: &Path) -> PathBuf {
    let mut name = config.file_stem().unwrap_or(config.as_os_str()).to_owned();
    name.push(".sqlite");
    PathBuf::from(name)
}

/// The command that carries on.
pub(super) fn resume(command: &str, config: &Path, store: &Path, threads: NonZeroUsize) -> String {
    let (config, store) = (quoted(config), quoted(store));
    format!("leitai {command} {config} --store {store} --threads {threads}")
}

/// A path as a shell reads it.
pub(super) fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-+=:,@%".contains(c);
    if text.chars().all(plain) {
        text
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_survive_the_shell() {
        assert_eq!(quoted(Path::new("/a/b-1.toml")), "/a/b-1.toml");
        assert_eq!(quoted(Path::new("my $1.toml")), "'my $1.toml'");
        assert_eq!(quoted(Path::new("it's")), r"'it'\''s'");
        assert_eq!(
            default_store(Path::new("x/foo.v1.toml")),
            Path::new("foo.v1.sqlite")
        );
    }
}
