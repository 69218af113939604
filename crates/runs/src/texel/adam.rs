//! The optimiser: steps of about the learning rate, in scales of their dimensions,
//! against the gradient.

use super::{Dimension, FitPlan};

/// Keeps a step finite where the gradient is 0; far below any gradient that one
/// position in ten million could give.
const EPSILON: f64 = 1e-14;

/// Adam (Kingma & Ba, ICLR 2015, algorithm 1), its steps cut at the bounds.
#[derive(Debug)]
pub(super) struct Adam {
    rate: f64,
    betas: [f64; 2],
    /// The powers of the betas after the steps so far.
    powers: [f64; 2],
    moments: Vec<[f64; 2]>,
}

impl Adam {
    pub(super) fn new(plan: &FitPlan, dimensions: usize) -> Self {
        Self {
            rate: plan.rate,
            betas: plan.betas,
            powers: [1.0; 2],
            moments: vec![[0.0; 2]; dimensions],
        }
    }

    /// Moves the `free` values by one step against `gradient`.
    pub(super) fn step(
        &mut self,
        values: &mut [f64],
        gradient: impl Iterator<Item = f64>,
        dimensions: &[Dimension],
        free: &[bool],
    ) {
        let [beta1, beta2] = self.betas;
        self.powers = [self.powers[0] * beta1, self.powers[1] * beta2];
        let [unbias1, unbias2] = self.powers.map(|power| 1.0 / (1.0 - power));
        let places = values.iter_mut().zip(dimensions).zip(free);
        for (((value, dimension), free), ([first, second], slope)) in places.zip(
            self.moments
                .iter_mut()
                .map(|[one, two]| [one, two])
                .zip(gradient),
        ) {
            if !free || !slope.is_finite() {
                continue;
            }
            *first = beta1 * *first + (1.0 - beta1) * slope;
            *second = beta2 * *second + (1.0 - beta2) * slope * slope;
            let rate = self.rate * dimension.scale;
            let step = rate * *first * unbias1 / ((*second * unbias2).sqrt() + EPSILON);
            *value = (*value - step).clamp(dimension.min, dimension.max);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_those_of_the_paper_within_bounds() {
        let plan = FitPlan {
            rate: 2.0,
            ..FitPlan::default()
        };
        let dimension = |min, max| Dimension {
            name: String::new(),
            start: 0.0,
            min,
            max,
            scale: 1.0,
        };
        let dimensions = [
            dimension(-9.0, 9.0),
            dimension(-9.0, 9.0),
            dimension(-1.0, 9.0),
            dimension(-9.0, 9.0),
        ];
        let free = [true, true, true, false];
        let mut adam = Adam::new(&plan, 4);
        let mut values = [0.0; 4];
        adam.step(
            &mut values,
            [1e-6, -3e-4, 5.0, 5.0].into_iter(),
            &dimensions,
            &free,
        );
        // The first step has the size of the rate, against the gradient's sign.
        for (value, expected) in values.iter().zip([-2.0, 2.0, -1.0, 0.0]) {
            assert!((value - expected).abs() < 1e-6, "{values:?}");
        }
        adam.step(&mut values, [0.0; 4].into_iter(), &dimensions, &free);
        // m = 0.9 * 0.1 g / (1 - 0.81), v = 0.999 * 0.001 g^2 / (1 - 0.998001).
        let moved: f64 = 2.0 * (0.09 / 0.19) / (0.000_999_f64 / 0.001_999).sqrt();
        assert!((values[1] - 2.0 - moved).abs() < 1e-6, "{values:?}");
    }
}
