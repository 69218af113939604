//! Numbers for the text output.

use leitai_base::count::{rounded, with_sign};
use leitai_stats::{Bound, Decision, Level, Ranged};

/// A value with its 95 % interval.
pub(super) fn ranged(value: &Ranged, show: impl Fn(f64) -> String) -> String {
    let one = |x: Option<f64>| x.map_or_else(|| "not estimable".to_owned(), &show);
    let limits = match value.bound {
        Bound::Both => format!("95 %: {} to {}", one(value.low), one(value.high)),
        Bound::Lower => format!("95 %: at least {}", one(value.low)),
        Bound::Upper => format!("95 %: at most {}", one(value.high)),
        Bound::Nothing => return one(value.value),
    };
    format!("{} ({limits})", one(value.value))
}

/// Elo with its sign.
pub(super) fn signed(elo: f64) -> String {
    with_sign(elo, 2)
}

/// A share as a percentage.
pub(super) fn percent(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}

/// The verdict as a word for scripts.
pub(super) fn verdict(decision: Option<Decision>) -> &'static str {
    match decision {
        Some(Decision::Accepted) => "accepted",
        Some(Decision::Rejected) => "rejected",
        None => "continue",
    }
}

/// The level of a test with its bounds.
pub(super) fn level(level: &Level) -> String {
    format!(
        "LLR {}; H1 is accepted above {:.4}, H0 below {:.4}",
        rounded(level.value, 4),
        level.upper,
        level.lower
    )
}

/// The decision as a sentence.
pub(super) fn sentence(decision: Option<Decision>) -> &'static str {
    match decision {
        Some(Decision::Accepted) => "H1 is accepted.",
        Some(Decision::Rejected) => "H0 is accepted.",
        None => "No decision: the test goes on.",
    }
}
