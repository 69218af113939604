//! Boards as data for a browser, which then needs no rules.

use serde::Serialize;

use crate::board::{Outline, outline};
use leitai_game::Move;
use leitai_game::card::{AnyLine, GameCard};
use leitai_game::view::{Cells, Figure, MarkKind, Place, View};

/// The kind of game, and the boards of its games: of one size, except in some games.
#[derive(Debug, Serialize)]
pub struct Boards {
    pub(super) game: Kind,
    #[serde(rename = "boards")]
    empty: Vec<Board>,
    #[serde(skip)]
    pub(super) card: &'static dyn GameCard,
    /// True if games have the text of each position.
    #[serde(skip)]
    pub(super) has_fens: bool,
}

/// The kind of game, and the pieces on its boards.
#[derive(Debug, Serialize)]
pub(super) struct Kind {
    name: &'static str,
    pub(super) sides: [&'static str; 2],
    figures: Vec<Piece>,
    /// Kinds of pieces in hand: name and character.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hands: Vec<(&'static str, char)>,
    pub(super) notations: Vec<&'static str>,
}

/// An empty board.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Board {
    cells: Cells,
    columns: Vec<String>,
    rows: Vec<String>,
    lines: Vec<[[usize; 2]; 2]>,
    dots: Vec<[usize; 2]>,
}

#[derive(Debug, Serialize)]
struct Piece {
    side: Option<&'static str>,
    #[serde(flatten)]
    figure: Figure,
    #[serde(flatten)]
    outline: Option<Outline>,
}

/// A legal move, and the cells that select it on a board.
#[derive(Debug, Serialize)]
pub struct SelectableMove {
    /// Its origin and target, or its target alone; empty if no cell shows it.
    cells: Vec<i16>,
    /// In coordinates.
    #[serde(rename = "move")]
    mv: String,
    /// In the usual notation.
    text: String,
}

impl SelectableMove {
    /// All legal moves at the end of a line.
    pub fn all(line: &dyn AnyLine) -> Vec<Self> {
        let position = line.position();
        let moves = position.moves();
        let moves = moves.iter().map(|&mv| Self {
            cells: Boards::cells_of(line, mv),
            mv: position.card().move_text(mv),
            text: position.written(mv, 0),
        });
        moves.collect()
    }
}

/// The most moves shown of a line.
const WORDS: usize = 12;

impl Boards {
    /// A collection without boards. `None` for a game that has no board view.
    pub fn new(card: &'static dyn GameCard) -> Option<Self> {
        let view = card.line(&*card.initial()).view()?;
        let notations = card.facts().pgn.notations.iter();
        let mut notations: Vec<_> = notations.map(|style| style.name).collect();
        if notations.is_empty() {
            notations.push("coordinates");
        }
        Some(Self {
            game: Kind {
                name: view.game,
                sides: view.sides,
                figures: Vec::new(),
                hands: Vec::new(),
                notations,
            },
            empty: Vec::new(),
            card,
            has_fens: false,
        })
    }

    /// The same collection, with the text of each position.
    #[must_use]
    pub fn with_fens(self) -> Self {
        Self {
            has_fens: true,
            ..self
        }
    }

    /// The origin and target of a legal move, or its target alone, according to the marks on the
    /// board after it.
    pub fn cells_of(line: &dyn AnyLine, mv: Move) -> Vec<i16> {
        let mut after = line.boxed();
        after.play(mv);
        let Some(view) = after.view() else {
            return Vec::new();
        };
        let columns = view.columns.len();
        let marked = |kind| view.marks.iter().find(move |mark| mark.kind == kind);
        let both = [MarkKind::From, MarkKind::To].map(marked);
        let both = both.into_iter().flatten();
        both.map(|mark| cell(columns, mark.place) as i16).collect()
    }

    /// The moves at the end of a line in its usual notation, up to the first illegal one.
    pub fn written(line: &dyn AnyLine, moves: &[Move]) -> Vec<String> {
        let mut on = line.boxed();
        let mut words = Vec::new();
        for &mv in moves.iter().take(WORDS) {
            if !on.position().is_legal(mv) {
                break;
            }
            words.push(on.position().written(mv, 0));
            on.play(mv);
        }
        words
    }

    /// Index of the board of a position.
    pub(super) fn board(&mut self, view: &View) -> usize {
        let place = |place: Place| [place.column, place.row];
        let board = Board {
            cells: view.cells,
            columns: view.columns.clone(),
            rows: view.rows.clone(),
            lines: view.lines.iter().map(|line| line.map(place)).collect(),
            dots: view.dots.iter().copied().map(place).collect(),
        };
        let known = self.empty.iter().position(|it| *it == board);
        known.unwrap_or_else(|| {
            self.empty.push(board);
            self.empty.len() - 1
        })
    }

    /// The number of the figure on each cell, -1 for none.
    pub(super) fn figures(&mut self, view: &View) -> Vec<i16> {
        let columns = view.columns.len();
        let mut board = vec![-1; columns * view.rows.len()];
        for piece in &view.pieces {
            let figures = &mut self.game.figures;
            let is_same = |it: &Piece| it.figure == piece.figure && it.side == piece.side;
            let number = figures.iter().position(is_same).unwrap_or_else(|| {
                figures.push(Piece {
                    side: piece.side,
                    figure: piece.figure,
                    outline: outline(piece.figure.glyph),
                });
                figures.len() - 1
            });
            board[cell(columns, piece.place)] = number as i16;
        }
        board
    }

    /// The pieces in hand, as triples of side, kind and number.
    pub(super) fn hands(&mut self, view: &View) -> Vec<u32> {
        let mut all = Vec::new();
        for count in &view.counts {
            let Some(symbol) = count.symbol else {
                continue;
            };
            let hands = &mut self.game.hands;
            let kind = (count.name, symbol);
            let known = hands.iter().position(|it| *it == kind);
            let kind = known.unwrap_or_else(|| {
                hands.push(kind);
                hands.len() - 1
            });
            let side = u32::from(count.side == Some(self.game.sides[1]));
            all.extend([side, kind as u32, count.number]);
        }
        all
    }

    pub(super) fn marked(view: &View) -> Vec<i16> {
        let columns = view.columns.len();
        let kind = |kind| match kind {
            MarkKind::From => 0,
            MarkKind::To => 1,
            MarkKind::Point => 2,
            MarkKind::Check => 3,
        };
        let marks = view.marks.iter();
        flattened(marks.map(|mark| (cell(columns, mark.place), kind(mark.kind))))
    }

    pub(super) fn side(&self, view: &View) -> &'static str {
        if view.to_move == self.game.sides[0] {
            "0"
        } else {
            "1"
        }
    }
}

fn cell(columns: usize, place: Place) -> usize {
    place.row * columns + place.column
}

pub(super) fn flattened(pairs: impl Iterator<Item = (usize, i16)>) -> Vec<i16> {
    pairs
        .flat_map(|(cell, value)| [cell as i16, value])
        .collect()
}
