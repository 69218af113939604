//! Cells in aligned columns, and wrapped text. Widths are those on a terminal, where a Chinese character takes two
//! columns.

use unicode_width::UnicodeWidthStr as _;

/// Largest aligned width in characters: a longer cell sticks out alone.
const WIDEST: usize = 200;

/// Rows of cells after `indent`, in columns as wide as their widest cell. Columns with `is_text`
/// are left-aligned, the others, with numbers, right-aligned. All rows have as many cells as the
/// first.
pub fn aligned(indent: &str, rows: &[Vec<String>], is_text: impl Fn(usize) -> bool) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        let widest = cells.map(|cell| cell.width()).max();
        widest.unwrap_or_default().min(WIDEST)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let lines = rows.iter().map(|row| {
        let cells = row.iter().zip(&widths).enumerate();
        let cells = cells.map(|(column, (cell, &width))| {
            let padding = " ".repeat(width.saturating_sub(cell.width()));
            if is_text(column) {
                format!("{cell}{padding}")
            } else {
                format!("{padding}{cell}")
            }
        });
        let line = cells.collect::<Vec<_>>().join("  ");
        format!("{indent}{}", line.trim_end())
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Words in lines of at most `width` characters, unless a single word is longer.
pub(crate) fn wrapped<'a>(words: impl IntoIterator<Item = &'a str>, width: usize) -> String {
    let (mut text, mut column) = (String::new(), 0);
    for word in words {
        let length = word.chars().count();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_set_in_lines() {
        let word = "a".repeat(39);
        let text = wrapped([&*word, &word, &word, "b"], 80);
        assert_eq!(text, format!("{word} {word}\n{word} b"));
    }

    #[test]
    fn text_is_to_the_left_and_numbers_to_the_right() {
        let row = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        let rows = [row(["name", "1"]), row(["a", "-10"]), row(["b", ""])];
        assert_eq!(
            aligned(" ", &rows, |column| column == 0),
            " name    1\n a     -10\n b"
        );
        assert_eq!(aligned("", &[], |_| true), "");
    }

    #[test]
    fn wide_characters_take_two_columns() {
        let row = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        let rows = [row(["name", "1"]), row(["象棋引擎", "12"])];
        assert_eq!(
            aligned("", &rows, |column| column == 0),
            "name       1\n象棋引擎  12"
        );
    }

    #[test]
    fn a_cell_of_any_length_has_room() {
        let long = "x".repeat(100_000);
        let rows = [
            vec![long.clone(), "1".to_owned()],
            vec!["a".to_owned(), "2".to_owned()],
        ];
        let text = aligned("", &rows, |column| column == 0);
        assert!(text.starts_with(&format!("{long}  1\na ")));
        assert!(text.len() < long.len() + 300);
    }
}
