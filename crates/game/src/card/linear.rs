//! An evaluation that is only a sum of features.

use std::marker::PhantomData;

use super::Game;
use crate::Move;
use crate::eval::{Evaluation, MAX_EVAL, Score};
use crate::numbers::EvalParams;

/// The evaluation of a game by its [`features`](Game::features): the sum of its numbers times their
/// coefficients, divided by [`UNIT`](Game::UNIT) and limited to [`MAX_EVAL`]. Search, tuning and
/// fits to results share this one definition.
#[derive(Clone, Debug)]
pub struct Linear<G> {
    numbers: Box<[i32]>,
    game: PhantomData<fn() -> G>,
}

impl<G: Game> Linear<G> {
    /// The evaluation with these numbers; `None` if they belong to another game.
    pub fn new(params: &EvalParams) -> Option<Self> {
        let values = params.values_of(G::numbers())?.iter();
        Some(Self {
            numbers: values.map(|&value| value as i32).collect(),
            game: PhantomData,
        })
    }
}

/// The value of a sum of numbers times their coefficients.
pub(super) fn evaluation_of_sum<G: Game>(sum: i64) -> Score {
    let most = i64::from(MAX_EVAL);
    (sum / i64::from(G::UNIT)).clamp(-most, most) as Score
}

impl<G: Game> Evaluation<G> for Linear<G> {
    type Accumulator = ();

    fn accumulate(&self, _: &G) {}

    fn advance(&self, (): (), _: &G, _: Move) {}

    fn evaluate(&self, position: &G, (): ()) -> Score {
        let mut sum = 0_i64;
        position.features(&mut |number, count| {
            let value = self.numbers.get(number).copied().unwrap_or(0);
            sum += i64::from(value) * i64::from(count);
        });
        evaluation_of_sum::<G>(sum)
    }

    /// The increase of the whole value: the only estimate available by making the move.
    fn prize(&self, position: &G, mv: Move) -> Score {
        let mut after = position.clone();
        after.make(mv);
        let theirs = match after.count_legal_moves() {
            0 => self.evaluate_without_moves(&after, 0),
            _ => self.evaluate(&after, ()),
        };
        -theirs - self.evaluate(position, ())
    }
}
