//! Verdicts against searches without limits.

mod fights;
mod goals;
pub(crate) mod problems;
mod retrograde;
mod versions;
