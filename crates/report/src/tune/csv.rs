//! A trajectory as CSV for pandas, R and gnuplot: a line per point.

use crate::csv::{Cell, line, or_empty, own, words};
use leitai_stats::tune::Trajectory;

/// Writes a header and a line per point: `games`, then the value and the standard error of each
/// dimension in columns `NAME` and `NAME error`. Unknown values are empty fields.
pub fn trajectory_csv<S: AsRef<str>>(names: &[S], trajectory: &Trajectory) -> String {
    let columns = names.iter().map(AsRef::as_ref);
    let columns = columns.flat_map(|name: &str| [words(name), words(&format!("{name} error"))]);
    let header: Vec<Cell> = std::iter::once(own("games")).chain(columns).collect();
    let mut text = line(&header);
    for point in &trajectory.points {
        let mut row = vec![own(point.games)];
        for index in 0..names.len() {
            let error = point.errors.as_ref().and_then(|errors| errors.get(index));
            row.extend([number(point.values.get(index)), number(error)]);
        }
        text += &line(&row);
    }
    text
}

fn number(value: Option<&f64>) -> Cell {
    // Adding 0 turns a negative zero into a positive one.
    let value = value.filter(|value| value.is_finite());
    or_empty(value.map(|value| value + 0.0))
}
