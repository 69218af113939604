//! Workers of other builds than the coordinator's.

use super::{FleetPool, State};

/// The number of pairs of a worker of another build that the coordinator repeats.
const PROOFS: u32 = 3;
/// The maximum length of the name of a build.
const LONGEST: usize = 64;

/// The repeated pairs of a worker of another build.
#[derive(Default)]
pub(super) struct Proof {
    build: String,
    pairs: u32,
}

impl FleetPool {
    /// Returns whether results of a build count.
    pub(super) fn takes_build(&self, build: &str) -> bool {
        build == self.terms.build || self.terms.other_builds && build.len() <= LONGEST
    }

    /// Returns whether the coordinator should repeat the pair that a worker has just played, and
    /// counts it.
    pub(super) fn needs_proof(&self, state: &mut State, worker: &str, build: &str) -> bool {
        if build == self.terms.build {
            return false;
        }
        let proof = state.proofs.entry(worker.to_owned()).or_default();
        if proof.build != build {
            *proof = Proof {
                build: build.to_owned(),
                pairs: 0,
            };
        }
        proof.pairs = proof.pairs.saturating_add(1);
        proof.pairs <= PROOFS
    }
}
