//! Players that fail whatever they play.

use super::{Replay, Standings};
use crate::game::Cause;
use crate::play::PairRecord;
use crate::schedule::PairSpec;

/// A variant that fails whatever it plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failing {
    /// Its index.
    pub variant: usize,
    /// How its last game was lost.
    pub cause: Cause,
    /// How many games it has lost so: all that it had.
    pub games: u64,
}

/// So many games of a player tell that it fails whatever it plays.
pub(super) const FIRST_GAMES: u64 = 10;

impl Standings {
    /// Adds the next pair in schedule order of a tournament, which ends where a player does
    /// nothing but fail.
    pub(super) fn add_wanted(&mut self, spec: &PairSpec, record: &PairRecord, replay: &Replay) {
        self.add(spec, record, replay);
        for variant in spec.variants {
            *self.played_by.entry(variant).or_default() += 2;
        }
        let failing = record.faults().find_map(|fault| {
            let failures = self.faults.of_variant(fault.variant);
            let lost: u64 = failures.map(|(_, counts)| counts.lost).sum();
            let games = self.played_by.get(&fault.variant).copied();
            (lost >= FIRST_GAMES && games == Some(lost)).then_some(Failing {
                variant: fault.variant,
                cause: fault.cause,
                games: lost,
            })
        });
        self.failing = self.failing.or(failing);
    }
}
