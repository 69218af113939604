//! A list of numbers. A list for the square classes of a board may also cover the whole board.

use super::numbers;
use crate::problem::{Problem, Problems};
use crate::values::{RawValue, Spanned};
use leitai_game::numbers::{Board, Key};

/// The numbers of a list. A table of the whole board must be symmetric.
pub(super) fn list(
    raw: &Spanned<RawValue>,
    path: &str,
    key: &Key,
    problems: &mut Problems,
) -> Option<Vec<i64>> {
    let cells = super::list(raw, path, problems)?;
    let Some(cells) = flat(cells, key) else {
        return wrong_form(raw, cells, path, key).refuse(problems);
    };
    let values = numbers(cells.iter().copied(), path, key, problems)?;
    match &key.board {
        Some(board) if values.len() != key.len() => {
            collapsed(board, &cells, &values, (path, key), problems)
        }
        _ => Some(values),
    }
}

/// The cells in order, if there is one per place, or one per square of the board, optionally in
/// rows.
fn flat<'r>(cells: &'r [Spanned<RawValue>], key: &Key) -> Option<Vec<&'r Spanned<RawValue>>> {
    let squares = key.board.as_ref().map(|board| board.squares.len());
    let columns = key.board.as_ref().map(|board| board.columns);
    let rows = rows(cells);
    if rows.is_empty() {
        let fits = cells.len() == key.len() || Some(cells.len()) == squares;
        return fits.then(|| cells.iter().collect());
    }
    let are_whole = rows.iter().all(|(_, row)| Some(row.len()) == columns);
    let flat: Vec<_> = rows.iter().flat_map(|(_, row)| row.iter()).collect();
    (rows.len() == cells.len() && are_whole && Some(flat.len()) == squares).then_some(flat)
}

/// The cells that are rows, each with its own cells.
fn rows(cells: &[Spanned<RawValue>]) -> Vec<(&Spanned<RawValue>, &[Spanned<RawValue>])> {
    let rows = cells.iter().filter_map(|cell| match cell.get_ref() {
        RawValue::List(row) => Some((cell, row.as_slice())),
        _ => None,
    });
    rows.collect()
}

/// The names of the places, separated by spaces.
fn names(key: &Key) -> String {
    let names = (0..key.len()).filter_map(|place| key.place_name(place));
    names.collect::<Vec<_>>().join(" ")
}

fn wrong_form(
    raw: &Spanned<RawValue>,
    cells: &[Spanned<RawValue>],
    path: &str,
    key: &Key,
) -> Problem {
    let (rows, count) = (rows(cells), key.len());
    let board = key.board.as_ref().filter(|board| !board.squares.is_empty());
    let (message, help) = match board {
        None => (format!("must have {count} numbers"), names(key)),
        Some(Board {
            columns, squares, ..
        }) => {
            let (all, height) = (squares.len(), squares.len() / columns);
            let [row, next] = [&squares[..*columns], &squares[*columns..]];
            (
                format!("must have {count} or {all} numbers, or {height} rows of {columns}"),
                format!(
                    "one for each class of squares: {};\n\
                     or the whole board: {} {} .. {}, {} .. {}",
                    names(key),
                    row[0],
                    row[1],
                    row[columns - 1],
                    next[0],
                    squares[all - 1],
                ),
            )
        }
    };
    let problem = Problem::error(raw.span(), format!("`{path}` {message}")).help(help);
    match (rows.len(), cells.len()) {
        (0, found) => problem.label(format!("{found} numbers")),
        (found, all) if found != all => problem.label("rows and numbers side by side"),
        (found, _) => {
            let problem = problem.label(format!("{found} rows"));
            let columns = board.map(|board| board.columns);
            let odd = rows.iter().find(|(_, row)| Some(row.len()) != columns);
            odd.into_iter().fold(problem, |problem, (cell, row)| {
                problem.context(cell.span(), format!("{} numbers", row.len()))
            })
        }
    }
}

/// Reduces a whole board to the values of its classes, or reports two squares that contradict each
/// other.
fn collapsed(
    board: &Board,
    cells: &[&Spanned<RawValue>],
    values: &[i64],
    (path, key): (&str, &Key),
    problems: &mut Problems,
) -> Option<Vec<i64>> {
    let mut classes: Vec<Option<usize>> = vec![None; key.len()];
    for (square, class) in board.places.iter().enumerate() {
        let Some(class) = *class else { continue };
        let first = *classes[class].get_or_insert(square);
        let (one, other) = (values[first], values[square]);
        if one != other {
            let [first_name, name] = [first, square].map(|square| &board.squares[square]);
            return Problem::error(
                cells[square].span(),
                format!("`{path}` is not symmetric: {name} is {other}, but {first_name} is {one}"),
            )
            .label(name.clone())
            .context(cells[first].span(), first_name.clone())
            .help(format!(
                "the symmetries of the board carry {first_name} to {name}: give both the same \
                 number, or write {}, one for each class: {}",
                key.len(),
                names(key)
            ))
            .refuse(problems);
        }
    }
    let values = classes.into_iter().map(|square| Some(values[square?]));
    values.collect()
}
