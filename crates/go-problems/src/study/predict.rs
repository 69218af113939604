//! Predictions from unfinished searches: at each checkpoint, the accuracy with which a feature of
//! the search so far separates targets that escape from targets that are captured, among the
//! problems that are still undecided.
//!
//! The features, all larger for an escape if the paper's observations hold:
//!
//! | feature | at a checkpoint |
//! |---|---|
//! | `value` | the best value of the deepest iteration |
//! | `value-change` | the same less the best value of the first iteration |
//! | `pn/dn` | logarithm of the proof number over the disproof number |
//! | `dn-past-peak` | logarithm of the greatest disproof number so far over the present one |
//! | `pn-past-peak` | the same of the proof number, with its sign turned |

use super::Cell;
use super::figures::{Prediction, Shape};
use super::fold::Fold;
use super::trajectory::{steps, tracer};
use crate::statistics::{Scored, auc};
use leitai_game::search::proof::Event;
use leitai_go::CaptureVerdict;

/// Depths of the checkpoints for values.
const DEPTHS: [u64; 6] = [2, 4, 6, 8, 10, 12];

/// Node counts of the checkpoints for proof numbers.
const NODES: [u64; 6] = [10, 100, 1_000, 10_000, 100_000, 1_000_000];

/// A feature: its name, and its value from the events up to a checkpoint.
type Feature = (&'static str, fn(&[Event]) -> Option<f64>);

const OF_VALUES: [Feature; 2] = [("value", value), ("value-change", value_change)];

const OF_NUMBERS: [Feature; 3] = [
    ("pn/dn", balance),
    ("dn-past-peak", |steps| past_peak(steps, |[_, dn]| dn)),
    ("pn-past-peak", |steps| {
        Some(-past_peak(steps, |[pn, _]| pn)?)
    }),
];

/// All predictions of the solvers whose trajectories are shown. Skips a checkpoint if no undecided
/// search has gone beyond the previous one.
pub(super) fn predictions(fold: &Fold<'_>) -> Vec<Prediction> {
    let mut all = Vec::new();
    for (shape, checkpoints, features) in [
        (Shape::Value, DEPTHS, &OF_VALUES[..]),
        (Shape::Numbers, NODES, &OF_NUMBERS),
    ] {
        let Some(solver) = tracer(fold, shape) else {
            continue;
        };
        let mut before = 0;
        for checkpoint in checkpoints {
            let is_new = fold.answered(solver).any(|(_, _, cell)| {
                let moments = steps(cell, shape);
                let last = seen(&moments, checkpoint).last().map(moment);
                !is_decided(cell, &moments, checkpoint) && last > Some(before)
            });
            before = checkpoint;
            if is_new {
                let found = features
                    .iter()
                    .map(|feature| predict(fold, solver, shape, checkpoint, *feature));
                // With one kind of outcome alone there is nothing to separate.
                all.extend(found.filter(|it| it.auc.positives > 0 && it.auc.negatives > 0));
            }
        }
    }
    all
}

/// The events up to a checkpoint.
fn seen(steps: &[Event], checkpoint: u64) -> &[Event] {
    let count = steps.partition_point(|step| moment(step) <= checkpoint);
    &steps[..count]
}

/// Returns whether a search had ended with a verdict at a checkpoint.
fn is_decided(cell: &Cell, steps: &[Event], checkpoint: u64) -> bool {
    let solved = cell.answer.verdict != CaptureVerdict::Unknown;
    solved && !steps.iter().any(|step| moment(step) > checkpoint)
}

fn predict(
    fold: &Fold<'_>,
    solver: usize,
    shape: Shape,
    checkpoint: u64,
    (feature, value): Feature,
) -> Prediction {
    let mut things = Vec::new();
    let mut decided = 0;
    for (_, case, cell) in fold.answered(solver) {
        let positive = match case.problem.expected {
            Some(CaptureVerdict::Escapes) => true,
            Some(CaptureVerdict::Captured) => false,
            _ => continue,
        };
        let all = steps(cell, shape);
        if is_decided(cell, &all, checkpoint) {
            decided += 1;
        } else if let Some(value) = value(seen(&all, checkpoint)) {
            things.push(Scored {
                cluster: case.cluster,
                value,
                positive,
            });
        }
    }
    Prediction {
        solver,
        feature,
        checkpoint,
        auc: auc(&things),
        decided,
    }
}

/// The position of an event on the scale of checkpoints.
fn moment(event: &Event) -> u64 {
    event
        .value()
        .map_or(event.visited(), |(depth, _)| depth.into())
}

fn value(steps: &[Event]) -> Option<f64> {
    Some(f64::from(steps.last()?.value()?.1))
}

fn value_change(steps: &[Event]) -> Option<f64> {
    // There is no change after one iteration.
    steps.get(1)?;
    Some(value(steps)? - value(steps.get(..1)?)?)
}

/// Proof and disproof number, at least 1.
fn numbers(event: &Event) -> Option<[f64; 2]> {
    Some(event.numbers()?.map(|number| f64::from(number.max(1))))
}

fn balance(steps: &[Event]) -> Option<f64> {
    let [pn, dn] = numbers(steps.last()?)?;
    Some(libm::log(pn / dn))
}

fn past_peak(steps: &[Event], which: fn([f64; 2]) -> f64) -> Option<f64> {
    let all = || steps.iter().filter_map(numbers).map(which);
    let peak = all().reduce(f64::max)?;
    Some(libm::log(peak / all().next_back()?))
}
