//! The searching thread: one search and its answer.

use super::control::Control;
use super::engine_slot::EngineSlot;
use super::task::Task;
use super::{Protocol, Voice};
use crate::game::Position;
use crate::games::xiangqi::Xiangqi;
use crate::games::xiangqi::eval::XiangqiEvaluation;
use crate::search::{Search, SearchLimits, SearchReport};

/// A search with the memory of the present game.
pub(super) type Engine = Search<Xiangqi, XiangqiEvaluation>;

/// Nodes that the first iteration may take when there is no time: far more than
/// it needs, and a few hundredths of a second.
const LEAST: u64 = 50_000;

/// Searches, tells of each iteration, and answers when `control` lets it.
pub(super) fn think(
    slot: &mut EngineSlot,
    task: &Task,
    protocol: Protocol,
    control: &Control,
    voice: &Voice,
) {
    let is_made = slot.wait(&|| control.is_patient());
    let lines = if let Some(engine) = slot.engine().filter(|_| is_made) {
        search(engine, task, protocol, control, voice)
    } else {
        voice(&protocol.remark("the table is not there yet: a small one does for this search"));
        search(&mut slot.helper(), task, protocol, control, voice)
    };
    if task.line.position().count_legal_moves() == 0 {
        voice(&protocol.lost());
    }
    control.wait();
    control.answer();
    let pv = lines.first().map_or(&[][..], |best| &best.pv);
    voice(&protocol.best_move(pv.first().copied(), pv.get(1).copied()));
}

/// Searches as long as `control` lets it, and the first iteration in any case:
/// no clock is so short that it pays to play unseen.
fn search(
    engine: &mut Engine,
    task: &Task,
    protocol: Protocol,
    control: &Control,
    voice: &Voice,
) -> Vec<SearchReport> {
    let Task {
        line,
        rules,
        limits,
        roots,
    } = task;
    let tell = |lines: &[SearchReport]| {
        for (index, report) in lines.iter().enumerate() {
            voice(&protocol.info(report, index + 1, control.spent()));
        }
    };
    let mut told: Vec<SearchReport> = Vec::new();
    let stop = || control.says_stop();
    let mut lines = engine.run_lines(line, *rules, limits, roots, &stop, &mut |lines| {
        tell(lines);
        told = lines.to_vec();
    });
    let spent = lines.first().map_or(0, |best| best.nodes);
    let left = limits.nodes.unwrap_or(u64::MAX).saturating_sub(spent);
    if left > 0 && limits.depth != Some(0) && is_cut_short(&lines, task) {
        let first = SearchLimits {
            nodes: Some(left.min(LEAST)),
            depth: Some(1),
        };
        lines = engine.run_lines(line, *rules, &first, roots, &|| false, &mut |_| {});
        for line in &mut lines {
            line.nodes += spent;
        }
    }
    if lines != told {
        tell(&lines);
    }
    lines
}

/// Whether a line that could be told is missing, or was never searched.
fn is_cut_short(lines: &[SearchReport], task: &Task) -> bool {
    let moves = task.line.position().count_legal_moves();
    let wanted = moves.saturating_sub(task.roots.excluded.len());
    lines.len() < wanted.min(task.roots.lines.max(1)) || lines.iter().any(|line| line.depth == 0)
}
