//! Node budgets that take variants of different speed the same time.

use std::num::NonZeroUsize;
use std::time::Duration;

use anyhow::{Context, bail};
use rustix::time::{ClockId, clock_gettime};
use serde_json::Value;

use super::{Failure, Session};
use crate::card::{AnyLine, Thinker};
use crate::config::Config;
use crate::count::grouped;
use crate::player::thinker;
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
const MOST_ROUNDS: usize = 40;
/// Processor time that the first variant is measured for, if the rounds suffice.
const ENOUGH: Duration = Duration::from_secs(2);

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
        let measure = || speeds(plan, nodes, self.threads);
        let speeds = self.cancel.unheeded(measure)?;
        let names = plan.config.variants.iter().map(|variant| &variant.name);
        if let Some(budgets) = recorded {
            let all = names.zip(&budgets).zip(&speeds).skip(1);
            for ((name, &budget), speed) in all {
                let now = speed * nodes as f64 / budget as f64;
                if (now - 1.0).abs() > DRIFT {
                    self.listener.warn(format!(
                        "`{name}` is {:.1} % {} beside the first variant than when its nodes were \
                         fixed ({} a move, as the record has them): they stay as they are",
                        (now - 1.0).abs() * 100.0,
                        if now > 1.0 { "faster" } else { "slower" },
                        grouped(budget, ' '),
                    ));
                }
            }
            return Ok(());
        }
        let budgets: Vec<u64> = (speeds.iter())
            .map(|speed| ((speed * nodes as f64).round() as u64).clamp(1, u64::from(u32::MAX)))
            .collect();
        let told = names.zip(&budgets).zip(&speeds);
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
    let variants = plan.config.variants.iter();
    let thinkers = variants.map(|variant| {
        thinker(variant, &plan.config.game).context("a variant that cannot be measured")
    });
    let mut thinkers: Vec<Box<dyn Thinker>> = thinkers.collect::<Result<_, _>>()?;
    let limits = SearchLimits {
        nodes: Some(nodes),
        depth: plan.config.limits.depth,
    };
    let positions = positions(plan, &mut *thinkers[0], nodes);
    let mut rounds = Vec::new();
    let mut first = Duration::ZERO;
    while rounds.len() < MOST_ROUNDS && (rounds.len() < LEAST_ROUNDS || first < ENOUGH) {
        let mut spent = vec![(0, Duration::ZERO); thinkers.len()];
        for (number, line) in positions.iter().enumerate() {
            for turn in 0..thinkers.len() {
                let variant = (turn + number + rounds.len()) % thinkers.len();
                let thinker = &mut thinkers[variant];
                thinker.new_game();
                let began = thread_time()?;
                let report = thinker.run(&**line, &limits, &|| false, None);
                let (sum, time) = &mut spent[variant];
                *time += thread_time()?.saturating_sub(began);
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

/// Positions from games of the first variant with itself, at a tenth of the nodes.
fn positions(plan: &Plan, player: &mut dyn Thinker, nodes: u64) -> Vec<Box<dyn AnyLine>> {
    let limits = SearchLimits {
        nodes: Some((nodes / 10).max(100)),
        depth: plan.config.limits.depth,
    };
    let mut positions = Vec::new();
    let step = (plan.schedule.len() / GAMES as u64).max(1);
    for pair in (0..plan.schedule.len()).step_by(step as usize).take(GAMES) {
        let Some(start) = plan.start(&plan.schedule.pair(pair)) else {
            continue;
        };
        let mut line = plan.config.game.card.line(&*start);
        player.new_game();
        for ply in 0..=PLIES[PLIES.len() - 1] {
            if line.verdict(&plan.config.game.rules).is_some() {
                break;
            }
            if PLIES.contains(&ply) {
                positions.push(line.boxed());
            }
            let Some(mv) = player.run(&*line, &limits, &|| false, None).best else {
                break;
            };
            line.play(mv);
        }
    }
    positions
}

/// Processor time of the calling thread.
fn thread_time() -> Result<Duration, Failure> {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let seconds = u64::try_from(time.tv_sec).context("no clock of processor time")?;
    Ok(Duration::new(seconds, u32::try_from(time.tv_nsec)?))
}
