//! The lines about a config's games that `leitai check` prints.

use leitai_platform::processors::Processor;

use crate::cli::configs::default_store;
use crate::cli::prelude::*;
use leitai_base::count::rough_duration;
use leitai_base::settings::{SettingValue, Settings};
use leitai_config::{Config, Limits, TimeControl, Variant};
use leitai_players::play::{Cores, Processors};
use leitai_session::gate::known_pace;

/// Assumed moves per side of a game with a clock.
const MOVES: u32 = 60;

/// The duration of all games, with the source of the estimate.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Expected {
    /// On `threads` threads.
    seconds: f64,
    threads: usize,
    #[serde(flatten)]
    by: By,
}

/// The source of an estimate.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "kebab-case", tag = "by")]
enum By {
    /// Measured on this many recorded pairs of the run.
    Record { pairs: u64 },
    /// The time limit of a game.
    Clock,
}

/// The duration of a plan, from its record, or else from its clock; `None` if neither gives one.
pub(super) fn expected(config: &Path, plan: &Plan, threads: NonZeroUsize) -> Option<Expected> {
    let pairs = plan.schedule.len() as f64;
    let of = |time: Duration, by| Expected {
        seconds: time.as_secs_f64(),
        threads: threads.get(),
        by,
    };
    // `run` reports a record that cannot be read.
    if let Some(pace) = known_pace(&default_store(config), plan) {
        let by = By::Record { pairs: pace.pairs };
        return Some(of(pace.time_for(pairs, threads), by));
    }
    let limits = plan.config.limits_by_variant();
    let met = plan.schedule.pairings().iter();
    let games = f64::from(u8::from(plan.config.pairs.games));
    let per_pair: Option<f64> = met
        .map(|pairing| {
            let sides = pairing.map(|index| seconds_of_a_side(&limits[index]));
            Some(games * (sides[0]? + sides[1]?))
        })
        .sum();
    let pairings = plan.schedule.pairings().len() as f64;
    let seconds = per_pair? / pairings * pairs / threads.get() as f64;
    Some(of(Duration::try_from_secs_f64(seconds).ok()?, By::Clock))
}

/// Seconds that a side thinks in a game, if time is its only limit.
fn seconds_of_a_side(limits: &Limits) -> Option<f64> {
    if limits.nodes.is_some() || limits.depth.is_some() {
        return None;
    }
    Some(match limits.time? {
        TimeControl::PerMove(time) => f64::from(MOVES) * time.as_secs_f64(),
        TimeControl::Clock(clock) => clock.seconds_for(MOVES),
    })
}

impl Expected {
    /// A line with the games and their duration; `most` is empty or "at most ".
    pub(super) fn line(&self, most: &str, games: u64) -> String {
        let time =
            rough_duration(Duration::try_from_secs_f64(self.seconds).unwrap_or(Duration::MAX));
        let by = match self.by {
            By::Record { pairs } => format!(
                "measured on {} in the record",
                count(pairs, "pair", "pairs")
            ),
            By::Clock => format!("if both sides use their time, {MOVES} moves a side"),
        };
        format!(
            "expected  {most}{} games, {most}{time} on {} ({by})",
            games,
            count(self.threads as u64, "thread", "threads")
        )
    }
}

/// The processors of a worker thread.
#[derive(Debug, Serialize)]
pub(super) struct ThreadPlace {
    thread: usize,
    processors: Vec<usize>,
    /// Each named by its first processor.
    cores: Vec<usize>,
    nodes: Vec<usize>,
}

impl ThreadPlace {
    /// The places of all threads.
    pub(super) fn all(cores: &Cores) -> Vec<Self> {
        let place = |(set, thread): (&Vec<Processor>, usize)| {
            let all = |part: fn(&Processor) -> usize| set.iter().map(part);
            let each = |part| all(part).collect::<Processors>().numbers().to_vec();
            Self {
                thread,
                processors: all(|it| it.number).collect(),
                cores: each(|it| it.core),
                nodes: each(|it| it.node),
            }
        };
        cores.sets().iter().zip(1..).map(place).collect()
    }
}

/// The places of the worker threads, one per line.
pub(super) fn places(places: &[ThreadPlace]) -> Vec<String> {
    let line = |(place, index): (&ThreadPlace, usize)| {
        let head = if index == 0 { "threads" } else { "" };
        let list = |numbers: &[usize]| numbers.iter().copied().collect::<Processors>();
        format!(
            "{head:<10}{}: processors {}, cores {}, nodes {}",
            place.thread,
            list(&place.processors),
            list(&place.cores),
            list(&place.nodes)
        )
    };
    places.iter().zip(0..).map(line).collect()
}

/// The rules in force, also the usual ones; `None` in a game without configurable rules.
pub(super) fn rules(config: &Config) -> Option<String> {
    let rules = &config.game.rules;
    let list = rules.list().iter().zip(0..);
    let rules = list.map(|(rule, place)| {
        let value = SettingValue(rule.kind, rules.get(place));
        format!("{} {value}", rule.name)
    });
    let rules = rules.collect::<Vec<_>>().join(", ");
    (!rules.is_empty()).then(|| format!("rules     {rules}"))
}

/// The players, one per line.
pub(super) fn players(config: &Config) -> Vec<String> {
    let lines = config.variants.iter().zip(0..).map(|(variant, place)| {
        let head = if place == 0 { "players" } else { "" };
        format!("{head:<10}{}: {}", shown(&variant.name), plays(variant))
    });
    lines.collect()
}

/// The player of a variant.
fn plays(variant: &Variant) -> String {
    if let Some(program) = &variant.program {
        let command = shown(&program.command.join(" ")).to_string();
        return format!("{command} ({})", program.profile.protocol.name);
    }
    variant.player.map_or_else(
        || "own search".to_owned(),
        |player| format!("own player {}", player.name()),
    )
}

/// The openings, and the number of laps of a pairing.
pub(super) fn openings(config: &Config, openings: usize, rounds: u64) -> String {
    let file = config.openings.file.as_ref();
    let file = file.map_or_else(String::new, |file| format!(" of {}", shown_path(file)));
    let laps = laps(openings, rounds);
    format!("openings  {openings}{file}, {}", count(laps, "lap", "laps"))
}

/// The number of passes through the openings for a pairing of `rounds` pairs.
pub(super) fn laps(openings: usize, rounds: u64) -> u64 {
    rounds.div_ceil(openings.max(1) as u64)
}

/// The limits of all variants, then those of single variants.
pub(super) fn limits(config: &Config) -> Vec<String> {
    let mut lines = vec![format!("limits    {}", in_words(&config.limits))];
    let own = config.variants.iter();
    let own = own.filter_map(|variant| Some((&variant.name, variant.limits?)));
    lines.extend(own.map(|(name, limits)| format!("          {name}: {}", in_words(&limits))));
    lines
}

/// Limits as a config writes them.
fn in_words(limits: &Limits) -> String {
    if *limits == Limits::default() {
        return "its own".to_owned();
    }
    let time = limits.time.map(|time| match time {
        TimeControl::PerMove(time) => format!("movetime {time:?}"),
        TimeControl::Clock(clock) => format!("clock {clock}"),
    });
    let first = limits.clock().filter(|clock| clock.first_increment);
    let parts = [
        limits.nodes.map(|nodes| format!("nodes {nodes}")),
        limits.depth.map(|depth| format!("depth {depth}")),
        time,
        first.map(|_| "the increment from the start".to_owned()),
        limits.margin.map(|margin| format!("margin {margin:?}")),
        limits.equal_time.then(|| "equal time".to_owned()),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// An explanation of several limits for one player; `None` if each player has only one.
pub(super) fn several(config: &Config) -> Option<String> {
    let names = |limits: &Limits| {
        let time = limits.time.map(|time| match time {
            TimeControl::PerMove(_) => "`movetime`",
            TimeControl::Clock(_) => "`clock`",
        });
        let parts = [
            limits.nodes.map(|_| "`nodes`"),
            limits.depth.map(|_| "`depth`"),
            time,
        ];
        parts.into_iter().flatten().collect::<Vec<_>>()
    };
    let all = config.limits_by_variant();
    let mut all = all.iter().map(names);
    let several = all.find(|names| names.len() > 1)?;
    Some(format!(
        "{} are {} in force: a move ends at the first that is reached\n\
         help: `--set 'limits={{{} = …}}'` puts one limit in the place of all",
        several.join(" and "),
        if several.len() == 2 { "both" } else { "all" },
        several[0].trim_matches('`')
    ))
}
