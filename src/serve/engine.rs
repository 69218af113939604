//! The searching thread: one search and its answer.

use std::sync::Arc;
use std::time::Instant;

use super::control::Control;
use super::{Protocol, Voice};
use crate::eval::xiangqi::XiangqiEvaluation;
use crate::game::Line;
use crate::game::xiangqi::{Xiangqi, XiangqiRules};
use crate::search::{Roots, Search, SearchLimits, SearchReport};

/// A search with the memory of the present game.
pub(super) type Engine = Search<Xiangqi, XiangqiEvaluation>;

/// What is to be searched.
pub(super) struct Task {
    pub(super) line: Line<Xiangqi>,
    pub(super) rules: XiangqiRules,
    pub(super) limits: SearchLimits,
    pub(super) roots: Roots,
}

/// Searches, tells of each iteration, and answers when `control` lets it.
pub(super) fn think(
    engine: &mut Engine,
    task: &Task,
    protocol: Protocol,
    control: &Arc<Control>,
    voice: &Voice,
) {
    let began = Instant::now();
    let mut told: Vec<SearchReport> = Vec::new();
    let tell = |lines: &[SearchReport]| {
        for (index, report) in lines.iter().enumerate() {
            voice(&protocol.info(report, index + 1, began.elapsed()));
        }
    };
    let lines = engine.run_lines(
        &task.line,
        task.rules,
        &task.limits,
        &task.roots,
        &|| control.says_stop(),
        &mut |lines| {
            tell(lines);
            told = lines.to_vec();
        },
    );
    if lines != told {
        tell(&lines);
    }
    control.wait();
    let pv = lines.first().map_or(&[][..], |best| &best.pv);
    voice(&protocol.best_move(pv.first().copied(), pv.get(1).copied()));
}
