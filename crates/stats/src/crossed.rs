//! Pairs that hang together in two ways: by their openings, and by the workers that
//! played them.
//!
//! Under the clock a worker's machine has a say in its games: the players may be nearer
//! to each other on a fast one, and all pairs of a worker share that. With V by opening,
//! by worker, and by both (the pairs of one opening that one worker played),
//!
//! ```text
//! V = V_opening + V_worker - V_both,   not below V_opening or V_worker
//! ```
//!
//! is the two-way variance of Cameron, Gelbach and Miller (Journal of Business &
//! Economic Statistics 29, 2011): what hangs together in either way counts once. Where
//! each pair has an opening of its own it is `V_worker`. The bound is there because the
//! difference of estimates may come out too small, even negative, by luck.
//!
//! Each V is that of `stats::small_sample`. In `V_worker` the term of clusters that were not seen
//! is left out, for an opening may be rare and decide its games, while workers each differ by a
//! little; and it is no less than what such differences make of the mean (`Offsets`), which is
//! more where some play most. Of limits the squares are added, that is, each V with Student's
//! factor of its own: the half-width of a sum from the half-widths of its parts (Zou and
//! Donner, Statistics in Medicine 27, 2008).
//!
//! Estimates hold both what they would be without workers, with the rules for few and for
//! skewed results (`stats::estimate`), and the limits of that V.
//!
//! From one worker nothing tells what others would do: then V is `V_opening`, and the
//! error that of results of that worker. The same holds where one has played so much that
//! `1/Σh²` of the shares is below `LEAST_WORKERS`, and where all pairs are equal.

use super::Pentanomial;
use super::clusters::{Clusters, Effect};
use super::small_sample::Unseen;

/// Workers that bear on the mean from which something is told of others, as `1/Σh²` of their
/// shares of the pairs counts them: of two one may have played nine pairs in ten.
const LEAST_WORKERS: f64 = 1.2;

/// Pair results by opening and by worker.
#[derive(Clone, Debug, Default)]
pub struct Crossed {
    openings: Clusters,
    workers: Clusters,
    /// By opening and worker; nothing before a second worker comes.
    both: Clusters,
    first: Option<usize>,
}

impl Crossed {
    /// Pairs with these outcomes, to which [`Crossed::add`] gives their openings and
    /// workers.
    pub fn of(counts: Pentanomial) -> Self {
        Self {
            openings: Clusters::of(counts),
            workers: Clusters::of(counts),
            both: Clusters::of(counts),
            first: None,
        }
    }

    /// Whether pairs of this one are told apart from those of other workers.
    fn is_one_of_several(&mut self, worker: usize) -> bool {
        let first = *self.first.get_or_insert(worker);
        if self.workers.number() == 1 && first != worker {
            self.both = self.openings.all_beside(first);
        }
        self.workers.number() > 1 || first != worker
    }

    /// Says that a worker played `pairs` of the pairs from `opening`, and the sum of their
    /// outcomes, 0 lost both to 4 won both.
    pub fn add(&mut self, opening: usize, worker: usize, pairs: u64, sum: u64) {
        if self.is_one_of_several(worker) {
            self.both.add_to([opening, worker], pairs, sum);
        }
        self.openings.add(opening, pairs, sum);
        self.workers.add(worker, pairs, sum);
    }

    /// Counts one more pair from an opening that a worker played: 0 lost both to 4 won both.
    /// Numbers above 4 count as 4.
    pub fn record(&mut self, opening: usize, worker: usize, cell: usize) {
        if self.is_one_of_several(worker) {
            self.both.record_in([opening, worker], cell);
        }
        self.openings.record(opening, cell);
        self.workers.record(worker, cell);
    }

    /// What the openings alone do to the variance.
    pub fn of_openings(&self) -> Effect {
        self.openings.effect()
    }

    /// What openings and workers do to the variance; of one worker, or of one that
    /// has played nearly all, what the openings do.
    pub fn effect(&self) -> Effect {
        self.beside(self.openings.effect(), || {
            self.both.scatter(Unseen::Expected)
        })
    }

    /// The same where pairs of an opening are independent but for their worker.
    pub fn effect_of_one_opening(&self) -> Effect {
        self.beside(Effect::ONE_OPENING, || Effect::NONE)
    }

    fn beside(&self, openings: Effect, both: impl FnOnce() -> Effect) -> Effect {
        if self.workers.number() < 2
            || self.workers.is_constant()
            || openings.is_unknown()
            || self.workers.offsets().clusters() < LEAST_WORKERS
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

/// The variance of what hangs together in two ways from those of either way, and of both
/// at once.
pub(super) fn two_way(one: f64, other: f64, both: f64) -> f64 {
    (one + other - both).max(one).max(other)
}

#[cfg(test)]
mod tests;
