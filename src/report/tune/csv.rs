//! A trajectory as CSV: a line per point, as pandas, R and gnuplot take it at once.

use crate::report::csv::field;
use crate::tune::Trajectory;

/// A header and a line per point: `games`, then for each dimension its value and
/// its standard error in columns `NAME` and `NAME error`. What is not known is an
/// empty field. Fields are quoted as in RFC 4180; a line ends with a line feed.
pub fn trajectory_csv<S: AsRef<str>>(names: &[S], trajectory: &Trajectory) -> String {
    let columns = names.iter().map(AsRef::as_ref);
    let columns = columns.flat_map(|name: &str| [field(name), field(&format!("{name} error"))]);
    let header: Vec<String> = std::iter::once("games".to_owned()).chain(columns).collect();
    let mut text = header.join(",") + "\n";
    for point in &trajectory.points {
        let mut row = vec![point.games.to_string()];
        for index in 0..names.len() {
            let error = point.errors.as_ref().and_then(|errors| errors.get(index));
            row.extend([number(point.values.get(index)), number(error)]);
        }
        text += &(row.join(",") + "\n");
    }
    text
}

fn number(value: Option<&f64>) -> String {
    // Adding 0 turns a negative zero into a positive one.
    let value = value.filter(|value| value.is_finite());
    value.map_or_else(String::new, |value| (value + 0.0).to_string())
}
