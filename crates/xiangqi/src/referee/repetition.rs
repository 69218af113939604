//! Verdicts on repetitions.

use super::book::{Book, Check, Gain, Prey};
use super::{chase, kill};
use crate::board::{Undo, Xiangqi, decode};
use crate::rules::RepetitionRule;
use leitai_game::{Cause, Line, Move, Side, Verdict};

/// Judges the moves between the position after `since` moves and the current position, which is the
/// same one.
///
/// 1. A side that gave check with every one of its moves loses, unless the other side did so too:
///    then it is a draw.
/// 2. Otherwise the side with the worse [`Conduct`] by the rule's [`Book`] loses.
/// 3. All else is a draw.
pub(super) fn judge(line: &Line<Xiangqi>, since: usize, rule: RepetitionRule) -> Verdict {
    let draw = Verdict::draw(Cause::Repetition);
    let checks = Checks::of(line, since);
    if let Some(loser) = loser(checks.always) {
        return Verdict::win(loser.other(), Cause::PerpetualCheck);
    }
    let Some(book) = Book::of(rule) else {
        return draw;
    };
    if checks.any && book.check == Check::ExcusesBoth {
        return draw;
    }
    let conducts = Conduct::of_both(line, since, book);
    let loser = loser([0, 1].map(|side: usize| conducts[side].gravity()));
    loser.map_or(draw, |loser| {
        Verdict::win(loser.other(), conducts[loser.index()].cause())
    })
}

/// The side with the greater of two offences.
fn loser<T: Ord>(offences: [T; 2]) -> Option<Side> {
    let [first, second] = &offences;
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
    /// The enemy pieces that a move of any kind may still incriminate: under a rule against
    /// threatening one piece, those that every move newly threatened. 0: the side is innocent.
    chased: u128,
    /// Those of `chased` that were not even attacked before any of the moves, if the rule ranks
    /// chases.
    attacked_anew: u128,
    /// True if some attack was not a chase.
    is_mixed: bool,
}

impl Conduct {
    /// The conduct of both sides. Walks the span backwards.
    ///
    /// A piece is identified by its square, which follows the moves: two horses that change places
    /// are two horses.
    fn of_both(line: &Line<Xiangqi>, since: usize, book: &Book) -> [Self; 2] {
        let mut position = line.position().clone();
        let mut conducts = [0, 1].map(|side| {
            let chased = position.sides[1 - side];
            let attacked_anew = if book.ranks_chases { chased } else { 0 };
            Conduct {
                chased,
                attacked_anew,
                is_mixed: false,
            }
        });
        for index in (since..line.len()).rev() {
            if conducts.iter().all(|conduct| conduct.chased == 0) {
                break;
            }
            let step = line.step(index);
            let mover = position.to_move.other();
            conducts[mover.index()].examine(&mut position, step, book);

            let (from, to) = decode(step.0);
            let other = &mut conducts[mover.other().index()];
            for set in [&mut other.chased, &mut other.attacked_anew] {
                if *set & to.bit() != 0 {
                    *set ^= from.bit() | to.bit();
                }
            }
        }
        conducts
    }

    /// Examines the last move, and takes it back.
    fn examine(&mut self, position: &mut Xiangqi, step: (Move, Undo), book: &Book) {
        let (mv, undo) = step;
        let mover = position.to_move.other();
        if self.chased == 0 {
            position.unmake_move(mv, undo);
            return;
        }
        if position.checked && book.check == Check::Attacks {
            self.is_mixed = true;
            position.unmake_move(mv, undo);
            return;
        }
        let candidates = match book.prey {
            _ if position.checked => 0,
            Prey::OnePiece => self.chased,
            Prey::Any => u128::MAX,
        };
        let now = chase::threatened(position, mover, candidates, book.gain);
        let after = position.clone();
        position.unmake_move(mv, undo);
        let new = now & !chase::threatened(position, mover, now, book.gain);
        match book.prey {
            Prey::OnePiece => self.chased &= new,
            Prey::Any if new != 0 => {}
            Prey::Any if book.kills && kill::is_threatened(&after) => self.is_mixed = true,
            Prey::Any => self.chased = 0,
        }
        self.attacked_anew &= self.chased;
        self.attacked_anew &= !chase::threatened(position, mover, self.attacked_anew, Gain::Any);
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
