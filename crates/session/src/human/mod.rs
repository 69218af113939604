//! Games of a human against the variants of a config. No statistic counts them.

mod advice;
mod game;

pub use advice::{Advice, AdviceRequest, Adviser, AdviserGone, Line, budget_of};
pub use game::{HumanGame, save};
