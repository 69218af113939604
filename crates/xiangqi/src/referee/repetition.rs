//! Verdicts on repetitions.

use std::ops::Range;

use super::rule_book::{CheckEffect, Prey, RuleBook};
use super::{chase, mate_threat};
use crate::board::{Xiangqi, decode};
use crate::rules::RepetitionRule;
use leitai_game::{Cause, Line, Move, Side, Verdict};

/// Judges the moves between the position after `since` moves and the current position, which is the
/// same one.
///
/// 1. A side that gave check with every one of its moves loses, unless the other side did so too:
///    then it is a draw.
/// 2. Otherwise the side with the worse [`Conduct`] by the rule's [`RuleBook`] loses.
/// 3. All else is a draw.
pub(super) fn judge(line: &Line<Xiangqi>, since: usize, rule: RepetitionRule) -> Verdict {
    let checks = Checks::of(line, since);
    let fault = match loser(&checks.always) {
        Some(loser) => Some((loser, Cause::PerpetualCheck)),
        None => RuleBook::of(rule)
            .filter(|book| !checks.any || book.check_effect != CheckEffect::ExcusesBoth)
            .and_then(|book| fault(line, since, book)),
    };
    fault.map_or(Verdict::draw(Cause::Repetition), |(loser, cause)| {
        Verdict::win(loser.other(), cause)
    })
}

/// The side with the worse conduct since the position after `since` moves, and the cause.
fn fault(line: &Line<Xiangqi>, since: usize, book: &RuleBook) -> Option<(Side, Cause)> {
    let worse = |span: Range<usize>| {
        let conducts = Conduct::of_both(line, span, book);
        let loser = loser(&[0, 1].map(|side: usize| conducts[side].gravity()))?;
        Some((loser, conducts[loser.index()].cause()))
    };
    let (loser, cause) = worse(since..line.len())?;
    if book.needs_each_round {
        let key = line.key_after(since);
        let mut begin = since;
        for end in (since + 2..line.len()).step_by(2) {
            if line.key_after(end) == key {
                worse(begin..end).filter(|&(side, _)| side == loser)?;
                begin = end;
            }
        }
        if begin > since {
            worse(begin..line.len()).filter(|&(side, _)| side == loser)?;
        }
    }
    Some((loser, cause))
}

/// The side with the greater of two offences.
fn loser<T: Ord>([first, second]: &[T; 2]) -> Option<Side> {
    match first.cmp(second) {
        std::cmp::Ordering::Greater => Some(Side::First),
        std::cmp::Ordering::Less => Some(Side::Second),
        std::cmp::Ordering::Equal => None,
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

/// One side's moves in a cycle, as far as they are examined.
struct Conduct {
    /// With `Prey::OnePiece`, the enemy pieces that every examined move newly threatened. With
    /// `Prey::Any`, all enemy pieces until one move is no attack. 0: no offence.
    chased: u128,
    /// Those of `chased` that a further piece attacked after each move, if the rule ranks chases.
    attacked_anew: u128,
    /// True if some attack was not a chase.
    is_mixed: bool,
}

impl Conduct {
    /// The conduct of both sides. Walks the span backwards.
    ///
    /// A piece is identified by its square, which follows the moves: two horses that change places
    /// are two horses.
    fn of_both(line: &Line<Xiangqi>, span: Range<usize>, book: &RuleBook) -> [Self; 2] {
        let mut position = line.position().clone();
        for index in (span.end..line.len()).rev() {
            let (mv, undo) = line.step(index);
            position.unmake_move(mv, undo);
        }
        let mut conducts = [0, 1].map(|side| {
            let chased = position.sides[1 - side];
            let attacked_anew = if book.ranks_chases { chased } else { 0 };
            Conduct {
                chased,
                attacked_anew,
                is_mixed: false,
            }
        });
        for index in span.rev() {
            if conducts.iter().all(|conduct| conduct.chased == 0) {
                break;
            }
            let (mv, undo) = line.step(index);
            let after = position.clone();
            position.unmake_move(mv, undo);
            let mover = position.to_move;
            conducts[mover.index()].examine(&position, mv, &after, book);

            let (from, to) = decode(mv);
            let other = &mut conducts[mover.other().index()];
            for set in [&mut other.chased, &mut other.attacked_anew] {
                if *set & to.bit() != 0 {
                    *set ^= from.bit() | to.bit();
                }
            }
        }
        conducts
    }

    /// Examines the move from one position to another.
    fn examine(&mut self, before: &Xiangqi, mv: Move, after: &Xiangqi, book: &RuleBook) {
        if self.chased == 0 {
            return;
        }
        let candidates = match book.prey {
            _ if after.checked => 0,
            Prey::OnePiece => self.chased,
            Prey::Any => u128::MAX,
        };
        let now = chase::threatened(after, before.to_move, candidates, book.gain);
        let new = now & !chase::threatened(before, before.to_move, now, book.gain);
        // A move out of check is no threat of mate: the threat might be an older one.
        let is_other_attack = || {
            after.checked && book.check_effect == CheckEffect::Attacks
                || book.counts_mate_threats && !before.checked && mate_threat::is_threatened(after)
        };
        match book.prey {
            Prey::OnePiece => self.chased &= new,
            Prey::Any if new != 0 => {}
            Prey::Any if is_other_attack() => self.is_mixed = true,
            Prey::Any => self.chased = 0,
        }
        if self.attacked_anew != 0 {
            self.attacked_anew &= self.chased;
            self.attacked_anew &= chase::attacked_anew(before, mv, after, self.attacked_anew);
        }
    }

    /// 0 for innocence; greater is worse.
    fn gravity(&self) -> u8 {
        u8::from(self.chased != 0) + u8::from(self.attacked_anew != 0)
    }

    fn cause(&self) -> Cause {
        if self.is_mixed {
            Cause::PerpetualAttack
        } else {
            Cause::PerpetualChase
        }
    }
}
