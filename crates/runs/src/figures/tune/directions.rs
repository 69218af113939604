//! Checks whether failures in a tune depend on a side or on values.

use std::cmp::Reverse;

use serde::Serialize;

use crate::figures::FailureShare;
use crate::store::BatchRow;
use crate::tournament::{ValueReliability, batch_reliability};

/// Greatest number of parameters shown.
const PARAMETERS: usize = 5;

/// Failure rates of a tune's players, by side and by parameter values.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FailureDirections {
    /// The first player of each pair, at the values plus a step.
    pub plus: FailureShare,
    /// The second player, at the values minus a step.
    pub minus: FailureShare,
    /// Parameters whose higher or lower value failed more often than the other, the largest
    /// difference first; at most five.
    pub parameters: Vec<ParameterFailures>,
}

/// Failure rates at the higher and at the lower of two values of a parameter.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ParameterFailures {
    /// The parameter's name.
    pub name: String,
    /// The player with the higher value.
    pub higher: FailureShare,
    /// The player with the lower value.
    pub lower: FailureShare,
}

impl FailureDirections {
    /// Counts the failures in batches of `size` pairs over dimensions with these names; `None` if
    /// no player failed in a game that counts.
    pub fn of(rows: &[BatchRow], size: u64, names: &[String]) -> Option<Self> {
        let sides = batch_reliability(rows, size);
        let [plus, minus] = [0, 1].map(|side| sides.of(side));
        if [plus, minus]
            .iter()
            .all(|side| side.failed + side.late == 0)
        {
            return None;
        }
        let mut values = ValueReliability::default();
        for row in rows {
            values.take(row, size);
        }
        let of_dimension = |(dimension, name): (usize, &String)| {
            let both = values.of(dimension);
            let failures = both.map(|own| own.failed + own.late);
            let difference = failures[0].abs_diff(failures[1]);
            let [higher, lower] = both.map(FailureShare::from);
            let row = ParameterFailures {
                name: name.clone(),
                higher,
                lower,
            };
            (difference > 0).then_some((difference, row))
        };
        let mut parameters: Vec<_> = names.iter().enumerate().filter_map(of_dimension).collect();
        parameters.sort_by_key(|(difference, _)| Reverse(*difference));
        parameters.truncate(PARAMETERS);
        Some(Self {
            plus: plus.into(),
            minus: minus.into(),
            parameters: parameters.into_iter().map(|(_, row)| row).collect(),
        })
    }

    /// Describes the failures, a sentence each.
    pub fn sentences(&self) -> Vec<String> {
        let words = |share: &FailureShare| {
            let none = || format!("failed in none of {}", share.games);
            share.words().unwrap_or_else(none)
        };
        let sides = format!(
            "the plus side {}, the minus side {}",
            words(&self.plus),
            words(&self.minus)
        );
        let parameters = self.parameters.iter().map(|row| {
            format!(
                "`{}`: the higher value {}, the lower {}",
                row.name,
                words(&row.higher),
                words(&row.lower)
            )
        });
        std::iter::once(sides).chain(parameters).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::BatchFailure;
    use leitai_game::Cause;
    use leitai_players::play::Fault;
    use leitai_stats::Pentanomial;

    /// A batch of two pairs with these values, in which the player of `side` failed twice.
    fn batch(number: u64, plus: [f64; 2], minus: [f64; 2], side: Option<usize>) -> BatchRow {
        let failures = side.into_iter().flat_map(|variant| {
            [0, 1].map(|game| BatchFailure {
                pair: 2 * number,
                fault: Fault {
                    attempt: 1,
                    game,
                    variant,
                    cause: Cause::Crash,
                },
                counts: true,
                evidence: leitai_players::play::EvidenceList::default(),
            })
        });
        BatchRow {
            number,
            plus: plus.to_vec(),
            minus: minus.to_vec(),
            result: Pentanomial([0, 0, 2, 0, 0]),
            failures: failures.collect(),
            elapsed_us: 0,
        }
    }

    #[test]
    fn a_value_that_fails_is_found_whatever_side_it_is_on() {
        let names = ["a".to_owned(), "b".to_owned()];
        // The higher value of `a` crashes; the crashes coincide once with the higher and once with
        // the lower value of `b`.
        let rows = [
            batch(0, [5.0, 1.0], [3.0, 0.0], Some(0)),
            batch(1, [3.0, 1.0], [5.0, 0.0], Some(1)),
            batch(2, [4.0, 1.0], [4.0, 0.0], None),
        ];
        let found = FailureDirections::of(&rows, 2, &names).expect("failures");
        assert_eq!(
            found.sentences(),
            [
                "the plus side failed in 2 of 12 games (16.7 %), the minus side failed in 2 of 12 \
                 games (16.7 %)",
                "`a`: the higher value failed in 4 of 8 games (50.0 %), the lower failed in none \
                 of 8",
            ]
        );
        assert_eq!(FailureDirections::of(&rows[2..], 2, &names), None);
    }
}
