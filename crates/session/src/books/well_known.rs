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

/// Compares a file's bytes, games if `is_pgn`, with the well-known books of the game.
pub(super) fn recognise(
    card: &dyn GameCard,
    file: &Path,
    bytes: &[u8],
    is_pgn: bool,
) -> Recognised {
    let table = card.facts().known_books;
    if table.is_empty() {
        return Recognised::Not;
    }
    let ends = line_ends(bytes);
    let lines = (!is_pgn).then_some(ends[0].max(ends[1]) as u64);
    let has_returns = ends[1] > 0;
    let may_be = |book: &KnownBook| may_have(book, lines);
    let (short, long) = (OnceCell::new(), OnceCell::new());
    let is_same = |book: &KnownBook| {
        let digest: &String = match book.digest.len() {
            64 => short.get_or_init(|| digest::<Sha256>(bytes, has_returns)),
            _ => long.get_or_init(|| digest::<Sha384>(bytes, has_returns)),
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

/// Returns the digest of a text with line feeds as line ends, as lowercase hexadecimal digits;
/// `has_returns` is false if it has no others.
fn digest<D: Digest>(bytes: &[u8], has_returns: bool) -> String {
    if !has_returns {
        return hexadecimal(&D::digest(bytes));
    }
    let mut hasher = D::new();
    let mut rest = bytes;
    while let Some(place) = rest.iter().position(|&byte| byte == b'\r') {
        hasher.update(&rest[..place]);
        hasher.update(b"\n");
        rest = &rest[place + 1..];
        rest = rest.strip_prefix(b"\n").unwrap_or(rest);
    }
    hasher.update(rest);
    hexadecimal(&hasher.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_do_not_matter() {
        let of = |text: &str| digest::<Sha256>(text.as_bytes(), text.contains('\r'));
        assert_eq!(of("a\nb\n"), of("a\r\nb\r\n"));
        assert_eq!(of("a\nb\n"), of("a\rb\r"));
        assert_ne!(of("a\nb\n"), of("a\n\nb\n"));
        assert_eq!(of("a\n\nb"), of("a\r\n\rb"));
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(of(""), empty);
    }
}
