//! Well-known books, recognised by the digests of their texts.

use std::io::Read;
use std::path::Path;

use sha2::{Digest, Sha256, Sha384};

use crate::{Failure, Listener};
use leitai_base::count::count;
use leitai_game::card::{GameCard, KnownBook};
use leitai_players::schedule::{hexadecimal, line_ends};

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
/// game. `text` opens the text.
///
/// # Errors
/// The text cannot be read.
pub(super) fn recognise<R: Read>(
    card: &dyn GameCard,
    file: &Path,
    is_pgn: bool,
    text: impl Fn() -> Result<R, Failure>,
) -> Result<Recognised, Failure> {
    let table = card.facts().known_books;
    if table.is_empty() {
        return Ok(Recognised::Not);
    }
    let mut lines = 0;
    if !is_pgn {
        each_part(text()?, |part| lines += line_ends(part))?;
    }
    let may_be = |book: &KnownBook| may_have(book, (!is_pgn).then_some(lines));
    let possible: Vec<KnownBook> = KnownBook::read_all(table).filter(may_be).collect();
    // A digest of a large text takes a while.
    let has = |digits| possible.iter().any(|book| book.digest.len() == digits);
    let digests = [
        has(64).then(|| digest::<Sha256>(text()?)),
        has(96).then(|| digest::<Sha384>(text()?)),
    ];
    for digest in digests.into_iter().flatten() {
        let digest = digest?;
        if let Some(book) = possible.iter().find(|book| digest == book.digest) {
            return Ok(Recognised::As(*book));
        }
    }
    let name = file.file_name().unwrap_or_default();
    let named = KnownBook::read_all(table).find(|book| name == book.file);
    Ok(named.map_or(Recognised::Not, Recognised::OtherText))
}

/// The digest of a text, in hexadecimal.
fn digest<D: Digest>(text: impl Read) -> Result<String, Failure> {
    let mut hasher = D::new();
    each_part(text, |part| hasher.update(part))?;
    Ok(hexadecimal(&hasher.finalize()))
}

/// Passes all bytes of a text to `take`.
fn each_part(mut text: impl Read, mut take: impl FnMut(&[u8])) -> Result<(), Failure> {
    let mut part = vec![0; 1 << 16];
    loop {
        match text.read(&mut part)? {
            0 => return Ok(()),
            read => take(&part[..read]),
        }
    }
}

/// Returns whether a book may have about this number of lines, `None` for one of games.
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
        openings: usize,
        listener: &dyn Listener,
    ) -> Option<KnownBook> {
        match self {
            Self::Not => None,
            Self::As(known) => {
                let openings = count(openings as u64, "opening", "openings");
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
