//! The expected jump of the LLR past a bound, estimated from the run itself.

/// The ladder of a walk: its new maxima and minima from 0.
///
/// Wald's bounds are right for a walk that stops exactly on them. A real walk overshoots by `E D² /
/// (2 E D)` on average, where D are the steps between successive new extremes (Siegmund,
/// *Sequential Analysis*, corollary 8.33). Moving the bounds inwards by that much restores the
/// error rates. Same estimate as fishtest (`update_SPRT`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Overshoot {
    least: Ladder,
    greatest: Ladder,
}

/// The extremes on one side.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Ladder {
    /// Height of the latest rung, from 0 outwards.
    height: f64,
    /// Sums of the steps and of their squares.
    steps: f64,
    squares: f64,
}

impl Ladder {
    fn record(&mut self, height: f64) {
        let step = height - self.height;
        if step > 0.0 {
            self.height = height;
            self.steps += step;
            self.squares += step * step;
        }
    }

    fn excess(&self) -> f64 {
        if self.steps > 0.0 {
            0.5 * self.squares / self.steps
        } else {
            0.0
        }
    }
}

impl Overshoot {
    /// Records the walk's next value.
    pub fn record(&mut self, level: f64) {
        self.least.record(-level);
        self.greatest.record(level);
    }

    /// Expected jump past a lower bound, not negative; 0 before the first new
    /// minimum.
    pub fn below(&self) -> f64 {
        self.least.excess()
    }

    /// Expected jump past an upper bound, not negative; 0 before the first new
    /// maximum.
    pub fn above(&self) -> f64 {
        self.greatest.excess()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        let mut walk = Overshoot::default();
        assert_eq!((walk.below(), walk.above()), (0.0, 0.0));
        for level in [1.0, 0.5, 1.0, 3.0, -2.0, -1.0, 3.0] {
            walk.record(level);
        }
        // Rungs upwards at 1 and 3, downwards at -2.
        assert_eq!((walk.above(), walk.below()), (5.0 / 6.0, 4.0 / 4.0));
    }
}
