//! The games that a session knows.

use std::fmt;
use std::path::Path;

use anyhow::Context as _;

use crate::card::{GameCard, Games};
use crate::config::{nearest_names, shipped_name};
use crate::count::quoted;
use crate::foreign::shown;
use crate::schedule::Book;

use super::{Failure, Listener};

/// Reads the text of a file of openings that has a form of a game's own, whose name is the
/// second argument, and tells what it leaves out; `None` of a text of another form.
pub type ReadBook = fn(&str, &str, &dyn Listener) -> Option<Result<Book, Failure>>;

/// A book that a program brings: where a file of openings is named it is `leitai:NAME`.
#[derive(Clone, Copy)]
pub struct ShippedBook {
    /// What it is called.
    pub name: &'static str,
    /// What it holds, in a few words.
    pub holds: &'static str,
    /// The file.
    pub bytes: &'static [u8],
}

impl fmt::Debug for ShippedBook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "leitai:{} ({})", self.name, self.holds)
    }
}

/// Games by name, and how their books of forms of their own are read.
#[derive(Debug, Default)]
pub struct KnownGames {
    cards: Games,
    books: Vec<(&'static dyn GameCard, ReadBook)>,
    shipped: Vec<ShippedBook>,
}

impl KnownGames {
    /// These games, whose books have a line for each position.
    pub fn new(cards: Games) -> Self {
        Self {
            cards,
            ..Self::default()
        }
    }

    /// Also reads books of a form of the game's own.
    #[must_use]
    pub fn with_books(mut self, card: &'static dyn GameCard, read: ReadBook) -> Self {
        self.books.push((card, read));
        self
    }

    /// Also has such a book.
    #[must_use]
    pub fn with_shipped(mut self, book: ShippedBook) -> Self {
        self.shipped.push(book);
        self
    }

    /// The bytes of a book that the program brings; `None` of the name of a file.
    ///
    /// # Errors
    /// There is no such book.
    pub(super) fn shipped(&self, file: &Path) -> Option<Result<&'static [u8], Failure>> {
        let name = shipped_name(file)?;
        let found = self.shipped.iter().find(|book| book.name == name);
        Some(found.map(|book| book.bytes).with_context(|| {
            let names: Vec<&str> = self.shipped.iter().map(|it| it.name).collect();
            let listed = |names: &[&str]| quoted(names.iter().map(|name| format!("leitai:{name}")));
            let did_you_mean = match nearest_names(name, &names).as_slice() {
                [] => String::new(),
                near => format!("did you mean {}? ", listed(near)),
            };
            format!(
                "no book is called `leitai:{}`\nhelp: {did_you_mean}there are {}",
                shown(name),
                listed(&names)
            )
        }))
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
