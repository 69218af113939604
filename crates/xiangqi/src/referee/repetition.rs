//! Verdicts on repetitions.

use super::chase;
use crate::board::{Xiangqi, decode};
use crate::rules::RepetitionRule;
use leitai_game::{Cause, Line, Side, Verdict};

/// Judges the moves between the position after `since` moves and the current position, which is the
/// same one.
///
/// 1. A side that gave check with every one of its moves loses, unless the other side did so too:
///    then it is a draw.
/// 2. Any other check in the span, by either side: a draw.
/// 3. Under the computer rule, a side that newly threatened the same piece (see [`chase`]) with
///    every one of its moves loses, unless the other side did so too: then it is a draw.
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

struct Checks {
    /// By side: true if all of its moves gave check.
    always: [bool; 2],
    /// True if any move gave check.
    any: bool,
}

impl Checks {
    fn of(line: &Line<Xiangqi>, since: usize) -> Self {
        let mut checks = Checks {
            always: [true; 2],
            any: false,
        };
        // The current position is also the one at the start of the span, so the check flags of all
        // positions before the last one cover each move of the span once. The span's length is
        // even.
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

/// By side: whether each of the side's moves in the span newly threatened the same piece of the
/// opponent.
///
/// Walks the span backwards. A piece is identified by its square, which follows the moves: two
/// horses that change places are two horses.
fn perpetual_chases(line: &Line<Xiangqi>, since: usize) -> [bool; 2] {
    let mut position = line.position().clone();
    // By chaser: the pieces newly threatened by each of its moves so far.
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
