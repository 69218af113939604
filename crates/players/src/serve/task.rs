//! Builds the search task from `go` and earlier commands.

use super::command::{Go, Thinking};
use super::reading::{Place, push, read_move};
use leitai_game::MoveList;
use leitai_game::card::{AnyLine, AnyPosition, Rules};
use leitai_game::search::{Roots, SearchLimits};

/// A search task.
pub(super) struct Task {
    pub(super) line: Box<dyn AnyLine>,
    pub(super) rules: Rules,
    pub(super) limits: SearchLimits,
    pub(super) roots: Roots,
}

/// The state from the commands before `go`.
pub(super) struct Wishes<'a> {
    /// `None` if the last received position was invalid.
    pub(super) place: Option<&'a Place>,
    pub(super) banned: &'a MoveList,
    /// Number of requested lines.
    pub(super) lines: usize,
    /// True if a solver answers.
    pub(super) solves: bool,
}

/// Builds the task of a `go`, or returns the reason why nothing can be searched. Passes ignored
/// parts to `remark`.
pub(super) fn read_task(
    go: &Go,
    wishes: &Wishes<'_>,
    remark: &dyn Fn(&str),
) -> Result<Task, String> {
    let place = wishes.place;
    let Place { line, rules } = place.ok_or("nothing to search: the last position was refused")?;
    let depth = go.mate.map(|moves| moves.saturating_mul(2));
    let limits = SearchLimits {
        nodes: go.nodes,
        depth: match (go.depth, depth) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        },
    };
    let unlimited = limits == SearchLimits::default() && go.thinking == Thinking::Unlimited;
    if unlimited && !go.problems.is_empty() && !go.infinite && !go.ponder {
        return Err("nothing that could be read limits the search".to_owned());
    }
    let mut task = Task {
        line: line.clone(),
        rules: *rules,
        limits,
        roots: Roots {
            excluded: excluded(line.position(), rules, wishes.banned, &go.only, remark),
            lines: wishes.lines,
        },
    };
    if wishes.solves {
        fit_solver(&mut task, remark);
    }
    Ok(task)
}

/// Removes limits that a solver ignores: nodes and time limit it, and it searches one line among
/// all moves.
fn fit_solver(task: &mut Task, remark: &dyn Fn(&str)) {
    if task.limits.depth.take().is_some() {
        remark("a depth does not limit a solver: give it nodes or a time");
    }
    if !task.roots.excluded.is_empty() {
        remark("a solver looks at all moves: none is left out");
    }
    task.roots = Roots {
        excluded: MoveList::new(),
        lines: 1,
    };
}

/// Returns the moves to exclude: the banned ones, and all except the legal moves in `only`, if
/// there are any.
fn excluded(
    position: &dyn AnyPosition,
    rules: &Rules,
    banned: &MoveList,
    only: &[String],
    remark: &dyn Fn(&str),
) -> MoveList {
    let mut chosen = MoveList::new();
    for text in only {
        match read_move(position, text, rules) {
            Ok(mv) => push(&mut chosen, mv),
            Err(reason) => remark(&format!("`searchmoves`: {reason}: left out")),
        }
    }
    let mut excluded = banned.clone();
    if chosen.is_empty() {
        return excluded;
    }
    for mv in position.moves() {
        if !chosen.contains(&mv) {
            push(&mut excluded, mv);
        }
    }
    excluded
}
