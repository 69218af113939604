//! Layout of tables for a terminal and as Markdown.

use std::fmt::Write as _;

use crate::columns::{Room, aligned, wrapped};
use crate::markdown::{self, Code, sentence};

/// Line width of running text, in columns.
const WIDTH: usize = 88;

/// A titled table. The first row is its header. The columns in `words`, counted from 0, contain
/// words, the others numbers.
pub struct Table {
    /// The heading above the table.
    pub title: String,
    /// The cells, the header row first.
    pub rows: Vec<Vec<String>>,
    /// The columns with words; the others hold numbers.
    pub words: Vec<usize>,
}

/// A column: its name, and the cell's text for an item.
pub type Column<T> = (&'static str, fn(&T) -> String);

impl Table {
    /// Builds a table with a row for each item.
    pub fn of<T>(
        title: impl Into<String>,
        words: usize,
        columns: &[Column<T>],
        items: impl IntoIterator<Item = T>,
    ) -> Self {
        let names = columns.iter().map(|(name, _)| (*name).to_owned());
        let row = |item| columns.iter().map(|(_, cell)| cell(&item)).collect();
        Self {
            title: title.into(),
            rows: std::iter::once(names.collect())
                .chain(items.into_iter().map(row))
                .collect(),
            words: (0..words).collect(),
        }
    }
}

impl Table {
    /// The number of first columns that identify a row: words, and a depth after them.
    fn keys(&self) -> usize {
        let words = self
            .words
            .iter()
            .zip(0..)
            .take_while(|(column, at)| *column == at);
        let words = words.count();
        let next = self.rows.first().and_then(|header| header.get(words));
        words.max(1) + usize::from(next.is_some_and(|name| name == "depth"))
    }
}

/// Tables under a heading, with one paragraph per note on how to read them.
pub struct Report {
    /// The first line.
    pub heading: String,
    /// The tables in their order.
    pub tables: Vec<Table>,
    /// The notes below the tables.
    pub notes: Vec<String>,
}

impl Report {
    /// Formats the report for a terminal.
    pub fn text(&self, room: Room) -> String {
        let mut text = self.heading.clone();
        for table in &self.tables {
            let is_text = |column| table.words.contains(&column);
            let keys = table.keys();
            let rows = aligned("  ", &table.rows, keys, is_text, room);
            let _ = write!(text, "\n\n{}:\n{rows}", table.title);
        }
        text.push('\n');
        let width = match room {
            Room::Fold(width) | Room::Drop(width) => width.min(WIDTH),
            Room::Unlimited => WIDTH,
        };
        for note in &self.notes {
            let _ = write!(text, "\n{}", wrapped(note.split(' '), width));
        }
        text
    }

    /// Formats the report as Markdown.
    pub fn markdown(&self) -> String {
        let mut text = sentence(&self.heading, Code::Tagless);
        for table in &self.tables {
            let title = sentence(&table.title, Code::Tagless);
            let rows = markdown::table(&table.rows, |column| table.words.contains(&column));
            let _ = write!(text, "\n\n{title}:\n\n{rows}");
        }
        for note in &self.notes {
            let _ = write!(text, "\n\n{}", sentence(note, Code::Tagless));
        }
        text
    }
}
