//! A check whether a test can have stopped with given results.
//!
//! The exact stop depends on the order of results, which counts do not contain. So this module
//! determines which stops are possible:
//!
//! - *The likelihood ratio test* stops if its exact ratio, not the normal approximation of the
//!   estimate, lies beyond Wald's bound, or beyond a bound that was moved inwards for the
//!   overshoot, by no more than the last pair added. The correction is half a mean of the ladder's
//!   steps, weighted by the steps, so at most half of the largest one; and a step is at most the
//!   change of the ratio by one pair.
//! - *The strict test* stops if one of its two e-values has reached its bound. They depend on the
//!   order only through the estimated variance; here they are computed from the results in the most
//!   even order.

use crate::gsprt::llr;
use crate::{ErrorRates, Hypotheses, Multinomial, Pentanomial, SequentialTest, Strict};

/// Largest assumed shift of a bound, as a share of one pair's contribution to the ratio at the end:
/// half if no step was larger; the rest allows for larger steps earlier, when the variance was not
/// known. With it fewer than one stop in a thousand is missed (docs/statistics-planning.md).
const MOVED: f64 = 0.85;
/// Range of progress towards the bound, as a share of it, within which the test may have ended with
/// another order of results: up to a quarter before the bound, and beyond it by the same amount
/// plus the last pair.
const NEAR: std::ops::Range<f64> = 0.75..1.5;
/// Maximum number of pairs for which the strict test is replayed; above, the order of results is
/// not examined.
const MAX_PAIRS: u64 = 200_000;

/// Possible stops with given counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stopped {
    /// No test has stopped yet.
    NotYet,
    /// At least one test can have stopped with the last pair.
    Here,
    /// All tests would have stopped earlier.
    Before,
}

/// Returns whether a test can have stopped with these results.
pub(super) fn stopped(results: &Multinomial, hypotheses: Hypotheses, rates: ErrorRates) -> Stopped {
    let (lower, upper) = rates.wald_bounds();
    let ratio = llr(*results, &hypotheses);
    let (mut up, mut down) = (f64::MIN_POSITIVE, f64::MIN_POSITIVE);
    for before in results.without_the_last() {
        let step = ratio - llr(before, &hypotheses);
        up = up.max(step);
        down = down.max(-step);
    }
    // Distance of the exact ratio from Wald's bound, in units of one pair's contribution; negative
    // beyond the bound.
    let short = ((upper - ratio) / up).min((ratio - lower) / down);
    let progress = strict_progress(results, hypotheses, rates);
    let is_near = progress.is_some_and(|progress| NEAR.contains(&progress));
    if (-1.0..MOVED).contains(&short) || is_near {
        Stopped::Here
    } else if short < -1.0 {
        Stopped::Before
    } else {
        Stopped::NotYet
    }
}

/// Returns the progress of the strict test, 1 at its bound; `None` if it does not apply.
fn strict_progress(
    results: &Multinomial,
    hypotheses: Hypotheses,
    rates: ErrorRates,
) -> Option<f64> {
    // The strict test needs pairs, not single games.
    let counts = <[u64; 5]>::try_from(results.counts()).ok()?;
    let pairs = Pentanomial(counts).pairs();
    let mut test = Strict::new(hypotheses, rates).ok()?;
    if pairs > MAX_PAIRS {
        return None;
    }
    let mut taken = [0_u64; 5];
    for number in 1..=pairs {
        // The outcome that is furthest behind its share comes next.
        let behind = |cell: usize| {
            let due = counts[cell] as f64 * number as f64 / pairs as f64;
            due - taken[cell] as f64
        };
        let cell = (0..5).max_by(|&a, &b| behind(a).total_cmp(&behind(b)))?;
        taken[cell] += 1;
        test.record(cell).ok()?;
    }
    let against_h0 = test.ln_evidence_against_h0() / -libm::log(rates.alpha());
    let against_h1 = test.ln_evidence_against_h1() / -libm::log(rates.beta());
    Some(against_h0.max(against_h1))
}
