//! A list of numbers. A list for the square classes of a board may also cover the whole board.

use super::all_in_range;
use super::raw::Cell;
use crate::form::Spanned;
use crate::problem::{Problem, Problems};
use crate::raw::Number;
use leitai_game::numbers::{Board, Key};

type Cells = Spanned<Vec<Spanned<Cell>>>;

/// The numbers of a list. A table of the whole board must be symmetric.
pub(super) fn list(
    raw: &Cells,
    path: &str,
    key: &Key,
    problems: &mut Problems,
) -> Option<Vec<i64>> {
    let Some(numbers) = flat(raw.get_ref(), key) else {
        return wrong_form(raw, path, key).refuse(problems);
    };
    let values = all_in_range(&numbers, path, key, problems)?;
    match &key.board {
        Some(board) if values.len() != key.len() => {
            collapsed(board, &numbers, &values, (path, key), problems)
        }
        _ => Some(values),
    }
}

/// The numbers in order, if there is one per place, or one per square of the board, optionally in
/// rows.
fn flat(cells: &[Spanned<Cell>], key: &Key) -> Option<Vec<Number>> {
    if let Some(Board {
        columns, squares, ..
    }) = &key.board
    {
        let rows = cells.iter().map(|cell| match cell.get_ref() {
            Cell::Row(row) => Some(row.as_slice()).filter(|row| row.len() == *columns),
            Cell::Number(_) => None,
        });
        let rows: Option<Vec<&[Number]>> = rows.collect();
        if let Some(rows) = rows.filter(|rows| rows.len() * columns == squares.len()) {
            return Some(rows.concat());
        }
    }
    let numbers = cells.iter().map(|cell| match cell.get_ref() {
        Cell::Number(value) => Some(Spanned::new(cell.span(), *value)),
        Cell::Row(_) => None,
    });
    let numbers: Vec<Number> = numbers.collect::<Option<_>>()?;
    let squares = key.board.as_ref().map(|board| board.squares.len());
    let fits = numbers.len() == key.len() || Some(numbers.len()) == squares;
    fits.then_some(numbers)
}

/// The names of the places, separated by spaces.
fn names(key: &Key) -> String {
    let names = (0..key.len()).filter_map(|place| key.place_name(place));
    names.collect::<Vec<_>>().join(" ")
}

fn wrong_form(raw: &Cells, path: &str, key: &Key) -> Problem {
    let (cells, count) = (raw.get_ref(), key.len());
    let rows = cells.iter().filter_map(|cell| match cell.get_ref() {
        Cell::Row(row) => Some((cell.span(), row.len())),
        Cell::Number(_) => None,
    });
    let rows: Vec<_> = rows.collect();
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
    let problem = Problem::error(raw.span(), format!("`{path}` {message}"));
    let problem = match (rows.len(), cells.len()) {
        (0, found) => problem.label(format!("{found} numbers")),
        (found, all) if found != all => problem.label("rows and numbers side by side"),
        (found, _) => {
            let problem = problem.label(format!("{found} rows"));
            let columns = board.map(|board| board.columns);
            let odd = rows
                .into_iter()
                .find(|(_, length)| Some(*length) != columns);
            match odd {
                Some((span, length)) => problem.context(span, format!("{length} numbers")),
                None => problem,
            }
        }
    };
    problem.help(help)
}

/// Reduces a whole board to the values of its classes, or reports two squares that contradict each
/// other.
fn collapsed(
    board: &Board,
    numbers: &[Number],
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
                numbers[square].span(),
                format!("`{path}` is not symmetric: {name} is {other}, but {first_name} is {one}"),
            )
            .label(name.clone())
            .context(numbers[first].span(), first_name.clone())
            .help(format!(
                "the symmetries of the board carry {first_name} to {name}: give both the same \
                 number, or write {}, one for each class: {}",
                in_letters(key.len()),
                names(key)
            ))
            .refuse(problems);
        }
    }
    let values = classes.into_iter().map(|square| Some(values[square?]));
    values.collect()
}

/// A small number as a word.
fn in_letters(number: usize) -> String {
    const WORDS: [&str; 13] = [
        "none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    let word = WORDS.get(number).map(|&word| word.to_owned());
    word.unwrap_or_else(|| number.to_string())
}
