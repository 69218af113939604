//! Well-known books, recognised by the digests of their texts.

use std::cell::OnceCell;
use std::path::Path;

use sha2::{Digest, Sha256, Sha384};

use crate::Listener;
use leitai_base::count::count;
use leitai_game::card::{GameCard, KnownBook};
use leitai_players::schedule::{Book, hexadecimal, line_ends};

/// The result of the recognition of a file.
#[derive(Clone, Copy, Debug)]
pub(super) enum Recognised {
    /// An unknown book.
    Not,
    /// This well-known book.
    As(KnownBook),
    /// A file with the name of this book and a different text.
    OtherText(KnownBook),
}

/// Compares a text with line feeds as line ends, games if `is_pgn`, with the well-known books of the
/// game.
pub(super) fn recognise(card: &dyn GameCard, file: &Path, text: &str, is_pgn: bool) -> Recognised {
    let table = card.facts().known_books;
    if table.is_empty() {
        return Recognised::Not;
    }
    let lines = (!is_pgn).then(|| line_ends(text));
    let may_be = |book: &KnownBook| may_have(book, lines);
    let (short, long) = (OnceCell::new(), OnceCell::new());
    let is_same = |book: &KnownBook| {
        let digest: &String = match book.digest.len() {
            64 => short.get_or_init(|| hexadecimal(&Sha256::digest(text))),
            _ => long.get_or_init(|| hexadecimal(&Sha384::digest(text))),
        };
        digest == book.digest
    };
    if let Some(book) = KnownBook::read_all(table).filter(may_be).find(is_same) {
        return Recognised::As(book);
    }
    let name = file.file_name().unwrap_or_default();
    let named = KnownBook::read_all(table).find(|book| name == book.file);
    named.map_or(Recognised::Not, Recognised::OtherText)
}

/// Returns whether a book may have about this number of lines, `None` for one of games. The digest
/// of a large text takes a while.
fn may_have(book: &KnownBook, lines: Option<u64>) -> bool {
    let is_pgn = Path::new(book.file)
        .extension()
        .is_some_and(|it| it == "pgn");
    let margin = 10 + book.openings / 100;
    let fits = |lines| book.openings == 0 || book.openings.abs_diff(lines) <= margin;
    is_pgn == lines.is_none() && lines.is_none_or(fits)
}

impl Recognised {
    /// Reports the result, unless the file is unknown. Returns the recognised book.
    pub(super) fn report(
        self,
        name: &str,
        book: &Book,
        listener: &dyn Listener,
    ) -> Option<KnownBook> {
        match self {
            Self::Not => None,
            Self::As(known) => {
                let openings = count(book.len() as u64, "opening", "openings");
                let KnownBook { file, about, .. } = &known;
                let separator = if about.is_empty() { "" } else { "; " };
                listener.info(format!(
                    "{name}: {openings} of the known book {file}{separator}{about}"
                ));
                Some(known)
            }
            Self::OtherText(known) => {
                let openings = count(known.openings, "opening", "openings");
                let size = match known.openings {
                    0 => String::new(),
                    _ => format!(" (that book has {openings})"),
                };
                listener.warn(format!(
                    "{name} has the name of a known book and another text{size}\n\
                     help: download the file again from its publisher, or rename yours"
                ));
                None
            }
        }
    }
}
