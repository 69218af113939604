//! An opening, small enough for millions of them.

use std::borrow::Cow;

use crate::card::{AnyPosition, GameCard};
use crate::game::Move;

/// One opening. Of its position the text is kept, which takes less memory than the
/// position itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    card: &'static dyn GameCard,
    /// The name that the file gives it.
    name: Option<Box<str>>,
    /// Its place among those that a book keeps, from 1; 0 before it is in one.
    number: u32,
    fen: Box<str>,
    meeting_key: u64,
    /// The line of the file, or the number in a set of problems, from 1; 0 if it comes
    /// from no file.
    pub line: usize,
    /// The moves that lead there from the usual start, where the book tells them.
    pub moves: Option<Box<[Move]>>,
    /// Plies from the usual start, if they are known.
    pub ply: Option<u32>,
}

impl Opening {
    /// An opening at `position`, which `name` may be empty for, from that line of a file
    /// (0 for none), with the moves that lead there from the usual start, if they are
    /// known.
    pub fn new(
        position: &dyn AnyPosition,
        name: &str,
        line: usize,
        moves: Option<Vec<Move>>,
    ) -> Self {
        let played = moves.as_ref().map(|moves| moves.len() as u32);
        // A text without counters says that no move was made.
        let counted = || {
            let played = position.plies_played()?;
            (played > 1 || *position == *position.card().initial()).then_some(played)
        };
        Self {
            ply: played.or_else(counted),
            card: position.card(),
            name: (!name.is_empty()).then(|| name.into()),
            number: 0,
            fen: position.to_fen().into(),
            meeting_key: position.meeting_key(),
            line,
            moves: moves.map(Vec::into_boxed_slice),
        }
    }

    /// An opening from outside: `None` if the moves do not lead there.
    pub fn recorded(
        position: &dyn AnyPosition,
        name: &str,
        moves: Option<Vec<Move>>,
    ) -> Option<Self> {
        if let Some(moves) = &moves {
            let mut reached = position.card().initial();
            for &mv in moves {
                if !reached.is_legal(mv) {
                    return None;
                }
                reached.play(mv);
            }
            if reached.key() != position.key() {
                return None;
            }
        }
        Some(Self::new(position, name, 0, moves))
    }

    /// The usual start.
    pub fn initial(card: &'static dyn GameCard) -> Self {
        Self::new(&*card.initial(), "initial", 0, Some(Vec::new()))
    }

    /// The game.
    pub fn card(&self) -> &'static dyn GameCard {
        self.card
    }

    /// Its name: the operation `id` of the line, or the name that a line of moves
    /// has; or else `opening 12`.
    pub fn id(&self) -> Cow<'_, str> {
        match &self.name {
            Some(name) => Cow::Borrowed(name),
            None => Cow::Owned(format!("opening {}", self.number)),
        }
    }

    /// The position's text.
    pub fn fen(&self) -> &str {
        &self.fen
    }

    /// The position, read from its text.
    ///
    /// # Panics
    /// Never: the text is what a position of the game wrote.
    #[expect(clippy::expect_used, reason = "a game reads what it writes")]
    pub fn position(&self) -> Box<dyn AnyPosition> {
        let read = self.card.read(&self.fen);
        read.expect("a game reads back the positions that it writes")
    }

    /// See [`Position::meeting_key`](crate::game::Position::meeting_key).
    pub fn meeting_key(&self) -> u64 {
        self.meeting_key
    }

    /// The moves that lead there from the usual start, if they are known and enough to
    /// replace the last of each side.
    pub fn line(&self) -> Option<&[Move]> {
        self.moves.as_deref().filter(|moves| moves.len() >= 2)
    }

    /// Gives it its place in a book, from 1.
    pub(super) fn number(&mut self, number: usize) {
        self.number = u32::try_from(number).unwrap_or(u32::MAX);
    }
}
