//! What a board shows, as data: whoever draws it needs to know no game.
//!
//! A game says it in [`Position::view`]:
//!
//! ```
//! use leitai_game::view::{Cells, Figure, Tint, View};
//! use leitai_game::{Position, Side};
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

/// A board with what stands on it. Columns are counted from the left and rows from the
/// top, from 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    /// The name of the game.
    pub game: &'static str,
    /// What pieces stand on.
    pub cells: Cells,
    /// The label of each column.
    pub columns: Vec<String>,
    /// The label of each row.
    pub rows: Vec<String>,
    /// Lines that are drawn: on points all of them, on squares those beside the edges of
    /// the squares. On squares a place is the upper left corner.
    pub lines: Vec<[Place; 2]>,
    /// Dots that are drawn, their places as those of lines.
    pub dots: Vec<Place>,
    /// What the players are called, first mover first.
    pub sides: [&'static str; 2],
    /// Whose turn it is.
    pub to_move: &'static str,
    /// The move that led here, in coordinates.
    pub last_move: Option<String>,
    /// The pieces, at most one on each place.
    pub pieces: Vec<Piece>,
    /// What is marked, at most once on each place.
    pub marks: Vec<Mark>,
    /// What is to be counted, such as discs or pieces in hand.
    pub counts: Vec<Count>,
}

/// What pieces stand on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Cells {
    /// Where lines cross.
    Points,
    /// Squares of one colour.
    Squares,
    /// Squares of two colours in turn.
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

/// What a kind of piece looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Figure {
    /// Whose it is, if it is somebody's.
    #[serde(skip)]
    pub side: Option<Side>,
    /// Its name.
    pub name: &'static str,
    /// What stands for it in plain text.
    pub letter: char,
    /// What stands for it where there are more letters than those of English.
    pub glyph: char,
    /// How it is drawn.
    pub shape: Shape,
    /// In which colour.
    pub tint: Tint,
}

/// How a piece is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// A plain disc of the colour.
    Disc,
    /// The glyph in the colour on a light disc.
    Token,
    /// The glyph alone.
    Glyph,
}

/// A colour. Whoever draws chooses which shade is seen well.
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
    /// Whose it is, if it is somebody's.
    pub side: Option<&'static str>,
    /// What it looks like.
    #[serde(flatten)]
    pub figure: Figure,
}

/// A place that is marked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mark {
    /// The place by the labels, such as `e4`.
    pub at: String,
    /// The place.
    #[serde(flatten)]
    pub place: Place,
    /// As what.
    pub kind: MarkKind,
}

/// As what a place is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MarkKind {
    /// The last move began here.
    From,
    /// The last move ended here.
    To,
    /// The position is about this place.
    Point,
}

/// A number beside the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Count {
    /// Of what: `discs`, `pawns in hand`.
    pub name: &'static str,
    /// Whose, if it is somebody's.
    pub side: Option<&'static str>,
    /// How many.
    pub number: u32,
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

    /// A glyph, such as that of a piece of chess; in want of one, a letter.
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
    /// An empty board of the game `P`: a column for each label from the left, a row for
    /// each from the top. On points all lines of the grid are there.
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
            Cells::Squares | Cells::Checkered => Vec::new(),
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

    /// Puts a piece on a place of the board; on others there is none.
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

    /// Puts pieces by rows of letters, the top one first: on each letter of one of the
    /// figures its piece, on others none.
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

    /// A place by its labels, such as `e4`; none for a place off the board.
    pub fn name(&self, place: Place) -> Option<String> {
        let (column, row) = (self.columns.get(place.column)?, self.rows.get(place.row)?);
        Some(format!("{column}{row}"))
    }

    /// The piece on a place.
    pub fn piece_at(&self, place: Place) -> Option<&Piece> {
        self.pieces.iter().find(|piece| piece.place == place)
    }

    /// As what a place is marked.
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

    /// The names of the places that are marked so.
    pub fn marked(&self, kind: MarkKind) -> Vec<&str> {
        let marks = self.marks.iter().filter(|mark| mark.kind == kind);
        marks.map(|mark| mark.at.as_str()).collect()
    }
}
