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
use crate::player::{guarded, thinker};
use crate::search::SearchLimits;
use crate::store::Store;
use crate::threads::pool;
use crate::tournament::Plan;

/// A later measurement that differs from the recorded one by more than this part is told.
const DRIFT: f64 = 0.03;
/// Openings of the book from which positions are reached.
const GAMES: usize = 6;
/// The plies of each at which a position is taken.
const PLIES: [usize; 4] = [0, 16, 32, 48];
/// Rounds, in each of which every variant searches every position once.
const LEAST_ROUNDS: usize = 5;
const MOST_ROUNDS: usize = 60;
/// Processor time that the first variant is measured for, if the rounds suffice.
const ENOUGH: Duration = Duration::from_secs(1);

const NO_CLOCK: &str = "this system does not tell the processor time of a thread";

impl Session<'_> {
    /// Gives the variants of a plan at equal time their nodes: those of the record, where it
    /// has a run of the same players under the same limits, and measured ones otherwise. What
    /// is recorded is only compared with what is measured now.
    ///
    /// # Errors
    /// The record cannot be read, or no time can be measured.
    pub(crate) fn equalise(&self, plan: &mut Plan, store: &Store) -> Result<(), Failure> {
        let (true, Some(nodes)) = (plan.config.limits.equal_time, plan.config.limits.nodes) else {
            return Ok(());
        };
        let recorded = recall(plan, store)?;
        if recorded.is_some() {
            let entry = store.run(plan.id());
            if entry.is_ok_and(|entry| entry.recorded >= plan.schedule.len()) {
                return Ok(());
            }
        }
        let names: Vec<&str> = plan.config.variants.iter().map(|it| &*it.name).collect();
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
        let budgets: Vec<u64> = speeds.iter().map(|speed| budget(nodes, *speed)).collect();
        let told = names.iter().zip(&budgets).zip(&speeds);
        let told = told
            .map(|((name, &nodes), speed)| format!("{name} {} ({speed:.3})", grouped(nodes, ' ')));
        self.listener.info(format!(
            "equal time: nodes a move by measured speed: {}",
            told.collect::<Vec<_>>().join(", ")
        ));
        plan.set_budgets(&budgets);
        Ok(())
    }
}

/// The nodes of a variant of that speed, where one of speed 1 has `nodes`.
fn budget(nodes: u64, speed: f64) -> u64 {
    ((speed * nodes as f64).round() as u64).clamp(1, u64::from(u32::MAX))
}

/// The variants whose speed is another than when they were given their nodes, and by what
/// part.
fn drifts(nodes: u64, budgets: &[u64], speeds: &[f64]) -> Vec<(usize, f64)> {
    let both = budgets.iter().zip(speeds).enumerate();
    let drift = both
        .map(|(variant, (&budget, speed))| (variant, speed * nodes as f64 / budget as f64 - 1.0));
    drift.filter(|(_, drift)| drift.abs() > DRIFT).collect()
}

/// Gives the variants of a plan at equal time the nodes that they have in the record, if
/// they are there.
pub(super) fn recall(plan: &mut Plan, store: &Store) -> Result<Option<Vec<u64>>, Failure> {
    if !plan.config.limits.equal_time {
        return Ok(None);
    }
    let budgets = recorded(&plan.config, store)?;
    if let Some(budgets) = &budgets {
        plan.set_budgets(budgets);
    }
    Ok(budgets)
}

/// The budgets of the last run of the record with these players under these limits.
fn recorded(config: &Config, store: &Store) -> Result<Option<Vec<u64>>, Failure> {
    let own = players(&serde_json::to_value(config)?);
    let runs = store.runs()?.into_iter().rev();
    let resolved = runs.map(|entry| entry.meta.config);
    let same = resolved.map(|text| serde_json::from_str::<Value>(&text).map(|value| (text, value)));
    for (text, value) in same.filter_map(Result::ok) {
        if players(&value) == own {
            let mut config = config.clone();
            config.recall(&text);
            let budgets = config.budgets();
            if budgets.len() == config.variants.len() {
                return Ok(Some(budgets));
            }
        }
    }
    Ok(None)
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
/// the first: measured on all threads at once, as the games will be played, on the same
/// positions by turns, so that whatever else the machine does slows all of them alike. The
/// median over rounds and threads.
fn speeds(plan: &Plan, nodes: u64, threads: NonZeroUsize) -> Result<Vec<f64>, Failure> {
    let measured = pool(threads).broadcast(|_| rounds(plan, nodes));
    let measured: Vec<Vec<Vec<f64>>> = measured.into_iter().collect::<Result<_, Failure>>()?;
    let rounds: Vec<&Vec<f64>> = measured.iter().flatten().collect();
    let median = |variant: usize| {
        let mut all: Vec<f64> = rounds
            .iter()
            .map(|round| round[variant] / round[0])
            .collect();
        all.sort_by(f64::total_cmp);
        all[all.len() / 2]
    };
    Ok((0..plan.config.variants.len()).map(median).collect())
}

/// Nodes per second of each variant, round by round.
fn rounds(plan: &Plan, nodes: u64) -> Result<Vec<Vec<f64>>, Failure> {
    let variants = &plan.config.variants;
    let thinkers = variants.iter().map(|variant| {
        thinker(variant, &plan.config.game).context("a variant that cannot be measured")
    });
    let mut thinkers: Vec<Box<dyn Thinker>> = thinkers.collect::<Result<_, _>>()?;
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
    let few = SearchLimits {
        nodes: Some((nodes / 10).max(100)),
        ..limits
    };
    let positions = positions(plan, |line| Ok(run(0, &mut *thinkers[0], line, &few)?.best))?;
    let mut rounds = Vec::new();
    let mut first = Duration::ZERO;
    while rounds.len() < MOST_ROUNDS && (rounds.len() < LEAST_ROUNDS || first < ENOUGH) {
        let mut spent = vec![(0, Duration::ZERO); thinkers.len()];
        for (number, line) in positions.iter().enumerate() {
            for turn in 0..thinkers.len() {
                let variant = (turn + number + rounds.len()) % thinkers.len();
                let thinker = &mut thinkers[variant];
                thinker.new_game();
                let began = thread_time().context(NO_CLOCK)?;
                let report = run(variant, &mut **thinker, &**line, &limits)?;
                let (sum, time) = &mut spent[variant];
                *time += thread_time().context(NO_CLOCK)?.saturating_sub(began);
                *sum += report.nodes;
            }
        }
        first += spent[0].1;
        if spent
            .iter()
            .any(|(nodes, time)| *nodes == 0 || time.is_zero())
        {
            bail!(
                "the speed of the variants cannot be measured: a search of {nodes} nodes takes no \
                 time\nhelp: give more `nodes` under `[limits]`, or leave `equal_time` out"
            );
        }
        let speed = |&(nodes, time): &(u64, Duration)| nodes as f64 / time.as_secs_f64();
        rounds.push(spent.iter().map(speed).collect());
    }
    Ok(rounds)
}

/// Positions from games in which both sides play as `choose` says.
fn positions(
    plan: &Plan,
    mut choose: impl FnMut(&dyn AnyLine) -> Result<Option<Move>, Failure>,
) -> Result<Vec<Box<dyn AnyLine>>, Failure> {
    let mut positions = Vec::new();
    let step = (plan.schedule.len() / GAMES as u64).max(1);
    for pair in (0..plan.schedule.len()).step_by(step as usize).take(GAMES) {
        let Some(start) = plan.start(&plan.schedule.pair(pair)) else {
            continue;
        };
        let mut line = plan.config.game.card.line(&*start);
        for ply in 0..=PLIES[PLIES.len() - 1] {
            if line.verdict(&plan.config.game.rules).is_some() {
                break;
            }
            if PLIES.contains(&ply) {
                positions.push(line.boxed());
            }
            let Some(mv) = choose(&*line)? else {
                break;
            };
            line.play(mv);
        }
    }
    Ok(positions)
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
        assert_eq!(drifts(20_000, &budgets, &speeds), []);
        assert_eq!(drifts(20_000, &budgets, &[1.0, 0.88, 1.22]), []);
        let told = drifts(20_000, &budgets, &[1.0, 0.90, 1.20]);
        let told: Vec<(usize, bool)> = told.iter().map(|(at, drift)| (*at, *drift > 0.0)).collect();
        assert_eq!(told, [(1, true), (2, false)]);
    }
}
