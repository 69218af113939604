//! Pairs that are correlated in two ways: by their openings and by the workers that played them.
//!
//! With a time limit a worker's machine affects its games: the players may be nearer to each other
//! on a fast one, and all pairs of a worker share that. With V by opening, by worker, and by both
//! (the pairs of one opening that one worker played),
//!
//! ```text
//! V = V_opening + V_worker - V_both,   not below V_opening or V_worker
//! ```
//!
//! is the two-way variance of Cameron, Gelbach and Miller (Journal of Business & Economic
//! Statistics 29, 2011): pairs that are correlated in either way count once. If each pair has an
//! opening of its own it is `V_worker`. The bound is necessary because the difference of estimates
//! may be too small, even negative, by luck.
//!
//! Each V is that of `stats::small_sample`. `V_worker` omits the term for unseen clusters, because
//! an opening may be rare and decide its games, while workers each differ by a little; and it is at
//! least the effect of such differences on the mean (`Offsets`), which is greater if some workers
//! play most of the pairs. For limits the squares are added, that is, each V with its own Student
//! factor: the half-width of a sum from the half-widths of its parts (Zou and Donner, Statistics in
//! Medicine 27, 2008).
//!
//! Intervals of estimates contain both the interval without workers, with the rules for few and for
//! skewed results (`stats::estimate`), and the limits of that V.
//!
//! Results of one worker give no information about other workers: then V is `V_opening`, and the
//! error is that of results of this worker. The same holds if one worker has played nearly
//! all pairs, that is, `1/Σh²` of the shares is below `MIN_WORKERS`, and if all pairs are equal.

use super::Pentanomial;
use super::clusters::{Clusters, Effect};
use super::small_sample::Unseen;

/// Minimum effective number of workers, `1/Σh²` of their shares of the pairs, for conclusions about
/// other workers: of two, one may have played nine pairs in ten.
const MIN_WORKERS: f64 = 1.2;

/// Pair results by opening and by worker.
#[derive(Clone, Debug, Default)]
pub struct Crossed {
    openings: Clusters,
    workers: Clusters,
    /// By opening and worker.
    both: Clusters,
}

impl Crossed {
    /// Pairs with these outcomes; [`Crossed::add`] then supplies their openings and workers.
    pub fn of(counts: Pentanomial) -> Self {
        Self {
            openings: Clusters::of(counts),
            workers: Clusters::of(counts),
            both: Clusters::of(counts),
        }
    }

    /// Adds `pairs` of the pairs from `opening` that a worker played, and the sum of their
    /// outcomes, from 0 (both games lost) to 4 (both won).
    pub fn add(&mut self, opening: usize, worker: usize, pairs: u64, sum: u64) {
        self.both.add_to([opening, worker], pairs, sum);
        self.openings.add(opening, pairs, sum);
        self.workers.add(worker, pairs, sum);
    }

    /// Counts one more pair from an opening, played by a worker: 0 (both games lost) to 4 (both
    /// won). Numbers above 4 count as 4.
    pub fn record(&mut self, opening: usize, worker: usize, cell: usize) {
        self.both.record_in([opening, worker], cell);
        self.openings.record(opening, cell);
        self.workers.record(worker, cell);
    }

    /// The effect of the openings alone on the variance.
    pub fn of_openings(&self) -> Effect {
        self.openings.effect()
    }

    /// The effect of openings and workers on the variance; only that of openings if one worker has
    /// played all or nearly all pairs.
    pub fn effect(&self) -> Effect {
        let both = || self.both.scatter(Unseen::Expected);
        self.with_workers(self.openings.effect(), both)
    }

    /// The same if pairs of an opening are independent except for their worker.
    pub fn effect_of_one_opening(&self) -> Effect {
        self.with_workers(Effect::ONE_OPENING, || Effect::NONE)
    }

    fn with_workers(&self, openings: Effect, both: impl FnOnce() -> Effect) -> Effect {
        if self.workers.number() < 2
            || self.workers.is_constant()
            || openings.is_unknown()
            || self.workers.offsets().clusters() < MIN_WORKERS
        {
            return openings;
        }
        let workers = self.workers.scatter(Unseen::None);
        if !workers.shared {
            return openings;
        }
        let both = both();
        let of = |part: fn(&Effect) -> f64| two_way(part(&openings), part(&workers), part(&both));
        Effect {
            design: of(|effect| effect.design),
            interval: of(|effect| effect.interval),
            shared: openings.shared,
            clusters: openings.clusters.min(workers.clusters),
            superiority: openings.superiority,
            workers: Some(openings.interval),
        }
    }
}

/// The two-way variance, from the variances by either grouping and by both at once.
pub(super) fn two_way(one: f64, other: f64, both: f64) -> f64 {
    (one + other - both).max(one).max(other)
}

#[cfg(test)]
mod tests;
