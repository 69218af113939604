//! Whether a test can have stopped with these results.
//!
//! Counts do not tell their order, on which the exact stop depends. So the question is
//! which stops are possible:
//!
//! - *The likelihood ratio test* stops where its exact ratio, not the normal
//!   approximation that the estimate uses, lies beyond Wald's bound, or beyond a bound
//!   that was moved inwards for the overshoot. The correction is half a mean of the
//!   ladder's steps, weighted by the steps, so at most half of the greatest one; and
//!   a step is at most what one pair adds to the ratio.
//! - *The strict test* stops where one of its two e-values has reached its bound. They
//!   depend on the order through the estimated variance alone; here they are those of
//!   the results in the most even order.

use crate::stats::gsprt::llr;
use crate::stats::{
    Bets, ErrorRates, Hypotheses, Multinomial, Pentanomial, SequentialTest, Strict,
};

/// Of what one pair adds to the ratio at the end, the part by which a bound may have
/// been moved: half, and as much again for steps that were greater earlier.
const MOVED: f64 = 1.0;
/// Part of the way to the bound from which on another order may have reached it.
const NEAR: f64 = 0.75;
/// Pairs beyond which the order no longer matters, and is not gone through.
const MOST_PAIRS: u64 = 200_000;

/// Whether one of the tests can have stopped.
pub(super) fn may_have_stopped(
    results: &Multinomial,
    hypotheses: Hypotheses,
    rates: ErrorRates,
) -> bool {
    let (lower, upper) = rates.wald_bounds();
    let ratio = llr(*results, &hypotheses);
    let (mut up, mut down) = (0.0_f64, 0.0_f64);
    for before in results.without_the_last() {
        let step = ratio - llr(before, &hypotheses);
        up = up.max(step);
        down = down.max(-step);
    }
    ratio > upper - MOVED * up
        || ratio < lower + MOVED * down
        || [Bets::Bold, Bets::Half]
            .into_iter()
            .any(|bets| strict_may_have_stopped(results, hypotheses, rates, bets))
}

fn strict_may_have_stopped(
    results: &Multinomial,
    hypotheses: Hypotheses,
    rates: ErrorRates,
    bets: Bets,
) -> bool {
    let Ok(counts) = <[u64; 5]>::try_from(results.counts()) else {
        // Single games: the strict test takes pairs.
        return false;
    };
    let pairs = Pentanomial(counts).pairs();
    let Ok(test) = Strict::new(hypotheses, rates) else {
        return false;
    };
    if pairs > MOST_PAIRS {
        return false;
    }
    let mut test = test.betting(bets);
    let mut taken = [0_u64; 5];
    for number in 1..=pairs {
        // What is furthest behind its share comes next.
        let behind = |cell: usize| {
            let due = counts[cell] as f64 * number as f64 / pairs as f64;
            due - taken[cell] as f64
        };
        let next = (0..5).max_by(|&a, &b| behind(a).total_cmp(&behind(b)));
        let Some(cell) = next else { return false };
        taken[cell] += 1;
        test.record(cell);
    }
    let against_h0 = test.ln_evidence_against_h0() / -rates.alpha().ln();
    let against_h1 = test.ln_evidence_against_h1() / -rates.beta().ln();
    against_h0.max(against_h1) >= NEAR
}
