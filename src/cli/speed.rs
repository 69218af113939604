//! Clocks that give the same thinking on machines of different speed.

use std::num::NonZeroUsize;

use super::bench;
use super::common::{Failure, Game, note};
use crate::config::Limits;
use crate::player::Playable;
use crate::tournament::Plan;

/// Scales the clocks of a plan whose limits name a `reference_nps`, by the speed
/// of this machine with all its threads at work, and says so.
pub(super) fn scale_clocks<P: Playable>(
    plan: &mut Plan<P>,
    threads: NonZeroUsize,
) -> Result<(), Failure> {
    if let Some(speed) = speed_for::<P>(&plan.terms.limits, Game::of(plan.config.game), threads)? {
        plan.scale_clocks(speed);
    }
    Ok(())
}

/// The nodes per second of each of the threads at work, if one of the limits names a
/// `reference_nps`; says so.
pub(super) fn speed_for<P: Playable>(
    limits: &[Limits],
    game: Game,
    threads: NonZeroUsize,
) -> Result<Option<f64>, Failure> {
    let references = limits.iter().filter_map(|own| own.reference_nps);
    let mut references: Vec<u64> = references.collect();
    references.sort_unstable();
    references.dedup();
    if references.is_empty() {
        return Ok(None);
    }
    let speed = bench::speed::<P>(game, threads)?;
    for reference in references {
        note(&format!(
            "clocks: {speed:.0} nodes per second on each of {threads} threads here, where the \
             config means {reference}: times are multiplied by {:.3}",
            reference as f64 / speed.max(1.0)
        ));
    }
    Ok(Some(speed))
}
