//! A gate: candidates play a baseline, pair by pair in schedule order, until a sequential test has
//! decided on each.
//!
//! ```text
//! pairs in schedule order -> Trials -> one Trial per candidate -> Verdict
//! ```
//!
//! # Rounds
//!
//! Pair `i` of `k` candidates belongs to candidate `i % k` and to round `i / k`. A round plays one
//! opening. Verdicts are only given at the end of a round: the pairs of a round share their opening
//! and their baseline, so that the result of one is a hint at the others, and a test that stopped
//! on the hint would have used its next pair before deciding to take it. A candidate with a verdict
//! is dropped, and the next round is shorter.
//!
//! # Several candidates at once
//!
//! Let the e-value `e_i` be candidate `i`'s evidence against "it is no better than `elo0`", frozen
//! at the end of the round in which the candidate was dropped:
//!
//! - *family-wise* is e-Holm. A candidate is accepted at the first round at which the mean of every
//!   set of e-values that contains its own is at least `1/α`. Such a mean is itself an e-process
//!   for "none in the set is better", so by Ville's inequality the set of all candidates that are
//!   no better reaches the bound with probability at most `α`: at any round, regardless of the
//!   number of looks.
//! - *false discovery* is e-BH. Accepting `n` candidates needs `e_i ≥ k/(αn)` of each. A rejected
//!   or failed candidate is not one of the `n`, regardless of its e-value: it counts as one without
//!   evidence, else fewer candidates would be announced than the condition holds for. The accepted
//!   candidates keep their e-values, which are those of a stopping time and not running maxima; `n`
//!   only grows, so the condition still holds for all of them at the end, and the expected share of
//!   wrong ones is at most `α` under any dependence.
//!
//! `β`, the rate of wrong rejections, holds for each candidate separately.

mod earlier_runs;
mod forecast;
mod ideas;
mod rehearsal;
mod shortfall;
mod spread;
mod test;
mod trial;
mod trials;

#[cfg(test)]
mod tests;

pub use earlier_runs::{Difference, EarlierError, EarlierRun};
pub use forecast::{CombinedForecast, Forecast, NoForecast, Point, TrialForecast};
pub use ideas::Ideas;
pub use leitai_game::card::UsualSpread;
pub use rehearsal::{Rehearsal, Rehearsed};
pub use shortfall::{MissingProperty, Shortfall};
pub use spread::Spread;
pub use test::{Test, Untestable};
pub use trial::{Shortage, Trial, Verdict};
pub use trials::{Trials, recorded_standings, recorded_trials};
