//! The history rules: repetition, move limit, bare material.

use super::board::Xiangqi;
use super::rules::XiangqiRules;
use crate::game::{Line, Scope, Verdict};

/// Judges a line; see [`Position::judge`](crate::game::Position::judge).
pub(super) fn judge(_line: &Line<Xiangqi>, _rules: XiangqiRules, _scope: Scope) -> Option<Verdict> {
    None
}
