//! Every pentanomial result of up to twelve pairs.

use std::num::NonZeroUsize;

use super::hypotheses;
use crate::gsprt::llr;
use crate::selfcheck::Simulator;
use crate::{Estimate, Memo, Model, Pentanomial, Ranged, estimate};

/// Returns all counts with `pairs` pairs or fewer whose first cell is `first`.
fn all(first: u64, pairs: u64) -> Vec<[u64; 5]> {
    let mut found = Vec::new();
    for b in 0..=pairs - first {
        for c in 0..=pairs - first - b {
            for d in 0..=pairs - first - b - c {
                for e in 0..=pairs - first - b - c - d {
                    found.push([first, b, c, d, e]);
                }
            }
        }
    }
    found
}

fn check_estimate(counts: [u64; 5], estimate: &Estimate) {
    let finite = |ranged: &Ranged| {
        let all = [ranged.low, ranged.value, ranged.high];
        let known: Vec<f64> = all.into_iter().flatten().collect();
        assert!(
            known.iter().all(|x| x.is_finite()),
            "{counts:?}: {ranged:?}"
        );
        assert!(known.is_sorted(), "{counts:?}: {ranged:?}");
    };
    finite(&estimate.score);
    finite(&estimate.elo);
    finite(&estimate.nelo);
    finite(&estimate.nelo_full);
    for los in [estimate.los, estimate.los_cautious].into_iter().flatten() {
        assert!((0.0..=1.0).contains(&los), "{counts:?}: {los}");
    }
    assert_eq!(estimate.los.is_none(), estimate.units == 0);
}

/// The logistic LLR is finite, and rises when one pair's outcome is replaced by the next better one
/// that occurred. The ratio p₁/p₀ of the two nearest laws rises with the score, because it is (a -
/// u₀)/(a - u₁) up to a factor, and the pole u falls as the hypothesis rises.
#[test]
fn up_to_twelve_pairs() {
    const PAIRS: u64 = 12;
    let work = |first: u64, _: &mut Memo| {
        let logistic = hypotheses(0.0, 5.0, Model::Logistic);
        let normalized = hypotheses(0.0, 5.0, Model::Normalized);
        let counts = all(first, PAIRS);
        for &cells in &counts {
            check_estimate(cells, &estimate(Pentanomial(cells)));
            let of_ratio = llr(Pentanomial(cells), &normalized);
            let of_mean = llr(Pentanomial(cells), &logistic);
            assert!(of_ratio.is_finite() && of_mean.is_finite(), "{cells:?}");
            for i in (0..4).filter(|&i| cells[i] > 0) {
                let mut better = cells;
                better[i] -= 1;
                better[i + 1] += 1;
                let improved = llr(Pentanomial(better), &logistic);
                // N jumps when an outcome occurs for the first time or disappears, because unseen
                // outcomes count 1/1000.
                let slack = if cells[i] > 1 && cells[i + 1] > 0 {
                    0.0
                } else {
                    1e-4
                };
                assert!(
                    improved > of_mean - slack,
                    "{cells:?} {better:?}: {of_mean} {improved}"
                );
            }
        }
        counts.len()
    };
    let two = NonZeroUsize::new(2).expect("two");
    let vectors: usize = Simulator::new(two).run_all(PAIRS + 1, work).iter().sum();
    assert_eq!(vectors, 6_188);
}

/// The rule does not hold for normalized hypotheses: a result far above the others widens the
/// spread, and the lead in standard deviations falls.
#[test]
fn a_better_result_can_lower_the_normalized_ratio() {
    let normalized = hypotheses(0.0, 200.0, Model::Normalized);
    let steady = llr(Pentanomial([10, 100, 1000, 100, 10]), &normalized);
    let wider = llr(Pentanomial([10, 100, 1000, 99, 11]), &normalized);
    assert!(wider < steady, "{wider} {steady}");
}
