//! `leitai check`: validate a config and show the plan.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::Exit;
use super::common::{Game, Outcome, for_game, load_plan, say, say_json};
use super::configs::{Overrides, load_config};
use crate::config::{Config, Limits, Loaded, TimeControl};
use crate::player::Playable;
use crate::report::count;

/// Validate a config and show what it resolves to and what would be played.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The config.
    config: PathBuf,
    #[command(flatten)]
    overrides: Overrides,
    /// Print JSON: the plan and the resolved config, every default written
    /// out.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer<'a> {
    run: &'a str,
    pairs: u64,
    games: u64,
    openings: usize,
    pairings: Vec<[&'a str; 2]>,
    config: &'a Config,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let loaded = load_config(&arguments.config, &arguments.overrides)?;
    for_game!(Game::of(loaded.config.game), check(arguments, loaded))
}

fn check<P: Playable>(arguments: &Arguments, loaded: Loaded) -> Outcome {
    let plan = load_plan::<P>(loaded)?;
    let name = |index: usize| plan.config.variants[index].name.as_str();
    let pairings: Vec<[&str; 2]> = plan
        .schedule
        .pairings()
        .iter()
        .map(|pairing| pairing.map(name))
        .collect();
    let pairs = plan.schedule.len();
    if arguments.json {
        say_json(&Answer {
            run: plan.id(),
            pairs,
            games: 2 * pairs,
            openings: plan.book.len(),
            pairings,
            config: &plan.config,
        })?;
        return Ok(Exit::Success);
    }
    say(&format!("{}: fine", arguments.config.display()))?;
    say(&format!("game      {}", P::NAME))?;
    say(&format!("run       {}", &plan.id()[..12]))?;
    say(&format!("openings  {}", plan.book.len()))?;
    say(&format!(
        "plan      {} of {}: {}, {} games",
        count(pairings.len() as u64, "pairing", "pairings"),
        count(plan.schedule.rounds(), "pair", "pairs"),
        count(pairs, "pair", "pairs"),
        2 * pairs
    ))?;
    for [first, second] in pairings {
        say(&format!("          {first} - {second}"))?;
    }
    let variants = plan.config.variants.iter();
    let own: Vec<_> = variants
        .filter_map(|variant| Some((variant.name.as_str(), variant.limits?)))
        .collect();
    if !own.is_empty() {
        say(&format!("limits    {}", in_words(&plan.config.limits)))?;
        for (name, limits) in own {
            say(&format!("          {name}: {}", in_words(&limits)))?;
        }
    }
    if !plan.config.failures.is_usual() {
        say(&format!("failures  {}", plan.config.failures))?;
    }
    Ok(Exit::Success)
}

/// Limits in the words of a config.
fn in_words(limits: &Limits) -> String {
    let time = limits.time.map(|time| match time {
        TimeControl::PerMove(time) => format!("movetime {time:?}"),
        TimeControl::Clock { base, increment } => format!("clock {base:?} + {increment:?}"),
    });
    let parts = [
        limits.nodes.map(|nodes| format!("nodes {nodes}")),
        limits.depth.map(|depth| format!("depth {depth}")),
        time,
        limits.margin.map(|margin| format!("margin {margin:?}")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}
