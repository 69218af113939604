//! Actual error rates and lengths of a test: simulated matches with a known truth.
//!
//! A test promises error rates; this module measures them, with the draws and the opening bias of
//! the planned match. Each simulation has its own numbered ChaCha8 stream, so the result does not
//! depend on the distribution of simulations among threads.

use std::num::NonZeroUsize;
use std::sync::Mutex;

use rayon::ThreadPool;
use rayon::prelude::*;
use serde::Serialize;

use super::logistic::elo_from_score;
use super::pair_law::PairLaw;
use super::proportion::wilson;
use super::{
    AfterSprt, Decision, ErrorRates, Hypotheses, Memo, Pentanomial, RandomNumbers, Ranged,
    SequentialTest, after_sprt, estimate,
};
use leitai_base::threads::pool;

/// The end of one simulated match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Simulated {
    /// The decision; `None` if the maximum number of pairs was reached first.
    pub decision: Option<Decision>,
    /// The pairs until the end.
    pub counts: Pentanomial,
    /// The test's own estimate of the strength.
    pub after: Option<AfterSprt>,
}

/// Simulates one match: draws pairs from `law` until the test decides or `most_pairs` are played.
/// `number` selects the random stream.
pub fn simulate(
    test: impl SequentialTest,
    law: &PairLaw,
    seed: u64,
    number: u64,
    most_pairs: u64,
) -> Simulated {
    simulate_shared(test, law, (seed, number), most_pairs, &mut Memo::off())
}

/// Simulates one of many matches of tests with the same hypotheses, which share a cache.
pub fn simulate_shared(
    mut test: impl SequentialTest,
    law: &PairLaw,
    stream: (u64, u64),
    most_pairs: u64,
    memo: &mut Memo,
) -> Simulated {
    let counts = play_out(&mut test, law, stream, most_pairs, memo);
    Simulated {
        decision: test.decision(),
        counts,
        after: test.after_stop(),
    }
}

/// Draws pairs until the test decides, or up to `most_pairs`.
pub(super) fn play_out(
    test: &mut impl SequentialTest,
    law: &PairLaw,
    (seed, number): (u64, u64),
    most_pairs: u64,
    memo: &mut Memo,
) -> Pentanomial {
    let mut random = RandomNumbers::new(seed, number);
    let mut counts = Pentanomial::default();
    for _ in 0..most_pairs {
        if test.decision().is_some() {
            break;
        }
        let result = law.result_at(random.uniform());
        if test.record_shared(result, memo).is_err() {
            break;
        }
        counts.0[result] += 1;
    }
    counts
}

/// Simulates matches 0 to `runs` of a seed on several threads, and returns them in order.
pub fn simulate_all<T: SequentialTest + Clone + Sync>(
    test: &T,
    law: &PairLaw,
    seed: u64,
    runs: u64,
    most_pairs: u64,
    threads: NonZeroUsize,
) -> Vec<Simulated> {
    Simulator::new(threads).run_all(runs, |number, memo| {
        simulate_shared(test.clone(), law, (seed, number), most_pairs, memo)
    })
}

/// Threads that simulate tests of the same hypotheses, each with its own cache.
#[derive(Debug)]
pub struct Simulator {
    pool: ThreadPool,
    memos: Vec<Mutex<Memo>>,
}

impl Simulator {
    /// Creates a simulator with `threads` threads.
    ///
    /// # Panics
    /// The system cannot start the threads.
    pub fn new(threads: NonZeroUsize) -> Self {
        Self {
            pool: pool(threads),
            memos: (0..threads.get()).map(|_| Mutex::default()).collect(),
        }
    }

    /// Returns the results of runs 0 to `runs`, in order. The cache of a thread holds ratios from
    /// its earlier runs.
    pub(super) fn run_all<R: Send>(
        &self,
        runs: u64,
        play: impl Fn(u64, &mut Memo) -> R + Sync,
    ) -> Vec<R> {
        let played = |number| {
            let thread = rayon::current_thread_index().expect("a thread of the pool");
            // While a run waits for other threads, this thread may begin another run within it.
            match self.memos[thread].try_lock() {
                Ok(mut memo) => play(number, &mut memo),
                Err(_) => play(number, &mut Memo::off()),
            }
        };
        self.pool
            .install(|| (0..runs).into_par_iter().map(played).collect())
    }
}

/// Quality of an Elo estimate at the stop.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct EstimateQuality {
    /// Mean of the estimate minus the truth, in Elo, over the matches with an estimate; `None` if
    /// there is none.
    pub bias: Option<f64>,
    /// Share of matches with an estimate above the truth.
    pub above: Ranged,
    /// Share of matches whose 95 % interval contains the truth.
    pub coverage: Ranged,
}

/// Results of many simulated matches of a test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SelfCheck {
    /// Number of matches.
    pub runs: u64,
    /// Number of matches that accepted H1.
    pub accepted: u64,
    /// Number of matches that accepted H0.
    pub rejected: u64,
    /// Number of matches without a decision.
    pub undecided: u64,
    /// Share of accepted matches, with Wilson's interval.
    pub pass_rate: Ranged,
    /// Mean number of games; `None` without matches.
    pub mean_games: Option<f64>,
    /// Standard error of `mean_games`; `None` below two matches.
    pub games_error: Option<f64>,
    /// Number of games within which half of the matches ended.
    pub median_games: Option<u64>,
    /// Number of games within which 95 % of the matches ended.
    pub games_95: Option<u64>,
    /// The customary estimate, which is biased by the stopping rule.
    pub naive: EstimateQuality,
    /// The median-unbiased estimate after a test between Wald's bounds.
    pub median_unbiased: EstimateQuality,
}

/// Summarizes matches drawn from `law` with a test of these hypotheses.
pub fn summarize(
    matches: &[Simulated],
    law: &PairLaw,
    hypotheses: Hypotheses,
    rates: ErrorRates,
) -> SelfCheck {
    // The mean of a law is inside 0..1, so the fallback is never used.
    let truth = elo_from_score(law.mean()).unwrap_or(0.0);
    let runs = matches.len() as u64;
    let count = |decision| matches.iter().filter(|m| m.decision == decision).count() as u64;
    let accepted = count(Some(Decision::Accepted));
    let mut games: Vec<u64> = matches.iter().map(|m| m.counts.games()).collect();
    games.sort_unstable();
    let mean = (runs > 0).then(|| games.iter().map(|&n| n as f64).sum::<f64>() / runs as f64);
    let error = mean.filter(|_| runs > 1).map(|mean| {
        let squares: f64 = games.iter().map(|&n| (n as f64 - mean).powi(2)).sum();
        (squares / (runs - 1) as f64 / runs as f64).sqrt()
    });
    let quantile = |share: f64| {
        let index = (share * runs as f64).ceil() as usize;
        games.get(index.saturating_sub(1)).copied()
    };
    let naive = |simulated: &Simulated| {
        let elo = estimate(simulated.counts).elo;
        [elo.value, elo.low, elo.high]
    };
    let unbiased = |simulated: &Simulated| {
        let after = simulated.after;
        let after = after.unwrap_or_else(|| after_sprt(simulated.counts, hypotheses, rates));
        [after.elo_median_unbiased, after.ci_low, after.ci_high]
    };
    let quality_of = |estimate: &dyn Fn(&Simulated) -> EloEstimate| {
        quality(&matches.iter().map(estimate).collect::<Vec<_>>(), truth)
    };
    SelfCheck {
        runs,
        accepted,
        rejected: count(Some(Decision::Rejected)),
        undecided: count(None),
        pass_rate: wilson(accepted, runs),
        mean_games: mean,
        games_error: error,
        median_games: quantile(0.5),
        games_95: quantile(0.95),
        naive: quality_of(&naive),
        median_unbiased: quality_of(&unbiased),
    }
}

/// An Elo estimate with its limits. A missing limit excludes nothing.
type EloEstimate = [Option<f64>; 3];

/// Compares estimates with the truth.
fn quality(estimates: &[EloEstimate], truth: f64) -> EstimateQuality {
    let values: Vec<f64> = estimates.iter().filter_map(|[value, ..]| *value).collect();
    let (mut errors, mut above) = (0.0, 0);
    for value in &values {
        errors += value - truth;
        above += u64::from(*value > truth);
    }
    let covers = |[_, low, high]: &&EloEstimate| {
        low.is_none_or(|x| x <= truth) && high.is_none_or(|x| x >= truth)
    };
    let covered = estimates.iter().filter(covers).count() as u64;
    EstimateQuality {
        bias: (!values.is_empty()).then(|| errors / values.len() as f64),
        above: wilson(above, values.len() as u64),
        coverage: wilson(covered, estimates.len() as u64),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Model, Strict};
    use super::*;

    fn set_up() -> (Strict, Hypotheses, ErrorRates) {
        let hypotheses = Hypotheses::new(0.0, 40.0, Model::Logistic).expect("in order");
        let rates = ErrorRates::new(0.05, 0.05).expect("rates");
        let test = Strict::new(hypotheses, rates).expect("logistic");
        (test, hypotheses, rates)
    }

    #[test]
    fn a_match_is_a_function_of_seed_and_number() {
        let (test, ..) = set_up();
        let law = PairLaw::from_rates(0.5, 50.0, 10.0).expect("a law");
        let run = |seed, number| simulate(test, &law, seed, number, 10_000);
        assert_eq!(run(1, 3), run(1, 3));
        assert_ne!(run(1, 3), run(1, 4));
        assert_ne!(run(1, 3), run(2, 3));
        // A fixed value: random streams must not change between versions.
        assert_eq!(run(1, 0).counts.pairs(), 189);
    }

    #[test]
    fn a_cap_leaves_matches_undecided() {
        let (test, hypotheses, rates) = set_up();
        let law = PairLaw::from_rates(0.5, 0.0, 20.0).expect("a law");
        let matches: Vec<_> = (0..20).map(|n| simulate(test, &law, 1, n, 3)).collect();
        let got = summarize(&matches, &law, hypotheses, rates);
        assert_eq!((got.undecided, got.accepted, got.rejected), (20, 0, 0));
        assert_eq!((got.mean_games, got.games_error), (Some(6.0), Some(0.0)));
        assert_eq!((got.median_games, got.games_95), (Some(6), Some(6)));
    }

    #[test]
    fn the_strict_test_keeps_its_promise() {
        let (test, hypotheses, rates) = set_up();
        for (elo, expected) in [(0.0, 0.05), (40.0, 0.95)] {
            let law = PairLaw::from_rates(0.3, 100.0, elo).expect("a law");
            let matches: Vec<_> = (0..600)
                .map(|n| simulate(test, &law, 7, n, 100_000))
                .collect();
            let got = summarize(&matches, &law, hypotheses, rates);
            let rate = got.pass_rate.value.expect("some");
            assert!((rate - expected).abs() < 0.03, "{got:?}");
            assert_eq!(got.accepted + got.rejected, 600);
            assert!(
                got.median_unbiased.coverage.value.expect("some") > 0.92,
                "{got:?}"
            );
            // Stopping at a bound pushes the naive estimate away from it.
            let bias = got.naive.bias.expect("some");
            assert!(if elo > 20.0 { bias > 2.0 } else { bias < -2.0 }, "{got:?}");
        }
    }

    #[test]
    fn nothing_simulated() {
        let (_, hypotheses, rates) = set_up();
        let law = PairLaw::from_rates(0.5, 0.0, 20.0).expect("a law");
        let got = summarize(&[], &law, hypotheses, rates);
        assert_eq!(
            (got.mean_games, got.median_games, got.naive.bias),
            (None, None, None)
        );
        assert_eq!(got.pass_rate, Ranged::NOTHING);
    }
}
