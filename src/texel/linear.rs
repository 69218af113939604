//! Evaluations that are sums of parameters times counts.

use crate::config::Number;
use crate::eval::othello::OthelloParams;
use crate::eval::xiangqi::{PHASES, Parameter, features};
use crate::game::othello::{Othello, SQUARE_CLASS};
use crate::game::xiangqi::Xiangqi;
use crate::game::{Position, Side};
use crate::search::Tactics;

/// A game with an evaluation that is linear in its parameters.
pub trait Linear: Tactics {
    /// Number of parameters, at most 65,536.
    const PARAMETERS: usize;

    /// What coefficients are counted in: a coefficient of `UNIT` adds the
    /// parameter once. Above 0.
    const UNIT: i32;

    /// What a config calls the parameters, in the order of their indices; as many as
    /// there are.
    fn numbers() -> Vec<Number>;

    /// The parameters that count here, each at most once, with their
    /// coefficients: the sum of parameters times coefficients, divided by
    /// [`UNIT`](Linear::UNIT), is the static value for the side to move, but
    /// for rounding and limits.
    fn features(&self) -> Vec<(usize, i32)>;
}

impl Linear for Xiangqi {
    const PARAMETERS: usize = Parameter::COUNT;
    const UNIT: i32 = PHASES;

    fn numbers() -> Vec<Number> {
        Parameter::all().map(Number::Xiangqi).collect()
    }

    fn features(&self) -> Vec<(usize, i32)> {
        features(self)
            .into_iter()
            .map(|(parameter, coefficient)| (parameter.index(), coefficient))
            .collect()
    }
}

/// The classes of squares, then what a disc is worth anywhere.
impl Linear for Othello {
    const PARAMETERS: usize = OthelloParams::SQUARE_NAMES.len() + 1;
    const UNIT: i32 = 1;

    fn numbers() -> Vec<Number> {
        let classes = 0..OthelloParams::SQUARE_NAMES.len() as u8;
        classes
            .map(Number::Squares)
            .chain([Number::Discs])
            .collect()
    }

    fn features(&self) -> Vec<(usize, i32)> {
        let turn = self.side_to_move();
        let mut coefficients = [0; Self::PARAMETERS];
        let discs = OthelloParams::SQUARE_NAMES.len();
        for side in Side::BOTH {
            let sign = if side == turn { 1 } else { -1 };
            let set = self.discs(side);
            for (square, &class) in SQUARE_CLASS.iter().enumerate() {
                if set >> square & 1 != 0 {
                    coefficients[class] += sign;
                    coefficients[discs] += sign;
                }
            }
        }
        let counted = coefficients.into_iter().enumerate();
        counted.filter(|(_, count)| *count != 0).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::config::{GameChoice, default_variant};
    use crate::eval::othello::DiscSquare;
    use crate::eval::{Evaluation, MAX_EVAL};
    use crate::game::othello::OthelloRules;
    use crate::game::othello::tests::any_position;
    use crate::game::xiangqi::XiangqiRules;

    #[test]
    fn every_number_of_an_evaluation_is_a_parameter() {
        let of = |game| {
            let variant = default_variant(game).unwrap();
            let all = Number::all(&variant).into_iter();
            all.filter(Number::is_eval).collect::<Vec<_>>()
        };
        assert_eq!(
            Othello::numbers(),
            of(GameChoice::Othello(OthelloRules::default()))
        );
        let game = GameChoice::Xiangqi(XiangqiRules::default());
        assert_eq!(Xiangqi::numbers(), of(game));
        assert_eq!(Othello::numbers().len(), Othello::PARAMETERS);
        assert_eq!(Xiangqi::numbers().len(), Xiangqi::PARAMETERS);
        let index = |number: &Number| match number {
            Number::Xiangqi(parameter) => parameter.index(),
            _ => usize::MAX,
        };
        assert!(
            Xiangqi::numbers()
                .iter()
                .map(index)
                .eq(0..Xiangqi::PARAMETERS)
        );
    }

    proptest! {
        #[test]
        fn features_of_othello_are_its_evaluation(
            position in any_position(),
            squares in prop::array::uniform10(-200..=200),
            discs in -50..=50,
        ) {
            let params = OthelloParams { squares, discs };
            let value_of = |index: usize| squares.get(index).copied().unwrap_or(discs);
            let sum: i32 = position
                .features()
                .into_iter()
                .map(|(index, count)| value_of(index) * count)
                .sum();
            prop_assert_eq!(
                sum.clamp(-MAX_EVAL, MAX_EVAL),
                DiscSquare::new(params, OthelloRules::default()).evaluate(&position, ())
            );
        }
    }
}
