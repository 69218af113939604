//! The generalised sequential probability ratio test on pair or game counts.
//!
//! ```text
//! cells ── dual ┬ logistic ──┬ likelihood   the log-likelihood ratio
//!               └ normalized ┘
//! overshoot ─────────────────── test         bounds and decision
//! bayes_elo                                  old bounds, converted
//! ```
//!
//! The log-likelihood ratio (LLR) compares the likeliest law of pair results
//! under H1 with the likeliest under H0. It is computed exactly, to the last
//! digits of a double: no normal approximation, and no iteration that stops
//! early. The conventions are those of fishtest (`LLRcalc.py`, `stat_util.py`),
//! so are the numbers.

mod bayes_elo;
mod cells;
mod dual;
mod likelihood;
mod logistic;
mod normalized;
mod overshoot;
mod test;

pub use bayes_elo::{BayesElo, draw_elo};
pub use likelihood::{Likelihood, llr};
pub(super) use logistic::score_statistic;
pub use overshoot::Overshoot;
pub use test::Gsprt;

#[cfg(test)]
mod tests;
