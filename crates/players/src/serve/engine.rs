//! The search thread: one search and its answer.

use super::control::Control;
use super::engine_slot::EngineSlot;
use super::task::{Position, SearchTask, written};
use super::{Output, Protocol};
use leitai_game::Verdict;
use leitai_game::card::{AnyPosition, Thinker};
use leitai_game::search::{SearchLimits, SearchReport};

/// Node limit of the first iteration if the time is already over: far more than it needs, and a few
/// hundredths of a second.
const MIN: u64 = 50_000;

/// Searches, reports each iteration, and answers when `control` permits it.
pub(super) fn think(
    slot: &mut EngineSlot,
    task: &SearchTask,
    protocol: Protocol,
    control: &Control,
    output: &Output,
) {
    let position = task.position.line.position();
    let is_made = slot.wait(&|| control.is_patient());
    let lines = if let Some(thinker) = slot.thinker().filter(|_| is_made) {
        search(thinker, task, protocol, control, output)
    } else if let Some(mut thinker) = slot.substitute() {
        output(&protocol.remark("the table is not ready: this search uses a small one"));
        search(&mut *thinker, task, protocol, control, output)
    } else {
        Vec::new()
    };
    if position.count_legal_moves() == 0 {
        output(&protocol.over(has_won(position, position.verdict_without_moves())));
    }
    control.wait();
    control.answer();
    let pv = lines.first().map_or(&[][..], |best| &best.pv);
    let card = position.card();
    let mut moves = pv.iter().map(|&mv| written(card, mv, &task.position.rules));
    // A win that the position alone shows is declared; a win by repetition is not.
    let is_won = || {
        let alone = card.line(position).verdict(&task.position.rules);
        alone.and_then(|verdict| has_won(position, verdict)) == Some(true)
    };
    match protocol.declaration().filter(|_| is_won()) {
        Some(win) => output(win),
        None => output(&protocol.best_move(moves.next(), moves.next())),
    }
}

/// Returns whether the side to move has won; `None` for a draw.
fn has_won(position: &dyn AnyPosition, verdict: Verdict) -> Option<bool> {
    verdict
        .winner
        .map(|winner| winner == position.side_to_move())
}

/// Searches until `control` stops the search, but always finishes the first iteration: even with a
/// very short time limit, an unsearched move would be worse.
fn search(
    thinker: &mut dyn Thinker,
    task: &SearchTask,
    protocol: Protocol,
    control: &Control,
    output: &Output,
) -> Vec<SearchReport> {
    let Position { line, rules } = &task.position;
    let (limits, roots) = (&task.limits, &task.roots);
    let card = line.position().card();
    let report = |lines: &[SearchReport]| {
        for (index, line) in lines.iter().enumerate() {
            output(&protocol.info((card, rules), line, index + 1, control.spent()));
        }
    };
    let mut last: Vec<SearchReport> = Vec::new();
    let stop = || control.must_stop();
    thinker.set_rules(rules);
    let mut lines = thinker.run_lines(&**line, limits, roots, &stop, &mut |lines| {
        report(lines);
        last = lines.to_vec();
    });
    let spent = lines.first().map_or(0, |best| best.nodes);
    let left = limits.nodes.unwrap_or(u64::MAX).saturating_sub(spent);
    if stop() && left > 0 && limits.depth != Some(0) && is_cut_short(&lines, task) {
        let first = SearchLimits {
            nodes: Some(left.min(MIN)),
            depth: Some(1),
        };
        lines = thinker.run_lines(&**line, &first, roots, &|| false, &mut |_| {});
        for line in &mut lines {
            line.nodes += spent;
        }
    }
    if lines != last {
        report(&lines);
    }
    lines
}

/// Returns whether a requested line is missing, or was not searched.
fn is_cut_short(lines: &[SearchReport], task: &SearchTask) -> bool {
    let moves = task.position.line.position().count_legal_moves();
    let wanted = moves.saturating_sub(task.roots.excluded.len());
    lines.len() < wanted.min(task.roots.lines.max(1)) || lines.iter().any(|line| line.depth == 0)
}
