//! The disc-square evaluation: every disc is worth what its square is worth.

use super::OthelloParams;
use crate::eval::{Evaluation, MAX_EVAL, Score};
use crate::game::othello::{Othello, OthelloRules};
use crate::game::{Move, Position};

/// Sum of the values of the own discs less that of the opponent's.
///
/// A row of eight squares is one look-up: the table gives the value of each of
/// its 256 sets of discs. The board is symmetric, so four rows serve for
/// eight, and 16 look-ups are a whole evaluation. A sum kept up move by move
/// would have to find the turned discs again at every move.
#[derive(Clone, Debug)]
pub struct DiscSquare {
    params: OthelloParams,
    /// By what a finished game is counted.
    rules: OthelloRules,
    /// Value of the discs in row 1, 2, 3 or 4, by the set of their files.
    rows: Box<[[i32; 256]; 4]>,
}

impl DiscSquare {
    /// The evaluation with these parameters, in games under these rules.
    pub fn new(params: OthelloParams, rules: OthelloRules) -> Self {
        let values = params.disc_values();
        let mut rows = Box::new([[0; 256]; 4]);
        for (row, sums) in rows.iter_mut().enumerate() {
            for (set, sum) in sums.iter_mut().enumerate() {
                *sum = (0..8)
                    .filter(|file| set >> file & 1 != 0)
                    .map(|file| values[8 * row + file])
                    .sum();
            }
        }
        Self {
            params,
            rules,
            rows,
        }
    }

    /// The parameters that it was made with.
    pub fn params(&self) -> &OthelloParams {
        &self.params
    }

    /// Value of a set of discs.
    fn value(&self, discs: u64) -> Score {
        let sets = discs.to_le_bytes().map(usize::from);
        (0..4)
            .map(|row| self.rows[row][sets[row]] + self.rows[row][sets[7 - row]])
            .sum()
    }
}

impl Default for DiscSquare {
    fn default() -> Self {
        Self::new(OthelloParams::default(), OthelloRules::default())
    }
}

impl Evaluation<Othello> for DiscSquare {
    /// Nothing is worth carrying along.
    type Accumulator = ();

    fn accumulate(&self, _position: &Othello) {}

    fn advance(&self, (): (), _before: &Othello, _mv: Move) {}

    fn evaluate(&self, position: &Othello, (): ()) -> Score {
        let side = position.side_to_move();
        let value = self.value(position.discs(side)) - self.value(position.discs(side.other()));
        value.clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// A finished game is worth its margin (1..=64 discs, counted by the rules
    /// of the game) on top of [`MAX_EVAL`]: more than any estimate, and more
    /// the more discs it is won by, however far away. A draw is 0.
    fn evaluate_without_moves(&self, position: &Othello, _ply: u32) -> Score {
        let margin = position.final_score(position.side_to_move(), self.rules);
        margin + margin.signum() * MAX_EVAL
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::eval::MATE;
    use crate::game::Side;
    use crate::game::othello::EmptySquares;
    use crate::game::othello::tests::any_position;

    fn any_params() -> impl Strategy<Value = OthelloParams> {
        (prop::array::uniform10(-200..=200), -50..=50)
            .prop_map(|(squares, discs)| OthelloParams { squares, discs })
    }

    fn with_other_side(position: &Othello) -> Othello {
        let [black, white] = Side::BOTH.map(|side| position.discs(side));
        Othello::new(black, white, position.side_to_move().other()).unwrap()
    }

    fn with_colours_exchanged(position: &Othello) -> Othello {
        let [black, white] = Side::BOTH.map(|side| position.discs(side));
        Othello::new(white, black, position.side_to_move().other()).unwrap()
    }

    proptest! {
        #[test]
        fn the_value_is_the_sum_over_the_discs(
            position in any_position(), params in any_params(),
        ) {
            let side = position.side_to_move();
            let sum = (0..64).map(|square| {
                let value = params.disc_values()[square];
                let own = position.discs(side) >> square & 1;
                let other = position.discs(side.other()) >> square & 1;
                value * (own as i32 - other as i32)
            }).sum::<i32>();
            let evaluation = DiscSquare::new(params, OthelloRules::default());
            prop_assert_eq!(
                evaluation.evaluate(&position, ()),
                sum.clamp(-MAX_EVAL, MAX_EVAL)
            );
        }

        #[test]
        fn images_are_worth_the_same(position in any_position(), params in any_params()) {
            let evaluation = DiscSquare::new(params, OthelloRules::default());
            for image in position.images() {
                prop_assert_eq!(evaluation.evaluate(&image, ()), evaluation.evaluate(&position, ()));
            }
        }

        #[test]
        fn the_other_side_sees_the_opposite(position in any_position(), params in any_params()) {
            let evaluation = DiscSquare::new(params, OthelloRules::default());
            let value = evaluation.evaluate(&position, ());
            let end = evaluation.evaluate_without_moves(&position, 3);
            let seen_by_other = with_other_side(&position);
            prop_assert_eq!(evaluation.evaluate(&seen_by_other, ()), -value);
            prop_assert_eq!(evaluation.evaluate_without_moves(&seen_by_other, 3), -end);
            let exchanged = with_colours_exchanged(&position);
            prop_assert_eq!(evaluation.evaluate(&exchanged, ()), value);
            prop_assert_eq!(evaluation.evaluate_without_moves(&exchanged, 3), end);
        }

        #[test]
        fn an_end_lies_between_estimates_and_mates(position in any_position()) {
            let end = DiscSquare::default().evaluate_without_moves(&position, 0);
            let winner = position.verdict_without_moves().winner;
            prop_assert_eq!(end > 0, winner == Some(position.side_to_move()));
            prop_assert_eq!(end == 0, winner.is_none());
            prop_assert!(end == 0 || (MAX_EVAL < end.abs() && end.abs() < MATE - 128));
        }
    }

    #[test]
    fn a_larger_margin_is_worth_more() {
        let evaluation = DiscSquare::default();
        let end = |black: u32| {
            let black = u64::MAX.checked_shr(64 - black).unwrap_or(0);
            let position = Othello::new(black, !black, Side::First).unwrap();
            evaluation.evaluate_without_moves(&position, 60)
        };
        assert_eq!(end(32), 0);
        assert_eq!(end(33), MAX_EVAL + 2);
        assert_eq!(end(64), MAX_EVAL + 64);
        assert_eq!(end(0), -MAX_EVAL - 64);
        assert!((33..64).all(|discs| end(discs) < end(discs + 1)));
    }

    #[test]
    fn an_end_is_counted_by_the_rules_of_the_game() {
        // Three black discs and a white one that nobody can turn.
        let position = Othello::new(0b111, 1 << 63, Side::First).unwrap();
        assert_eq!(position.count_legal_moves(), 0);
        let end = |empties| {
            DiscSquare::new(OthelloParams::default(), OthelloRules { empties })
                .evaluate_without_moves(&position, 0)
        };
        assert_eq!(end(EmptySquares::Winner), MAX_EVAL + 62);
        assert_eq!(end(EmptySquares::Nobody), MAX_EVAL + 2);
    }

    #[test]
    fn known_positions_have_their_value() {
        let evaluation = DiscSquare::default();
        assert_eq!(evaluation.evaluate(&Othello::initial(), ()), 0);
        let corner_for_two_x_squares = Othello::new(1, 1 << 9 | 1 << 14, Side::First).unwrap();
        assert_eq!(evaluation.evaluate(&corner_for_two_x_squares, ()), 200);
        assert_eq!(evaluation.params(), &OthelloParams::default());
    }

    #[test]
    fn extreme_parameters_stay_in_bounds() {
        let evaluation = DiscSquare::new(
            OthelloParams {
                squares: [i32::MAX; 10],
                discs: i32::MAX,
            },
            OthelloRules::default(),
        );
        let full = Othello::new(u64::MAX, 0, Side::Second).unwrap();
        assert_eq!(evaluation.evaluate(&full, ()), -MAX_EVAL);
    }
}
