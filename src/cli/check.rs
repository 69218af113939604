//! `leitai check`: validate a config and show the plan.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use serde::Serialize;

use super::Exit;
use super::answers::Json;
use super::configs::{Overrides, load_config};
use super::failure::Outcome;
use super::study::{Outline, outline, outline_of_solvers};
use super::terminal::{Notices, reader, say};
use super::threads::Threads;
use crate::config::{Config, FailurePolicies, Limits, Loaded, TimeControl};
use crate::count::count;
use crate::foreign::shown_path;
use crate::gate::Trials;
use crate::output::Door;
use crate::session::books::{book_of, load_plan};
use crate::session::gate::warn_if_short;
use crate::session::tables;
use crate::session::tune::rehearse;
use crate::session::warn_beforehand;
use crate::tournament::TunePlan;

/// Validate a config of any kind (tournament, gate, tune, study) and show what it
/// resolves to and what would be played or searched.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  leitai check configs/gate-full.toml
  leitai check mine.toml --json")]
pub(super) struct Arguments {
    /// The config.
    config: PathBuf,
    #[command(flatten)]
    overrides: Overrides,
    /// Print JSON: the plan and the resolved config, every default written
    /// out.
    #[arg(long)]
    json: Option<PathBuf>,
}

#[derive(Default, Serialize)]
struct Answer<'a> {
    /// None of a tune that plays no games to learn from.
    run: Option<&'a str>,
    pairs: u64,
    games: u64,
    openings: usize,
    pairings: Vec<[&'a str; 2]>,
    /// Of a gate: most pairs of a candidate.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_pairs: Option<u64>,
    /// Of a tune.
    #[serde(skip_serializing_if = "Option::is_none")]
    dimensions: Option<usize>,
    /// Of a study; the counts above are then those of its games.
    #[serde(skip_serializing_if = "Option::is_none")]
    study: Option<Outline>,
    /// Every setting in force.
    config: serde_json::Value,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let loaded = load_config(&arguments.config, &arguments.overrides)?;
    let mut door = Door::of(&arguments.config, &loaded);
    let json = Json::prepare(arguments.json.as_ref(), &mut door)?;
    let config = &loaded.config;
    let is_played = config.tournament.is_some() || config.gate.is_some();
    if config.tune.is_some() {
        return check_tune(arguments, &loaded, json);
    }
    // A study that has a tournament beside it is checked too.
    let study = match (&loaded.study, &loaded.solver_study) {
        (Some(_), _) => Some(outline(&loaded, Threads::default().get())?),
        (None, Some(study)) => Some(outline_of_solvers(&loaded, study)?),
        (None, None) => None,
    };
    match study {
        Some(study) if !is_played => check_study(arguments, &loaded, study, json),
        _ => check_games(arguments, loaded, json),
    }
}

/// A study, with its games if it has some.
fn check_study(arguments: &Arguments, loaded: &Loaded, study: Outline, json: Json) -> Outcome {
    let lines = study.lines();
    let answer = Answer {
        pairs: study.pairs(),
        games: 2 * study.pairs(),
        openings: study.openings(),
        study: Some(study),
        ..Answer::default()
    };
    tell(arguments, &loaded.config, json, answer, &lines)
}

/// A tournament or a gate.
fn check_games(arguments: &Arguments, loaded: Loaded, json: Json) -> Outcome {
    let plan = load_plan(loaded, reader())?;
    let name = |index: usize| plan.config.variants[index].name.as_str();
    let pairings: Vec<[&str; 2]> = plan
        .schedule
        .pairings()
        .iter()
        .map(|pairing| pairing.map(name))
        .collect();
    let pairs = plan.schedule.len();
    warn_beforehand(&plan, &Notices);
    if let Some(gate) = &plan.config.gate {
        let trials = Trials::of(gate, &plan)?.over(plan.different_starts());
        let (game, openings) = (&plan.config.game, plan.book.len());
        warn_if_short("the gate", &trials, game, openings, &Notices);
    }
    let most = match &plan.config.gate {
        Some(_) => "at most ",
        None => "",
    };
    let mut lines = vec![format!("openings  {}", plan.book.len())];
    lines.push(format!(
        "plan      {} of {most}{}: {}, {} games",
        count(pairings.len() as u64, "pairing", "pairings"),
        count(plan.schedule.rounds(), "pair", "pairs"),
        count(pairs, "pair", "pairs"),
        2 * pairs
    ));
    let met = pairings.iter();
    lines.extend(met.map(|[first, second]| format!("          {first} - {second}")));
    let answer = Answer {
        run: plan.known_id(),
        pairs,
        games: 2 * pairs,
        openings: plan.book.len(),
        pairings,
        max_pairs: plan.config.gate.as_ref().map(|_| plan.schedule.rounds()),
        ..Answer::default()
    };
    tell(arguments, &plan.config, json, answer, &lines)
}

fn check_tune(arguments: &Arguments, loaded: &Loaded, json: Json) -> Outcome {
    let (book, name) = (book_of(loaded, reader())?, loaded.warnings.name.clone());
    let mut config = loaded.config.clone();
    tables::open(&mut config)?;
    let plan = TunePlan::new(config, book)?;
    let plan = plan.with_context(|| format!("{name} has no `[tune]`"))?;
    plan.origins.check(&plan.config, &plan.book)?;
    let tune = &plan.tune;
    let is_played = tune.games > 0;
    if is_played {
        // Says what only the tuner knows to be wrong.
        plan.tuner()?;
    }
    rehearse(&arguments.config, loaded, reader())?;
    let mut lines = vec![format!("openings  {}", plan.book.len())];
    let variant = &plan.start().name;
    if let Some(texel) = &tune.texel {
        let games = texel.games;
        lines.push(format!(
            "tune      `{variant}`, fitted to {games} games of its own"
        ));
    }
    if is_played {
        lines.push(format!(
            "tune      `{variant}` by {}: {}, {}, {} games and a proof",
            tune.algorithm.name(),
            count(tune.dimensions.len() as u64, "dimension", "dimensions"),
            count(tune.games / 2, "pair", "pairs"),
            tune.games,
        ));
    }
    let answer = Answer {
        run: is_played.then(|| plan.id()),
        pairs: tune.games / 2,
        games: tune.games,
        openings: plan.book.len(),
        dimensions: Some(tune.dimensions.len()),
        ..Answer::default()
    };
    tell(arguments, &plan.config, json, answer, &lines)
}

/// Says what a config plays: as JSON, or in lines between its head and its terms.
fn tell(
    arguments: &Arguments,
    config: &Config,
    json: Json,
    answer: Answer<'_>,
    lines: &[String],
) -> Outcome {
    let run = answer.run;
    let is_printed = json.is_printed();
    json.tell(&Answer {
        config: config.effective()?,
        ..answer
    })?;
    if is_printed {
        return Ok(Exit::Success);
    }
    say(&format!("{}: fine", shown_path(&arguments.config)))?;
    say(&format!("game      {}", config.game.name()))?;
    if let Some(run) = run {
        say(&format!("run       {}", &run[..12]))?;
    }
    say(&lines.join("\n"))?;
    terms(config)
}

/// Limits of a variant's own, and what a failing player entails.
fn terms(config: &Config) -> Outcome {
    let own: Vec<_> = config
        .variants
        .iter()
        .filter_map(|variant| Some((variant.name.as_str(), variant.limits?)))
        .collect();
    if !own.is_empty() {
        say(&format!("limits    {}", in_words(&config.limits)))?;
        for (name, limits) in own {
            say(&format!("          {name}: {}", in_words(&limits)))?;
        }
    }
    if config.failures != FailurePolicies::default() {
        say(&format!("failures  {}", config.failures))?;
    }
    Ok(Exit::Success)
}

/// Limits in the words of a config.
fn in_words(limits: &Limits) -> String {
    let time = limits.time.map(|time| match time {
        TimeControl::PerMove(time) => format!("movetime {time:?}"),
        TimeControl::Clock(clock) => {
            let moves = clock.moves.map(|moves| format!("{moves} moves in "));
            let (base, increment) = (clock.base, clock.increment);
            format!(
                "clock {}{base:?} + {increment:?}",
                moves.unwrap_or_default()
            )
        }
    });
    let first = limits.clock().filter(|clock| clock.first_increment);
    if *limits == Limits::default() {
        return "its own".to_owned();
    }
    let parts = [
        limits.nodes.map(|nodes| format!("nodes {nodes}")),
        limits.depth.map(|depth| format!("depth {depth}")),
        time,
        first.map(|_| "the increment from the start".to_owned()),
        limits.margin.map(|margin| format!("margin {margin:?}")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}
