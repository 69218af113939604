//! The contribution of each number to the value of a position: its gradient.

use super::count;
use super::numbers::{self, DISCS, OF_STAGE};
use super::stage::Stage;
use super::terms::Terms;
use super::tuples::{Length, pattern};
use crate::{Othello, SQUARE_CLASS};

/// The numbers that contribute to `position`, in the order of their indices in the
/// [table](numbers::TABLE), each with its coefficient in units of 1 / [`UNIT`](super::UNIT).
///
/// The sum of all numbers times their coefficients, divided by [`UNIT`](super::UNIT), is the value
/// for the side to move before it is limited, within 1 for rounding.
pub fn features(position: &Othello) -> Vec<(usize, i32)> {
    let [own, enemy] = count::discs(position);
    let counts = counts(position);
    let shares = Stage::shares((own | enemy).count_ones());
    let mut features = Vec::new();
    for (stage, share) in Stage::ALL.into_iter().zip(shares) {
        if share != 0 {
            let of_stage = counts.iter();
            let before = stage as usize * OF_STAGE;
            features.extend(of_stage.map(|&(index, count)| (before + index, count * share)));
        }
    }
    features
}

/// The nonzero counts of the numbers of a stage, in order, by their indices in the first stage.
fn counts(position: &Othello) -> Vec<(usize, i32)> {
    let [own, enemy] = count::discs(position);
    let mut counts = vec![0; OF_STAGE];
    let mut add = |index: usize, count: i32| counts[index] += count;
    for (square, &class) in SQUARE_CLASS.iter().enumerate() {
        let count = (own >> square & 1) as i32 - (enemy >> square & 1) as i32;
        add(class, count);
        add(DISCS, count);
    }
    for place in 0..Terms::COUNT {
        let count = count::term(place, position);
        add(numbers::term(place), count);
    }
    for length in Length::ALL {
        for tuple in &length.shape().tuples {
            let squares = tuple.squares.into_iter().take(length.squares());
            let class = usize::from(tuple.class);
            let mut meet = |pattern| add(numbers::tuple(length, class, pattern), 1);
            if tuple.forward {
                meet(pattern(squares.clone(), own, enemy));
            }
            if tuple.backward {
                meet(pattern(squares.rev(), own, enemy));
            }
        }
    }
    let all = counts.into_iter().enumerate();
    all.filter(|(_, count)| *count != 0).collect()
}
