//! The only writer of CSV: a line consists of [`Cell`]s, and a cell is either foreign [`words`] or
//! a value [of our own](own).
//!
//! Cells are quoted as in RFC 4180; a line ends with a line feed alone, as scripts on Unix expect:
//! the RFC requires a carriage return before it. Words that a spreadsheet would run as a formula
//! get an apostrophe in front (OWASP, "CSV Injection"); control characters and those that reverse
//! text are escaped.

use std::fmt::Display;

use leitai_base::foreign::shown;

/// The text between two commas.
pub struct Cell(String);

/// A cell with foreign text, such as a name.
pub fn words(text: &str) -> Cell {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let guard = if is_formula && text.parse::<f64>().is_err() {
        "'"
    } else {
        ""
    };
    own(format_args!("{guard}{}", shown(text)))
}

/// A cell with a number, a position or a word of our own.
pub fn own(value: impl Display) -> Cell {
    let text = value.to_string();
    if text.contains([',', '"', '\n', '\r']) {
        return Cell(format!("\"{}\"", text.replace('"', "\"\"")));
    }
    Cell(text)
}

/// A cell with a value of our own; empty for `None`.
pub fn or_empty(value: Option<impl Display>) -> Cell {
    value.map_or_else(|| own(""), own)
}

/// A column: its name, and its cell in the row of an item.
pub type Column<T> = (&'static str, fn(&T) -> Cell);

/// A header line, and one line per item.
pub fn table<T>(columns: &[Column<T>], items: impl IntoIterator<Item = T>) -> String {
    let names: Vec<Cell> = columns.iter().map(|(name, _)| own(name)).collect();
    let row = |item| {
        let cells: Vec<Cell> = columns.iter().map(|(_, cell)| cell(&item)).collect();
        line(&cells)
    };
    line(&names) + &items.into_iter().map(row).collect::<String>()
}

/// A line with its end.
pub fn line(cells: &[Cell]) -> String {
    let cells: Vec<&str> = cells.iter().map(|cell| cell.0.as_str()).collect();
    cells.join(",") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spreadsheet_runs_nothing() {
        for (text, wanted) in [
            ("plain", "plain"),
            ("a,\"b\"", "\"a,\"\"b\"\"\""),
            ("=HYPERLINK(\"x\")", "\"'=HYPERLINK(\"\"x\"\")\""),
            ("+1+cmd|' /C calc'!A0", "'+1+cmd|' /C calc'!A0"),
            ("-1.5e3", "-1.5e3"),
            ("-x", "'-x"),
            ("@SUM(1)", "'@SUM(1)"),
            ("\t=1", "'\\t=1"),
            ("\r=1", "'\\r=1"),
            ("a\u{202e}b\u{1b}", "a\\u{202e}b\\u{1b}"),
        ] {
            assert_eq!(line(&[words(text)]), format!("{wanted}\n"));
        }
        assert_eq!(
            line(&[own("---X"), own(-1), or_empty(None::<u8>)]),
            "---X,-1,\n"
        );
    }
}
