//! A board as data: drawing it requires no knowledge of the game.
//!
//! [`Position::view`](crate::Position::view) returns it:
//!
//! ```
//! # mod leitai { pub use leitai_game as game; }
//! use leitai::game::view::{Cells, Figure, Tint, View};
//! use leitai::game::{Position, Side};
//!
//! const DISCS: [Figure; 2] = [
//!     Figure::disc('X', Side::First, Tint::Red),
//!     Figure::disc('O', Side::Second, Tint::Yellow),
//! ];
//!
//! fn view<P: Position>(position: &P, rows: &[&str]) -> View {
//!     let (columns, labels) = ('a'..='g', (1..=rows.len()).rev());
//!     let mut view = View::new::<P>(position.side_to_move(), Cells::Squares, columns, labels);
//!     view.put_rows(rows, &DISCS);
//!     view
//! }
//! # use leitai_othello::Othello;
//! let view = view(&Othello::initial(), &[".......", "...X...", "..XO..."]);
//! assert_eq!(view.pieces[0].at, "d2");
//! ```

use serde::Serialize;

use super::{Position, Side};

/// A board with its pieces. Columns count from the left and rows from the top, from 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    /// The name of the game.
    pub game: &'static str,
    /// The cells on which pieces are.
    pub cells: Cells,
    /// The label of each column.
    pub columns: Vec<String>,
    /// The label of each row.
    pub rows: Vec<String>,
    /// Lines to draw: on points all lines, on squares those in addition to the edges of the
    /// squares. On squares a place is the upper left corner.
    pub lines: Vec<[Place; 2]>,
    /// Dots to draw, with places like those of lines.
    pub dots: Vec<Place>,
    /// Names of the players, first mover first.
    pub sides: [&'static str; 2],
    /// The side to move.
    pub to_move: &'static str,
    /// The move that led here, in coordinates.
    pub last_move: Option<String>,
    /// The pieces, at most one per place.
    pub pieces: Vec<Piece>,
    /// The marks, at most one per place.
    pub marks: Vec<Mark>,
    /// Numbers to show, such as discs or pieces in hand.
    pub counts: Vec<Count>,
}

/// The cells on which pieces are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Cells {
    /// Intersections of lines.
    Points,
    /// Squares of one colour.
    Squares,
    /// Squares on plain wood.
    Wooden,
    /// Squares of alternating colours.
    Checkered,
}

/// A place of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Place {
    /// From the left, from 0.
    pub column: usize,
    /// From the top, from 0.
    pub row: usize,
}

/// The appearance of a kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Figure {
    /// Its owner, if any.
    #[serde(skip)]
    pub side: Option<Side>,
    /// The preset's name.
    pub name: &'static str,
    /// The letter for plain text.
    pub letter: char,
    /// The character for text with more than English letters.
    pub glyph: char,
    /// Its shape.
    pub shape: Shape,
    /// Its colour.
    pub tint: Tint,
}

/// The shape of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// A plain disc of the colour.
    Disc,
    /// The glyph in the colour on a light disc.
    Token,
    /// The glyph alone.
    Glyph,
    /// The glyph on a wedge that points up, as in Shogi.
    WedgeUp,
    /// The same, rotated by 180 degrees.
    WedgeDown,
}

/// A colour. The renderer chooses a visible shade.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "they are what they are called")]
pub enum Tint {
    Black,
    White,
    Red,
    Blue,
    Green,
    Yellow,
}

/// A piece on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Piece {
    /// Its place by the labels, such as `e4`.
    pub at: String,
    /// Its place.
    #[serde(flatten)]
    pub place: Place,
    /// Its owner, if any.
    pub side: Option<&'static str>,
    /// Its appearance.
    #[serde(flatten)]
    pub figure: Figure,
}

/// A marked place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mark {
    /// The place by the labels, such as `e4`.
    pub at: String,
    /// The place.
    #[serde(flatten)]
    pub place: Place,
    /// The kind of mark.
    pub kind: MarkKind,
}

/// The kind of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MarkKind {
    /// The start of the last move.
    From,
    /// The target of the last move.
    To,
    /// The place that the position is about.
    Point,
    /// The king in check.
    Check,
}

/// A number next to the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Count {
    /// The counted things: `discs`, `pawns in hand`.
    pub name: &'static str,
    /// Their owner, if any.
    pub side: Option<&'static str>,
    /// The number.
    pub number: u32,
    /// The character of a piece in hand; pages show it next to the board.
    #[serde(skip)]
    pub symbol: Option<char>,
}

impl Place {
    /// The place in this column from the left and row from the top, from 0.
    pub const fn new(column: usize, row: usize) -> Self {
        Self { column, row }
    }
}

impl Figure {
    /// A plain disc or stone.
    pub const fn disc(letter: char, side: Side, tint: Tint) -> Self {
        let glyph = match tint {
            Tint::White | Tint::Yellow => '○',
            _ => '●',
        };
        Self {
            shape: Shape::Disc,
            ..Self::glyph(letter, side, tint, "disc", glyph)
        }
    }

    /// A glyph, such as a chess piece's; if there is none, a letter.
    pub const fn glyph(
        letter: char,
        side: Side,
        tint: Tint,
        name: &'static str,
        glyph: char,
    ) -> Self {
        Self {
            side: Some(side),
            name,
            letter,
            glyph,
            shape: Shape::Glyph,
            tint,
        }
    }
}

impl View {
    /// An empty board of the game `P`: a column for each label from the left, a row for each from
    /// the top. On points it has all lines of the grid.
    pub fn new<P: Position>(
        to_move: Side,
        cells: Cells,
        columns: impl IntoIterator<Item = impl ToString>,
        rows: impl IntoIterator<Item = impl ToString>,
    ) -> Self {
        let columns: Vec<_> = columns.into_iter().map(|it| it.to_string()).collect();
        let rows: Vec<_> = rows.into_iter().map(|it| it.to_string()).collect();
        let (right, bottom) = (columns.len().max(1) - 1, rows.len().max(1) - 1);
        let along = (0..rows.len()).map(|row| [Place::new(0, row), Place::new(right, row)]);
        let down = (0..columns.len()).map(|at| [Place::new(at, 0), Place::new(at, bottom)]);
        let lines = match cells {
            Cells::Points => along.chain(down).collect(),
            Cells::Squares | Cells::Wooden | Cells::Checkered => Vec::new(),
        };
        Self {
            game: P::NAME,
            cells,
            columns,
            rows,
            lines,
            dots: Vec::new(),
            sides: P::SIDE_NAMES,
            to_move: P::SIDE_NAMES[to_move.index()],
            last_move: None,
            pieces: Vec::new(),
            marks: Vec::new(),
            counts: Vec::new(),
        }
    }

    /// Puts a piece on a place of the board; ignores other places.
    pub fn put(&mut self, place: Place, figure: Figure) {
        if let Some(at) = self.name(place) {
            let side = figure.side.map(|side| self.sides[side.index()]);
            self.pieces.push(Piece {
                at,
                place,
                side,
                figure,
            });
        }
    }

    /// Puts pieces by rows of letters, the top one first: each letter of a figure becomes its
    /// piece, and other letters are empty places.
    pub fn put_rows(&mut self, rows: &[impl AsRef<str>], figures: &[Figure]) {
        for (row, letters) in rows.iter().enumerate() {
            for (column, letter) in letters.as_ref().chars().enumerate() {
                if let Some(&figure) = figures.iter().find(|figure| figure.letter == letter) {
                    self.put(Place::new(column, row), figure);
                }
            }
        }
    }

    /// Marks a place of the board, unless it is marked already.
    pub fn mark(&mut self, place: Place, kind: MarkKind) {
        if let (Some(at), None) = (self.name(place), self.mark_at(place)) {
            self.marks.push(Mark { at, place, kind });
        }
    }

    /// The name of a place by its labels, such as `e4`; `None` for a place off the board.
    pub fn name(&self, place: Place) -> Option<String> {
        let (column, row) = (self.columns.get(place.column)?, self.rows.get(place.row)?);
        Some(format!("{column}{row}"))
    }

    /// The piece on a place.
    pub fn piece_at(&self, place: Place) -> Option<&Piece> {
        self.pieces.iter().find(|piece| piece.place == place)
    }

    /// The kind of a mark.
    pub fn mark_at(&self, place: Place) -> Option<MarkKind> {
        let mark = self.marks.iter().find(|mark| mark.place == place);
        mark.map(|mark| mark.kind)
    }
}

/// For the tests of games.
#[doc(hidden)]
impl View {
    /// The letters of the pieces, row by row, `.` on empty places.
    pub fn letters(&self) -> Vec<String> {
        let letter = |place| {
            self.piece_at(place)
                .map_or('.', |piece| piece.figure.letter)
        };
        let row = |row| {
            (0..self.columns.len())
                .map(|at| letter(Place::new(at, row)))
                .collect()
        };
        (0..self.rows.len()).map(row).collect()
    }

    /// The names of the places with this mark.
    pub fn marked(&self, kind: MarkKind) -> Vec<&str> {
        let marks = self.marks.iter().filter(|mark| mark.kind == kind);
        marks.map(|mark| mark.at.as_str()).collect()
    }
}
