//! Tables of cells, laid out for a terminal and as Markdown.

use std::fmt::Write as _;

use crate::report::markdown::{self, Code, sentence};

/// Columns of the running text.
const WIDTH: usize = 88;

/// A titled table. The first row is its header; the first `words` columns hold
/// words, the others numbers.
pub(super) struct Table {
    pub(super) title: String,
    pub(super) rows: Vec<Vec<String>>,
    pub(super) words: usize,
}

/// A row of names.
pub(super) fn header(names: &[&str]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}

/// The tables and paragraphs under a heading, for a terminal.
pub(super) fn on_terminal(heading: String, tables: &[Table], notes: &[String]) -> String {
    let mut text = heading;
    for table in tables {
        let _ = write!(text, "\n\n{}:\n{}", table.title, aligned(table));
    }
    text.push('\n');
    for note in notes {
        let _ = write!(text, "\n{}", wrapped(note));
    }
    text
}

/// The same as Markdown.
pub(super) fn as_markdown(heading: &str, tables: &[Table], notes: &[String]) -> String {
    let mut text = sentence(heading, Code::Tagless);
    for table in tables {
        let (title, words) = (sentence(&table.title, Code::Tagless), table.words);
        let rows = markdown::table(&table.rows, |column| column < words);
        let _ = write!(text, "\n\n{title}:\n\n{rows}");
    }
    for note in notes {
        let _ = write!(text, "\n\n{}", sentence(note, Code::Tagless));
    }
    text
}

/// Columns as wide as their widest cell, words to the left, numbers to the
/// right.
fn aligned(table: &Table) -> String {
    let columns = table.rows.first().map_or(0, Vec::len);
    let width = |column: usize| {
        let cells = table.rows.iter().map(|row| row[column].chars().count());
        cells.max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let lines = table.rows.iter().map(|row| {
        let cells = row.iter().zip(&widths).enumerate();
        let cells = cells.map(|(column, (cell, &width))| {
            if column < table.words {
                format!("{cell:<width$}")
            } else {
                format!("{cell:>width$}")
            }
        });
        format!("  {}", cells.collect::<Vec<_>>().join("  ").trim_end())
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The text in lines of at most [`WIDTH`] characters.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut();
        if let Some(line) = line
            && (line.is_empty() || line.chars().count() + 1 + word.chars().count() <= WIDTH)
        {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines.join("\n")
}
