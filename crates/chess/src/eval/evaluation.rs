//! Material and squares, updated move by move, and the weights of the terms counted on the board.

use cozy_chess::{Color, File, Piece, Square};

use super::count::{self, Sink};
use super::numbers::{self, NUMBERS, TABLE, TEMPO};
use super::taper::{PHASES, phase};
use super::terms::{COUNT, TermGroups};
use crate::Chess;
use crate::moves::{Parts, unpack};
use leitai_game::Move;
use leitai_game::eval::{Evaluation, MAX_EVAL, PackedScore, Score};
use leitai_game::numbers::EvalParams;

/// The value of White's pieces by kind, square and cooperation, minus that of Black's, plus a bonus
/// for the side to move.
#[derive(Clone, Debug)]
pub struct ChessEvaluation {
    /// The contribution of a piece of a colour on a square to White's balance: negative for
    /// Black's.
    values: Box<[[[PackedScore; Square::NUM]; Piece::NUM]; Color::NUM]>,
    /// `None` if no term has a weight.
    terms: Option<TermWeights>,
    tempo: Score,
}

#[derive(Clone, Debug)]
struct TermWeights {
    wanted: TermGroups,
    weights: Box<[PackedScore; COUNT]>,
}

/// The sum of weights times counts.
struct Sum<'a> {
    weights: &'a [PackedScore; COUNT],
    sum: PackedScore,
}

impl Sink for Sum<'_> {
    #[inline]
    fn add(&mut self, place: usize, count: i32) {
        self.sum += self.weights[place] * count;
    }
}

impl ChessEvaluation {
    /// The evaluation with these numbers; `None` if they belong to another game.
    pub fn of(params: &EvalParams) -> Option<Self> {
        let numbers: &[i64; NUMBERS] = params.values_of(&TABLE)?.try_into().ok()?;
        let pair = |place: usize| {
            let of_phase = |phase| numbers[numbers::first(phase) + place] as Score;
            PackedScore::new(of_phase(0), of_phase(1))
        };
        let mut values =
            Box::new([[[PackedScore::default(); Square::NUM]; Piece::NUM]; Color::NUM]);
        for piece in Piece::ALL {
            let worth = numbers::material(piece).map_or(PackedScore::default(), pair);
            for square in Square::ALL {
                let value = worth + pair(numbers::square(piece, square));
                let [white, black] = &mut *values;
                white[piece as usize][square as usize] = value;
                black[piece as usize][square.flip_rank() as usize] = PackedScore::default() - value;
            }
        }
        let weight = |place| pair(numbers::term(place));
        let terms = TermGroups::by(|place| weight(place) != PackedScore::default()).map(|wanted| {
            TermWeights {
                wanted,
                weights: Box::new(std::array::from_fn(weight)),
            }
        });
        Some(Self {
            values,
            terms,
            tempo: numbers[TEMPO] as Score,
        })
    }

    #[inline]
    fn value(&self, color: Color, piece: Piece, square: Square) -> PackedScore {
        self.values[color as usize][piece as usize][square as usize]
    }

    /// The captured piece and its square.
    #[inline]
    fn victim(before: &Chess, parts: Parts) -> Option<(Piece, Square)> {
        if parts.castles {
            return None;
        }
        if let Some(piece) = before.board.piece_on(parts.to) {
            return Some((piece, parts.to));
        }
        let passed = || Square::new(parts.to.file(), parts.from.rank());
        before.is_en_passant(parts).then(|| (Piece::Pawn, passed()))
    }
}

impl Evaluation<Chess> for ChessEvaluation {
    /// Material and squares of White's pieces minus those of Black's.
    type Accumulator = PackedScore;

    fn accumulate(&self, position: &Chess) -> PackedScore {
        let board = &position.board;
        let mut sum = PackedScore::default();
        for color in Color::ALL {
            for piece in Piece::ALL {
                for square in board.colored_pieces(color, piece) {
                    sum += self.value(color, piece, square);
                }
            }
        }
        sum
    }

    #[inline]
    fn advance(&self, balance: PackedScore, before: &Chess, mv: Move) -> PackedScore {
        let Some(parts) = unpack(mv) else {
            return balance;
        };
        let board = &before.board;
        let Some(moved) = board.piece_on(parts.from) else {
            return balance;
        };
        let color = board.side_to_move();
        let balance = balance - self.value(color, moved, parts.from);
        if parts.castles {
            let file = if parts.is_short() { File::F } else { File::D };
            let rook = Square::new(file, parts.from.rank());
            return balance + self.value(color, moved, parts.castled())
                - self.value(color, Piece::Rook, parts.to)
                + self.value(color, Piece::Rook, rook);
        }
        let balance = balance + self.value(color, parts.promotion.unwrap_or(moved), parts.to);
        match Self::victim(before, parts) {
            Some((piece, square)) => balance - self.value(!color, piece, square),
            None => balance,
        }
    }

    fn is_costly(&self) -> bool {
        self.terms.is_some()
    }

    /// The captured piece, plus the gain of a promotion.
    #[inline]
    fn prize(&self, position: &Chess, mv: Move) -> Score {
        let Some(parts) = unpack(mv) else {
            return 0;
        };
        let color = position.board.side_to_move();
        let most = |value: PackedScore| value.first().abs().max(value.second().abs());
        let victim = Self::victim(position, parts)
            .map_or(0, |(piece, square)| most(self.value(!color, piece, square)));
        let promotion = parts.promotion.map_or(0, |piece| {
            let after = self.value(color, piece, parts.to);
            most(after - self.value(color, Piece::Pawn, parts.from))
        });
        victim + promotion
    }

    #[inline]
    fn evaluate(&self, position: &Chess, balance: PackedScore) -> Score {
        let balance = match &self.terms {
            None => balance,
            Some(TermWeights { wanted, weights }) => {
                let sum = PackedScore::default();
                let mut sums = Color::ALL.map(|_| Sum { weights, sum });
                count::count(&position.board, *wanted, &mut sums);
                let [white, black] = sums;
                balance + white.sum - black.sum
            }
        };
        self.estimate(position, balance)
    }

    /// Only material and squares.
    #[inline]
    fn estimate(&self, position: &Chess, balance: PackedScore) -> Score {
        let board = &position.board;
        let white = balance.tapered(PHASES, || phase(board));
        let own = match board.side_to_move() {
            Color::White => white,
            Color::Black => -white,
        };
        (own + self.tempo).clamp(-MAX_EVAL, MAX_EVAL)
    }
}
