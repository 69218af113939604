//! Evidence from probes on the slopes at the incumbent.

use crate::tune::GAME_VARIANCE;

/// Smallest share of the difference between coordinates that is treated as signal.
const MIN_SIGNAL: f64 = 0.1;

/// Sums over all probes.
///
/// Probes are selection games: they choose the mutant for a test, and never count in a test.
#[derive(Clone, Debug)]
pub(super) struct Evidence {
    /// Σ games · d².
    weight: Vec<f64>,
    /// Σ d · (wins - losses).
    pull: Vec<f64>,
}

impl Evidence {
    pub(super) fn new(dimensions: usize) -> Self {
        Self {
            weight: vec![0.0; dimensions],
            pull: vec![0.0; dimensions],
        }
    }

    /// Adds a batch with signed half-differences in steps.
    pub(super) fn add(&mut self, differences: impl Iterator<Item = f64>, games: f64, lead: f64) {
        let sums = self.weight.iter_mut().zip(&mut self.pull);
        for ((weight, pull), d) in sums.zip(differences) {
            *weight += games * d * d;
            *pull += d * lead;
        }
    }

    /// Reduces the weight of old evidence, which comes from another place.
    pub(super) fn fade(&mut self, factor: f64) {
        for sum in self.weight.iter_mut().chain(&mut self.pull) {
            *sum *= factor;
        }
    }

    /// Returns the direction uphill with a root mean square of `size` steps; each slope is shrunk
    /// towards 0 by its share of noise. All 0 without evidence.
    pub(super) fn direction(&self, size: f64) -> Vec<f64> {
        let slope = |(&weight, &pull): (&f64, &f64)| {
            if weight > 0.0 {
                (pull / weight, GAME_VARIANCE / weight)
            } else {
                (0.0, 0.0)
            }
        };
        let slopes: Vec<(f64, f64)> = self.weight.iter().zip(&self.pull).map(slope).collect();
        let n = slopes.len() as f64;
        let square = slopes.iter().map(|s| s.0 * s.0).sum::<f64>() / n;
        let noise = slopes.iter().map(|s| s.1).sum::<f64>() / n;
        let signal = (square - noise).max(MIN_SIGNAL * square);
        let mut advice: Vec<f64> = slopes
            .iter()
            .map(|&(slope, noise)| slope * signal / (signal + noise).max(f64::MIN_POSITIVE))
            .collect();
        let length = (advice.iter().map(|x| x * x).sum::<f64>() / n).sqrt();
        let factor = if length > 0.0 { size / length } else { 0.0 };
        for x in &mut advice {
            *x *= factor;
        }
        advice
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_direction_follows_the_winner() {
        let mut evidence = Evidence::new(3);
        for (d, lead) in [
            ([1.0, 1.0, 0.0], 30.0),
            ([1.0, -1.0, 0.0], 29.0),
            ([-1.0, 1.0, 0.0], -31.0),
            ([-1.0, -1.0, 0.0], -30.0),
        ] {
            evidence.add(d.into_iter(), 100.0, lead);
        }
        let direction = evidence.direction(0.5);
        assert!(direction[0] > 0.8, "{direction:?}");
        assert!(direction[1].abs() < 0.1 && direction[2] == 0.0);
        let square: f64 = direction.iter().map(|x| x * x).sum();
        assert!((square / 3.0 - 0.25).abs() < 1e-12);
    }

    #[test]
    fn no_evidence_no_direction() {
        let mut evidence = Evidence::new(2);
        assert_eq!(evidence.direction(1.0), [0.0, 0.0]);
        evidence.add([1.0, 1.0].into_iter(), 0.0, 0.0);
        evidence.fade(0.25);
        assert_eq!(evidence.direction(1.0), [0.0, 0.0]);
    }
}
