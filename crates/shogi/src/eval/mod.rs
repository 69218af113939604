//! Evaluation of Shogi: the values of pieces on the board and in hand, a bonus for the place of each
//! piece relative to both kings, and terms of attacks, king safety and mobility.

mod numbers;
mod terms;

pub use numbers::TABLE;

use std::array;

use leitai_game::eval::{Evaluation, MAX_EVAL, Score};
use leitai_game::numbers::EvalParams;
use leitai_game::{Move, Side};

use crate::board::Shogi;
use crate::moves::{Parts, unpack};
use crate::piece::{Kind, Piece};
use crate::square::{SQUARES, Square};
use numbers::{King, NUMBERS, TEMPO, TERMS};

/// A value for each square of a piece and of a king.
type Places = [[i16; SQUARES]; SQUARES];

/// The value of Black's pieces minus that of White's, and a bonus for the side to move.
#[derive(Clone, Debug)]
pub struct ShogiEvaluation {
    /// The value of a piece with its bonus for its own king, by kind, square and the king's square,
    /// as its side sees them.
    own: Box<[Places; Kind::COUNT]>,
    /// The bonus for the opponent's king.
    other: Box<[Places; Kind::COUNT]>,
    /// The value of a kind in hand.
    hand: [Score; 7],
    /// The value of a kind on the board.
    material: [Score; Kind::COUNT],
    tempo: Score,
    /// The weights of the terms.
    terms: [Score; terms::COUNT],
    /// False if all weights of the terms are zero.
    has_terms: bool,
}

impl ShogiEvaluation {
    /// The evaluation with these numbers; `None` if they belong to another game.
    pub fn of(params: &EvalParams) -> Option<Self> {
        let values: &[i64; NUMBERS] = params.values_of(&TABLE)?.try_into().ok()?;
        let number = |place: Option<usize>| place.map_or(0, |place| values[place] as Score);
        let places = |king: King| {
            let mut all = vec![[[0; SQUARES]; SQUARES]; Kind::COUNT];
            for kind in Kind::ALL {
                let worth = match king {
                    King::Own => number(numbers::material(kind)),
                    King::Other => 0,
                };
                for square in Square::all() {
                    for of_king in Square::all() {
                        let bonus = number(numbers::relative(king, kind, square, of_king));
                        let value = (worth + bonus).clamp(i16::MIN.into(), i16::MAX.into());
                        all[kind as usize][square.index()][of_king.index()] = value as i16;
                    }
                }
            }
            all.into_boxed_slice().try_into().ok()
        };
        Some(Self {
            own: places(King::Own)?,
            other: places(King::Other)?,
            hand: Kind::IN_HAND.map(|kind| number(Some(numbers::in_hand(kind)))),
            material: Kind::ALL.map(|kind| number(numbers::material(kind))),
            tempo: values[TEMPO] as Score,
            terms: array::from_fn(|term| values[TERMS + term] as Score),
            has_terms: values[TERMS..].iter().any(|value| *value != 0),
        })
    }

    /// The value of a piece for its side.
    #[inline]
    fn value(&self, piece: Piece, square: Square, kings: [Square; 2]) -> Score {
        let Piece { side, kind } = piece;
        let square = square.relative_to(side).index();
        let [own, other] = [side, side.other()].map(|it| kings[it.index()].relative_to(side));
        let own = self.own[kind as usize][square][own.index()];
        let other = self.other[kind as usize][square][other.index()];
        Score::from(own) + Score::from(other)
    }

    /// The value of a piece in Black's balance.
    #[inline]
    fn signed(&self, piece: Piece, square: Square, kings: [Square; 2]) -> Score {
        sign(piece.side) * self.value(piece, square, kings)
    }

    /// The balance with the kings on other squares, without the piece on `taken`.
    fn balance(&self, position: &Shogi, kings: [Square; 2], taken: Option<Square>) -> Score {
        let mut sum = 0;
        for side in Side::BOTH {
            for square in position.of_side(side) {
                if Some(square) == taken {
                    continue;
                }
                if let Some(piece) = position.piece_on(square)
                    && piece.kind != Kind::King
                {
                    sum += self.signed(piece, square, kings);
                }
            }
            let hand = position.hand(side).into_iter().zip(self.hand);
            let in_hand: Score = hand.map(|(count, value)| Score::from(count) * value).sum();
            sum += sign(side) * in_hand;
        }
        sum
    }
}

const fn sign(side: Side) -> Score {
    match side {
        Side::First => 1,
        Side::Second => -1,
    }
}

/// The squares of both kings.
#[inline]
fn kings(position: &Shogi) -> [Square; 2] {
    Side::BOTH.map(|side| position.king(side).unwrap_or(Square::at(0)))
}

impl Evaluation<Shogi> for ShogiEvaluation {
    /// Black's balance.
    type Accumulator = Score;

    fn accumulate(&self, position: &Shogi) -> Score {
        self.balance(position, kings(position), None)
    }

    #[inline]
    fn advance(&self, balance: Score, before: &Shogi, mv: Move) -> Score {
        let side = before.turn();
        let own = |kind: Kind| Piece { side, kind };
        let mut kings = kings(before);
        match unpack(mv) {
            None => balance,
            Some(Parts::Drop { kind, to }) => {
                balance + self.signed(own(kind), to, kings) - sign(side) * self.hand[kind as usize]
            }
            Some(Parts::Step { from, to, promotes }) => {
                let Some(moved) = before.piece_on(from) else {
                    return balance;
                };
                let victim = before.piece_on(to);
                let gained = victim.map_or(0, |victim| self.hand[victim.kind.base() as usize % 7]);
                let gained = sign(side) * gained;
                if moved.kind == Kind::King {
                    kings[side.index()] = to;
                    return self.balance(before, kings, victim.map(|_| to)) + gained;
                }
                let promoted = if promotes {
                    moved.kind.promoted()
                } else {
                    None
                };
                let placed = own(promoted.unwrap_or(moved.kind));
                let lost = victim.map_or(0, |victim| self.signed(victim, to, kings));
                balance - self.signed(moved, from, kings) + self.signed(placed, to, kings) - lost
                    + gained
            }
        }
    }

    #[inline]
    fn evaluate(&self, position: &Shogi, balance: Score) -> Score {
        let mut balance = balance;
        if self.has_terms {
            terms::count(position, |side, term, count| {
                balance += sign(side) * self.terms[term] * count as Score;
            });
        }
        let own = sign(position.turn()) * balance + self.tempo;
        own.clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// The captured piece on the board and in hand, and the gain of a promotion.
    #[inline]
    fn prize(&self, position: &Shogi, mv: Move) -> Score {
        let Some(Parts::Step { from, to, promotes }) = unpack(mv) else {
            return 0;
        };
        let victim = position.piece_on(to).map_or(0, |victim| {
            self.material[victim.kind as usize] + self.hand[victim.kind.base() as usize % 7]
        });
        let moved = position.piece_on(from).filter(|_| promotes);
        let gain = moved.and_then(|moved| {
            let promoted = moved.kind.promoted()?;
            Some(self.material[promoted as usize] - self.material[moved.kind as usize])
        });
        victim + gain.unwrap_or(0).max(0)
    }
}

/// Calls `add` with the numbers that count in a position, each once.
pub(crate) fn features(position: &Shogi, add: &mut impl FnMut(usize, i32)) {
    let kings = kings(position);
    let mut counts: Vec<(usize, i32)> = Vec::with_capacity(128);
    let us = position.turn();
    for side in Side::BOTH {
        let sign = if side == us { 1 } else { -1 };
        let [own, other] = [side, side.other()].map(|it| kings[it.index()].relative_to(side));
        for square in position.of_side(side) {
            let Some(Piece { kind, .. }) = position.piece_on(square) else {
                continue;
            };
            let square = square.relative_to(side);
            let places = [
                numbers::material(kind),
                numbers::relative(King::Own, kind, square, own),
                numbers::relative(King::Other, kind, square, other),
            ];
            counts.extend(places.into_iter().flatten().map(|place| (place, sign)));
        }
        for (kind, count) in Kind::IN_HAND.into_iter().zip(position.hand(side)) {
            if count > 0 {
                counts.push((numbers::in_hand(kind), sign * i32::from(count)));
            }
        }
    }
    terms::count(position, |side, term, count| {
        if count > 0 {
            let sign = if side == us { 1 } else { -1 };
            counts.push((TERMS + term, sign * count as i32));
        }
    });
    counts.sort_unstable_by_key(|(place, _)| *place);
    add(TEMPO, 1);
    for group in counts.chunk_by(|one, other| one.0 == other.0) {
        let count = group.iter().map(|(_, count)| count).sum();
        if count != 0 {
            add(group[0].0, count);
        }
    }
}
