//! Xiangqi: rules and text formats.

mod kind;
mod rules;

pub use kind::Kind;
pub use rules::{RepetitionRule, XiangqiRules};
