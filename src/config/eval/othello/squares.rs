//! What a disc is worth by its square: ten classes, or the whole board.

use toml::Spanned;

use super::raw::Cell;
use crate::config::eval::number;
use crate::config::problem::Problem;
use crate::config::raw::Number;
use crate::games::othello::eval::OthelloParams;
use crate::games::othello::{SQUARE_CLASS, square_name};

const CLASSES: usize = OthelloParams::SQUARE_NAMES.len();

/// The ten classes of squares under the symmetries of the board. A table of the whole
/// board must be symmetric itself.
pub(super) fn squares(
    raw: &Spanned<Vec<Spanned<Cell>>>,
    key: &str,
    problems: &mut Vec<Problem>,
) -> Option<[i32; CLASSES]> {
    let Some(numbers) = flat(raw.get_ref()) else {
        problems.push(wrong_form(raw, key));
        return None;
    };
    let values: Vec<Option<i32>> = numbers
        .iter()
        .map(|raw| number(raw, key, problems))
        .collect();
    let values: Option<Vec<i32>> = values.into_iter().collect();
    let values = values?;
    if let Ok(classes) = values.as_slice().try_into() {
        return Some(classes);
    }
    collapsed(&numbers, &values, key, problems)
}

/// The numbers in order, if they are 10 or 64, or 8 rows of 8.
fn flat(cells: &[Spanned<Cell>]) -> Option<Vec<Number>> {
    let rows: Option<Vec<&[Number]>> = cells
        .iter()
        .map(|cell| match cell.get_ref() {
            Cell::Row(row) => Some(row.as_slice()).filter(|row| row.len() == 8),
            Cell::Number(_) => None,
        })
        .collect();
    if let Some(rows) = rows.filter(|rows| rows.len() == 8) {
        return Some(rows.concat());
    }
    let numbers = cells.iter().map(|cell| match cell.get_ref() {
        Cell::Number(value) => Some(Spanned::new(cell.span(), *value)),
        Cell::Row(_) => None,
    });
    let numbers: Vec<Number> = numbers.collect::<Option<_>>()?;
    [CLASSES, 64].contains(&numbers.len()).then_some(numbers)
}

fn wrong_form(raw: &Spanned<Vec<Spanned<Cell>>>, key: &str) -> Problem {
    let cells = raw.get_ref();
    let rows = cells.iter().filter_map(|cell| match cell.get_ref() {
        Cell::Row(row) => Some((cell.span(), row.len())),
        Cell::Number(_) => None,
    });
    let rows: Vec<_> = rows.collect();
    let problem = Problem::error(
        raw.span(),
        format!("`{key}` must have 10 or 64 numbers, or 8 rows of 8"),
    );
    let problem = match (rows.len(), cells.len()) {
        (0, found) => problem.label(format!("{found} numbers")),
        (found, all) if found != all => problem.label("rows and numbers side by side"),
        (found, _) => {
            let problem = problem.label(format!("{found} rows"));
            let odd = rows.into_iter().find(|(_, length)| *length != 8);
            match odd {
                Some((span, length)) => problem.context(span, format!("{length} numbers")),
                None => problem,
            }
        }
    };
    problem.help(
        "one for each class of squares: a1 b1 c1 d1 b2 c2 d2 c3 d3 d4;\n\
         or the whole board: a1 b1 .. h1, a2 .. h8",
    )
}

/// The classes of a whole board, or which two squares contradict each other.
fn collapsed(
    numbers: &[Number],
    values: &[i32],
    key: &str,
    problems: &mut Vec<Problem>,
) -> Option<[i32; CLASSES]> {
    let mut classes: [Option<usize>; CLASSES] = [None; CLASSES];
    for (square, &class) in SQUARE_CLASS.iter().enumerate() {
        let first = *classes[class].get_or_insert(square);
        let (one, other) = (values.get(first)?, values.get(square)?);
        if one != other {
            let [first_name, name] = [first, square].map(square_name);
            problems.push(
                Problem::error(
                    numbers[square].span(),
                    format!(
                        "`{key}` is not symmetric: {name} is {other}, but {first_name} is {one}"
                    ),
                )
                .label(name.clone())
                .context(numbers[first].span(), first_name.clone())
                .help(format!(
                    "the symmetries of the board carry {first_name} to {name}: give both the same \
                     number, or write ten, one for each class: a1 b1 c1 d1 b2 c2 d2 c3 d3 d4"
                )),
            );
            return None;
        }
    }
    let values = classes.map(|square| square.and_then(|square| values.get(square).copied()));
    let values: Option<Vec<i32>> = values.into_iter().collect();
    values?.try_into().ok()
}
