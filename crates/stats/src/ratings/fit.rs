//! Maximization of the likelihood.

use super::evidence::{Meeting, MeetingKey};
use super::linear::Matrix;
use super::many::{Equations, MAX_DENSE};

/// Maximum number of steps of a fit from a distant start.
pub(super) const PATIENT: u32 = 500;

/// Games of the same players with the same first mover, as a term of the likelihood.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term {
    pub(super) key: MeetingKey,
    /// Points of the first-named player.
    pub(super) won: f64,
    /// Points of the second-named player.
    pub(super) lost: f64,
}

impl Term {
    /// The term of a meeting.
    pub(super) fn new((key, meeting): (MeetingKey, Meeting)) -> Self {
        let [won, lost] = [meeting.won, meeting.lost].map(|half_points| half_points as f64 / 2.0);
        Self { key, won, lost }
    }
}

/// The parameters: a logit for each player, then the advantage if it is fitted.
#[derive(Clone, Debug)]
pub(super) struct Model {
    /// Number of players, all rated.
    pub(super) players: usize,
    /// The groups of comparable players; together all players.
    pub(super) groups: Vec<Vec<usize>>,
    /// The advantage of the first move in logits; `None` to fit it.
    pub(super) advantage: Option<f64>,
}

impl Model {
    /// Number of parameters.
    pub(super) fn size(&self) -> usize {
        self.players + usize::from(self.advantage.is_none())
    }

    /// The advantage in logits, fitted or given.
    pub(super) fn advantage(&self, logits: &[f64]) -> f64 {
        self.advantage
            .or_else(|| logits.get(self.players).copied())
            .unwrap_or_default()
    }

    /// Lead of the first-named player in a game, in logits.
    fn ahead(&self, logits: &[f64], (first, second, moved_first): MeetingKey) -> f64 {
        let advantage = if moved_first {
            self.advantage(logits)
        } else {
            0.0
        };
        logits[first] - logits[second] + advantage
    }

    /// The derivative of [`Model::ahead`]: the parameters and their signs.
    pub(super) fn direction(
        &self,
        (first, second, moved_first): MeetingKey,
    ) -> impl Iterator<Item = (usize, f64)> + Clone {
        let fitted = (moved_first && self.advantage.is_none()).then_some((self.players, 1.0));
        [(first, 1.0), (second, -1.0)].into_iter().chain(fitted)
    }

    /// Returns the surplus of the first-named player: its points above expectation, equal to
    /// `won - games·E` without cancellation; and the Fisher information of the games, games·E(1-E).
    pub(super) fn surplus(&self, logits: &[f64], term: &Term) -> (f64, f64) {
        let ahead = self.ahead(logits, term.key);
        let (win, loss) = (expected(ahead), expected(-ahead));
        let information = (term.won + term.lost) * win * loss;
        (term.won * loss - term.lost * win, information)
    }

    /// Maximizes the concave log-likelihood with Newton's method, damped by halving, from `start`.
    /// `None` without a maximum within `steps` steps, or if the numbers are beyond double
    /// precision: a score so close to 0 or 1 that the information matrix is singular to working
    /// precision.
    pub(super) fn maximise(&self, terms: &[Term], start: &[f64], steps: u32) -> Option<Vec<f64>> {
        let mut logits = start.to_vec();
        let mut height = self.log_likelihood(terms, &logits);
        let mut before = f64::INFINITY;
        for _ in 0..steps {
            let mut step = self.gradient(terms, &logits);
            if self.players > MAX_DENSE {
                step = Equations::new(self, terms, &logits)?.step(&step)?;
            } else {
                self.information(terms, &logits).solve(&mut step)?;
            }
            let longest = step.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            if !longest.is_finite() {
                return None;
            }
            // Far from the maximum the quadratic model suggests steps across flat regions: limit
            // the change between any two opponents to two logits (347 Elo) per step.
            let apart = terms.iter().map(|term| {
                let direction = self.direction(term.key);
                direction.map(|(i, v)| v * step[i]).sum::<f64>().abs()
            });
            let mut scale = f64::min(1.0, 2.0 / apart.fold(0.0, f64::max));
            loop {
                let moved = logits.iter().zip(&step).map(|(x, s)| x + scale * s);
                let next: Vec<f64> = moved.collect();
                let reached = self.log_likelihood(terms, &next);
                if reached >= height - 1e-12 * height.abs() || scale < 1e-6 {
                    logits = next;
                    height = reached;
                    break;
                }
                scale /= 2.0;
            }
            self.centre(&mut logits);
            // Convergence is quadratic, so the step after one of 1e-9 would be 1e-18; a small step
            // that no longer shrinks is rounding.
            if longest < 1e-9 || (longest < 1e-6 && longest > 0.5 * before) {
                return Some(logits);
            }
            before = longest;
        }
        None
    }

    /// Gives every group the mean zero.
    fn centre(&self, logits: &mut [f64]) {
        for group in &self.groups {
            let mean = group.iter().map(|&i| logits[i]).sum::<f64>() / group.len() as f64;
            for &i in group {
                logits[i] -= mean;
            }
        }
    }

    fn log_likelihood(&self, terms: &[Term], logits: &[f64]) -> f64 {
        let of = |term: &Term| {
            let ahead = self.ahead(logits, term.key);
            term.won * ln_expected(ahead) + term.lost * ln_expected(-ahead)
        };
        terms.iter().map(of).sum()
    }

    fn gradient(&self, terms: &[Term], logits: &[f64]) -> Vec<f64> {
        let mut gradient = vec![0.0; self.size()];
        for term in terms {
            let (surplus, _) = self.surplus(logits, term);
            for (parameter, sign) in self.direction(term.key) {
                gradient[parameter] += sign * surplus;
            }
        }
        gradient
    }

    /// Fisher information Σ games·E(1-E)·vvᵀ, made definite along the common
    /// shift of each group, which no result determines.
    pub(super) fn information(&self, terms: &[Term], logits: &[f64]) -> Matrix {
        let mut matrix = Matrix::zero(self.size());
        for term in terms {
            let (_, information) = self.surplus(logits, term);
            matrix.add_square(&self.direction(term.key), information);
        }
        for group in &self.groups {
            // The mean diagonal of the group's block divided by its size.
            let trace: f64 = group.iter().map(|&i| matrix.at(i, i)).sum();
            let shift = trace / (group.len() * group.len()) as f64;
            add_everywhere(&mut matrix, group, shift);
        }
        matrix
    }

    /// The covariance by the model alone: the pseudo-inverse of the information, from the inverse
    /// of the definite matrix.
    pub(super) fn without_shift(&self, definite: &Matrix, inverse: &Matrix) -> Matrix {
        let mut model = inverse.clone();
        for group in &self.groups {
            // With u the ones of k members, H·u = 0: the added matrix is c·uuᵀ, whose sum of
            // entries is c·k², and its inverse is uuᵀ/(c·k²).
            let total: f64 = group
                .iter()
                .flat_map(|&i| group.iter().map(move |&j| definite.at(i, j)))
                .sum();
            add_everywhere(&mut model, group, -1.0 / total);
        }
        model
    }
}

fn add_everywhere(matrix: &mut Matrix, group: &[usize], value: f64) {
    for &i in group {
        for &j in group {
            matrix.add(i, j, value);
        }
    }
}

/// Expected score at a rating difference in logits.
fn expected(difference: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-difference))
}

/// ln of the expected score, without overflow at either end.
fn ln_expected(difference: f64) -> f64 {
    if difference > 0.0 {
        -libm::log1p(libm::exp(-difference))
    } else {
        difference - libm::log1p(libm::exp(difference))
    }
}
