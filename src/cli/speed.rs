//! Clocks that give the same thinking on machines of different speed.

use std::num::NonZeroUsize;

use super::bench;
use super::failure::Failure;
use super::terminal::note;
use crate::config::Config;
use crate::report::{clock_scales, uneven};
use crate::store::{Speed, Store};
use crate::tournament::Plan;

/// Scales the clocks of a plan whose limits name a `reference_nps`, by the speed
/// of this machine with all its threads at work, and says so.
pub(super) fn scale_clocks(
    plan: &mut Plan,
    threads: NonZeroUsize,
    store: Option<&Store>,
) -> Result<(), Failure> {
    let speeds = speeds_for(&plan.config, plan.id(), threads, store)?;
    if let Some(speed) = speeds.last() {
        plan.scale_clocks(speed.nps as f64);
    }
    plan.speeds = speeds;
    Ok(())
}

/// The speeds at the starts of the run of that identity, that of now last, if one of the
/// limits of its config names a `reference_nps`; says how times are scaled, and whether
/// the machine was another before. None otherwise.
pub(super) fn speeds_for(
    config: &Config,
    run: &str,
    threads: NonZeroUsize,
    store: Option<&Store>,
) -> Result<Vec<Speed>, Failure> {
    let limits = config.limits_by_variant();
    if limits.iter().all(|own| own.reference_nps.is_none()) {
        return Ok(Vec::new());
    }
    let now = Speed {
        nps: bench::speed(config.game.card, threads)?.round() as u64,
        threads: threads.get() as u64,
    };
    for scale in clock_scales(config, &[now]) {
        note(&scale.sentence());
    }
    // A run that is not recorded yet was not started before.
    let earlier = store.and_then(|store| Some((store, store.run(run).ok()?)));
    let mut speeds = match earlier {
        Some((store, entry)) => store.speeds(&entry.handle)?,
        None => Vec::new(),
    };
    let last = speeds.last().copied();
    if let Some(text) = last.and_then(|last| uneven(&[last, now])) {
        note(&format!("warning: {text}"));
    }
    speeds.push(now);
    Ok(speeds)
}
