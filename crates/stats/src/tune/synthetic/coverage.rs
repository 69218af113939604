//! Coverage of a tuner's errors on surfaces where some coordinates have no effect and the others a
//! known one.

use serde::Serialize;

use super::{BadBenchmark, Benchmark, Outcomes, Plan, Surface, results};
use crate::normal::Z95;
use crate::tune::method::positive;
use crate::tune::{Method, Space, Tuner};

/// Known properties of the surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Truth {
    /// Number of coordinates without effect; they are the last ones.
    pub flat: usize,
    /// Cost of a step away from the best value in the other coordinates, in Elo: their geometric
    /// mean, with a factor of 10 between the extremes.
    pub elo_per_step: f64,
    /// Share of drawn games among equals.
    pub draw_rate: f64,
    /// Bias of the openings in Elo.
    pub opening_bias: f64,
}

/// Coverage of the readings of tunes; each coordinate of each tune counts once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// Number of coordinates with an effect.
    pub effects: u64,
    /// Coordinates with an effect whose best value lies in the 95 % interval.
    pub in_interval: u64,
    /// Coordinates with an effect whose best value lies within 1.96 errors of the reported value.
    pub within_errors: u64,
    /// Coordinates whose effect is reported as visible.
    pub effects_seen: u64,
    /// Number of coordinates without effect.
    pub flats: u64,
    /// Coordinates without effect whose value is more than two errors from the start.
    pub claimed: u64,
    /// Coordinates without effect whose start lies outside the 95 % interval.
    pub start_excluded: u64,
    /// Coordinates without effect for which an effect is reported.
    pub flats_seen: u64,
}

impl std::ops::AddAssign for Coverage {
    fn add_assign(&mut self, other: Self) {
        for (to, from) in [
            (&mut self.effects, other.effects),
            (&mut self.in_interval, other.in_interval),
            (&mut self.within_errors, other.within_errors),
            (&mut self.effects_seen, other.effects_seen),
            (&mut self.flats, other.flats),
            (&mut self.claimed, other.claimed),
            (&mut self.start_excluded, other.start_excluded),
            (&mut self.flats_seen, other.flats_seen),
        ] {
            *to += from;
        }
    }
}

/// Tunes one surface, that of the plan's seed, and checks its readings. A method without readings
/// counts nothing.
///
/// # Errors
/// [`BadBenchmark`] if the surface, the results or the method cannot be simulated.
pub fn coverage(
    method: &Method,
    space: &Space,
    plan: Plan,
    truth: &Truth,
    outcomes: &Outcomes,
) -> Result<Coverage, BadBenchmark> {
    let elo = positive("the Elo per step", truth.elo_per_step)?;
    let usual = Benchmark::usual(0);
    let surface = Surface::draw(&usual, space.len(), plan.seed)?.inside(space);
    let surface = surface.with_effects(space.len().saturating_sub(truth.flat), elo);
    let mut tuner = Tuner::new(space.clone(), method, plan)?;
    results(&mut tuner, &surface, outcomes);
    let mut counts = Coverage::default();
    let coordinates = tuner.readings().unwrap_or_default().into_iter();
    let coordinates = coordinates.zip(space.dimensions()).enumerate();
    for (i, (reading, dimension)) in coordinates {
        let holds = |value: f64| u64::from((reading.low..=reading.high).contains(&value));
        let away = |value: f64| (reading.value - value).abs() / reading.error;
        if i + truth.flat < space.len() {
            let best = dimension.start + surface.optimum()[i] * dimension.step;
            counts.effects += 1;
            counts.in_interval += holds(best);
            counts.within_errors += u64::from(away(best) <= Z95);
            counts.effects_seen += u64::from(reading.is_seen);
        } else {
            counts.flats += 1;
            counts.claimed += u64::from(away(dimension.start) > 2.0);
            counts.start_excluded += 1 - holds(dimension.start);
            counts.flats_seen += u64::from(reading.is_seen);
        }
    }
    Ok(counts)
}
