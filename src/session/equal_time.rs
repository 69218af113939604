//! Node budgets that take variants of different speed the same time.

use std::f64::consts::{FRAC_PI_2, SQRT_2};
use std::iter;
use std::num::NonZeroUsize;
use std::time::Duration;

use anyhow::{Context, bail};
use serde_json::Value;

use super::processors::thread_time;
use super::{Failure, Session};
use crate::card::{AnyLine, Thinker};
use crate::config::{Config, Variant};
use crate::count::grouped;
use crate::game::Move;
use crate::gate::Trials;
use crate::player::{guarded, thinker};
use crate::search::{SearchLimits, SearchReport};
use crate::store::Store;
use crate::threads::pool;
use crate::tournament::{Plan, recalled};

/// A later measurement that differs from the recorded one by more than this part is told.
const DRIFT: f64 = 0.03;
/// Rounds of a thread, each of which is a game whose positions every variant searches.
const LEAST_ROUNDS: usize = 5;
/// Rounds of all threads at least, unless [`ENOUGH`] comes first: what a short run measures holds
/// for every longer one of the record.
const LEAST_ROUNDS_OF_ALL: usize = 30;
const MOST_ROUNDS: usize = 1_000;
/// Processor time that the first variant is measured for, if the rounds suffice.
const ENOUGH: Duration = Duration::from_secs(1);
/// The ply after which a game is left.
const LAST_PLY: usize = 120;
/// Nodes of one search, and of all searches of one variant in a game, at most.
const MOST_NODES: u64 = 200_000;
const NODES_OF_A_GAME: u64 = 400_000;
/// Nodes of a search in a game whose positions will be searched, at most.
const MOST_NODES_OF_A_GUIDE: u64 = 5_000;
/// Multiples of it, less their whole parts, lie evenly however many there are: so are openings
/// taken from a book.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

const NO_CLOCK: &str = "this system does not tell the processor time of a thread";

impl Session<'_> {
    /// Gives the variants of a plan at equal time their nodes: those that the record has of the
    /// same players under the same limits, and measured ones otherwise. What is recorded is only
    /// compared with what is measured now, unless all is played, or the `trials` of a gate are
    /// decided.
    ///
    /// # Errors
    /// The record cannot be read, or no time can be measured.
    pub(crate) fn equalise(
        &self,
        plan: &mut Plan,
        store: &Store,
        trials: Option<&Trials>,
    ) -> Result<(), Failure> {
        let (true, Some(nodes)) = (plan.config.limits.equal_time, plan.config.limits.nodes) else {
            return Ok(());
        };
        let is_known = |known: &[Option<u64>]| known.iter().all(Option::is_some);
        let known = recall(plan, store)?;
        if is_known(&known) && is_over(plan, store, trials)? {
            return Ok(());
        }
        let players = Players::of(plan)?;
        if players.measured.len() > 1 {
            self.listener.info(format!(
                "measuring how fast {} variants search, for equal time",
                players.measured.len()
            ));
        }
        let speeds = self
            .cancel
            .unheeded(|| speeds(plan, &players.measured, nodes, self.threads))?;
        for (variant, drift) in drifts(nodes, &known, &players, &speeds) {
            self.listener.warn(format!(
                "`{}` is {:.1} % {} beside `{}` than when its nodes were fixed ({} a move, as the \
                 record has them): they stay as they are",
                plan.config.variants[variant].name,
                drift.abs() * 100.0,
                if drift > 0.0 { "faster" } else { "slower" },
                plan.config.variants[players.measured[0]].name,
                grouped(known[variant].unwrap_or_default(), ' '),
            ));
        }
        if is_known(&known) {
            return Ok(());
        }
        // Another process may have measured, and begun, meanwhile.
        let known = recall(plan, store)?;
        if is_known(&known) {
            return Ok(());
        }
        let speed = |variant: usize| speeds[players.place[variant]].ratio;
        let budgets = known.iter().enumerate();
        let budgets =
            budgets.map(|(variant, known)| known.unwrap_or_else(|| budget(nodes, speed(variant))));
        let budgets: Vec<u64> = budgets.collect();
        let listed = plan.config.variants.iter().zip(&budgets).enumerate();
        let listed = listed.map(|(variant, (of, &budget))| {
            format!(
                "{} {} ({:.3})",
                of.name,
                grouped(budget, ' '),
                speed(variant)
            )
        });
        self.listener.info(format!(
            "equal time: nodes a move by measured speed: {}",
            listed.collect::<Vec<_>>().join(", ")
        ));
        plan.set_budgets(&budgets);
        Ok(())
    }
}

/// The nodes that each variant has, where they are known.
type Known = Vec<Option<u64>>;

/// Who is measured.
struct Players {
    /// One variant of each player, the one first whose nodes the config gives. Who sits out this
    /// time is among them: another run of the record asks for its nodes.
    measured: Vec<usize>,
    /// By variant, the place among them of the player that it is.
    place: Vec<usize>,
}

impl Players {
    fn of(plan: &Plan) -> Result<Self, Failure> {
        let config = &plan.config;
        let players = players(&serde_json::to_value(config)?);
        let first = reference(config);
        let mut measured = vec![first];
        let mut place = Vec::new();
        for (variant, (player, _)) in players.iter().enumerate() {
            let same = measured.iter().position(|&one| players[one].0 == *player);
            place.push(same.unwrap_or(measured.len()));
            if same.is_none() {
                measured.push(variant);
            }
        }
        Ok(Self { measured, place })
    }
}

/// The variant whose nodes the config gives: of a gate the base, otherwise the first.
fn reference(config: &Config) -> usize {
    config.gate.as_ref().map_or(0, |gate| gate.base)
}

/// Whether the record has all that a plan plays.
fn is_over(plan: &Plan, store: &Store, trials: Option<&Trials>) -> Result<bool, Failure> {
    let Some(entry) = store.known_run(plan.id())? else {
        return Ok(false);
    };
    let is_decided = |trials: &Trials| {
        let found = recalled(trials.clone(), plan, store, &entry.handle);
        found.map(|(trials, _)| trials.is_over())
    };
    let is_decided = trials.map(is_decided).transpose()?;
    Ok(entry.recorded >= plan.schedule.len() || is_decided == Some(true))
}

/// The nodes of a variant of that speed, where one of speed 1 has `nodes`.
fn budget(nodes: u64, speed: f64) -> u64 {
    ((speed * nodes as f64).round() as u64).clamp(1, u64::from(u32::MAX))
}

/// The speed of a variant as a multiple of the first one's, and its standard error.
#[derive(Clone, Copy, Debug)]
struct Speed {
    ratio: f64,
    error: f64,
}

impl Speed {
    /// The median of these ratios, of an even number the geometric mean of both in the middle;
    /// the error is that of a median of a normal distribution (Kendall and Stuart 1977, section
    /// 10.11).
    fn of(mut ratios: Vec<f64>) -> Self {
        ratios.sort_by(f64::total_cmp);
        let number = ratios.len() as f64;
        let mean = ratios.iter().sum::<f64>() / number;
        let squares: f64 = ratios.iter().map(|ratio| (ratio - mean).powi(2)).sum();
        Self {
            ratio: (ratios[ratios.len() / 2] * ratios[(ratios.len() - 1) / 2]).sqrt(),
            error: (FRAC_PI_2 * squares / (number - 1.0) / number).sqrt(),
        }
    }
}

/// The variants whose speed is another than when they were given the nodes that are `known`,
/// and by what part: more than chance makes of two measurements, and more than [`DRIFT`].
fn drifts(
    nodes: u64,
    known: &[Option<u64>],
    players: &Players,
    speeds: &[Speed],
) -> Vec<(usize, f64)> {
    let both = known.iter().zip(&players.place).enumerate();
    let drift = both.filter_map(|(variant, (&budget, &place))| {
        let (was, speed) = (budget? as f64 / nodes as f64, speeds[place]);
        let drift = speed.ratio / was - 1.0;
        let chance = 3.0 * SQRT_2 * speed.error / was;
        (drift.abs() > DRIFT.max(chance)).then_some((variant, drift))
    });
    drift.collect()
}

/// The nodes that the record has of the variants of a plan at equal time, whatever they are
/// called there; the plan has them if all are known.
pub(super) fn recall(plan: &mut Plan, store: &Store) -> Result<Known, Failure> {
    let mut known = vec![None; plan.config.variants.len()];
    if !plan.config.limits.equal_time {
        return Ok(known);
    }
    let complete = |known: &Known| known.iter().copied().collect::<Option<Vec<u64>>>();
    for budgets in recorded(&plan.config, store)? {
        if let Some(all) = complete(&budgets) {
            plan.set_budgets(&all);
            if store.known_run(plan.id())?.is_some() {
                return Ok(budgets);
            }
        }
        // What was measured first holds for all runs that follow.
        for (known, budget) in known.iter_mut().zip(budgets) {
            *known = known.or(budget);
        }
    }
    if let Some(all) = complete(&known) {
        plan.set_budgets(&all);
    }
    Ok(known)
}

/// The nodes that each variant has in the runs of the record that this version began with the same
/// first player under the same limits, in the order in which they were begun.
fn recorded(config: &Config, store: &Store) -> Result<Vec<Known>, Failure> {
    let own = serde_json::to_value(config)?;
    let variants = players(&own);
    let mut found = Vec::new();
    for entry in store.runs()? {
        // Another version has another speed, and its runs are not carried on.
        if entry.meta.version != env!("CARGO_PKG_VERSION") {
            continue;
        }
        let theirs: Value = serde_json::from_str(&entry.meta.config).unwrap_or_default();
        if ["game", "limits"]
            .iter()
            .any(|&key| own[key] != theirs[key])
        {
            continue;
        }
        let first = theirs["gate"]["base"].as_u64().unwrap_or_default() as usize;
        let theirs = players(&theirs);
        let is_same = |(player, _): &(Value, _)| *player == variants[reference(config)].0;
        if !theirs.get(first).is_some_and(is_same) {
            continue;
        }
        let nodes = |player: &Value| {
            let mut theirs = theirs.iter();
            theirs.find(|(other, _)| other == player)?.1
        };
        found.push(variants.iter().map(|(player, _)| nodes(player)).collect());
    }
    Ok(found)
}

/// The players of a resolved config, whatever they are called, and the nodes that they have.
fn players(resolved: &Value) -> Vec<(Value, Option<u64>)> {
    let variants = resolved["variants"].as_array().into_iter().flatten();
    let player = |variant: &Value| {
        let mut player = variant.clone();
        if let Some(table) = player.as_object_mut() {
            table.retain(|key, _| !["name", "limits"].contains(&key.as_str()));
        }
        (player, variant["limits"]["nodes"].as_u64())
    };
    variants.map(player).collect()
}

/// The speed of each of `players` in nodes per second of processor time, as a multiple of that
/// of the first one: measured on as many threads at once as games will be played on.
fn speeds(
    plan: &Plan,
    players: &[usize],
    nodes: u64,
    threads: NonZeroUsize,
) -> Result<Vec<Speed>, Failure> {
    let pairs = usize::try_from(plan.schedule.len()).unwrap_or(usize::MAX);
    let threads = NonZeroUsize::new(pairs).map_or(threads, |pairs| threads.min(pairs));
    // Hardly more games are measured than will be played, or few would take longer to prepare.
    let rounds = usize::try_from(plan.schedule.rounds()).unwrap_or(usize::MAX);
    let rounds = rounds.max(LEAST_ROUNDS_OF_ALL).div_ceil(threads.get());
    let rounds = rounds.max(LEAST_ROUNDS);
    let measured = pool(threads).broadcast(|worker| {
        let games = (worker.index()..).step_by(threads.get()).take(MOST_ROUNDS);
        ratios(plan, players, nodes.min(MOST_NODES), rounds, &games)
    });
    let measured: Vec<Vec<Vec<f64>>> = measured.into_iter().collect::<Result<_, Failure>>()?;
    let others = (0..players.len() - 1).map(|other| {
        let ratios = measured.iter().flat_map(|ratios| &ratios[other]);
        Speed::of(ratios.copied().collect())
    });
    let first = Speed {
        ratio: 1.0,
        error: 0.0,
    };
    Ok(iter::once(first).chain(others).collect())
}

/// The speed of each player but the first as a multiple of that of the first one, game by game.
/// Each round is another game, for what a player has seen it knows, and plays sooner.
fn ratios(
    plan: &Plan,
    players: &[usize],
    nodes: u64,
    rounds: usize,
    games: &(impl Iterator<Item = usize> + Clone),
) -> Result<Vec<Vec<f64>>, Failure> {
    let variant = |place: usize| &plan.config.variants[players[place]];
    let mut guiding = variant(0).clone();
    guiding.search.table_mb = guiding.search.table_mb.min(1);
    let mut guide = player(plan, &guiding)?;
    let mut lines: Vec<Vec<Box<dyn AnyLine>>> = Vec::new();
    let mut all = Vec::new();
    for other in 1..players.len() {
        let mut ratios = Vec::new();
        let mut first = Duration::ZERO;
        for (number, game) in games.clone().enumerate() {
            // A game of which there is nothing to search is no round.
            if ratios.len() >= rounds || ratios.len() >= LEAST_ROUNDS && first >= ENOUGH {
                break;
            }
            if lines.len() == number {
                // Another number of nodes is another game, should an opening come again.
                let few = (nodes / 4).clamp(10, MOST_NODES_OF_A_GUIDE) + game as u64;
                guide.new_game();
                lines.push(positions(plan, game, nodes, |line| {
                    Ok(search(plan, &guiding, &mut *guide, line, few)?.best)
                })?);
            }
            let spent = by_turns(plan, [variant(0), variant(other)], &lines[number], nodes)?;
            first += spent[0].1;
            let speed = spent.map(|(nodes, time)| nodes as f64 / time.as_secs_f64());
            if speed.iter().all(|speed| speed.is_finite() && *speed > 0.0) {
                ratios.push(speed[1] / speed[0]);
            }
        }
        if ratios.len() < LEAST_ROUNDS {
            let (why, help) = if lines.iter().all(Vec::is_empty) {
                (
                    "games end before a player has moved".to_owned(),
                    "begin them from other openings",
                )
            } else {
                (
                    format!("searches of {nodes} nodes take no time"),
                    "give more `nodes` under `[limits]`",
                )
            };
            bail!(
                "the speed of the variants cannot be measured: {why}\n\
                 help: {help}, or leave `equal_time` out"
            );
        }
        all.push(ratios);
    }
    Ok(all)
}

/// Nodes and time of two players that search the same positions by turns, so that whatever else
/// the machine does slows both alike, and so that each finds the processor's caches as the other
/// has left them, as in a game.
fn by_turns(
    plan: &Plan,
    both: [&Variant; 2],
    line: &[Box<dyn AnyLine>],
    nodes: u64,
) -> Result<[(u64, Duration); 2], Failure> {
    let mut spent = [(0, Duration::ZERO); 2];
    // Whoever is made first has other memory, which makes it faster or slower by a per cent or
    // more: each of them is, once.
    for made_first in 0..2 {
        let mut thinkers = [
            player(plan, both[made_first])?,
            player(plan, both[1 - made_first])?,
        ];
        thinkers.swap(0, made_first);
        for thinker in &mut thinkers {
            thinker.new_game();
        }
        for (place, position) in line.iter().enumerate() {
            for turn in 0..2 {
                let side = (turn + place + made_first) % 2;
                let began = thread_time().context(NO_CLOCK)?;
                let report = search(plan, both[side], &mut *thinkers[side], &**position, nodes)?;
                let (sum, time) = &mut spent[side];
                *time += thread_time().context(NO_CLOCK)?.saturating_sub(began);
                *sum += report.nodes;
            }
        }
    }
    Ok(spent)
}

fn player(plan: &Plan, variant: &Variant) -> Result<Box<dyn Thinker>, Failure> {
    thinker(variant, &plan.config.game).context("a variant that cannot be measured")
}

/// A search of so many nodes at most, by a stranger's player too, which may panic.
fn search(
    plan: &Plan,
    variant: &Variant,
    thinker: &mut dyn Thinker,
    line: &dyn AnyLine,
    nodes: u64,
) -> Result<SearchReport, Failure> {
    let limits = SearchLimits {
        nodes: Some(nodes),
        depth: plan.config.limits.depth,
    };
    let Variant { name, player, .. } = variant;
    guarded(player.is_some(), || {
        thinker.run(line, &limits, &|| false, None)
    })
    .with_context(|| format!("`{name}` panicked while its speed was measured"))
}

/// Positions in which one side is to move in a game where both play as `choose` says, from one
/// of the openings: one after the other, for a player knows most of what it searches from its
/// last move, and so many that searches of so many nodes take no longer than they should.
fn positions(
    plan: &Plan,
    game: usize,
    nodes: u64,
    mut choose: impl FnMut(&dyn AnyLine) -> Result<Option<Move>, Failure>,
) -> Result<Vec<Box<dyn AnyLine>>, Failure> {
    let openings = plan.book.openings.len();
    // Each lap of the schedule has positions of its own, where openings are few.
    let round = game as u64 % plan.schedule.rounds();
    let mut pair = plan
        .schedule
        .pair(round * plan.schedule.pairings().len() as u64);
    pair.opening = (game as f64 * GOLDEN % 1.0 * openings as f64) as usize;
    let start = plan.start(&pair).context("a pair without an opening")?;
    let mut line = plan.config.game.card.line(&*start);
    let mut positions = Vec::new();
    let end = plan.config.adjudication.max_plies;
    for ply in 0..end.map_or(LAST_PLY, |end| LAST_PLY.min(end as usize)) {
        if line.verdict(&plan.config.game.rules).is_some() {
            break;
        }
        if ply % 2 == game % 2 {
            positions.push(line.boxed());
        }
        let Some(mv) = choose(&*line)? else {
            break;
        };
        line.play(mv);
    }
    let most = (NODES_OF_A_GAME / nodes.max(1)).max(1) as usize;
    let parts = positions.len().div_ceil(most).max(1);
    // Few games too have begun, middle and end among them.
    let part = (game as f64 * SQRT_2 % 1.0 * parts as f64) as usize;
    let part = positions.into_iter().skip(part * most);
    Ok(part.take(most).collect())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::config::parse;
    use crate::games;
    use crate::schedule::Book;
    use crate::store::{Mode, RunMeta};

    /// A gauntlet of three variants from the usual start.
    fn plan() -> Plan {
        let text = "game = \"xiangqi\"\nlimits = { nodes = 400, equal_time = true }\n\
                    openings = { exhausted = \"vary\" }\n\
                    tournament = { pairs = 7, format = \"gauntlet\" }\n\
                    variant = [{ name = \"a\" }, { name = \"b\", search = { table_mb = 8 } }, \
                    { name = \"c\", search = { table_mb = 2 } }]";
        let config = parse(text, "test.toml", &games::all()).unwrap().config;
        let book = Book::usual(&config.game).unwrap();
        Plan::new(config, book).unwrap()
    }

    #[test]
    fn without_a_book_a_gauntlet_is_measured_from_as_many_starts_as_it_plays() {
        let plan = plan();
        let starts = (0..12).step_by(2).map(|game| {
            let line = positions(&plan, game, 400, |_| Ok(None)).unwrap();
            line[0].position().to_fen()
        });
        let starts: HashSet<String> = starts.collect();
        assert_eq!(starts.len(), 6, "{starts:?}");
    }

    #[test]
    fn nodes_are_known_from_runs_of_this_version_alone() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path().join("games.sqlite"), Mode::Write).unwrap();
        let record = |version: &str, budgets| {
            let mut plan = plan();
            plan.set_budgets(budgets);
            let config = &plan.config;
            let meta = RunMeta {
                id: plan.id().to_owned(),
                game: config.game.name().to_owned(),
                config: serde_json::to_string(config).unwrap(),
                source_name: "test.toml".to_owned(),
                source_text: String::new(),
                seed: config.seed,
                version: version.to_owned(),
                variants: Vec::new(),
                pairs: 1,
                reproducible: true,
            };
            store.begin_run(&meta, iter::empty()).unwrap();
        };
        let mut plan = plan();
        record("0.0.1", &[400, 300, 200]);
        assert_eq!(recall(&mut plan, &store).unwrap(), [None; 3]);
        assert_eq!(plan.known_id(), None);
        record(env!("CARGO_PKG_VERSION"), &[400, 310, 210]);
        let known = [400, 310, 210].map(Some);
        assert_eq!(recall(&mut plan, &store).unwrap(), known);
        assert!(plan.known_id().is_some());
    }

    #[test]
    fn budgets_follow_speeds_and_drifts_are_told_beyond_three_per_cent() {
        let speeds = [1.0, 0.86, 1.25];
        let budgets = speeds.map(|speed| budget(20_000, speed));
        assert_eq!(budgets, [20_000, 17_200, 25_000]);
        let (known, players) = (
            budgets.map(Some),
            Players {
                measured: vec![0, 1, 2],
                place: vec![0, 1, 2],
            },
        );
        assert_eq!(
            [budget(1, 0.1), budget(u64::MAX, 2.0)],
            [1, u64::from(u32::MAX)]
        );
        let drifts = |ratios: [f64; 3], error| -> Vec<(usize, bool)> {
            let speeds = ratios.map(|ratio| Speed { ratio, error });
            let told = drifts(20_000, &known, &players, &speeds).into_iter();
            told.map(|(at, drift)| (at, drift > 0.0)).collect()
        };
        assert_eq!(drifts(speeds, 0.001), []);
        assert_eq!(drifts([1.0, 0.88, 1.22], 0.001), []);
        assert_eq!(drifts([1.0, 0.90, 1.20], 0.001), [(1, true), (2, false)]);
        assert_eq!(drifts([1.0, 0.90, 1.20], 0.1), [], "it may be chance");
    }

    #[test]
    fn a_speed_is_a_median_with_its_error() {
        let Speed { ratio, error } = Speed::of(vec![0.8, 1.2, 0.9, 5.0, 1.0]);
        assert!((ratio - 1.0).abs() < 1e-12);
        let even = Speed::of(vec![0.5, 2.0, 0.8, 1.25]);
        assert!((even.ratio - 1.0).abs() < 1e-12, "whoever is the first one");
        // The sample's variance is 3.262, that of the mean a fifth, of the median pi / 2 times that.
        assert!((error - (FRAC_PI_2 * 3.262 / 5.0).sqrt()).abs() < 1e-9);
    }
}
