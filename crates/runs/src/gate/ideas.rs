//! The yield of a gate's test on a stream of ideas, and the test with the highest yield.

use std::num::NonZeroUsize;

use super::test::own_rates;
use super::{NoForecast, Spread, Test, Trials, UsualSpread};
use leitai_stats::{
    BadPlan, Choice, Comparison, ErrorRates, FORMULA_PAIRS, GameVariance, Gsprt, Hypotheses,
    IdeaPrior, Matches, Model, PairLaw, PriorGain, Simulator, Stretch, Strict, TestOutcome,
    TestPlan,
};

/// Ideas that are tested one after another.
#[derive(Clone, Copy)]
pub struct Ideas<'a> {
    /// Distribution of their strengths.
    pub prior: IdeaPrior,
    /// The law of the pairs of a player with the given advantage in logistic Elo; `None` if no law
    /// has that strength.
    pub law: &'a dyn Fn(f64) -> Option<PairLaw>,
    /// The variance of a game between equal players.
    pub variance: GameVariance,
    /// The largest number of pairs of a test; `None` without a cap.
    pub max_pairs: Option<u64>,
    /// Number of threads; the results do not depend on it.
    pub threads: NonZeroUsize,
}

/// The result of a comparison.
type Result<T, E = BadPlan> = std::result::Result<T, E>;

/// Average number of pairs from which formulas replace the simulation of a likelihood ratio. There
/// the formulas are within an eighth, and simulation is too costly for the small share of ideas
/// that pass.
const BY_FORMULA: f64 = FORMULA_PAIRS / 2.0;
/// Length in pairs below which tests mostly reach counts that other tests reached before.
const SHORT: f64 = 100.0;
/// Smallest and largest number of tests to simulate.
const TESTS: [f64; 2] = [1_000.0, 200_000.0];
/// Length in pairs at which a test without a cap is aborted.
const MAX_PAIRS: u64 = 500_000_000;
/// Smallest ratio of the best yield without the cap to the best with it that is worth showing.
const MORE: f64 = 1.05;

impl Ideas<'_> {
    /// Compares the yield of the test, before its first pair, with the usual test and the best
    /// test, all with the same cap. Those two are strict if `test` is strict, else likelihood
    /// ratios. The formulas select the best test; its yield is computed like that of the others.
    ///
    /// # Errors
    /// [`BadPlan`] for indistinguishable hypotheses.
    pub fn compare(
        &self,
        test: &Test,
        hypotheses: Hypotheses,
        rates: ErrorRates,
    ) -> Result<Comparison> {
        let plan = TestPlan::new(hypotheses, rates, self.variance)?;
        let (elo0, elo1) = plan.logistic_hypotheses();
        let yours = Choice {
            elo0: elo0.unwrap_or(hypotheses.elo0()),
            elo1: elo1.unwrap_or(hypotheses.elo1()),
            ..self.choice(test, hypotheses, rates)?
        };
        let usual = Choice {
            elo0: 0.0,
            elo1: 5.0,
            alpha: 0.05,
            beta: 0.05,
            ..yours
        };
        let most = self.max_pairs.map(|pairs| 2.0 * pairs as f64);
        let free = Self {
            max_pairs: None,
            ..*self
        };
        let rate = |choice: &Choice| choice.gain.elo_per_game;
        let best = self.prior.best(rates.alpha(), self.variance, most);
        let by_formula = best.as_ref().map_or(0.0, |best| rate(&best.choice));
        let best = best.map(|mut best| {
            best.choice = self.played(best.choice, test)?;
            Ok::<_, BadPlan>(best)
        });
        let best = best.transpose()?;
        let uncapped = most.and_then(|_| self.prior.best(rates.alpha(), self.variance, None));
        // Simulation rarely disagrees where the formulas see no gain.
        let uncapped = uncapped.filter(|found| rate(&found.choice) > by_formula);
        let uncapped = uncapped.map(|found| free.played(found.choice, test));
        let usual = match test {
            Test::Gsprt(_) | Test::Strict(_) if usual == yours => yours,
            _ => self.played(usual, test)?,
        };
        let with_cap = best.as_ref().map_or(0.0, |best| rate(&best.choice));
        Ok(Comparison {
            prior: self.prior,
            fitted: None,
            max_pairs: self.max_pairs,
            yours,
            usual,
            best,
            uncapped: uncapped
                .transpose()?
                .filter(|choice| rate(choice) > MORE * with_cap),
        })
    }

    /// The actual yield of a choice of logistic hypotheses with a test like `like`.
    fn played(&self, choice: Choice, like: &Test) -> Result<Choice> {
        let made = Hypotheses::new(choice.elo0, choice.elo1, Model::Logistic)
            .and_then(|made| Ok((made, ErrorRates::new(choice.alpha, choice.beta)?)));
        let (hypotheses, rates) = made.map_err(|_| BadPlan::SameHypotheses)?;
        let gsprt = || Test::Gsprt(Gsprt::new(hypotheses, rates));
        let strict = matches!(like, Test::Strict(_)).then(|| Strict::new(hypotheses, rates).ok());
        let test = strict.flatten().map_or_else(gsprt, Test::Strict);
        self.choice(&test, hypotheses, rates)
    }

    fn choice(&self, test: &Test, hypotheses: Hypotheses, rates: ErrorRates) -> Result<Choice> {
        Ok(Choice {
            test: test.name(),
            elo0: hypotheses.elo0(),
            elo1: hypotheses.elo1(),
            alpha: rates.alpha(),
            beta: rates.beta(),
            gain: self.gain(test, hypotheses, rates)?,
        })
    }

    /// The yield of a test: by the formulas where they hold, else simulated.
    fn gain(&self, test: &Test, hypotheses: Hypotheses, rates: ErrorRates) -> Result<PriorGain> {
        let most_games = self.max_pairs.map(|pairs| 2.0 * pairs as f64);
        let plan = TestPlan::new(hypotheses, rates, self.variance)?;
        let by_formula = self.prior.gain_by_formula(&plan, most_games);
        let pairs = (by_formula.games / 2.0).max(test.fewest_pairs() as f64);
        if matches!(test, Test::Gsprt(_)) && pairs > BY_FORMULA {
            return Ok(by_formula);
        }
        // Up to half a second of one core. Short likelihood ratio tests share most of their ratios
        // and cost less.
        let part = match test {
            Test::Gsprt(_) if pairs < SHORT => 1.5,
            Test::Gsprt(_) | Test::Games(_) => 8.0,
            Test::Strict(_) | Test::GroupSequential(_) => 4.0,
        };
        let budget = test.simulated_per_second(hypotheses.model()) / part;
        let tests = (budget / pairs.max(1.0)).clamp(TESTS[0], TESTS[1]);
        let most = self.max_pairs.unwrap_or(MAX_PAIRS);
        let stretch = Stretch::new(hypotheses, pairs * TESTS[0] / budget);
        let small = stretch.and_then(|stretch| Some((test.in_small(&stretch)?, stretch)));
        let simulator = Simulator::new(self.threads);
        let mut first = 0;
        Ok(self.prior.gain(|elo, share| {
            let played = small.as_ref().map_or(elo, |(_, stretch)| stretch.elo(elo));
            let Some(law) = (self.law)(played) else {
                // Beyond the range of scores: all pairs have the same result.
                return plan.outcome(elo, most_games);
            };
            let numbers = first..first + (tests * share).ceil() as u64 + 1;
            first = numbers.end;
            TestOutcome::from(match &small {
                None => Matches::new(test, &law, most, &simulator).numbered(numbers),
                Some((small, stretch)) => {
                    let capped = self.max_pairs.map(|pairs| stretch.pairs(pairs));
                    let most = capped.unwrap_or(MAX_PAIRS);
                    let matches = Matches::new(small, &law, most, &simulator);
                    stretch.back(matches.numbered(numbers))
                }
            })
        }))
    }
}

impl Trials {
    /// Compares the gate's test on a stream of ideas, for a single candidate at the bound of the
    /// first to be accepted. Uses the spread of the recorded pairs if there are enough of them,
    /// else `usual`.
    ///
    /// # Errors
    /// See [`NoForecast`].
    pub fn compare_with_ideas(
        &self,
        prior: IdeaPrior,
        usual: UsualSpread,
        threads: NonZeroUsize,
    ) -> Result<Comparison, NoForecast> {
        let gate = &self.gate;
        let (spread, _) = Spread::of(self, usual)?;
        let ideas = Ideas {
            prior,
            law: &|elo| spread.law(elo).ok(),
            variance: spread.variance(0.0)?,
            max_pairs: Some(self.different_pairs()),
            threads,
        };
        let test = Test::new(gate, self.rounds)?;
        Ok(ideas.compare(&test, gate.pair_hypotheses(), own_rates(gate)?)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use leitai_stats::{GroupSequential, Memo, SequentialTest, simulate_shared};

    const CAP: u64 = 20;

    fn law(elo: f64) -> Option<PairLaw> {
        PairLaw::from_rates(0.2, 60.0, elo).ok()
    }

    /// The mean over ideas whose strengths are evenly spaced in probability, each tested once.
    fn one_by_one(test: &(impl SequentialTest + Clone), prior: IdeaPrior) -> [f64; 3] {
        let ideas = 10_000;
        let (mut won, mut games, mut accepted) = (0.0, 0.0, 0.0);
        let mut memo = Memo::default();
        for idea in 0..ideas {
            let place = (idea as f64 + 0.5) / ideas as f64;
            let elo = prior.mean + prior.deviation * leitai_stats::normal::quantile(place);
            let law = law(elo).expect("a law");
            let played = simulate_shared(test.clone(), &law, (77, idea), CAP, &mut memo);
            let pass = f64::from(u8::from(
                played.decision == Some(leitai_stats::Decision::Accepted),
            ));
            won += elo * pass;
            accepted += pass / ideas as f64;
            games += played.counts.games() as f64;
        }
        [won / games, games / ideas as f64, accepted]
    }

    /// For each kind of test, up to its cap.
    #[test]
    #[ignore = "long: docs/reliability.md has the command"]
    fn the_row_is_that_of_the_very_test() {
        let prior: IdeaPrior = "N(0,60)".parse().expect("a law");
        let hypotheses = Hypotheses::new(0.0, 100.0, Model::Logistic).expect("in order");
        let rates = ErrorRates::new(0.05, 0.05).expect("rates");
        let ideas = Ideas {
            prior,
            law: &law,
            variance: GameVariance::from_rates(0.2, 60.0).expect("some"),
            max_pairs: Some(CAP),
            threads: NonZeroUsize::MIN,
        };
        let looks = GroupSequential::new(hypotheses, rates, CAP, 4).expect("looks");
        let mut rows = Vec::new();
        for test in [
            Test::Gsprt(Gsprt::new(hypotheses, rates)),
            Test::Strict(Strict::new(hypotheses, rates).expect("logistic")),
            Test::GroupSequential(looks),
        ] {
            let row = ideas.choice(&test, hypotheses, rates).expect("a row");
            let [rate, games, accepted] = one_by_one(&test, prior);
            let got = row.gain;
            // This yield comes from 10,000 tests, that of the row from more.
            let error = 4.0 * 2.0_f64.sqrt() * got.elo_per_game_error;
            assert!(
                (got.elo_per_game - rate).abs() < error && error < 0.15 * rate,
                "{row:?}: {rate}"
            );
            assert!((got.games / games - 1.0).abs() < 0.02, "{row:?}: {games}");
            assert!((got.accepted - accepted).abs() < 0.015, "{row:?}");
            assert!(got.games <= 2.0 * CAP as f64);
            rows.push(got.accepted);
        }
        // The tests differ: the one that stops undecided at the cap accepts less.
        assert!(rows[2] > rows[0].max(rows[1]) + 0.02, "{rows:?}");
    }
}
