//! Maximum-likelihood ratings of one connected group, and their covariance.

use super::linear::Matrix;
use crate::stats::Multinomial;
use crate::stats::estimate::Basis;
use crate::stats::logistic::ELO_PER_LOGIT;
use crate::stats::normal::Z95;

/// All results of `first` against `second`, indices within the group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bout {
    pub(super) first: usize,
    pub(super) second: usize,
    pub(super) results: Multinomial,
}

/// Ratings of a group, in Elo with mean zero, and their covariance in Elo².
pub(super) struct Fit {
    pub(super) elo: Vec<f64>,
    pub(super) covariance: Matrix,
    pub(super) basis: Basis,
}

/// Score and size of a bout, precomputed.
struct Line {
    first: usize,
    second: usize,
    games: f64,
    /// Points of the first player.
    won: f64,
    /// Points of the second player.
    lost: f64,
}

/// Expected score at a rating difference in logits.
fn expected(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// ln of the expected score, without overflow at either end.
fn ln_expected(difference: f64) -> f64 {
    if difference > 0.0 {
        -(-difference).exp().ln_1p()
    } else {
        difference - difference.exp().ln_1p()
    }
}

/// Fits a strongly connected group of `size` ≥ 2 players.
///
/// `None` if the numbers are beyond double precision: some score so close to
/// 0 or 1 that the information matrix is singular to working precision.
pub(super) fn fit(size: usize, bouts: &[Bout]) -> Option<Fit> {
    let lines: Vec<Line> = bouts.iter().map(line).collect();
    let logits = maximise(size, &lines)?;
    let inverse = information(size, &lines, &logits).inverse()?;
    let (scatter, basis) = scatter(size, bouts, &lines, &logits);
    // (H + c·11ᵀ)⁻¹ differs from the pseudo-inverse of H along 1 alone, and
    // the scatter has no component there; so the product is exact as it is.
    let covariance = inverse.product(&scatter).product(&inverse);
    let mut elo_covariance = Matrix::zero(size);
    for i in 0..size {
        for j in 0..size {
            let mean = f64::midpoint(covariance.at(i, j), covariance.at(j, i));
            elo_covariance.add(i, j, mean * ELO_PER_LOGIT * ELO_PER_LOGIT);
        }
    }
    let finite = (0..size).all(|i| elo_covariance.at(i, i).is_finite());
    finite.then(|| Fit {
        elo: logits.iter().map(|x| x * ELO_PER_LOGIT).collect(),
        covariance: elo_covariance,
        basis,
    })
}

fn line(bout: &Bout) -> Line {
    let per_unit = bout.results.games_per_unit() as f64;
    let points = |results: Multinomial| results.cells().map(|(s, n)| s * n * per_unit).sum();
    let (won, lost) = (points(bout.results), points(bout.results.mirror()));
    Line {
        first: bout.first,
        second: bout.second,
        games: won + lost,
        won,
        lost,
    }
}

/// Newton's method on the concave log-likelihood, damped by halving.
fn maximise(size: usize, lines: &[Line]) -> Option<Vec<f64>> {
    let mut logits = vec![0.0; size];
    let mut height = log_likelihood(lines, &logits);
    let mut before = f64::INFINITY;
    for _ in 0..500 {
        let inverse = information(size, lines, &logits).inverse()?;
        let gradient = gradient(size, lines, &logits);
        let step: Vec<f64> = (0..size)
            .map(|i| (0..size).map(|j| inverse.at(i, j) * gradient[j]).sum())
            .collect();
        let longest = step.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        if !longest.is_finite() {
            return None;
        }
        // Far from the top the quadratic model promises steps across regions
        // where all is flat: no more than two logits (347 Elo) at a time.
        let mut scale = f64::min(1.0, 2.0 / longest);
        loop {
            let next: Vec<f64> = logits
                .iter()
                .zip(&step)
                .map(|(x, s)| x + scale * s)
                .collect();
            let reached = log_likelihood(lines, &next);
            if reached >= height - 1e-12 * height.abs() || scale < 1e-6 {
                logits = next;
                height = reached;
                break;
            }
            scale /= 2.0;
        }
        let mean = logits.iter().sum::<f64>() / size as f64;
        for x in &mut logits {
            *x -= mean;
        }
        // Converging quadratically, the step after one of 1e-9 would be 1e-18;
        // a small one that no longer shrinks is rounding.
        if longest < 1e-9 || (longest < 1e-6 && longest > 0.5 * before) {
            return Some(logits);
        }
        before = longest;
    }
    None
}

fn log_likelihood(lines: &[Line], logits: &[f64]) -> f64 {
    lines
        .iter()
        .map(|line| {
            let difference = logits[line.first] - logits[line.second];
            line.won * ln_expected(difference) + line.lost * ln_expected(-difference)
        })
        .sum()
}

fn gradient(size: usize, lines: &[Line], logits: &[f64]) -> Vec<f64> {
    let mut gradient = vec![0.0; size];
    for line in lines {
        let difference = logits[line.first] - logits[line.second];
        // won·(1-E) - lost·E: equal to won - games·E without cancellation.
        let pull = line.won * expected(-difference) - line.lost * expected(difference);
        gradient[line.first] += pull;
        gradient[line.second] -= pull;
    }
    gradient
}

/// Fisher information Σ games·E(1-E)·vvᵀ, made definite along 1 (the common
/// shift that no result determines).
fn information(size: usize, lines: &[Line], logits: &[f64]) -> Matrix {
    let mut matrix = Matrix::zero(size);
    for line in lines {
        let difference = logits[line.first] - logits[line.second];
        let weight = line.games * expected(difference) * expected(-difference);
        matrix.add_difference(line.first, line.second, weight);
    }
    let trace: f64 = (0..size).map(|i| matrix.at(i, i)).sum();
    let shift = trace / (size * size) as f64;
    for i in 0..size {
        for j in 0..size {
            matrix.add(i, j, shift);
        }
    }
    matrix
}

/// The scatter of the score contributions, J = Σ (m(a - E))²·vvᵀ over units
/// of m games, and whether it is the customary one.
///
/// With fewer than 30 units a parameter, or a player whose results spread so
/// little that J would be mostly luck, z²·p/N of the widest possible scatter
/// (every unit won or lost outright) is added: the analogue of the
/// pseudo-counts of the two-player estimate.
fn scatter(size: usize, bouts: &[Bout], lines: &[Line], logits: &[f64]) -> (Matrix, Basis) {
    let mut observed = Matrix::zero(size);
    let mut widest = Matrix::zero(size);
    let mut units = vec![0.0; size];
    for (bout, line) in bouts.iter().zip(lines) {
        let (i, j) = (bout.first, bout.second);
        let difference = logits[i] - logits[j];
        let win = expected(difference);
        let per_unit = bout.results.games_per_unit() as f64;
        let squares: f64 = bout
            .results
            .cells()
            .map(|(score, n)| n * (per_unit * (score - win)).powi(2))
            .sum();
        observed.add_difference(i, j, squares);
        widest.add_difference(i, j, per_unit * line.games * win * expected(-difference));
        units[i] += line.games / per_unit;
        units[j] += line.games / per_unit;
    }
    let parameters = (size - 1) as f64;
    let total = units.iter().sum::<f64>() / 2.0;
    let constant = (0..size).any(|i| observed.at(i, i) * units[i] < Z95 * Z95 * widest.at(i, i));
    let basis = if total < 30.0 * parameters {
        Basis::FewResults
    } else if constant {
        Basis::Skewed
    } else {
        Basis::Customary
    };
    if basis != Basis::Customary {
        let share = Z95 * Z95 * parameters / total;
        for i in 0..size {
            for j in 0..size {
                observed.add(i, j, share * widest.at(i, j));
            }
        }
    }
    (observed, basis)
}
