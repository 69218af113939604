//! An evaluation that is no more than a sum of features.

use std::marker::PhantomData;

use super::Game;
use crate::Move;
use crate::eval::{Evaluation, MAX_EVAL, Score};
use crate::numbers::EvalParams;

/// The evaluation of a game by its [`features`](Game::features): each of its numbers times
/// its coefficient, divided by [`UNIT`](Game::UNIT), all added up and kept within
/// [`MAX_EVAL`]. What it counts is said once, for search, tuning and fit to results.
pub struct Linear<G> {
    numbers: Box<[i32]>,
    game: PhantomData<fn() -> G>,
}

impl<G: Game> Linear<G> {
    /// The evaluation with these numbers; `None` if they belong to another game.
    pub fn of(params: &EvalParams) -> Option<Self> {
        let values = params.values_of(G::numbers())?.iter();
        Some(Self {
            numbers: values.map(|&value| value as i32).collect(),
            game: PhantomData,
        })
    }
}

impl<G> Clone for Linear<G> {
    fn clone(&self) -> Self {
        let (numbers, game) = (self.numbers.clone(), PhantomData);
        Self { numbers, game }
    }
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
        let most = i64::from(MAX_EVAL);
        (sum / i64::from(G::UNIT)).clamp(-most, most) as Score
    }

    /// By how much the whole value rises, which is at hand by making the move alone.
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
