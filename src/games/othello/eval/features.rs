//! What each parameter contributes to the value of a position: its gradient.

use super::count;
use super::parameter::Parameter;
use super::stage::Stage;
use super::terms::Terms;
use super::tuples::{Length, pattern};
use crate::games::othello::{Othello, SQUARE_CLASS};

/// The parameters that count in `position`, in the order of their indices, each
/// with its coefficient in units of 1 / [`UNIT`](super::UNIT).
///
/// The sum of all parameters times their coefficients, divided by
/// [`UNIT`](super::UNIT), is the value for the side to move before it is limited,
/// within 1 for rounding.
pub fn features(position: &Othello) -> Vec<(Parameter, i32)> {
    let [own, enemy] = count::discs(position);
    let counts = counts(position);
    let shares = Stage::shares((own | enemy).count_ones());
    let mut features = Vec::new();
    for (stage, share) in Stage::ALL.into_iter().zip(shares) {
        if share != 0 {
            let of_stage = counts.iter();
            features.extend(of_stage.map(|&(parameter, count)| {
                let coefficient = count * share;
                (parameter.in_stage(stage), coefficient)
            }));
        }
    }
    features
}

/// How often each number of a stage counts, those that do, in order.
fn counts(position: &Othello) -> Vec<(Parameter, i32)> {
    const STAGE: Stage = Stage::Opening;
    let [own, enemy] = count::discs(position);
    let mut counts = vec![0; Parameter::OF_STAGE];
    let mut add = |parameter: Parameter, count: i32| counts[parameter.index()] += count;
    for (square, &class) in SQUARE_CLASS.iter().enumerate() {
        let count = (own >> square & 1) as i32 - (enemy >> square & 1) as i32;
        add(Parameter::Squares(STAGE, class as u8), count);
        add(Parameter::Discs(STAGE), count);
    }
    for place in 0..Terms::COUNT {
        let count = count::term(place, position);
        add(Parameter::Term(STAGE, place as u8), count);
    }
    for length in Length::ALL {
        for tuple in &length.shape().tuples {
            let squares = tuple.squares.into_iter().take(length.squares());
            let first = usize::from(tuple.class) * length.patterns();
            let mut meet = |pattern: usize| {
                add(Parameter::Tuple(STAGE, length, (first + pattern) as u16), 1);
            };
            if tuple.forward {
                meet(pattern(squares.clone(), own, enemy));
            }
            if tuple.backward {
                meet(pattern(squares.rev(), own, enemy));
            }
        }
    }
    let all = Parameter::all().zip(counts);
    all.filter(|(_, count)| *count != 0).collect()
}
