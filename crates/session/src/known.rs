//! The games that a session supports.

use std::fmt;
use std::io::Read as _;
use std::path::Path;

use anyhow::Context as _;

use leitai_base::count::quoted;
use leitai_base::foreign::shown;
use leitai_base::suggest::nearest_names;
use leitai_config::shipped_name;
use leitai_game::card::{GameCard, GameFormat, Games};
use leitai_players::schedule::Opening;

use super::{Failure, Listener};
use leitai_interchange::{OpenReader, OwnFormat, unpacked};

/// Reads openings files in a game-specific format.
#[derive(Clone, Copy, Debug)]
pub struct BookReader {
    /// Returns whether a text in this format may begin like this.
    pub begins: fn(&str) -> bool,
    /// Reads the openings of a text, with the file's name as second argument, and reports those that
    /// it leaves out.
    pub read: fn(&str, &str, &dyn Listener) -> Vec<Opening>,
}

/// A built-in book, named `leitai:NAME` where a file of openings is expected.
#[derive(Clone, Copy)]
pub struct ShippedBook {
    /// Name of the book.
    pub name: &'static str,
    /// Short description of the content.
    pub holds: &'static str,
    /// Content of the file, plain or compressed with gzip.
    pub bytes: &'static [u8],
}

impl ShippedBook {
    /// The uncompressed content.
    fn content(self) -> Result<Vec<u8>, Failure> {
        let mut content = Vec::new();
        unpacked(self.bytes, self.name)?.read_to_end(&mut content)?;
        Ok(content)
    }
}

impl fmt::Debug for ShippedBook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "leitai:{} ({})", self.name, self.holds)
    }
}

/// Games by name, with readers of game-specific book formats.
#[derive(Clone, Debug, Default)]
pub struct KnownGames {
    /// The games by name.
    pub cards: Games,
    /// Readers of game-specific book formats.
    pub books: Vec<(&'static dyn GameCard, BookReader)>,
    /// Formats of files of games, in addition to PGN.
    pub forms: Vec<(&'static dyn GameCard, OwnFormat)>,
    /// Built-in books.
    pub shipped: Vec<ShippedBook>,
}

impl KnownGames {
    /// Creates a set of games whose books have a line for each position.
    pub fn new(cards: Games) -> Self {
        Self {
            cards,
            ..Self::default()
        }
    }

    /// The reader of a format of files.
    ///
    /// # Errors
    /// No reader is installed.
    pub fn reader(
        &self,
        card: &'static dyn GameCard,
        form: &GameFormat,
    ) -> Result<OpenReader, Failure> {
        let mut forms = self.forms.iter();
        let found = forms.find(|(of, own)| *of == card && own.form == form);
        let (_, own) = found.with_context(|| format!("no reader for {}", form.title))?;
        Ok(own.reader)
    }

    /// Returns the content of a built-in book; `None` if the path is not the name of one.
    ///
    /// # Errors
    /// There is no such book.
    pub(super) fn shipped(&self, file: &Path) -> Option<Result<Vec<u8>, Failure>> {
        let name = shipped_name(file)?;
        let found = self.shipped.iter().find(|book| book.name == name);
        let found = found.with_context(|| {
            let names: Vec<&str> = self.shipped.iter().map(|it| it.name).collect();
            let listed = |names: &[&str]| quoted(names.iter().map(|name| format!("leitai:{name}")));
            let did_you_mean = match nearest_names(name, &names).as_slice() {
                [] => String::new(),
                near => format!("did you mean {}? ", listed(near)),
            };
            let all = match &names[..] {
                [] => "this program brings no books".to_owned(),
                names => format!("there are {}", listed(names)),
            };
            let name = shown(name);
            format!("no book is called `leitai:{name}`\nhelp: {did_you_mean}{all}")
        });
        Some(found.and_then(|book| book.content()))
    }
}
