//! Evaluations that are sums of parameters times counts.

use crate::config::Number;
use crate::games::go::Capture;
use crate::games::othello::Othello;
use crate::games::othello::eval as othello;
use crate::games::xiangqi::Xiangqi;
use crate::games::xiangqi::eval as xiangqi;
use crate::numbers::NumberTable;
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
    const PARAMETERS: usize = xiangqi::numbers::NUMBERS;
    const UNIT: i32 = xiangqi::PHASES;

    fn numbers() -> Vec<Number> {
        all(&xiangqi::numbers::TABLE)
    }

    fn features(&self) -> Vec<(usize, i32)> {
        xiangqi::features(self)
    }
}

/// Nothing in it is linear: what is known of Go blocks counts, limits and multiplies. A
/// config that asks for a fit is refused.
impl Linear for Capture {
    const PARAMETERS: usize = 0;
    const UNIT: i32 = 1;

    fn numbers() -> Vec<Number> {
        Vec::new()
    }

    fn features(&self) -> Vec<(usize, i32)> {
        Vec::new()
    }
}

impl Linear for Othello {
    const PARAMETERS: usize = othello::numbers::NUMBERS;
    const UNIT: i32 = othello::UNIT;

    fn numbers() -> Vec<Number> {
        all(&othello::numbers::TABLE)
    }

    fn features(&self) -> Vec<(usize, i32)> {
        othello::features(self)
    }
}

fn all(table: &'static NumberTable) -> Vec<Number> {
    table.entries().map(Number::Eval).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::config::{GameChoice, default_variant};
    use crate::eval::{Evaluation, MAX_EVAL};
    use crate::games::othello::OthelloRules;
    use crate::games::othello::tests::any_position;
    use crate::games::xiangqi::XiangqiRules;
    use crate::numbers::EvalParams;

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
        let index = |number: &Number| number.of_eval().unwrap().index();
        for numbers in [Othello::numbers(), Xiangqi::numbers()] {
            assert!(numbers.iter().map(index).eq(0..numbers.len()));
        }
    }

    proptest! {
        #[test]
        fn features_of_othello_are_its_evaluation(
            position in any_position(),
            values in prop::collection::vec(-200..=200, Othello::PARAMETERS),
        ) {
            let given = values.iter().copied().map(i64::from);
            let params = EvalParams::of(&othello::numbers::TABLE, given);
            let params = othello::OthelloParams::of(&params).unwrap();
            let features = position.features().into_iter();
            let sum: i32 = features.map(|(index, count)| values[index] * count).sum();
            let evaluation = othello::OthelloEvaluation::new(&params, OthelloRules::default());
            prop_assert_eq!(
                (sum / Othello::UNIT).clamp(-MAX_EVAL, MAX_EVAL),
                evaluation.evaluate(&position, ())
            );
        }
    }
}
