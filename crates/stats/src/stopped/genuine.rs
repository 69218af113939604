//! Whether a test can have stopped with these results.
//!
//! Counts do not tell their order, on which the exact stop depends. So the question is
//! which stops are possible:
//!
//! - *The likelihood ratio test* stops where its exact ratio, not the normal
//!   approximation that the estimate uses, lies beyond Wald's bound, or beyond a bound
//!   that was moved inwards for the overshoot, by no more than the last pair added. The
//!   correction is half a mean of the ladder's steps, weighted by the steps, so at most
//!   half of the greatest one; and a step is at most what one pair adds to the ratio.
//! - *The strict test* stops where one of its two e-values has reached its bound. They
//!   depend on the order through the estimated variance alone; here they are those of
//!   the results in the most even order.

use crate::gsprt::llr;
use crate::{Bets, ErrorRates, Hypotheses, Multinomial, Pentanomial, SequentialTest, Strict};

/// Of what one pair adds to the ratio at the end, the part by which a bound may have
/// been moved: half, if no step was greater; the rest is for steps that were greater
/// earlier, when the variance was not known. With it fewer than one stop in a thousand
/// is missed (docs/statistics-planning.md).
const MOVED: f64 = 0.85;
/// Parts of the way to the bound at which another order may have ended: short of it by a
/// quarter, and beyond it by as much and as the last pair adds.
const NEAR: std::ops::Range<f64> = 0.75..1.5;
/// Pairs beyond which the order no longer matters, and is not gone through.
const MOST_PAIRS: u64 = 200_000;

/// What the counts say of a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stopped {
    /// No test has stopped before.
    NotYet,
    /// One of them can have stopped with the last pair.
    Here,
    /// All of them would have stopped before.
    Before,
}

/// Where the tests stand after these results.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    /// How far the exact ratio lies within Wald's bound, in parts of what one pair adds to
    /// it; negative beyond.
    pub(super) short: f64,
    /// The way of the strict test to its bound: for each bets 1 at the bound.
    pub(super) strict: [f64; 2],
}

impl Reach {
    pub(super) fn of(results: &Multinomial, hypotheses: Hypotheses, rates: ErrorRates) -> Self {
        let (lower, upper) = rates.wald_bounds();
        let ratio = llr(*results, &hypotheses);
        let (mut up, mut down) = (f64::MIN_POSITIVE, f64::MIN_POSITIVE);
        for before in results.without_the_last() {
            let step = ratio - llr(before, &hypotheses);
            up = up.max(step);
            down = down.max(-step);
        }
        let strict = |bets| strict_progress(results, hypotheses, rates, bets).unwrap_or(0.0);
        Self {
            short: ((upper - ratio) / up).min((ratio - lower) / down),
            strict: [Bets::Bold, Bets::Half].map(strict),
        }
    }

    pub(super) fn stopped(self) -> Stopped {
        let beyond = self.short < -1.0;
        let near = self.strict.iter().any(|way| NEAR.contains(way));
        if near || !beyond && self.short < MOVED {
            Stopped::Here
        } else if beyond {
            Stopped::Before
        } else {
            Stopped::NotYet
        }
    }
}

/// How far the strict test has come, 1 at its bound; `None` where it cannot be asked.
fn strict_progress(
    results: &Multinomial,
    hypotheses: Hypotheses,
    rates: ErrorRates,
    bets: Bets,
) -> Option<f64> {
    // Of single games there is none: it takes pairs.
    let counts = <[u64; 5]>::try_from(results.counts()).ok()?;
    let pairs = Pentanomial(counts).pairs();
    let test = Strict::new(hypotheses, rates).ok()?;
    if pairs > MOST_PAIRS {
        return None;
    }
    let mut test = test.betting(bets);
    let mut taken = [0_u64; 5];
    for number in 1..=pairs {
        // What is furthest behind its share comes next.
        let behind = |cell: usize| {
            let due = counts[cell] as f64 * number as f64 / pairs as f64;
            due - taken[cell] as f64
        };
        let cell = (0..5).max_by(|&a, &b| behind(a).total_cmp(&behind(b)))?;
        taken[cell] += 1;
        test.record(cell).ok()?;
    }
    let against_h0 = test.ln_evidence_against_h0() / -rates.alpha().ln();
    let against_h1 = test.ln_evidence_against_h1() / -rates.beta().ln();
    Some(against_h0.max(against_h1))
}
