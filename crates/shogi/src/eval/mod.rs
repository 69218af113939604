//! Evaluation of Shogi: the values of pieces on the board and in hand, a bonus for the place of each
//! piece relative to both kings, and terms of attacks, king safety and mobility.

mod numbers;
mod terms;

pub use numbers::TABLE;

use std::array;

use leitai_game::eval::{Evaluation, MAX_EVAL, PackedScore, Score};
use leitai_game::numbers::EvalParams;
use leitai_game::{Move, Side};

use crate::board::Shogi;
use crate::moves::{Parts, unpack};
use crate::piece::{Kind, Piece};
use crate::square::{Square, Squares};
use numbers::{King, NUMBERS, TEMPO, TERMS};

/// The phase of a position without a piece in hand or in the opponent's camp; pawns do not count.
pub(crate) const PHASES: i32 = 12;

/// The phase of `position`, from 0 (endgame) to [`PHASES`] (middlegame): each piece in hand or in the
/// opponent's camp is one step, except pawns and kings.
#[inline]
fn phase(position: &Shogi) -> i32 {
    let engaged = Side::BOTH.map(|side| {
        let weak = position.pieces(side, Kind::Pawn) | position.pieces(side, Kind::King);
        let camp = position.of_side(side) & Squares::last_ranks(side, 3) & !weak;
        let held: u8 = position.hand(side)[1..].iter().sum();
        camp.len() as i32 + i32::from(held)
    });
    (PHASES - engaged[0] - engaged[1]).max(0)
}

/// A value for each distance of a piece from a king, by [`distance`].
type Places = [PackedScore; 2 * CENTRE + 1];

/// The [`distance`] of 0 files and 0 ranks.
const CENTRE: usize = 17 * 8 + 8;

/// The value of Black's pieces minus that of White's, and a bonus for the side to move.
#[derive(Clone, Debug)]
pub struct ShogiEvaluation {
    /// The value of a piece with its bonus for its own king.
    own: Box<[Places; Kind::COUNT]>,
    /// The bonus for the opponent's king.
    other: Box<[Places; Kind::COUNT]>,
    /// The value of a kind in hand.
    hand: [PackedScore; 7],
    /// The value of a kind on the board.
    material: [PackedScore; Kind::COUNT],
    tempo: Score,
    /// The weights of the terms.
    terms: Box<[PackedScore; terms::COUNT]>,
    /// False if all weights of the terms are zero.
    has_terms: bool,
}

impl ShogiEvaluation {
    /// The evaluation with these numbers; `None` if they belong to another game.
    pub fn of(params: &EvalParams) -> Option<Self> {
        let values: &[i64; NUMBERS] = params.values_of(&TABLE)?.try_into().ok()?;
        let pair = |place: usize| {
            let of_stage = |stage| values[numbers::first(stage) + place] as Score;
            PackedScore::new(of_stage(0), of_stage(1))
        };
        let of = |place: Option<usize>| place.map_or(PackedScore::default(), pair);
        let places = |king: King| {
            let mut all = vec![[PackedScore::default(); 2 * CENTRE + 1]; Kind::COUNT];
            for kind in Kind::ALL {
                let worth = match king {
                    King::Own => of(numbers::material(kind)),
                    King::Other => PackedScore::default(),
                };
                for files in -8..=8 {
                    for ranks in -8..=8 {
                        let place = CENTRE.wrapping_add_signed((17 * files + ranks) as isize);
                        let bonus = of(numbers::relative(king, kind, files, ranks));
                        all[kind as usize][place] = worth + bonus;
                    }
                }
            }
            all.into_boxed_slice().try_into().ok()
        };
        let terms: [_; terms::COUNT] = array::from_fn(|term| pair(TERMS + term));
        Some(Self {
            own: places(King::Own)?,
            other: places(King::Other)?,
            hand: Kind::IN_HAND.map(|kind| pair(numbers::in_hand(kind))),
            material: Kind::ALL.map(|kind| of(numbers::material(kind))),
            tempo: values[TEMPO] as Score,
            has_terms: terms.iter().any(|weight| *weight != PackedScore::default()),
            terms: Box::new(terms),
        })
    }

    /// The contribution of a piece to Black's balance.
    #[inline]
    fn signed(&self, piece: Piece, square: Square, kings: [Square; 2]) -> PackedScore {
        let Piece { side, kind } = piece;
        let [own, other] = [side, side.other()].map(|it| distance(side, square, kings[it.index()]));
        sign(
            side,
            self.own[kind as usize][own] + self.other[kind as usize][other],
        )
    }

    /// The value in hand of a captured piece.
    #[inline]
    fn in_hand(&self, captured: Kind) -> PackedScore {
        self.hand[captured.base() as usize % 7]
    }

    /// The balance with the kings on other squares, without the piece on `taken`.
    fn balance(&self, position: &Shogi, kings: [Square; 2], taken: Option<Square>) -> PackedScore {
        let mut sum = PackedScore::default();
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
            for (count, value) in position.hand(side).into_iter().zip(self.hand) {
                sum += sign(side, value * i32::from(count));
            }
        }
        sum
    }
}

/// The distance of a square from a king, as a side sees both: 17 for each file and 1 for each rank,
/// from 0 to twice [`CENTRE`].
#[inline]
fn distance(side: Side, square: Square, king: Square) -> usize {
    let wide = |square: Square| (17 * square.file() + square.rank()) as isize;
    let distance = wide(square) - wide(king);
    CENTRE.wrapping_add_signed(if side == Side::First {
        distance
    } else {
        -distance
    })
}

/// A value for a side in Black's balance.
#[inline]
fn sign(side: Side, value: PackedScore) -> PackedScore {
    match side {
        Side::First => value,
        Side::Second => PackedScore::default() - value,
    }
}

/// The squares of both kings.
#[inline]
fn kings(position: &Shogi) -> [Square; 2] {
    Side::BOTH.map(|side| position.king(side).unwrap_or(Square::at(0)))
}

impl Evaluation<Shogi> for ShogiEvaluation {
    /// Black's balance.
    type Accumulator = PackedScore;

    fn accumulate(&self, position: &Shogi) -> PackedScore {
        self.balance(position, kings(position), None)
    }

    #[inline]
    fn advance(&self, balance: PackedScore, before: &Shogi, mv: Move) -> PackedScore {
        let side = before.turn();
        let own = |kind: Kind| Piece { side, kind };
        let mut kings = kings(before);
        match unpack(mv) {
            None => balance,
            Some(Parts::Drop { kind, to }) => {
                balance + self.signed(own(kind), to, kings) - sign(side, self.hand[kind as usize])
            }
            Some(Parts::Step { from, to, promotes }) => {
                let Some(moved) = before.piece_on(from) else {
                    return balance;
                };
                let victim = before.piece_on(to);
                let none = PackedScore::default();
                let gained = victim.map_or(none, |victim| self.in_hand(victim.kind));
                let gained = sign(side, gained);
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
                let lost = victim.map_or(none, |victim| self.signed(victim, to, kings));
                balance - self.signed(moved, from, kings) + self.signed(placed, to, kings) - lost
                    + gained
            }
        }
    }

    #[inline]
    fn evaluate(&self, position: &Shogi, balance: PackedScore) -> Score {
        let mut balance = balance;
        if self.has_terms {
            terms::count(position, |side, term, count| {
                balance += sign(side, self.terms[term] * count as Score);
            });
        }
        let own = sign(position.turn(), balance).tapered(PHASES, || phase(position));
        (own + self.tempo).clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// The captured piece on the board and in hand, and the gain of a promotion.
    #[inline]
    fn prize(&self, position: &Shogi, mv: Move) -> Score {
        let Some(Parts::Step { from, to, promotes }) = unpack(mv) else {
            return 0;
        };
        let victim = position.piece_on(to).map_or(0, |victim| {
            (self.material[victim.kind as usize] + self.in_hand(victim.kind)).first()
        });
        let moved = position.piece_on(from).filter(|_| promotes);
        let gain = moved.and_then(|moved| {
            let promoted = moved.kind.promoted()?;
            let [promoted, moved] = [promoted, moved.kind].map(|it| self.material[it as usize]);
            Some((promoted - moved).first())
        });
        victim + gain.unwrap_or(0).max(0)
    }
}

/// Calls `add` with the numbers that count in a position, each once, with its coefficient in units
/// of 1 / [`PHASES`].
pub(crate) fn features(position: &Shogi, add: &mut impl FnMut(usize, i32)) {
    let kings = kings(position);
    let mut counts = [0; numbers::OF_STAGE];
    let us = position.turn();
    let sign = |side: Side| if side == us { 1 } else { -1 };
    for side in Side::BOTH {
        let [own, other] = [side, side.other()].map(|it| kings[it.index()].relative_to(side));
        for square in position.of_side(side) {
            let Some(Piece { kind, .. }) = position.piece_on(square) else {
                continue;
            };
            let square = square.relative_to(side);
            let relative = |king, of: Square| {
                let files = square.file() as i32 - of.file() as i32;
                numbers::relative(king, kind, files, square.rank() as i32 - of.rank() as i32)
            };
            let places = [
                numbers::material(kind),
                relative(King::Own, own),
                relative(King::Other, other),
            ];
            for place in places.into_iter().flatten() {
                counts[place] += sign(side);
            }
        }
        for (kind, count) in Kind::IN_HAND.into_iter().zip(position.hand(side)) {
            counts[numbers::in_hand(kind)] += sign(side) * i32::from(count);
        }
    }
    terms::count(position, |side, term, count| {
        counts[TERMS + term] += sign(side) * count as i32;
    });
    add(TEMPO, PHASES);
    let middle = phase(position);
    for (stage, parts) in [middle, PHASES - middle].into_iter().enumerate() {
        for (place, count) in counts.into_iter().enumerate() {
            if count * parts != 0 {
                add(numbers::first(stage) + place, count * parts);
            }
        }
    }
}
