//! The generalised sequential probability ratio test on pair or game counts.
//!
//! ```text
//! cells ── dual ┬ logistic ──┬ likelihood   the log-likelihood ratio
//!               └ normalized ┘
//! overshoot ─────────────────── test         bounds and decision
//! bayes_elo                                  old bounds, converted
//! games                                      the test on single games
//! ```
//!
//! The log-likelihood ratio (LLR) compares the likeliest law of pair results under H1 with the
//! likeliest under H0. It is computed exactly, to the last digits of a double: no normal
//! approximation, and no iteration that stops early. Conventions and numbers are those of fishtest
//! (`LLRcalc.py`, `stat_util.py`).
//!
//! The LLR of a test from fishtest's own test suite (2.86), and a gate that records pairs one by
//! one:
//!
//! ```
//! # mod leitai { pub use leitai_stats as stats; }
//! use leitai::stats::gsprt::{Gsprt, llr};
//! use leitai::stats::{Decision, ErrorRates, Hypotheses, Model, Pentanomial, SequentialTest};
//!
//! // Pairs by their points: both lost, a loss and a draw, level, a win and a draw, both won.
//! let pairs = Pentanomial([1187, 7410, 13475, 7378, 1164]);
//! let hypotheses = Hypotheses::new(-3.0, 1.0, Model::Logistic)?;
//! let rates = ErrorRates::new(0.05, 0.05)?;
//! assert!((llr(pairs, &hypotheses) - 2.86).abs() < 0.005);
//!
//! let mut test = Gsprt::new(Hypotheses::new(0.0, 50.0, Model::Logistic)?, rates);
//! let mut pairs = 0;
//! while test.decision().is_none() {
//!     test.record([2, 4, 3, 4][pairs % 4])?; // the cell of the next pair, 0 to 4
//!     pairs += 1;
//! }
//! assert_eq!(test.decision(), Some(Decision::Accepted));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bayes_elo;
mod cells;
mod dual;
mod games;
mod likelihood;
mod logistic;
mod normalized;
mod overshoot;
mod test;

pub use bayes_elo::{BayesElo, draw_elo, draw_elo_of_rate, in_logistic};
pub use games::GameSprt;
pub use likelihood::{Likelihood, llr};
pub(super) use logistic::score_statistic;
pub use overshoot::Overshoot;
pub use test::Gsprt;

#[cfg(test)]
mod tests;
