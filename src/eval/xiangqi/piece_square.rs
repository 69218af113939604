//! Material and square values, compiled into one table and kept up move by
//! move.

use super::XiangqiParams;
use crate::eval::{Evaluation, MAX_EVAL, Score};
use crate::game::xiangqi::{Kind, Piece, Square, Xiangqi};
use crate::game::{Move, Position, Side};

/// The sum of what Red's pieces are worth where they stand, less that of
/// Black's, and a bonus for the side to move.
#[derive(Clone, Debug)]
pub struct XiangqiEvaluation {
    /// What a piece on a square adds to Red's balance: negative for Black's.
    values: Box<[[Score; Square::COUNT]; Piece::COUNT]>,
    tempo: Score,
}

/// No parameter counts for more than this, so that no sum overflows.
const LIMIT: Score = 1_000_000;

impl XiangqiEvaluation {
    /// The evaluation with these numbers. Numbers beyond plus or minus a
    /// million count as a million.
    pub fn new(params: &XiangqiParams) -> Self {
        let mut values = Box::new([[0; Square::COUNT]; Piece::COUNT]);
        for kind in Kind::ALL {
            let material = limited(params.material[kind.index()]);
            for square in (0..Square::COUNT).filter_map(|index| Square::new(index as u8)) {
                let row = params.pst[kind.index()][9 - square.rank()];
                let value = material + limited(row[square.file()]);
                let piece = |side| Piece { side, kind }.index();
                values[piece(Side::First)][square.index()] = value;
                values[piece(Side::Second)][square.rotated().index()] = -value;
            }
        }
        Self {
            values,
            tempo: limited(params.tempo),
        }
    }

    #[inline]
    fn value(&self, piece: Option<Piece>, square: Square) -> Score {
        piece.map_or(0, |piece| self.values[piece.index()][square.index()])
    }
}

fn limited(value: i32) -> Score {
    value.clamp(-LIMIT, LIMIT)
}

impl Evaluation<Xiangqi> for XiangqiEvaluation {
    /// Red's balance: Red's pieces less Black's.
    type Accumulator = Score;

    fn accumulate(&self, position: &Xiangqi) -> Score {
        (0..Square::COUNT)
            .filter_map(|index| Square::new(index as u8))
            .map(|square| self.value(position.piece_at(square), square))
            .sum()
    }

    #[inline]
    fn advance(&self, balance: Score, before: &Xiangqi, mv: Move) -> Score {
        let Some((from, to)) = Xiangqi::squares_of(mv) else {
            return balance;
        };
        let moved = before.piece_at(from);
        balance + self.value(moved, to)
            - self.value(moved, from)
            - self.value(before.piece_at(to), to)
    }

    #[inline]
    fn prize(&self, position: &Xiangqi, mv: Move) -> Score {
        Xiangqi::squares_of(mv)
            .map_or(0, |(_, to)| self.value(position.piece_at(to), to))
            .abs()
    }

    #[inline]
    fn evaluate(&self, position: &Xiangqi, balance: Score) -> Score {
        let own = match position.side_to_move() {
            Side::First => balance,
            Side::Second => -balance,
        };
        (own + self.tempo).clamp(-MAX_EVAL, MAX_EVAL)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::game::MoveList;

    fn any_params() -> impl Strategy<Value = XiangqiParams> {
        let value = -300..300;
        let row = prop::array::uniform9(value.clone());
        let table = prop::array::uniform10(row);
        (
            prop::array::uniform7(value),
            prop::array::uniform7(table),
            -20..20,
        )
            .prop_map(|(material, pst, tempo)| XiangqiParams {
                material,
                pst,
                tempo,
            })
    }

    /// The position after the moves that `choices` picks from the legal ones.
    fn walk(choices: &[u8], mut visit: impl FnMut(&Xiangqi, Move)) -> Xiangqi {
        let mut position = Xiangqi::initial();
        for &choice in choices {
            let mut moves = MoveList::new();
            position.legal_moves(&mut moves);
            let Some(&mv) = moves.get(usize::from(choice) % moves.len().max(1)) else {
                break;
            };
            visit(&position, mv);
            position.make(mv);
        }
        position
    }

    /// The same position with the players exchanged: the board rotated, the
    /// colours and the turn swapped.
    fn exchanged(position: &Xiangqi) -> Xiangqi {
        let fen = position.to_fen();
        let (board, rest) = fen.split_once(' ').unwrap();
        let board: String = board
            .chars()
            .rev()
            .map(|c| match c {
                c if c.is_ascii_uppercase() => c.to_ascii_lowercase(),
                c => c.to_ascii_uppercase(),
            })
            .collect();
        let rest = match rest.split_at(1) {
            ("w", rest) => format!("b{rest}"),
            (_, rest) => format!("w{rest}"),
        };
        Xiangqi::from_fen(&format!("{board} {rest}")).unwrap()
    }

    proptest! {
        #[test]
        fn the_balance_kept_up_is_that_of_the_board(
            params in any_params(),
            choices in prop::collection::vec(any::<u8>(), 0..120),
        ) {
            let eval = XiangqiEvaluation::new(&params);
            let mut balance = eval.accumulate(&Xiangqi::initial());
            let end = walk(&choices, |before, mv| {
                assert_eq!(balance, eval.accumulate(before));
                balance = eval.advance(balance, before, mv);
            });
            prop_assert_eq!(balance, eval.accumulate(&end));
        }

        #[test]
        fn exchanging_the_players_changes_nothing(
            params in any_params(),
            choices in prop::collection::vec(any::<u8>(), 0..80),
        ) {
            let eval = XiangqiEvaluation::new(&params);
            let position = walk(&choices, |_, _| {});
            let other = exchanged(&position);
            prop_assert_eq!(
                eval.evaluate(&position, eval.accumulate(&position)),
                eval.evaluate(&other, eval.accumulate(&other))
            );
        }
    }

    #[test]
    fn the_parts_add_up_and_stay_in_bounds() {
        let mut params = XiangqiParams {
            material: [0; 7],
            pst: [[[0; 9]; 10]; 7],
            tempo: 3,
        };
        params.material[Kind::Rook.index()] = 200;
        // Red sees a5 in the fifth row from the far side, Black i4.
        params.pst[Kind::Rook.index()][4][0] = 7;
        let evaluated = |params: &XiangqiParams, fen: &str| {
            let eval = XiangqiEvaluation::new(params);
            let position = Xiangqi::from_fen(fen).unwrap();
            eval.evaluate(&position, eval.accumulate(&position))
        };
        let red = "3k5/9/9/9/R8/9/9/9/9/5K3 w - - 0 1";
        assert_eq!(evaluated(&params, red), 210);
        assert_eq!(evaluated(&params, &red.replace('w', "b")), -204);
        let black = "3k5/9/9/9/9/8r/9/9/9/5K3 b - - 0 1";
        assert_eq!(evaluated(&params, black), 210);
        params.material[Kind::Rook.index()] = i32::MAX;
        assert_eq!(evaluated(&params, red), MAX_EVAL);
        assert_eq!(evaluated(&params, &red.replace('w', "b")), -MAX_EVAL);
    }
}
