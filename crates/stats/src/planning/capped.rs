//! A sequential test with a maximum number of games.
//!
//! In units of the ratio's variance, the ratio is a Brownian motion with drift δ = h/2 from 0
//! between a < 0 < b, L = b - a apart. The density of the time at which it leaves (Darling and
//! Siegert, Annals of Mathematical Statistics 24, 1953; Borodin and Salminen, Handbook of Brownian
//! Motion, 2002, part II, 3.0.6) is
//!
//! ```text
//! at b:  e^(δb) π/L² Σ n sin(nπb/L) e^(-rₙt)        rₙ = δ²/2 + n²π²/2L²
//! at a:  e^(δa) π/L² Σ n sin(-nπa/L) e^(-rₙt)
//! ```
//!
//! The probability that is left at time T is each term divided by rₙ, and the mean time beyond T is
//! each term divided by rₙ². Checked for error rates from 1e-12 to 0.45.

use std::f64::consts::PI;
use std::iter::successors;

use serde::Serialize;

use super::{TestPlan, pass_probability, passage_time};

/// Maximum number of terms of the series: a thousand are enough if one bound is thirty times as far
/// as the other.
const TERMS: u32 = 5_000;
/// Standard deviations that a motion is assumed never to cover.
const NEVER: f64 = 9.0;

/// Expected outcome and length of a sequential test that stops undecided at a cap.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Capped {
    /// Probability that H1 is accepted before the cap, 0..=1.
    pub pass: f64,
    /// Probability that H0 is accepted before the cap, 0..=1.
    pub reject: f64,
    /// Probability of no decision before the cap, 0..=1.
    pub inconclusive: f64,
    /// Expected number of games.
    pub expected_games: f64,
}

impl TestPlan {
    /// Expected outcome and length of the sequential test if the first player is `elo` (logistic)
    /// stronger and at most `games` games are played.
    pub fn capped(&self, elo: f64, games: f64) -> Capped {
        let step = self.s1 - self.s0;
        let h = self.drift(elo);
        let (a, b) = self.bounds;
        let unit = self.variance / (step * step);
        let cap = games.max(0.0) / unit;
        let [pass_after, reject_after, time_after] = left_after(h / 2.0, a, b, cap);
        let pass = pass_probability(h, a, b);
        let reject = (1.0 - pass - reject_after).clamp(0.0, 1.0);
        let pass = (pass - pass_after).clamp(0.0, 1.0);
        // Only rounding makes the sum exceed 1.
        let all = (pass + reject).max(1.0);
        let time = (passage_time(h, a, b) - time_after).clamp(0.0, cap);
        Capped {
            pass: pass / all,
            reject: reject / all,
            inconclusive: (1.0 - pass - reject).max(0.0),
            expected_games: (time * unit).min(games.max(0.0)),
        }
    }
}

/// Returns the probabilities of leaving at b and at a after the cap, and the mean time spent after
/// it.
fn left_after(drift: f64, a: f64, b: f64, cap: f64) -> [f64; 3] {
    let spread = cap.sqrt();
    let nearest = b.min(-a);
    if nearest > (NEVER + drift.abs() * spread) * spread {
        let pass = pass_probability(2.0 * drift, a, b);
        return [pass, 1.0 - pass, passage_time(2.0 * drift, a, b) - cap];
    }
    let width = b - a;
    let (mut pass, mut reject, mut time) = (0.0, 0.0, 0.0);
    let at_bounds = sines(PI * b / width).zip(sines(-PI * a / width));
    for (n, (at_b, at_a)) in (1..=TERMS).zip(at_bounds) {
        let wave = f64::from(n) * PI / width;
        let rate = f64::midpoint(drift * drift, wave * wave);
        let scale = wave / width / rate;
        let up = scale * at_b * libm::exp(drift * b - rate * cap);
        let down = scale * at_a * libm::exp(drift * a - rate * cap);
        pass += up;
        reject += down;
        time += (up + down) / rate;
        // The larger of the two terms and all later ones are below 1e-19.
        if (drift * b).max(drift * a) - rate * cap < -45.0 {
            break;
        }
    }
    [pass, reject, time]
}

/// The sines of the multiples of an angle, by sin((n+1)x) = 2 cos x sin(nx) - sin((n-1)x).
fn sines(angle: f64) -> impl Iterator<Item = f64> {
    let twice_cosine = 2.0 * libm::cos(angle);
    let next = move |&(before, here): &(f64, f64)| Some((here, twice_cosine * here - before));
    successors(Some((0.0, libm::sin(angle))), next).map(|(_, here)| here)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::{
        ErrorRates, GameVariance, Gsprt, Hypotheses, Model, PairLaw, TestPlan, simulate, summarize,
    };

    fn plan(alpha: f64, beta: f64, elo1: f64) -> TestPlan {
        let rates = ErrorRates::new(alpha, beta).expect("rates");
        let hypotheses = Hypotheses::new(0.0, elo1, Model::Logistic).expect("in order");
        let variance = GameVariance::from_rates(0.2, 0.0).expect("some");
        TestPlan::new(hypotheses, rates, variance).expect("apart")
    }

    #[test]
    fn a_far_cap_changes_nothing_and_a_near_one_decides_nothing() {
        let plan = plan(0.05, 0.05, 30.0);
        for elo in [0.0, 15.0, 30.0, 100.0] {
            let (free, capped) = (plan.sequential(elo), plan.capped(elo, 1e7));
            assert!((capped.pass - free.pass_probability).abs() < 1e-9);
            assert!((capped.expected_games - free.expected_games).abs() < 1e-6);
            assert!(capped.inconclusive < 1e-9, "{capped:?}");
            let near = plan.capped(elo, 2.0);
            assert!(near.inconclusive > 0.999_999, "{near:?}");
            assert!((near.expected_games - 2.0).abs() < 1e-6, "{near:?}");
            assert!(plan.capped(elo, 0.0).expected_games.abs() < 1e-12);
        }
    }

    #[test]
    fn the_dice_agree() {
        let hypotheses = Hypotheses::new(0.0, 50.0, Model::Logistic).expect("in order");
        let rates = ErrorRates::new(0.05, 0.1).expect("rates");
        let plan = plan(0.05, 0.1, 50.0);
        for (elo, cap) in [(0.0, 60), (25.0, 100), (25.0, 300), (50.0, 120)] {
            let law = PairLaw::from_rates(0.2, 0.0, elo).expect("a law");
            let test = Gsprt::new(hypotheses, rates);
            let gates: Vec<_> = (0..400)
                .map(|number| simulate(test.clone(), &law, 5, number, cap))
                .collect();
            let dice = summarize(&gates, &law, hypotheses, rates);
            let formula = plan.capped(elo, 2.0 * cap as f64);
            for (count, share) in [
                (dice.accepted, formula.pass),
                (dice.rejected, formula.reject),
                (dice.undecided, formula.inconclusive),
            ] {
                let got = count as f64 / 400.0;
                assert!(
                    (got - share).abs() < 0.08,
                    "{elo} {cap}: {got} for {formula:?}"
                );
            }
            let games = dice.mean_games.expect("some") / formula.expected_games;
            assert!((games - 1.0).abs() < 0.05, "{elo} {cap}: {games}");
        }
    }

    proptest! {
        #[test]
        fn probabilities_add_up_and_grow(
            alpha in 1e-12..0.45_f64,
            beta in 1e-12..0.45_f64,
            elo in -100.0..130.0_f64,
            games in 0.0..100_000.0_f64,
        ) {
            let plan = plan(alpha, beta, 30.0);
            let (less, more) = (plan.capped(elo, games), plan.capped(elo, 1.5 * games));
            for c in [less, more] {
                prop_assert!((c.pass + c.reject + c.inconclusive - 1.0).abs() < 1e-6, "{c:?}");
                prop_assert!([c.pass, c.reject, c.inconclusive].iter().all(|p| (0.0..=1.0).contains(p)));
            }
            prop_assert!((0.0..=games).contains(&less.expected_games), "{less:?}");
            prop_assert!(more.pass >= less.pass - 1e-5, "{less:?} {more:?}");
            prop_assert!(more.reject >= less.reject - 1e-5, "{less:?} {more:?}");
            prop_assert!(more.expected_games >= less.expected_games * (1.0 - 1e-5) - 1e-3);
        }
    }
}
