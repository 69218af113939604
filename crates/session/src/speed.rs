//! Clock scaling for equal thinking on machines of different speed.

use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;

use anyhow::Context;
use serde::Serialize;

use super::{Failure, Listener, Session};
use leitai_base::threads::pool;
use leitai_config::{Config, GameChoice, Variant, default_variant, search_preset};
use leitai_game::card::GameCard;
use leitai_players::schedule::Book;
use leitai_runs::figures::{clock_scales, uneven_speeds};
use leitai_runs::store::{Speed, Store};
use leitai_runs::study::{Cell, Cells, Measure as _, Task};
use leitai_runs::tournament::Plan;

/// Nodes and time of the search of a fixed set of positions.
#[derive(Debug, Serialize)]
pub struct Bench {
    pub(crate) game: &'static str,
    /// Depth of the searches.
    pub depth: u32,
    /// The total, which is the signature of the search.
    pub nodes: u64,
    /// Duration in seconds.
    pub seconds: f64,
    /// Nodes per second.
    pub nodes_per_second: f64,
    /// The rows of the positions.
    pub positions: Vec<BenchRow>,
}

/// The result of one position.
#[derive(Debug, Serialize)]
pub struct BenchRow {
    /// The name of the position.
    pub id: String,
    /// The nodes of its search.
    pub nodes: u64,
}

impl Session<'_> {
    /// Scales the clocks of a plan whose limits have a `reference_nps`, by the speed of this
    /// machine with all its threads busy, and reports the scale.
    pub(crate) fn scale_clocks(
        &self,
        plan: &mut Plan,
        store: Option<&Store>,
    ) -> Result<(), Failure> {
        let (threads, listener) = (self.threads, &*self.listener);
        plan.speeds = speeds_for(&plan.config, plan.id(), threads, store, listener)?;
        if let Some(speed) = plan.speeds.last() {
            plan.scale_clocks(speed.nps as f64);
        }
        Ok(())
    }
}

/// Returns the speeds at all starts of the run with that identity, the present one last, if one of
/// the config's limits has a `reference_nps`, and an empty list otherwise. Reports the time scale,
/// and warns if the speed of the machine has changed.
pub(crate) fn speeds_for(
    config: &Config,
    run: &str,
    threads: NonZeroUsize,
    store: Option<&Store>,
    listener: &dyn Listener,
) -> Result<Vec<Speed>, Failure> {
    let limits = config.limits_by_variant();
    if limits.iter().all(|own| own.reference_nps.is_none()) {
        return Ok(Vec::new());
    }
    let now = Speed {
        nps: machine_speed(config.game.card, threads)?.round() as u64,
        threads: threads.get() as u64,
    };
    for scale in clock_scales(config, &[now]) {
        listener.info(scale.sentence());
    }
    // A run without a record has no earlier start.
    let earlier = store.and_then(|store| Some((store, store.run(run).ok()?)));
    let earlier = earlier.map(|(store, entry)| store.speeds(&entry.handle));
    let mut speeds = earlier.transpose()?.unwrap_or_default();
    if let Some(text) = speeds.last().and_then(|&last| uneven_speeds(&[last, now])) {
        listener.warn(text);
    }
    speeds.push(now);
    Ok(speeds)
}

/// Returns the nodes per second of `leitai bench` on this machine with that number of busy threads:
/// their median. Takes about half a second.
///
/// # Errors
/// The game's positions of the bench cannot be read.
pub fn machine_speed(card: &'static dyn GameCard, threads: NonZeroUsize) -> Result<f64, Failure> {
    let one = || measure(card, None).map(|answer| answer.nodes_per_second);
    let speeds = pool(threads).broadcast(|_| one()).into_iter();
    let mut speeds = speeds.collect::<Result<Vec<f64>, Failure>>()?;
    speeds.sort_by(f64::total_cmp);
    Ok(speeds[speeds.len() / 2])
}

/// Searches the positions of the game's bench to a depth, by default to the usual one.
///
/// # Errors
/// The game has no bench positions, or its presets are not valid.
pub fn measure(card: &'static dyn GameCard, depth: Option<u32>) -> Result<Bench, Failure> {
    let (text, usual_depth) = card.facts().bench;
    let depth = depth.unwrap_or(usual_depth);
    let game = GameChoice::usual(card);
    let variant = Variant {
        search: search_preset(Some(card), "full").context("the preset `full` is broken")?,
        ..default_variant(game)?
    };
    let suite = match text {
        "" => Book::initial(card),
        text => Book::parse(card, text, "the positions of the bench")?,
    };
    let task = Task {
        game,
        variants: &[variant],
        suite: &suite,
        depth,
        nodes: None,
    };
    let calm = AtomicBool::new(false);
    let mut cells = Cells::empty(task.size());
    let ignore = |_, _: &Cell| Ok::<(), Failure>(());
    cells.fill(&task, NonZeroUsize::MIN, &calm, ignore)?;
    let last = |index: usize| cells.iterations(0, index).last();
    let positions = suite.iter().enumerate();
    let positions = positions.map(|(index, opening)| BenchRow {
        id: opening.id().into_owned(),
        nodes: last(index).map_or(0, |last| last.total_nodes),
    });
    let positions: Vec<BenchRow> = positions.collect();
    let last = (0..suite.len()).filter_map(last);
    let seconds = last.map(|last| last.total_time.as_secs_f64()).sum();
    let nodes = positions.iter().map(|row| row.nodes).sum();
    Ok(Bench {
        game: card.name(),
        depth,
        nodes,
        seconds,
        nodes_per_second: nodes as f64 / seconds.max(1e-9),
        positions,
    })
}
