//! Results of pairs between players of known strength.

use crate::{BadLaw, PairLaw, Pentanomial};

use crate::RandomNumbers;

/// Elo between two rows of the table.
const SPACING: f64 = 4.0;
/// Number of rows on each side of equality; the farthest is at 1000 Elo.
const ROWS: i32 = 250;

/// A table of the laws of a pair's result at all strengths.
///
/// Probabilities between rows are interpolated linearly, with an error of the mean score below
/// 2e-5.
#[derive(Clone, Debug)]
pub struct Outcomes {
    /// Cumulative probabilities of the first four results.
    rows: Vec<[f64; 4]>,
}

impl Outcomes {
    /// Computes the table from the share of drawn games and the bias of the openings in Elo, both
    /// among equals ([`PairLaw::from_rates`]).
    ///
    /// # Errors
    /// [`BadLaw`] if a number is out of range or they contradict each other.
    pub fn new(draw_rate: f64, bias: f64) -> Result<Self, BadLaw> {
        let row = |i: i32| {
            let law = PairLaw::from_rates(draw_rate, bias, f64::from(i) * SPACING)?;
            let mut sum = 0.0;
            let mut cumulative = [0.0; 4];
            for (to, p) in cumulative.iter_mut().zip(law.probabilities()) {
                sum += p;
                *to = sum;
            }
            Ok(cumulative)
        };
        let rows = (-ROWS..=ROWS).map(row).collect::<Result<_, BadLaw>>()?;
        Ok(Self { rows })
    }

    /// Draws results of `pairs` pairs with a first player that is `elo` stronger, limited to ±1000.
    pub fn draw(&self, elo: f64, pairs: u32, random: &mut RandomNumbers) -> Pentanomial {
        let at = (elo / SPACING + f64::from(ROWS)).clamp(0.0, f64::from(2 * ROWS) - 1e-9);
        // Casts saturate, so NaN becomes row 0.
        let row = at as usize;
        let part = at - row as f64;
        let mut result = Pentanomial::default();
        let (Some(low), Some(high)) = (self.rows.get(row), self.rows.get(row + 1)) else {
            return result;
        };
        let law: [f64; 4] = std::array::from_fn(|i| low[i] + part * (high[i] - low[i]));
        for _ in 0..pairs {
            let u = random.uniform();
            let cell = law.iter().filter(|&&bound| u >= bound).count();
            result.0[cell] += 1;
        }
        result
    }
}
