//! Bounds stated in `BayesElo`, the scale of cutechess and of old tests.

use crate::logistic::{ELO_PER_LOGIT, elo_from_lead};
use crate::{Hypotheses, Model, Multinomial, Trinomial};

/// A strength difference on the scale of the program `BayesElo`.
///
/// With the draw parameter d, `P(win) = 1/(1 + 10^((d-x)/400))` and `P(loss) = 1/(1 +
/// 10^((d+x)/400))`; the rest are draws (Rao and Kupper, JASA 62, 1967; Coulom, *Bayesian Elo
/// Rating*). The more draws there are, the fewer logistic Elo the same x is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BayesElo {
    /// x, in `BayesElo`.
    pub elo: f64,
    /// d, in Elo; 0 without draws.
    pub draw_elo: f64,
}

impl BayesElo {
    /// The logistic Elo of the same mean score, as fishtest converts old bounds (`bayeselo_to_elo`
    /// in `stat_util.py`).
    ///
    /// `None` if the result or the input is not finite.
    pub fn logistic(&self) -> Option<f64> {
        let probability = |x: f64| 1.0 / (1.0 + libm::exp(x / ELO_PER_LOGIT));
        let win = probability(self.draw_elo - self.elo);
        let loss = probability(self.draw_elo + self.elo);
        elo_from_lead(0.5 * (win - loss)).filter(|elo| elo.is_finite())
    }
}

/// The draw parameter at which game counts are likeliest: `200 log₁₀((1-l)/l · (1-w)/w)` with the
/// shares l and w of losses and wins.
///
/// As in fishtest (`draw_elo_calc`), an unseen outcome counts 1/1000. `None` without games.
pub fn draw_elo(games: Trinomial) -> Option<f64> {
    if Multinomial::from(games).is_empty() {
        return None;
    }
    let [l, d, w] = [games.losses, games.draws, games.wins]
        .map(|count| if count == 0 { 1e-3 } else { count as f64 });
    let odds = (d + w) / l * ((d + l) / w);
    Some(ELO_PER_LOGIT / 2.0 * libm::log(odds))
}

/// The logistic Elo of two hypotheses in `BayesElo`; `None` if they are equal or out of range.
pub fn in_logistic(elo: [f64; 2], draw_elo: f64) -> Option<Hypotheses> {
    let [elo0, elo1] = elo.map(|elo| BayesElo { elo, draw_elo }.logistic());
    Hypotheses::new(elo0?, elo1?, Model::Logistic).ok()
}

/// The draw parameter of equal players who draw this share of their games: as [`draw_elo`] of as
/// many wins as losses.
pub fn draw_elo_of_rate(draws: f64) -> f64 {
    ELO_PER_LOGIT * libm::log((1.0 + draws) / (1.0 - draws))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// mpmath 1.3 from the formulas above.
    #[test]
    fn known_values() {
        for (elo, draw_elo, want) in [
            (5.0, 0.0, 5.0),
            (5.0, 200.0, 3.650_717_044_879_521_6),
            (-3.0, 327.125, -1.375_251_139_296_636_7),
            (20.0, 100.0, 18.432_264_293_610_033),
        ] {
            let got = BayesElo { elo, draw_elo }.logistic().expect("finite");
            assert!((got - want).abs() < 1e-12 * want.abs(), "{got}");
        }
    }

    #[test]
    fn draw_parameter_of_counts() {
        for ([losses, draws, wins], want) in [
            ([13_624, 34_333, 13_543], 218.990_070_484_235_3),
            ([310, 520, 402], 157.644_253_302_192_1),
            ([10, 0, 5], 0.026_055_497_702_325_4),
        ] {
            let games = Trinomial {
                losses,
                draws,
                wins,
            };
            let got = draw_elo(games).expect("games");
            assert!((got - want).abs() < 1e-11, "{got}");
        }
        assert_eq!(draw_elo(Trinomial::default()), None);
        let even = Trinomial {
            losses: 20,
            draws: 60,
            wins: 20,
        };
        let got = draw_elo(even).expect("games");
        assert!((got - draw_elo_of_rate(0.6)).abs() < 1e-11, "{got}");
    }

    #[test]
    fn counts_without_logistic_elo() {
        for (elo, draw_elo) in [(f64::NAN, 0.0), (1e9, 0.0), (0.0, f64::INFINITY)] {
            let got = BayesElo { elo, draw_elo }.logistic();
            assert!(got.is_none_or(f64::is_finite));
        }
    }
}
