//! A compact opening, for books of millions.

use std::borrow::Cow;

use leitai_game::Move;
use leitai_game::card::{AnyPosition, GameCard};

/// One opening. It stores the text of the position, which is smaller than the position.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    card: &'static dyn GameCard,
    /// The name in the file.
    name: Option<Box<str>>,
    /// The index among the openings of a book, from 1; 0 before it is in a book.
    number: u32,
    fen: Box<str>,
    meeting_key: u64,
    /// The line of the file, or the number in a set of problems, from 1; 0 without a file.
    pub line: usize,
    /// The moves to the position from the usual start, if the book has them.
    pub moves: Option<Box<[Move]>>,
    /// The `FEN` tag of the book's game, and the moves from it to this opening; `None` without the
    /// tag.
    pub fen_start: Option<Box<(String, Vec<Move>)>>,
    /// Plies from the usual start, if known.
    pub ply: Option<u32>,
}

impl Opening {
    /// Creates an opening at `start`, with a `name` that may be empty, the line of its file (0
    /// for none), and the moves from the usual start, if known.
    pub fn new(start: &dyn AnyPosition, name: &str, line: usize, moves: Option<Vec<Move>>) -> Self {
        let played = moves.as_ref().map(|moves| moves.len() as u32);
        // A text without counters claims that no move was made.
        let counted = || {
            let played = start.plies_played()?;
            (played > 1 || *start == *start.card().initial()).then_some(played)
        };
        Self {
            ply: played.or_else(counted),
            card: start.card(),
            name: (!name.is_empty()).then(|| name.into()),
            number: 0,
            fen: start.to_fen().into(),
            meeting_key: start.meeting_key(),
            line,
            moves: moves.map(Vec::into_boxed_slice),
            fen_start: None,
        }
    }

    /// Creates an opening from external data; `None` if the moves do not lead to the position.
    pub fn recorded(start: &dyn AnyPosition, name: &str, moves: Option<Vec<Move>>) -> Option<Self> {
        if let Some(moves) = &moves {
            let mut reached = start.card().initial();
            for &mv in moves {
                if !reached.is_legal(mv) {
                    return None;
                }
                reached.play(mv);
            }
            if reached.key() != start.key() {
                return None;
            }
        }
        Some(Self::new(start, name, 0, moves))
    }

    /// The usual start of a game.
    pub fn initial(card: &'static dyn GameCard) -> Self {
        Self::new(&*card.initial(), "initial", 0, Some(Vec::new()))
    }

    /// The game.
    pub fn card(&self) -> &'static dyn GameCard {
        self.card
    }

    /// Returns the name: the operation `id` of the line, or the name of a line of moves; else
    /// `opening 12`.
    pub fn id(&self) -> Cow<'_, str> {
        match &self.name {
            Some(name) => Cow::Borrowed(name),
            None => Cow::Owned(numbered(self.number as usize)),
        }
    }

    /// The position's text.
    pub fn fen(&self) -> &str {
        &self.fen
    }

    /// Parses the position from its text.
    ///
    /// # Panics
    /// Never: the game wrote the text itself.
    #[expect(clippy::expect_used, reason = "a game reads what it writes")]
    pub fn position(&self) -> Box<dyn AnyPosition> {
        let read = self.card.read(&self.fen);
        read.expect("a game reads back the positions that it writes")
    }

    /// See [`Position::meeting_key`](leitai_game::Position::meeting_key).
    pub fn meeting_key(&self) -> u64 {
        self.meeting_key
    }

    /// Returns the moves from the usual start, if they are known and enough to replace the last
    /// move of each side.
    pub fn line(&self) -> Option<&[Move]> {
        self.moves.as_deref().filter(|moves| moves.len() >= 2)
    }

    /// Returns the first position of the book's game and the moves from it to this opening, if
    /// known.
    pub fn book_game(&self) -> Option<(Box<dyn AnyPosition>, &[Move])> {
        if let Some(moves) = &self.moves {
            return Some((self.card.initial(), moves));
        }
        let (fen, moves) = self.fen_start.as_deref()?;
        Some((self.card.read(fen).ok()?, moves))
    }

    /// Sets the index in a book, from 1.
    pub(super) fn number(&mut self, number: usize) {
        self.number = u32::try_from(number).unwrap_or(u32::MAX);
    }
}

/// The name of an opening without one, by its number in the book, from 1.
pub(super) fn numbered(number: usize) -> String {
    format!("opening {number}")
}
