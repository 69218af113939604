//! The likelihood ratio test on single games.

use super::{Likelihood, draw_elo, in_logistic, llr};
use crate::{
    BadTest, CellOutOfRange, Decision, ErrorRates, Hypotheses, Level, Model, SequentialTest,
    Trinomial,
};

/// A sequential test that counts games instead of pairs, as cutechess-cli and fastchess without
/// pairs do.
///
/// The LLR is that of the games' losses, draws and wins, as if they were independent, and its
/// bounds are Wald's. The two games of a pair from a lopsided opening are not: errors are then rarer
/// than stated, and the test is longer than [`Gsprt`](super::Gsprt).
///
/// Hypotheses in `BayesElo` mean the mean scores at the [draw parameter](draw_elo) of the games so
/// far; the LLR is 0 until there are a win and a loss (as in `sprt.cpp` of fastchess).
#[derive(Clone, Debug)]
pub struct GameSprt {
    hypotheses: GameHypotheses,
    rates: ErrorRates,
    games: Trinomial,
    llr: f64,
    decision: Option<Decision>,
}

/// Hypotheses about games.
#[derive(Clone, Debug)]
enum GameHypotheses {
    Fixed(Likelihood),
    BayesElo([f64; 2]),
}

impl GameHypotheses {
    fn llr(&mut self, games: Trinomial) -> f64 {
        match self {
            Self::Fixed(likelihood) => likelihood.llr(games),
            Self::BayesElo(elo) if games.wins > 0 && games.losses > 0 => {
                let hypotheses = in_logistic(*elo, draw_elo(games).unwrap_or_default());
                hypotheses.map_or(0.0, |hypotheses| llr(games, &hypotheses))
            }
            Self::BayesElo(_) => 0.0,
        }
    }
}

impl GameSprt {
    /// A test of hypotheses in logistic or normalized Elo.
    pub fn new(hypotheses: Hypotheses, rates: ErrorRates) -> Self {
        Self::of(GameHypotheses::Fixed(Likelihood::new(hypotheses)), rates)
    }

    /// A test of two hypotheses in `BayesElo`.
    ///
    /// # Errors
    /// [`BadTest`] unless -1000 ≤ `elo[0]` < `elo[1]` ≤ 1000.
    pub fn of_bayes_elo(elo: [f64; 2], rates: ErrorRates) -> Result<Self, BadTest> {
        Hypotheses::new(elo[0], elo[1], Model::Logistic)?;
        Ok(Self::of(GameHypotheses::BayesElo(elo), rates))
    }

    fn of(hypotheses: GameHypotheses, rates: ErrorRates) -> Self {
        Self {
            hypotheses,
            rates,
            games: Trinomial::default(),
            llr: 0.0,
            decision: None,
        }
    }

    /// The error rates of the test.
    pub fn rates(&self) -> &ErrorRates {
        &self.rates
    }

    /// Adds a game by the half points of the first player, 0 to 2. The level is that of the decision
    /// once there is one, which can fall between the two games of a pair.
    pub fn record_game(&mut self, half_points: u8) {
        self.games.record(half_points);
        if self.decision.is_none() {
            self.llr = self.hypotheses.llr(self.games);
            self.decision = self.level().decision();
        }
    }
}

impl SequentialTest for GameSprt {
    /// Adds a pair by its cell, without the results of its games: a 1-1 pair counts as two draws.
    fn record(&mut self, cell: usize) -> Result<(), CellOutOfRange> {
        let games = match cell {
            0..=4 => [cell / 2, cell.div_ceil(2)],
            _ => return Err(CellOutOfRange(cell)),
        };
        for half_points in games {
            self.record_game(half_points as u8);
        }
        Ok(())
    }

    fn level(&self) -> Level {
        let (lower, upper) = self.rates.wald_bounds();
        Level {
            value: self.llr,
            lower,
            upper,
        }
    }

    fn decision(&self) -> Option<Decision> {
        self.decision
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;

    fn rates() -> ErrorRates {
        ErrorRates::new(0.05, 0.05).expect("rates")
    }

    /// Results of fishtest, with the rounded LLR of fastchess 1.8.2 (`sprt_test.cpp`).
    #[test]
    fn known_values_in_bayes_elo() {
        for ([wins, losses, draws], elo, want) in [
            ([68_965, 68_526, 128_429], [0.0, 2.0], -1.26),
            ([21_629, 21_484, 41_111], [0.5, 2.5], -1.13),
            ([0, 90, 10], [0.0, 5.0], 0.0),
            ([90, 0, 10], [0.0, 5.0], 0.0),
        ] {
            let games = Trinomial {
                losses,
                draws,
                wins,
            };
            let got = GameHypotheses::BayesElo(elo).llr(games);
            assert!((got - want).abs() < 0.005, "{got}");
        }
    }

    #[test]
    fn the_first_crossing_decides() {
        let hypotheses = Hypotheses::new(0.0, 50.0, Model::Logistic).expect("in order");
        let mut test = GameSprt::new(hypotheses, rates());
        assert_eq!(test.record(5), Err(CellOutOfRange(5)));
        for _ in 0..200 {
            test.record(3).expect("a cell");
        }
        assert_eq!(test.decision(), Some(Decision::Accepted));
        assert_eq!((test.games.draws, test.games.wins), (200, 200));
        let level = test.level();
        assert!(level.value > level.upper);
        (0..4_000).for_each(|_| test.record_game(0));
        assert_eq!(
            (test.decision(), test.level()),
            (Some(Decision::Accepted), level)
        );
    }
}
