//! Correlations between the errors of two parameters' estimates.

use serde::Serialize;

use super::Space;

/// Maximum number of parameters that are compared.
const MAX: usize = 300;

/// Two parameters and the correlation of the errors of their estimates.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Correlation {
    /// Name of the first parameter, in the order of the space.
    pub first: String,
    /// Name of the second parameter.
    pub second: String,
    /// The correlation, from -1 to 1.
    pub correlation: f64,
}

/// Returns the `count` strongest correlations between the errors of two parameters' slopes,
/// strongest first; none for more than 300 parameters.
///
/// Each batch has the values of its two players and its pairs. The slope along parameter i is `Σ N
/// d_i y / Σ N d_i²`, with the score y of a batch of N games and the players' difference d. The
/// error of y, with variance `σ²/N`, is the same for all parameters: two slopes have the covariance
/// `σ² Σ N d_i d_j / (Σ N d_i² Σ N d_j²)`, so that their correlation is that of the differences
/// (least squares, each parameter by itself; Draper and Smith, Applied Regression Analysis, section
/// 1.4).
pub fn error_correlations<'a>(
    space: &Space,
    batches: impl Iterator<Item = ([&'a [f64]; 2], u64)>,
    count: usize,
) -> Vec<Correlation> {
    let dimensions = space.dimensions();
    let n = dimensions.len();
    if n > MAX {
        return Vec::new();
    }
    // Row i holds the sums with j <= i.
    let mut sums: Vec<Vec<f64>> = (0..n).map(|i| vec![0.0; i + 1]).collect();
    for ([plus, minus], pairs) in batches {
        let apart = dimensions.iter().zip(plus.iter().zip(minus));
        let apart: Vec<f64> = apart.map(|(it, (p, m))| (p - m) / it.step).collect();
        for (i, row) in sums.iter_mut().enumerate().take(apart.len()) {
            let weighted = pairs as f64 * apart[i];
            for (sum, other) in row.iter_mut().zip(&apart) {
                *sum += weighted * other;
            }
        }
    }
    let of = |i: usize, j: usize| sums[i][j] / (sums[i][i] * sums[j][j]).sqrt();
    let all = (0..n).flat_map(|i| (0..i).map(move |j| (j, i, of(i, j))));
    let mut all: Vec<_> = all.filter(|(_, _, value)| value.is_finite()).collect();
    all.sort_by(|a, b| b.2.abs().total_cmp(&a.2.abs()));
    let named = all
        .into_iter()
        .take(count)
        .map(|(first, second, correlation)| Correlation {
            first: dimensions[first].name.clone(),
            second: dimensions[second].name.clone(),
            correlation,
        });
    named.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::{Purpose, standard_space};

    /// Slopes fitted repeatedly to random scores have the predicted correlations.
    #[test]
    fn it_is_that_of_slopes_fitted_to_chance() {
        let space = standard_space(3).expect("a space");
        let mut random = Purpose::Result.random(3, 0);
        let start = space.start();
        let step = |i: usize| space.dimensions()[i].step;
        // The third parameter is correlated with the first in two batches of three, and with no
        // other.
        let signs: Vec<[f64; 3]> = (0..60)
            .map(|batch| {
                let drawn = random.signs(2);
                let third = if batch % 3 == 0 { -drawn[0] } else { drawn[0] };
                [drawn[0], drawn[1], third]
            })
            .collect();
        let pairs = |batch: usize| 1 + batch as u64 % 4;
        let players: Vec<[Vec<f64>; 2]> = signs
            .iter()
            .map(|signs| {
                [1.0, -1.0].map(|side| {
                    let at = |i: usize| start[i] + side * signs[i] * step(i);
                    (0..3).map(at).collect()
                })
            })
            .collect();
        let batches = || players.iter().enumerate();
        let told = error_correlations(
            &space,
            batches().map(|(batch, [plus, minus])| ([&plus[..], &minus[..]], pairs(batch))),
            2,
        );
        assert_eq!(told.len(), 2);
        let names = [0, 2].map(|i| space.dimensions()[i].name.clone());
        assert_eq!([told[0].first.clone(), told[0].second.clone()], names);
        let mut sums = [0.0; 3];
        for _ in 0..4_000 {
            let mut slopes = [0.0; 2];
            for (batch, signs) in signs.iter().enumerate() {
                let games = pairs(batch) as f64;
                // Uniform, with a variance inversely proportional to the games.
                let y = (random.uniform() - 0.5) / games.sqrt();
                slopes[0] += games * signs[0] * y;
                slopes[1] += games * signs[2] * y;
            }
            sums[0] += slopes[0] * slopes[0];
            sums[1] += slopes[1] * slopes[1];
            sums[2] += slopes[0] * slopes[1];
        }
        let found = sums[2] / (sums[0] * sums[1]).sqrt();
        let expected = told[0].correlation;
        // Three standard errors of a correlation from 4,000 draws.
        let error = (1.0 - expected * expected) / 4_000_f64.sqrt();
        assert!((found - expected).abs() < 3.0 * error, "{found} {expected}");
        assert!(expected > 0.2 && told[1].correlation.abs() < expected);
    }

    #[test]
    fn without_differences_there_is_none() {
        let space = standard_space(2).expect("a space");
        let start = space.start();
        let same = std::iter::once(([&start[..], &start[..]], 5));
        assert_eq!(error_correlations(&space, same, 9), []);
        assert_eq!(error_correlations(&space, std::iter::empty(), 9), []);
    }
}
