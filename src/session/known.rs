//! The games that a session knows.

use crate::card::{GameCard, Games};
use crate::schedule::Book;

use super::{Failure, Listener};

/// Reads the text of a file of openings that has a form of a game's own, whose name is the
/// second argument, and tells what it leaves out; `None` of a text of another form.
pub type ReadBook = fn(&str, &str, &dyn Listener) -> Option<Result<Book, Failure>>;

/// Games by name, and how their books of forms of their own are read.
#[derive(Debug, Default)]
pub struct KnownGames {
    cards: Games,
    books: Vec<(&'static dyn GameCard, ReadBook)>,
}

impl KnownGames {
    /// These games, whose books have a line for each position.
    pub fn new(cards: Games) -> Self {
        let books = Vec::new();
        Self { cards, books }
    }

    /// Also reads books of a form of the game's own.
    #[must_use]
    pub fn with_books(mut self, card: &'static dyn GameCard, read: ReadBook) -> Self {
        self.books.push((card, read));
        self
    }

    /// The games by name.
    pub fn cards(&self) -> &Games {
        &self.cards
    }

    /// The book of a text in a form of the game's own, if it is one.
    pub(super) fn own_book(
        &self,
        card: &'static dyn GameCard,
        text: &str,
        name: &str,
        listener: &dyn Listener,
    ) -> Option<Result<Book, Failure>> {
        let mut books = self.books.iter();
        let (_, read) = books.find(|(of, _)| *of == card)?;
        read(text, name, listener)
    }
}
