//! From `go` and what was said before to what is to be searched.

use super::command::{Go, Thinking};
use super::reading::{Place, push, read_move};
use crate::card::{AnyLine, AnyPosition, Rules};
use crate::game::MoveList;
use crate::search::{Roots, SearchLimits};

/// What is to be searched.
pub(super) struct Task {
    pub(super) line: Box<dyn AnyLine>,
    pub(super) rules: Rules,
    pub(super) limits: SearchLimits,
    pub(super) roots: Roots,
}

/// What was said before `go`.
pub(super) struct Wishes<'a> {
    /// None if the last position that came was wrong.
    pub(super) place: Option<&'a Place>,
    pub(super) banned: &'a MoveList,
    /// How many lines are wanted.
    pub(super) lines: usize,
    /// Whether a solver answers.
    pub(super) solves: bool,
}

/// What `go` asks for, or why nothing can be searched. What can be left out of
/// it is told to `remark`.
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

/// Leaves out what a solver does not go by: it is limited by nodes and time, and looks for
/// one line among all moves.
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

/// The moves that are not to be searched: those that are banned, and all but
/// those of `only` that are legal, if there are any.
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
