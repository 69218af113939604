//! Material and squares, compiled into one table and updated incrementally, and the weights of the
//! terms that are counted on the board.

use super::count;
use super::params::{Weights, XiangqiParams};
use super::taper::{Balance, PHASES, phase};
use super::terms::{Terms, Wanted};
use crate::{Kind, Piece, Square, Xiangqi};
use leitai_game::eval::{Evaluation, MAX_EVAL, Score};
use leitai_game::{Move, Position, Side};

/// The values of Red's pieces on their squares and of their cooperation, minus those of Black's,
/// and a bonus for the side to move.
#[derive(Clone, Debug)]
pub struct XiangqiEvaluation {
    /// The contribution of a piece on a square to Red's balance: negative for Black's pieces.
    values: Box<[[Balance; Square::COUNT]; Piece::COUNT]>,
    /// `None` if no term has a weight.
    terms: Option<TermWeights>,
    tempo: Score,
}

/// The weights of the terms, by phase.
#[derive(Clone, Debug)]
struct TermWeights {
    wanted: Wanted,
    middle: [i32; Terms::COUNT],
    end: [i32; Terms::COUNT],
}

/// Maximum magnitude of the value of a piece or square; [`TERM_LIMIT`] is that of the weight of a
/// term. The limits exclude overflows of sums.
const LIMIT: Score = 1_000_000;
const TERM_LIMIT: Score = MAX_EVAL;

impl XiangqiEvaluation {
    /// The evaluation with these numbers. Numbers beyond plus or minus a million are limited to a
    /// million, weights of terms to [`MAX_EVAL`].
    #[doc(hidden)]
    pub fn new(params: &XiangqiParams) -> Self {
        let XiangqiParams { tempo, middle, end } = params;
        let mut values = Box::new([[Balance::default(); Square::COUNT]; Piece::COUNT]);
        for &kind in Kind::ALL {
            for square in (0..Square::COUNT).filter_map(|index| Square::new(index as u8)) {
                let value = |weights: &Weights| {
                    let row = weights.pst[kind.index()][9 - square.rank()];
                    limited(weights.material[kind.index()]) + limited(row[square.file()])
                };
                let value = Balance::new(value(middle), value(end));
                let piece = |side| Piece { side, kind }.index();
                values[piece(Side::First)][square.index()] = value;
                values[piece(Side::Second)][square.rotated().index()] = Balance::default() - value;
            }
        }
        let weights = |terms: &Terms| {
            let limited = |weight: i32| weight.clamp(-TERM_LIMIT, TERM_LIMIT);
            terms.numbers().map(limited)
        };
        let terms = Wanted::by([&middle.terms, &end.terms]).map(|wanted| TermWeights {
            wanted,
            middle: weights(&middle.terms),
            end: weights(&end.terms),
        });
        Self {
            values,
            terms,
            tempo: limited(*tempo),
        }
    }

    #[inline]
    fn value(&self, piece: Option<Piece>, square: Square) -> Balance {
        piece.map_or(Balance::default(), |piece| {
            self.values[piece.index()][square.index()]
        })
    }
}

impl TermWeights {
    /// The contribution of the terms to Red's balance.
    #[inline]
    fn balance(&self, position: &Xiangqi) -> Balance {
        let counts = count::balance(position, &self.wanted);
        let (mut middle, mut end) = (0, 0);
        for (place, n) in counts.into_iter().enumerate() {
            middle += self.middle[place] * n;
            end += self.end[place] * n;
        }
        Balance::new(middle, end)
    }
}

fn limited(value: i32) -> Score {
    value.clamp(-LIMIT, LIMIT)
}

impl Evaluation<Xiangqi> for XiangqiEvaluation {
    /// Material and squares of Red's pieces minus those of Black's.
    type Accumulator = Balance;

    fn accumulate(&self, position: &Xiangqi) -> Balance {
        (0..Square::COUNT)
            .filter_map(|index| Square::new(index as u8))
            .map(|square| self.value(position.piece_at(square), square))
            .fold(Balance::default(), |sum, value| sum + value)
    }

    #[inline]
    fn advance(&self, balance: Balance, before: &Xiangqi, mv: Move) -> Balance {
        let Some((from, to)) = Xiangqi::squares_of(mv) else {
            return balance;
        };
        let moved = before.piece_at(from);
        balance + self.value(moved, to)
            - self.value(moved, from)
            - self.value(before.piece_at(to), to)
    }

    fn is_costly(&self) -> bool {
        self.terms.is_some()
    }

    #[inline]
    fn prize(&self, position: &Xiangqi, mv: Move) -> Score {
        let victim = Xiangqi::squares_of(mv)
            .map(|(_, to)| self.value(position.piece_at(to), to))
            .unwrap_or_default();
        victim.first().abs().max(victim.second().abs())
    }

    #[inline]
    fn evaluate(&self, position: &Xiangqi, balance: Balance) -> Score {
        let balance = match &self.terms {
            None => balance,
            Some(terms) => balance + terms.balance(position),
        };
        self.estimate(position, balance)
    }

    /// Only material and squares.
    #[inline]
    fn estimate(&self, position: &Xiangqi, balance: Balance) -> Score {
        let red = balance.tapered(PHASES, || phase(position));
        let own = match position.side_to_move() {
            Side::First => red,
            Side::Second => -red,
        };
        (own + self.tempo).clamp(-MAX_EVAL, MAX_EVAL)
    }
}
