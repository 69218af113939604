//! A board as text.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr};

use leitai_game::view::{Cells, Count, MarkKind, Piece, Place, Shape, Tint, View};

/// The style of a text board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoardStyle {
    /// True for pieces as glyphs (帥, ●), false for ASCII letters.
    pub glyphs: bool,
    /// True for terminal colours. The letters are the same without.
    pub colours: bool,
}

impl BoardStyle {
    /// Pieces as letters.
    pub const fn letters(colours: bool) -> Self {
        Self {
            glyphs: false,
            colours,
        }
    }
}

/// The board with its caption, without a line end.
pub fn board_text(view: &View, style: BoardStyle) -> String {
    [board_rows(view, style), board_caption(view).join("\n")].join("\n")
}

/// The board, one line for each row from the top and one for the labels of the columns. The last
/// move goes from `( )` to `[ ]`; other marked places are in `< >`.
pub fn board_rows(view: &View, style: BoardStyle) -> String {
    let labels = widest(view.rows.iter().map(String::as_str));
    // Both sides of Shogi have the same characters; as in printed diagrams, `v` marks White's.
    let is_down = |piece: &Piece| piece.figure.shape == Shape::WedgeDown;
    let turns = style.glyphs && view.pieces.iter().any(is_down);
    let before = |place| match view.piece_at(place) {
        _ if !turns => "",
        Some(piece) if is_down(piece) => "v",
        _ => " ",
    };
    let symbol = |place| symbol(view, place, style);
    let cells = places(view)
        .map(|place| before(place).len() + columns_of(symbol(place)))
        .max();
    let cells = cells.unwrap_or(1);
    let cells = cells.max(widest(view.columns.iter().map(String::as_str)));
    let mut text = String::new();
    for (row, label) in view.rows.iter().enumerate() {
        text += &blanks(labels, label.width());
        text += label;
        text.push(' ');
        let mut closing = ' ';
        for column in 0..view.columns.len() {
            let place = Place::new(column, row);
            let (open, close) = match view.mark_at(place) {
                None | Some(MarkKind::Check) => (' ', ' '),
                Some(MarkKind::From) => ('(', ')'),
                Some(MarkKind::To) => ('[', ']'),
                Some(MarkKind::Point) => ('<', '>'),
            };
            text.push(if open == ' ' { closing } else { open });
            closing = close;
            let (before, symbol) = (before(place), symbol(place));
            text += before;
            text += &painted(view, place, symbol, style);
            text += &blanks(cells, before.len() + columns_of(symbol));
        }
        text.push(closing);
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text += &" ".repeat(labels + 1);
    let indent = usize::from(turns);
    for label in &view.columns {
        text += &" ".repeat(1 + indent);
        text += label;
        text += &blanks(cells, indent + label.width());
    }
    text.truncate(text.trim_end().len());
    text
}

/// The caption of a board: the side to move, the last move, and the counts.
pub fn board_caption(view: &View) -> Vec<String> {
    let last = view.last_move.as_ref();
    let last = last.map_or_else(String::new, |last| format!(", last move {last}"));
    let turn = format!("{} to move{last}", view.to_move);
    let counts = view.counts.chunk_by(|one, next| one.name == next.name);
    let counts = counts.map(|counts| {
        let numbers: Vec<_> = counts.iter().map(numbered).collect();
        format!("{}: {}", counts[0].name, numbers.join(", "))
    });
    [turn].into_iter().chain(counts).collect()
}

fn numbered(count: &Count) -> String {
    match count.side {
        Some(side) => format!("{side} {}", count.number),
        None => count.number.to_string(),
    }
}

fn places(view: &View) -> impl Iterator<Item = Place> {
    let columns = view.columns.len();
    (0..view.rows.len()).flat_map(move |row| (0..columns).map(move |at| Place::new(at, row)))
}

/// The symbol of a place.
fn symbol(view: &View, place: Place, style: BoardStyle) -> char {
    match view.piece_at(place) {
        Some(piece) if style.glyphs => piece.figure.glyph,
        Some(piece) => piece.figure.letter,
        None if view.cells == Cells::Points && view.dots.contains(&place) => '+',
        None => '.',
    }
}

/// A symbol in its colour, reversed for the destination of the last move (ECMA-48, section
/// 8.3.117).
fn painted(view: &View, place: Place, symbol: char, style: BoardStyle) -> String {
    let piece = view.piece_at(place).filter(|_| style.colours);
    let colour = piece.and_then(|piece| match piece.figure.tint {
        Tint::Black => None,
        Tint::White => Some("1"),
        Tint::Red => Some("31"),
        Tint::Green => Some("32"),
        Tint::Yellow => Some("33"),
        Tint::Blue => Some("34"),
    });
    let mark = view.mark_at(place).filter(|_| style.colours).map(|_| "7");
    let codes: Vec<&str> = colour.into_iter().chain(mark).collect();
    if codes.is_empty() {
        return symbol.to_string();
    }
    format!("\u{1b}[{}m{symbol}\u{1b}[0m", codes.join(";"))
}

/// Padding of a text with the given number of columns up to `width`.
fn blanks(width: usize, columns: usize) -> String {
    " ".repeat(width.saturating_sub(columns))
}

fn widest<'a>(texts: impl Iterator<Item = &'a str>) -> usize {
    texts.map(UnicodeWidthStr::width).max().unwrap_or(0)
}

/// Terminal columns of a character: two if it is East Asian wide.
pub(super) fn columns_of(letter: char) -> usize {
    letter.width().unwrap_or(1)
}
