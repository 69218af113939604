//! The Elo loss of a point.

use serde::{Deserialize, Serialize};

use super::{BadBenchmark, Benchmark};
use crate::RandomNumbers;
use crate::tune::Purpose;
use crate::tune::Space;

/// The form of a surface, x* being the optimum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// `Σ hᵢ (xᵢ - x*ᵢ)²`.
    Quadratic,
    /// The same along randomly rotated axes.
    Rotated,
    /// `Σ 2hᵢ (√(1 + (xᵢ - x*ᵢ)²) - 1)`: a parabola near the optimum, a
    /// straight slope from about one step away.
    PseudoHuber,
    /// The parabola with nine times the loss below the optimum: perturbed players are equal at a
    /// centre half a perturbation above it.
    Lopsided,
}

/// A surface with a known optimum.
#[derive(Clone, Debug)]
pub struct Surface {
    shape: Shape,
    curvature: Vec<f64>,
    optimum: Vec<f64>,
    /// Unit normals of the reflections that rotate the axes.
    mirrors: Vec<Vec<f64>>,
}

impl Surface {
    /// Creates a parabola from curvatures of any scale and an optimum in steps from the start.
    ///
    /// # Errors
    /// [`BadBenchmark::Size`] if the lists differ in length.
    pub fn parabola(
        curvature: Vec<f64>,
        optimum: Vec<f64>,
        start_loss: f64,
    ) -> Result<Self, BadBenchmark> {
        if curvature.len() != optimum.len() {
            return Err(BadBenchmark::Size(format!(
                "{} curvatures and {} coordinates: give as many",
                curvature.len(),
                optimum.len()
            )));
        }
        let mut surface = Self {
            shape: Shape::Quadratic,
            curvature,
            optimum,
            mirrors: Vec::new(),
        };
        surface.scale_to(start_loss);
        Ok(surface)
    }

    /// Draws the surface of a seed.
    ///
    /// # Errors
    /// [`BadBenchmark::Size`].
    pub fn draw(benchmark: &Benchmark, n: usize, seed: u64) -> Result<Self, BadBenchmark> {
        for (field, value, least) in [
            ("the condition number", benchmark.condition, 1.0),
            ("the distance", benchmark.distance, 0.0),
            ("the loss at the start", benchmark.start_loss, 0.0),
        ] {
            if !(value.is_finite() && value >= least) {
                return Err(BadBenchmark::Size(format!(
                    "{field} ({value}) must be a finite number of at least {least}"
                )));
            }
        }
        let mut random = Purpose::Surface.random(seed, 0);
        let optimum = (0..n)
            .map(|_| benchmark.distance * random.normal())
            .collect();
        let spread = libm::log(benchmark.condition);
        let mut surface = Self {
            shape: benchmark.shape,
            curvature: (0..n)
                .map(|_| libm::exp(-random.uniform() * spread))
                .collect(),
            optimum,
            mirrors: Vec::new(),
        };
        if surface.shape == Shape::Rotated {
            surface.mirrors = (0..n).map(|_| unit(n, &mut random)).collect();
        }
        surface.scale_to(benchmark.start_loss);
        Ok(surface)
    }

    /// Returns the surface with its optimum inside the bounds of a space, a step away in the root
    /// mean square, and with the same loss at the start.
    ///
    /// With few coordinates some optima would be drawn next to the start, and the same loss over a
    /// small part of a step is a surface for which no tuner has such steps. Values outside the
    /// bounds are unreachable, so a coordinate beyond a bound moves to the other side of the start,
    /// where there is room.
    pub(in crate::tune) fn inside(mut self, space: &Space) -> Self {
        let lost = self.loss(&vec![0.0; space.len()]);
        let squares: f64 = self.optimum.iter().map(|x| x * x).sum();
        let distance = (squares / self.optimum.len().max(1) as f64).sqrt();
        for (i, x) in self.optimum.iter_mut().enumerate() {
            *x /= distance.max(f64::MIN_POSITIVE);
            let (low, high) = space.bounds_in_steps(i);
            if !(low..=high).contains(x) {
                *x = (-*x).clamp(low, high);
            }
        }
        self.scale_to(lost);
        self
    }

    /// Returns the surface with an effect in the first coordinates only, where a step away from the
    /// optimum costs `elo` Elo in the geometric mean.
    pub(in crate::tune) fn with_effects(mut self, effects: usize, elo: f64) -> Self {
        let logs: f64 = self
            .curvature
            .iter()
            .take(effects)
            .map(|&h| libm::log(h))
            .sum();
        let factor = elo / libm::exp(logs / effects.max(1) as f64);
        for (i, h) in self.curvature.iter_mut().enumerate() {
            *h *= if i < effects { factor } else { 0.0 };
        }
        self
    }

    fn scale_to(&mut self, start_loss: f64) {
        let loss = self.loss(&vec![0.0; self.optimum.len()]);
        if loss > 0.0 {
            for h in &mut self.curvature {
                *h *= start_loss / loss;
            }
        }
    }

    /// The point without loss, in steps from the start.
    pub fn optimum(&self) -> &[f64] {
        &self.optimum
    }

    /// Elo lost at a point in steps from the start, at least 0.
    pub fn loss(&self, point: &[f64]) -> f64 {
        let offsets = point.iter().zip(&self.optimum).map(|(x, best)| x - best);
        if self.mirrors.is_empty() {
            return self.sum(offsets);
        }
        // Householder reflections: a random rotation for n² operations each.
        let mut offsets: Vec<f64> = offsets.collect();
        for normal in &self.mirrors {
            let along: f64 = normal.iter().zip(&offsets).map(|(a, b)| a * b).sum();
            for (x, a) in offsets.iter_mut().zip(normal) {
                *x -= 2.0 * along * a;
            }
        }
        self.sum(offsets.into_iter())
    }

    fn sum(&self, offsets: impl Iterator<Item = f64>) -> f64 {
        let terms = self.curvature.iter().zip(offsets);
        match self.shape {
            Shape::Quadratic | Shape::Rotated => terms.map(|(h, x)| h * x * x).sum(),
            Shape::PseudoHuber => terms
                .map(|(h, x)| 2.0 * h * ((1.0 + x * x).sqrt() - 1.0))
                .sum(),
            Shape::Lopsided => terms
                .map(|(h, x)| if x < 0.0 { 9.0 * h * x * x } else { h * x * x })
                .sum(),
        }
    }
}

fn unit(n: usize, random: &mut RandomNumbers) -> Vec<f64> {
    let vector: Vec<f64> = (0..n).map(|_| random.normal()).collect();
    let square: f64 = vector.iter().map(|x| x * x).sum();
    let length = square.sqrt().max(f64::MIN_POSITIVE);
    vector.into_iter().map(|x| x / length).collect()
}
