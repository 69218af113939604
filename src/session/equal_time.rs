//! Node budgets that take variants of different speed the same time.

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
use crate::search::SearchLimits;
use crate::store::Store;
use crate::threads::pool;
use crate::tournament::{Plan, recalled};

/// A later measurement that differs from the recorded one by more than this part is told.
const DRIFT: f64 = 0.03;
/// Rounds, each of which is a game whose positions every variant searches.
const LEAST_ROUNDS: usize = 5;
const MOST_ROUNDS: usize = 60;
/// Processor time that the first variant is measured for, if the rounds suffice.
const ENOUGH: Duration = Duration::from_secs(1);
/// Plies between two positions of a game, and after which it is left.
const EVERY: usize = 8;
const LAST_PLY: usize = 120;
/// Nodes of one search, and of all searches of one variant in a game, at most.
const MOST_NODES: u64 = 200_000;
const NODES_OF_A_GAME: u64 = 400_000;
/// Openings that are taken evenly from a book.
const OPENINGS: usize = 64;

const NO_CLOCK: &str = "this system does not tell the processor time of a thread";

impl Session<'_> {
    /// Gives the variants of a plan at equal time their nodes: those of the record, where it
    /// has a run of the same players under the same limits, and measured ones otherwise. What
    /// is recorded is only compared with what is measured now, unless all is played, or the
    /// `trials` of a gate are decided.
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
        let recorded = recall(plan, store)?;
        if recorded.is_some() && is_over(plan, store, trials)? {
            return Ok(());
        }
        let names = plan.config.variants.iter();
        let names: Vec<String> = names.map(|variant| variant.name.clone()).collect();
        self.listener.info(format!(
            "measuring how fast {} variants search, for equal time",
            names.len()
        ));
        let speeds = self.cancel.unheeded(|| speeds(plan, nodes, self.threads))?;
        if let Some(budgets) = recorded {
            for (variant, drift) in drifts(nodes, &budgets, &speeds) {
                self.listener.warn(format!(
                    "`{}` is {:.1} % {} beside the first variant than when its nodes were \
                     fixed ({} a move, as the record has them): they stay as they are",
                    names[variant],
                    drift.abs() * 100.0,
                    if drift > 0.0 { "faster" } else { "slower" },
                    grouped(budgets[variant], ' '),
                ));
            }
            return Ok(());
        }
        // Another process may have measured, and begun, meanwhile.
        if recall(plan, store)?.is_some() {
            return Ok(());
        }
        let budgets: Vec<u64> = speeds
            .iter()
            .map(|speed| budget(nodes, speed.ratio))
            .collect();
        let told = names.iter().zip(&budgets).zip(&speeds);
        let told = told.map(|((name, &nodes), speed)| {
            format!("{name} {} ({:.3})", grouped(nodes, ' '), speed.ratio)
        });
        self.listener.info(format!(
            "equal time: nodes a move by measured speed: {}",
            told.collect::<Vec<_>>().join(", ")
        ));
        plan.set_budgets(&budgets);
        Ok(())
    }
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
    /// The median of these ratios; the error is that of a median of a normal distribution
    /// (Kendall and Stuart 1977, section 10.11).
    fn of(mut ratios: Vec<f64>) -> Self {
        ratios.sort_by(f64::total_cmp);
        let number = ratios.len() as f64;
        let mean = ratios.iter().sum::<f64>() / number;
        let squares: f64 = ratios.iter().map(|ratio| (ratio - mean).powi(2)).sum();
        Self {
            ratio: ratios[ratios.len() / 2],
            error: (std::f64::consts::FRAC_PI_2 * squares / (number - 1.0) / number).sqrt(),
        }
    }
}

/// The variants whose speed is another than when they were given their nodes, and by what
/// part: more than chance makes of two measurements, and more than [`DRIFT`].
fn drifts(nodes: u64, budgets: &[u64], speeds: &[Speed]) -> Vec<(usize, f64)> {
    let both = budgets.iter().zip(speeds).enumerate();
    let drift = both.filter_map(|(variant, (&budget, speed))| {
        let was = budget as f64 / nodes as f64;
        let drift = speed.ratio / was - 1.0;
        let chance = 3.0 * std::f64::consts::SQRT_2 * speed.error / was;
        (drift.abs() > DRIFT.max(chance)).then_some((variant, drift))
    });
    drift.collect()
}

/// Gives the variants of a plan at equal time the nodes that they have in the record, if
/// they are there.
pub(super) fn recall(plan: &mut Plan, store: &Store) -> Result<Option<Vec<u64>>, Failure> {
    if !plan.config.limits.equal_time {
        return Ok(None);
    }
    let mut best = None;
    for (budgets, pairs) in recorded(&plan.config, store)? {
        plan.set_budgets(&budgets);
        // The run itself, if it is there; then the one that most was played of.
        let worth = (store.known_run(plan.id())?.is_some(), pairs);
        if best.as_ref().is_none_or(|(than, _)| worth >= *than) {
            best = Some((worth, budgets));
        }
    }
    let budgets = best.map(|(_, budgets)| budgets);
    if let Some(budgets) = &budgets {
        plan.set_budgets(budgets);
    }
    Ok(budgets)
}

/// The budgets of the runs of the record with these players under these limits, and the
/// pairs that each has.
fn recorded(config: &Config, store: &Store) -> Result<Vec<(Vec<u64>, u64)>, Failure> {
    let own = players(&serde_json::to_value(config)?);
    let mut found = Vec::new();
    for entry in store.runs()? {
        let text = &entry.meta.config;
        if serde_json::from_str(text).is_ok_and(|value| players(&value) == own) {
            let mut config = config.clone();
            config.recall(text);
            let budgets = config.budgets();
            if budgets.len() == config.variants.len() {
                found.push((budgets, entry.recorded));
            }
        }
    }
    Ok(found)
}

/// What the budgets depend on, of a resolved config: the players and their limits.
fn players(resolved: &Value) -> [Value; 3] {
    let mut variants = resolved["variants"].clone();
    for variant in variants.as_array_mut().into_iter().flatten() {
        if let Some(table) = variant.as_object_mut() {
            table.remove("limits");
        }
    }
    [
        resolved["game"].clone(),
        resolved["limits"].clone(),
        variants,
    ]
}

/// The speed of each variant in nodes per second of processor time, as a multiple of that of
/// the first: measured on as many threads at once as games will be played on, in the same
/// positions by turns, so that whatever else the machine does slows all of them alike.
fn speeds(plan: &Plan, nodes: u64, threads: NonZeroUsize) -> Result<Vec<Speed>, Failure> {
    let pairs = usize::try_from(plan.schedule.len()).unwrap_or(usize::MAX);
    let threads = NonZeroUsize::new(pairs).map_or(threads, |pairs| threads.min(pairs));
    let measured = pool(threads).broadcast(|worker| {
        let games = (worker.index()..).step_by(threads.get());
        rounds(plan, nodes.min(MOST_NODES), games)
    });
    let measured: Vec<Vec<Vec<f64>>> = measured.into_iter().collect::<Result<_, Failure>>()?;
    let rounds: Vec<&Vec<f64>> = measured.iter().flatten().collect();
    let ratios = |variant: usize| {
        let ratios = rounds.iter().map(|round| round[variant] / round[0]);
        Speed::of(ratios.collect())
    };
    Ok((0..plan.config.variants.len()).map(ratios).collect())
}

/// Nodes per second of each variant, round by round: each is another of these games, for
/// what a player has seen it knows, and plays sooner.
fn rounds(
    plan: &Plan,
    nodes: u64,
    games: impl Iterator<Item = usize>,
) -> Result<Vec<Vec<f64>>, Failure> {
    let variants = &plan.config.variants;
    let player = |variant: &Variant| {
        thinker(variant, &plan.config.game).context("a variant that cannot be measured")
    };
    let thinkers = variants.iter().map(player);
    let mut thinkers: Vec<Box<dyn Thinker>> = thinkers.collect::<Result<_, _>>()?;
    let mut guide = variants[0].clone();
    guide.search.table_mb = guide.search.table_mb.min(1);
    let mut guide = player(&guide)?;
    let run = |variant: usize, thinker: &mut dyn Thinker, line: &dyn AnyLine, limits: &_| {
        let Variant { name, player, .. } = &variants[variant];
        // A stranger's player may panic.
        guarded(player.is_some(), || {
            thinker.run(line, limits, &|| false, None)
        })
        .with_context(|| format!("`{name}` panicked while its speed was measured"))
    };
    let limits = SearchLimits {
        nodes: Some(nodes),
        depth: plan.config.limits.depth,
    };
    let mut rounds = Vec::new();
    let mut first = Duration::ZERO;
    for game in games.take(MOST_ROUNDS) {
        if rounds.len() >= LEAST_ROUNDS && first >= ENOUGH {
            break;
        }
        // Another number of nodes is another game, should an opening come again.
        let few = SearchLimits {
            nodes: Some((nodes / 10).clamp(100, 5_000) + game as u64),
            ..limits
        };
        guide.new_game();
        let positions = positions(plan, game, nodes, |line| {
            Ok(run(0, &mut *guide, line, &few)?.best)
        })?;
        for thinker in &mut thinkers {
            thinker.new_game();
        }
        let mut spent = vec![(0, Duration::ZERO); thinkers.len()];
        for (number, line) in positions.iter().enumerate() {
            for turn in 0..thinkers.len() {
                let variant = (turn + number + game) % thinkers.len();
                let began = thread_time().context(NO_CLOCK)?;
                let report = run(variant, &mut *thinkers[variant], &**line, &limits)?;
                let (sum, time) = &mut spent[variant];
                *time += thread_time().context(NO_CLOCK)?.saturating_sub(began);
                *sum += report.nodes;
            }
        }
        first += spent[0].1;
        let measured = |&(nodes, time): &(u64, Duration)| nodes > 0 && !time.is_zero();
        if spent.iter().all(measured) {
            let speed = |&(nodes, time): &(u64, Duration)| nodes as f64 / time.as_secs_f64();
            rounds.push(spent.iter().map(speed).collect());
        }
    }
    if rounds.len() < LEAST_ROUNDS {
        bail!(
            "the speed of the variants cannot be measured: searches of {nodes} nodes take no \
             time\nhelp: give more `nodes` under `[limits]`, or leave `equal_time` out"
        );
    }
    Ok(rounds)
}

/// Positions of a game in which both sides play as `choose` says, from one of the openings:
/// so many that searches of so many nodes take no longer than they should.
fn positions(
    plan: &Plan,
    game: usize,
    nodes: u64,
    mut choose: impl FnMut(&dyn AnyLine) -> Result<Option<Move>, Failure>,
) -> Result<Vec<Box<dyn AnyLine>>, Failure> {
    let openings = plan.book.openings.len();
    let mut pair = plan.schedule.pair(game as u64 % plan.schedule.len());
    pair.opening = (game % OPENINGS) * openings.div_ceil(OPENINGS) % openings;
    let start = plan.start(&pair).context("a pair without an opening")?;
    let mut line = plan.config.game.card.line(&*start);
    let mut positions = Vec::new();
    for ply in 0..LAST_PLY {
        if line.verdict(&plan.config.game.rules).is_some() {
            break;
        }
        if ply % EVERY == game % EVERY {
            positions.push(line.boxed());
        }
        let Some(mv) = choose(&*line)? else {
            break;
        };
        line.play(mv);
    }
    let most = (NODES_OF_A_GAME / nodes.max(1)).max(1) as usize;
    let step = positions.len().div_ceil(most).max(1);
    Ok(positions
        .into_iter()
        .skip(game / EVERY % step)
        .step_by(step)
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_follow_speeds_and_drifts_are_told_beyond_three_per_cent() {
        let speeds = [1.0, 0.86, 1.25];
        let budgets = speeds.map(|speed| budget(20_000, speed));
        assert_eq!(budgets, [20_000, 17_200, 25_000]);
        assert_eq!(
            [budget(1, 0.1), budget(u64::MAX, 2.0)],
            [1, u64::from(u32::MAX)]
        );
        let drifts = |ratios: [f64; 3], error| -> Vec<(usize, bool)> {
            let speeds = ratios.map(|ratio| Speed { ratio, error });
            let told = drifts(20_000, &budgets, &speeds).into_iter();
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
        // The sample's variance is 3.262, that of the mean a fifth, of the median pi / 2 times that.
        assert!((error - (std::f64::consts::FRAC_PI_2 * 3.262 / 5.0).sqrt()).abs() < 1e-9);
    }
}
