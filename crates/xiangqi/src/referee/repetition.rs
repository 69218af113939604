//! Whose fault a repetition is.

use super::chase;
use crate::board::{Xiangqi, decode};
use crate::rules::RepetitionRule;
use leitai_game::{Cause, Line, Side, Verdict};

/// Judges the span of play from the position after `since` moves to the
/// position now, which is the same one.
///
/// 1. A side that gave check with every one of its moves loses, unless the
///    other side did so too: then it is a draw.
/// 2. Any other check in the span, by whomever: a draw.
/// 3. Under the computer rule, a side that with every one of its moves newly
///    threatened one and the same piece (see [`chase`]) loses, unless the
///    other side did so too: then it is a draw.
/// 4. All else is a draw.
pub(super) fn judge(line: &Line<Xiangqi>, since: usize, rule: RepetitionRule) -> Verdict {
    let checks = Checks::of(line, since);
    if let Some(verdict) = fault(checks.always, Cause::PerpetualCheck) {
        return verdict;
    }
    if rule == RepetitionRule::Check || checks.any {
        return Verdict::draw(Cause::Repetition);
    }
    fault(perpetual_chases(line, since), Cause::PerpetualChase)
        .unwrap_or(Verdict::draw(Cause::Repetition))
}

/// The verdict against the guilty side, if there is exactly one.
fn fault(guilty: [bool; 2], cause: Cause) -> Option<Verdict> {
    match guilty {
        [true, false] => Some(Verdict::win(Side::Second, cause)),
        [false, true] => Some(Verdict::win(Side::First, cause)),
        _ => None,
    }
}

/// The checks of a span.
struct Checks {
    /// By side: whether all of its moves gave check.
    always: [bool; 2],
    /// Whether any move gave check.
    any: bool,
}

impl Checks {
    fn of(line: &Line<Xiangqi>, since: usize) -> Self {
        let mut checks = Checks {
            always: [true; 2],
            any: false,
        };
        // The position now is the one at the start of the span, so each move
        // of the span is seen once: by the check flag of a position before the
        // last one. The span's length is even.
        let mut mover = line.position().to_move.other();
        for index in since..line.len() {
            let (_, undo) = line.step(index);
            checks.always[mover.index()] &= undo.checked();
            checks.any |= undo.checked();
            mover = mover.other();
        }
        checks
    }
}

/// By side: whether one piece of the opponent was newly threatened by each of
/// the side's moves in the span.
///
/// The span is walked backwards. A piece is known by its square, which follows
/// the moves: two horses that change places are two horses.
fn perpetual_chases(line: &Line<Xiangqi>, since: usize) -> [bool; 2] {
    let mut position = line.position().clone();
    // By chaser: the pieces that all moves looked at so far threatened anew.
    let mut chased = [position.sides[1], position.sides[0]];
    for index in (since..line.len()).rev() {
        if chased == [0, 0] {
            break;
        }
        let (mv, undo) = line.step(index);
        let mover = position.to_move.other();
        let now = chase::threatened(&position, mover, chased[mover.index()]);
        position.unmake_move(mv, undo);
        let before = chase::threatened(&position, mover, now);
        chased[mover.index()] = now & !before;

        let (from, to) = decode(mv);
        let of_mover = &mut chased[mover.other().index()];
        if *of_mover & to.bit() != 0 {
            *of_mover ^= from.bit() | to.bit();
        }
    }
    chased.map(|set| set != 0)
}
