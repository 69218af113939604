//! Cells in aligned columns, and wrapped text. Widths are those on a terminal, where a Chinese character takes two
//! columns.

use std::ops::Range;

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr};

/// Largest aligned width in characters: a longer cell sticks out alone.
const WIDEST: usize = 200;
/// Characters between two columns.
const GAP: usize = 2;
/// Width of the text column to which other columns leave room.
const NARROWEST: usize = 16;

/// The room for a table, in columns of the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// Tables are as wide as their cells.
    Unlimited,
    /// Columns that do not fit move to further blocks below, in their order.
    Fold(usize),
    /// Columns that do not fit are left out, from the last one on.
    Drop(usize),
}

/// Rows of cells after `indent`, in columns as wide as their widest cell. Columns with `is_text` are left-aligned, the
/// others, with numbers, right-aligned. All rows have as many cells as the first, which is the header. In a table
/// wider than `room`, every block begins with the first `keys` columns; names in them are shortened to half of the
/// width, and other text wraps.
pub fn aligned(
    indent: &str,
    rows: &[Vec<String>],
    keys: usize,
    is_text: impl Fn(usize) -> bool,
    room: Room,
) -> String {
    let count = rows.first().map_or(0, Vec::len);
    let widths = widths(rows, count);
    let width = match room {
        Room::Fold(width) | Room::Drop(width) => width.saturating_sub(indent.width()),
        Room::Unlimited => usize::MAX,
    };
    let all: Vec<usize> = (0..count).collect();
    if sum(&widths) <= width {
        return block(indent, rows, &all, &widths, is_text);
    }
    let mut rows = rows.to_vec();
    let names = keys.checked_sub(1).filter(|&it| is_text(it));
    if let Some(names) = names {
        let others: usize = (0..names).map(|it| widths[it] + GAP).sum();
        let most = (width / 2).saturating_sub(others).max(NARROWEST);
        for cell in rows.iter_mut().filter_map(|row| row.get_mut(names)) {
            *cell = shortened(cell, most);
        }
    }
    let mut widths = self::widths(&rows, count);
    let key_width: usize = (0..keys.min(count)).map(|it| widths[it] + GAP).sum();
    let left = width.saturating_sub(key_width);
    for (column, width) in widths.iter_mut().enumerate().skip(keys) {
        if is_text(column) {
            *width = (*width).min(left.max(NARROWEST));
        }
    }
    let mut blocks = Vec::new();
    let mut next = keys;
    while next < count {
        let columns = fitting(&widths, next, left);
        next = columns.end;
        let columns: Vec<usize> = (0..keys).chain(columns).collect();
        blocks.push(block(indent, &rows, &columns, &widths, &is_text));
        if matches!(room, Room::Drop(_)) {
            break;
        }
    }
    blocks.join("\n\n")
}

fn widths(rows: &[Vec<String>], count: usize) -> Vec<usize> {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        let widest = cells.map(|cell| cell.width()).max();
        widest.unwrap_or_default().min(WIDEST)
    };
    (0..count).map(width).collect()
}

/// The width of columns with gaps between them.
fn sum(widths: &[usize]) -> usize {
    widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1)
}

/// The columns from `first` on that fit into `left`, at least one.
fn fitting(widths: &[usize], first: usize, left: usize) -> Range<usize> {
    let mut end = first + 1;
    while end < widths.len() && sum(&widths[first..=end]) <= left {
        end += 1;
    }
    first..end
}

/// One block of a table: these columns of all rows.
fn block(
    indent: &str,
    rows: &[Vec<String>],
    columns: &[usize],
    widths: &[usize],
    is_text: impl Fn(usize) -> bool,
) -> String {
    let mut lines = Vec::new();
    for row in rows {
        let cells = columns.iter().map(|&column| {
            let cell = row.get(column).map_or("", String::as_str);
            if is_text(column) && cell.width() > widths[column] && widths[column] < WIDEST {
                let text = wrapped(cell.split(' '), widths[column]);
                text.lines()
                    .map(|line| shortened(line, widths[column]))
                    .collect()
            } else {
                vec![cell.to_owned()]
            }
        });
        let cells: Vec<Vec<String>> = cells.collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or_default();
        for part in 0..height {
            let cells = columns.iter().zip(&cells).map(|(&column, cell)| {
                let cell = cell.get(part).map_or("", String::as_str);
                let padding = " ".repeat(widths[column].saturating_sub(cell.width()));
                if is_text(column) {
                    format!("{cell}{padding}")
                } else {
                    format!("{padding}{cell}")
                }
            });
            let line = cells.collect::<Vec<_>>().join("  ");
            lines.push(format!("{indent}{}", line.trim_end()));
        }
    }
    lines.join("\n")
}

/// The text without its middle, which an ellipsis replaces, in at most `width` columns.
fn shortened(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let half = width.saturating_sub(1) / 2;
    let head = prefix(text.chars(), width - 1 - half);
    let tail: String = prefix(text.chars().rev(), half).chars().rev().collect();
    format!("{head}…{tail}")
}

/// The first letters that fit into `width` columns.
pub fn prefix(letters: impl Iterator<Item = char>, width: usize) -> String {
    let mut left = width;
    let fits = |letter: &char| {
        let width = letter.width().unwrap_or(0);
        let is_in = width <= left;
        left = left.saturating_sub(width);
        is_in
    };
    letters.take_while(fits).collect()
}

/// A header row from names between commas.
pub fn header(names: &str) -> Vec<String> {
    names.split(',').map(str::to_owned).collect()
}

/// Words in lines of at most `width` columns, unless a single word is longer.
pub(crate) fn wrapped<'a>(words: impl IntoIterator<Item = &'a str>, width: usize) -> String {
    let (mut text, mut column) = (String::new(), 0);
    for word in words {
        let length = if word.is_ascii() {
            word.len()
        } else {
            word.width()
        };
        if column > 0 {
            let fits = column + 1 + length <= width;
            text.push(if fits { ' ' } else { '\n' });
            column = if fits { column + 1 } else { 0 };
        }
        text.push_str(word);
        column += length;
    }
    text
}

/// Wraps each line that is wider than `width` at words. Continuations are indented like the text of the line: behind
/// its label if it has one. Excerpts of files and commands after an indent stay whole: they are to be copied.
pub fn fitted(text: &str, width: usize) -> String {
    let mut is_continued = false;
    let lines = text.split('\n').map(|line| {
        let is_whole = is_continued || stays_whole(line);
        is_continued = line.ends_with('\\');
        if line.width() <= width || is_whole {
            return line.to_owned();
        }
        let hanging = hanging(line).min(width / 2);
        let (head, rest) = split_at_column(line, hanging);
        let rest = wrapped(rest.split(' '), width - hanging);
        let between = format!("\n{}", " ".repeat(hanging));
        format!("{head}{}", rest.replace('\n', &between))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns whether a line is an excerpt of a file (`12 | text`), a row of a table in Markdown, or an indented command
/// of this program.
fn stays_whole(line: &str) -> bool {
    let text = line.trim_start();
    let number = text.trim_start_matches(|it: char| it.is_ascii_digit());
    let has_options = text.contains(" --") && !text.starts_with('-') && !text.contains(['`', ':']);
    let is_command = text.len() < line.len() && (text.starts_with("leitai ") || has_options);
    is_command || number.trim_start().starts_with('|')
}

/// The column at which the text of a line begins: behind a label of words and at least two blanks, or else behind the
/// line's own indent and a list's `- `.
fn hanging(line: &str) -> usize {
    let indent = line.width() - line.trim_start().width();
    let text = line.trim_start();
    let label = text.find("  ").filter(|&end| {
        let gap = text[end..].len() - text[end..].trim_start().len();
        text[..end].width() + gap <= 24
    });
    match label {
        Some(end) => indent + text.width() - text[end..].trim_start().width(),
        None if text.starts_with("- ") => indent + 2,
        None => indent,
    }
}

/// Splits a line behind a number of columns.
fn split_at_column(line: &str, columns: usize) -> (&str, &str) {
    line.split_at(prefix(line.chars(), columns).len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[&str]) -> Vec<Vec<String>> {
        let row = |row: &&str| row.split(',').map(str::to_owned).collect();
        rows.iter().map(row).collect()
    }

    #[test]
    fn words_are_set_in_lines() {
        let word = "a".repeat(39);
        let text = wrapped([&*word, &word, &word, "b"], 80);
        assert_eq!(text, format!("{word} {word}\n{word} b"));
    }

    #[test]
    fn text_is_to_the_left_and_numbers_to_the_right() {
        let rows = table(&["name,1", "a,-10", "b,"]);
        assert_eq!(
            aligned(" ", &rows, 1, |column| column == 0, Room::Unlimited),
            " name    1\n a     -10\n b"
        );
        assert_eq!(aligned("", &[], 1, |_| true, Room::Fold(60)), "");
    }

    #[test]
    fn wide_characters_take_two_columns() {
        let rows = table(&["name,1", "象棋引擎,12"]);
        assert_eq!(
            aligned("", &rows, 1, |column| column == 0, Room::Unlimited),
            "name       1\n象棋引擎  12"
        );
    }

    #[test]
    fn a_cell_of_any_length_has_room() {
        let long = "x".repeat(100_000);
        let rows = table(&[&format!("{long},1"), "a,2"]);
        let text = aligned("", &rows, 1, |column| column == 0, Room::Unlimited);
        assert!(text.starts_with(&format!("{long}  1\na ")));
        assert!(text.len() < long.len() + 300);
    }

    #[test]
    fn columns_without_room_move_below_or_are_dropped() {
        let rows = table(&["#,name,one,two,three", "1,abc,11,22,33", "2,象,1,2,3"]);
        let is_text = |column| column == 1;
        assert_eq!(
            aligned("", &rows, 2, is_text, Room::Fold(20)),
            "#  name  one  two\n1  abc    11   22\n2  象      1    2\n\n\
             #  name  three\n1  abc      33\n2  象        3"
        );
        assert_eq!(
            aligned("", &rows, 2, is_text, Room::Drop(20)),
            "#  name  one  two\n1  abc    11   22\n2  象      1    2"
        );
    }

    #[test]
    fn every_line_of_a_table_fits() {
        let long = "a-rather-long-name-of-a-variant-with-an-end-of-its-own";
        let sentence = "why it failed, in as many words as a reason needs, which is not few";
        let header = "#,name,rating,±,score,games,pairs LL/LD/level/WD/WW,reason,limits";
        let row =
            format!("1,{long},+178.3,12.3,72.8%,1020,10/20/30/40/50,{sentence},10s+0.1s a game");
        let row = row.replace("failed,", "failed").replace("words,", "words");
        let row = row.replace("needs,", "needs");
        let rows = table(&[header, &row]);
        for width in 60..140 {
            let is_text = |column| column == 1 || column > 6;
            let text = aligned("  ", &rows, 2, is_text, Room::Fold(width));
            let widest = text.lines().map(UnicodeWidthStr::width).max();
            assert!(widest <= Some(width), "{width}:\n{text}");
            let cells = ["+178.3", "10/20/30/40/50", "of-its-own", "10s+0.1s"];
            assert!(cells.iter().all(|cell| text.contains(cell)), "{text}");
        }
    }

    #[test]
    fn names_lose_their_middle() {
        assert_eq!(shortened("abcdefgh", 8), "abcdefgh");
        assert_eq!(shortened("abcdefgh", 7), "abc…fgh");
        assert_eq!(shortened("象棋引擎", 6), "象…擎");
    }

    #[test]
    fn prose_wraps_at_words_behind_its_label() {
        assert_eq!(
            fitted("  Elo   +12.5 (95 %: one two)\nshort", 20),
            "  Elo   +12.5 (95 %:\n        one two)\nshort"
        );
        assert_eq!(fitted("- one two three", 10), "- one two\n  three");
        for whole in [
            "  leitai run a.toml --threads",
            "  other run a.toml --threads",
            "  leitai fastchess \\\n    -engine cmd=a name=b",
            "   3 | key = \"a value\"",
        ] {
            assert_eq!(fitted(whole, 10), whole);
        }
    }

    proptest::proptest! {
        #[test]
        fn fitted_text_has_the_same_words(text in "[ a-c象,\n-]{0,80}", width in 4_usize..40) {
            let words = |text: &str| text.split_whitespace().collect::<String>();
            proptest::prop_assert_eq!(words(&fitted(&text, width)), words(&text));
        }
    }
}
