//! A gate: candidates meet a base, pair by pair in schedule order, until a
//! sequential test knows enough of each.
//!
//! ```text
//! pairs in schedule order -> Trials -> one Trial per candidate -> Verdict
//! ```
//!
//! # Rounds
//!
//! Pair `i` of `k` candidates belongs to candidate `i % k` and to round `i / k`.
//! A round plays one opening. Verdicts are given at the end of a round, never in
//! the middle: the pairs of a round share their opening and their base, so what
//! one of them shows is a hint at the others, and a test that stopped on the hint
//! would have looked at its next pair before deciding to take it. A candidate
//! with a verdict is dropped, and the next round is shorter.
//!
//! # Several candidates at once
//!
//! With e-values `e_i`, each candidate's evidence against "it is no better than
//! `elo0`", frozen at the end of the round in which the candidate was dropped:
//!
//! - *family-wise* is e-Holm. A candidate is accepted at the first round at which
//!   the mean of every set of e-values that it belongs to is at least `1/α`. Such
//!   a mean is itself an e-process for "none in the set is any good", so by
//!   Ville's inequality the set of all that are no good is ever found guilty with
//!   probability at most `α`: at any round, however often one looks.
//! - *false discovery* is e-BH. Accepting `n` candidates needs `e_i ≥ k/(αn)` of
//!   each. A candidate that was rejected or failed is not one of the `n`, whatever
//!   its e-value: it counts as one without evidence, or those announced would be
//!   fewer than those that the condition was met for. The accepted keep their e-values, which are those of a stopping time
//!   and not running maxima; `n` only grows, so the condition still holds for all
//!   of them at the end, and the expected share of wrong ones is at most `α`
//!   under any dependence.
//!
//! `β`, the rate of wrong rejections, holds for each candidate by itself.

mod earlier;
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

pub use crate::card::UsualSpread;
pub use earlier::{Difference, Earlier, Unknown};
pub use forecast::{Ahead, Forecast, NoForecast, Point, Together};
pub use ideas::Ideas;
pub use rehearsal::{Rehearsal, Rehearsed};
pub use shortfall::{Lack, Shortfall};
pub use spread::Spread;
pub use test::{Test, Untestable};
pub use trial::{Shortage, Trial, Verdict};
pub use trials::{Trials, recorded_standings, recorded_trials};
