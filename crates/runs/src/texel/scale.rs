//! The constant between evaluation units and results.

use leitai_stats::logistic::score_from_elo;

/// The search range of K: from 2^-14 to 2^14 Elo per evaluation unit.
const OCTAVES: i32 = 14;

/// The width in octaves at which K is exact enough: a relative error of 1e-9.
const EXACT: f64 = 1e-9;

/// Maximum number of positions that determine K: with a million its error is below a thousandth,
/// and the search for K takes about a hundred passes.
const MAX_FOR_K: usize = 1 << 20;

/// Evenly spread positions, all of them if there are few, that determine K.
pub(super) struct Sample {
    stride: usize,
    seen: usize,
    evaluations: Vec<f64>,
    results: Vec<f64>,
}

impl Sample {
    /// A sample of at most this number of positions.
    pub(super) fn of(positions: usize) -> Self {
        Self {
            stride: positions.div_ceil(MAX_FOR_K).max(1),
            seen: 0,
            evaluations: Vec::new(),
            results: Vec::new(),
        }
    }

    /// Takes or skips the next position, with its evaluation or score.
    pub(super) fn add(&mut self, evaluation: f64, result: f64) {
        if self.seen.is_multiple_of(self.stride) {
            self.evaluations.push(evaluation);
            self.results.push(result);
        }
        self.seen += 1;
    }

    /// See [`best_k`].
    pub(super) fn best_k(&self) -> Option<f64> {
        best_k(&self.evaluations, &self.results)
    }
}

/// Returns the K with the least mean squared error of `1 / (1 + 10^(-K E / 400))` for these
/// evaluations, or scores of searches, and results; `None` if the minimum is at an end of the range: the evaluations then
/// predict no result, or every result.
///
/// Tries every half octave and refines the best by golden section (Kiefer, Proc. AMS 4, 1953).
fn best_k(evaluations: &[f64], results: &[f64]) -> Option<f64> {
    let loss = |log2: f64| {
        let k = libm::exp2(log2);
        let pairs = evaluations.iter().zip(results);
        let squares = pairs.map(|(evaluation, result)| {
            let error = result - score_from_elo(k * evaluation);
            error * error
        });
        squares.sum::<f64>()
    };
    let half = |place: i32| f64::from(place) / 2.0;
    let places = -2 * OCTAVES..=2 * OCTAVES;
    let (mut best, mut least) = (*places.start(), f64::INFINITY);
    for place in places.clone() {
        let here = loss(half(place));
        if here < least {
            (best, least) = (place, here);
        }
    }
    if best == *places.start() || best == *places.end() {
        return None;
    }
    let (mut low, mut high) = (half(best - 1), half(best + 1));
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    let mut inner = [high - golden * (high - low), low + golden * (high - low)];
    let mut losses = inner.map(loss);
    while high - low > EXACT {
        if losses[0] <= losses[1] {
            high = inner[1];
            inner = [high - golden * (high - low), inner[0]];
            losses = [loss(inner[0]), losses[0]];
        } else {
            low = inner[0];
            inner = [inner[1], low + golden * (high - low)];
            losses = [losses[1], loss(inner[1])];
        }
    }
    Some(libm::exp2(f64::midpoint(low, high)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_of_exact_results_comes_back() {
        let evaluations: Vec<f64> = (-200..=200).map(|n| f64::from(n) * 7.0).collect();
        for k in [0.003, 0.3, 1.0, 40.0] {
            let expected = |evaluation: &f64| score_from_elo(k * evaluation);
            let results: Vec<f64> = evaluations.iter().map(expected).collect();
            let found = best_k(&evaluations, &results).unwrap();
            assert!((found / k - 1.0).abs() < 1e-6, "{found} {k}");
        }
    }

    #[test]
    fn values_without_information_have_no_scale() {
        assert_eq!(best_k(&[0.0; 10], &[1.0; 10]), None);
        // The better side always loses.
        assert_eq!(best_k(&[5.0, -5.0], &[0.0, 1.0]), None);
        // The better side always wins: the steeper the better.
        assert_eq!(best_k(&[1.0, -1.0], &[1.0, 0.0]), None);
        assert_eq!(best_k(&[], &[]), None);
    }
}
