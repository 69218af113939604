//! The recorded pairs that make up a run's results.
//!
//! Pairs begin ahead of the deciding one, by the number of threads, and finish in any order. So a
//! record may hold pairs that do not count: beyond the end of a gate, or beyond a missing pair.
//! Their number depends on timing; the results do not, and neither may anything that is reported
//! about a run by default.

use std::fmt;

use serde::Serialize;

use crate::store::PairNumbers;
use leitai_base::count::count;
use leitai_base::settings::choice;

choice! {
    /// The reason why a recorded pair does not count.
    pub enum Exclusion {
        /// It began before the verdict and ended after it.
        Verdict = "verdict",
        /// An earlier pair is missing.
        Gap = "gap",
    }
}

/// The unit in which a run is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A pair of games.
    Pair,
    /// A batch of a tune.
    Batch,
}

/// A missing part of a run, with others recorded beyond it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Gap {
    /// The kind of part.
    #[serde(skip)]
    pub part: Part,
    /// The number of the first missing part, from 0.
    pub missing: u64,
    /// The number of recorded parts that would count without the gap.
    pub beyond: u64,
}

impl Gap {
    /// The gap in parts with these ascending numbers, if there is one.
    pub(super) fn among(part: Part, numbers: &[u64]) -> Option<Self> {
        let places = numbers.iter().zip(0..);
        let missing = places
            .take_while(|&(&number, place)| number == place)
            .count();
        let beyond = (numbers.len() - missing) as u64;
        (beyond > 0).then_some(Self {
            part,
            missing: missing as u64,
            beyond,
        })
    }
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (part, beyond) = match self.part {
            Part::Pair => ("pair", ["pair beyond it is", "pairs beyond it are"]),
            Part::Batch => ("batch", ["batch beyond it is", "batches beyond it are"]),
        };
        let beyond = count(self.beyond, beyond[0], beyond[1]);
        write!(
            f,
            "{part} {} is not recorded, and {beyond} left out until it is: the command that \
             played the run plays the missing part",
            self.missing
        )
    }
}

/// The recorded pairs of a run that do not count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CountedPairs {
    /// The number of the first missing pair, unless the run is over.
    pub(super) missing: Option<u64>,
    pub(super) beyond_verdict: PairNumbers,
    pub(super) beyond_gap: PairNumbers,
}

impl CountedPairs {
    /// The reason why that recorded pair does not count; `None` if it does.
    pub fn of_pair(&self, index: u64) -> Option<Exclusion> {
        if self.beyond_verdict.contains(index) {
            Some(Exclusion::Verdict)
        } else if self.beyond_gap.contains(index) {
            Some(Exclusion::Gap)
        } else {
            None
        }
    }

    /// The gap, if there is one.
    pub fn gap(&self) -> Option<Gap> {
        let beyond = self.beyond_gap.count();
        let missing = self.missing.filter(|_| beyond > 0)?;
        Some(Gap {
            part: Part::Pair,
            missing,
            beyond,
        })
    }

    /// A note about the pairs that do not count; `taken` if a report includes them.
    pub fn note(&self, taken: bool) -> Option<String> {
        if !taken {
            return self.gap().map(|gap| gap.to_string());
        }
        let both = [
            (&self.beyond_verdict, Exclusion::Verdict),
            (&self.beyond_gap, Exclusion::Gap),
        ];
        let both = both.iter().filter(|(pairs, _)| pairs.count() > 0);
        let counts = both.map(|(pairs, beyond)| {
            let pairs = count(pairs.count(), "uncounted pair", "uncounted pairs");
            format!("{pairs} beyond the {}", beyond.name())
        });
        let counts: Vec<String> = counts.collect();
        (!counts.is_empty()).then(|| format!("{}; included, as requested", counts.join(", ")))
    }
}
