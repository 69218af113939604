//! The file of a book.

use std::borrow::Cow;
use std::cell::Cell;
use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;

use anyhow::{Context, bail};

use super::well_known::{Recognised, recognise};
use super::{Card, CheckedBook, LARGEST, Reader, games, report_duplicates};
use crate::plan_warnings::{listed, related_openings_text};
use crate::{BookReader, Failure, KnownGames, Listener, NullListener};
use leitai_base::foreign::{read_bounded, shown_path};
use leitai_config::{BookFormat, Openings};
use leitai_game::card::{AnyPosition, GameChoice};
use leitai_game::without_number;
use leitai_interchange::{Content, GameReader, Lines, Source, open};
use leitai_players::schedule::{
    BadLine, Book, BookError, Distinct, Opening, OpeningConnections, OpeningSource, Reading,
    each_line, numbered_lines,
};

/// Size limit in bytes of a text with a line for each opening, which a run keeps in memory.
const LARGEST_BOOK: u64 = u32::MAX as u64;

/// The file of a book. It is opened for each reading, so that checking it takes the same memory for
/// files of any size.
pub(super) struct BookSource<'a> {
    game: &'a GameChoice,
    file: &'a Path,
    pub(super) name: String,
    terms: &'a Openings,
    games: &'a KnownGames,
    /// Receives the notes of the first reading.
    listener: Cell<&'a dyn Listener>,
    bytes: Bytes,
    /// The unit of the numbers of openings.
    pub(super) unit: Cell<&'static str>,
}

/// The bytes of a book.
enum Bytes {
    File(File),
    /// Those of a built-in book, or of a pipe, which can be read once.
    Held(Vec<u8>),
}

/// The text of a book by its form.
enum Form<'r> {
    /// Games in a form of their own.
    Own(Box<dyn GameReader + 'r>),
    Pgn(Lines<'r>),
    /// Openings in a form of their own.
    Set(BookReader, Lines<'r>),
    /// A line for each opening.
    Lines(Lines<'r>),
}

impl<'a> BookSource<'a> {
    /// The openings of a file in the format and number of plies of `terms`.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(super) fn open(
        game: &'a GameChoice,
        file: &'a Path,
        terms: &'a Openings,
        reader: Reader<'a>,
    ) -> Result<Self, Failure> {
        let name = shown_path(file).to_string();
        let cannot = || format!("cannot read the openings `{name}`");
        let bytes = if let Some(content) = reader.games.shipped(file) {
            Bytes::Held(content?)
        } else {
            let mut file = File::open(file).with_context(cannot)?;
            if file.rewind().is_ok() {
                Bytes::File(file)
            } else {
                Bytes::Held(read_bounded(file, LARGEST).with_context(cannot)?)
            }
        };
        Ok(Self {
            game,
            file,
            name,
            terms,
            games: reader.games,
            listener: Cell::new(reader.listener),
            bytes,
            unit: Cell::new("line"),
        })
    }

    /// The bytes from the first on; ends the reading before.
    fn bytes(&self) -> Result<Box<dyn Read + '_>, Failure> {
        Ok(match &self.bytes {
            Bytes::Held(bytes) => Box::new(&bytes[..]),
            Bytes::File(file) => {
                let mut file = file;
                file.rewind()?;
                Box::new(file)
            }
        })
    }

    /// Begins a reading and recognises the form.
    fn form(&self) -> Result<Form<'_>, Failure> {
        let Self { game, name, .. } = self;
        let own = |of: Card, form| {
            if of != game.card {
                return Err(other_game(name, of, game.card));
            }
            self.games.reader(of, form)
        };
        let mut lines = match open(self.bytes()?, name, &self.games.cards)? {
            Source::Text(lines) => lines,
            Source::Record => bail!(
                "`{name}` is a record of a run, not a book\n\
                 help: `leitai convert {name} --ply 12 -o book.epd` makes one of its games"
            ),
            Source::Own(of, form, bytes) => return Ok(Form::Own(own(of, form)?.of_bytes(bytes))),
        };
        let content = lines.content(&self.games.cards)?;
        let is_named = |ending: &str| {
            let named = self.file.extension();
            named.is_some_and(|it| it.eq_ignore_ascii_case(ending))
        };
        let is_pgn = match (self.terms.format, content) {
            (Some(format), _) => format == BookFormat::Pgn,
            // Moves alone may be lines of a book.
            (None, Content::Games) => is_named("pgn") || is_pgn(lines.first()?, game.card),
            (None, _) => false,
        };
        if let Content::Own(of, form) = content
            && !form.is_usual
        {
            return Ok(Form::Own(own(of, form)?.of_text(lines)));
        }
        if is_pgn {
            return Ok(Form::Pgn(lines));
        }
        self.refuse_other_game(&mut lines)?;
        let beginning = lines.beginning()?;
        let mut readers = self.games.books.iter();
        let of_set = readers.find(|(of, reader)| *of == game.card && (reader.begins)(beginning));
        Ok(match of_set {
            Some((_, reader)) => Form::Set(*reader, lines),
            None => Form::Lines(lines),
        })
    }

    /// Refuses a book whose first lines are openings of another game.
    fn refuse_other_game(&self, lines: &mut Lines<'_>) -> Result<(), Failure> {
        let first = first_lines(lines.beginning()?);
        let is_of = |card: &Card| Book::parse(*card, &first, &self.name).is_ok();
        if is_of(&self.game.card) {
            return Ok(());
        }
        let other = self.games.cards.iter().find(is_of);
        other.map_or(Ok(()), |other| {
            Err(other_game(&self.name, other, self.game.card))
        })
    }

    /// Reads the openings to keep them, and reports those left out.
    ///
    /// # Errors
    /// The file cannot be read, or holds no opening.
    pub(super) fn read(&self) -> Result<Book, Failure> {
        let (card, name, listener) = (self.game.card, &self.name, self.listener.get());
        let (book, recognised) = if let Form::Lines(mut lines) = self.form()? {
            let text = lines.read_all(LARGEST_BOOK)?;
            self.note(lines.notes());
            let recognised = recognise(card, self.file, false, || Ok(text.as_bytes()))?;
            (
                Book::parse_to(card, text, name, self.terms.plies)?,
                recognised,
            )
        } else {
            let (unit, recognised) = self.recognised()?;
            let mut reading = Reading::default();
            self.each(
                |opening, position| (opening.into_owned(), position.symmetric_key()),
                |read| {
                    reading.unit = Some(self.unit.get());
                    reading.take([read]);
                },
            )?;
            (reading.book(name, unit)?, recognised)
        };
        recognised.report(name, book.len(), listener);
        report_duplicates(book.duplicates.iter().cloned(), name, listener);
        Ok(book)
    }

    /// Parses all openings and compares them, without keeping them.
    ///
    /// # Errors
    /// The file cannot be read, or a line of it, or it holds no opening.
    pub(super) fn check(&self) -> Result<CheckedBook, Failure> {
        let (name, listener) = (&self.name, self.listener.get());
        let (unit, recognised) = self.recognised()?;
        let (openings, bad) = Distinct::of(self)?;
        bad.check(name, unit)?;
        if openings.len == 0 {
            let name = name.as_str().into();
            return Err(BookError::Empty { name }.into());
        }
        let known = recognised.report(name, openings.len, listener);
        report_duplicates(openings.duplicates(self.unit.get()), name, listener);
        let connections = OpeningConnections::of(&openings)?;
        let shown = openings.at(&listed(&connections))?;
        let warning = related_openings_text(openings.len, &connections, |index| {
            shown.get(&index).map(Cow::Borrowed)
        });
        Ok(CheckedBook {
            known,
            openings: openings.len,
            dropped: openings.dropped,
            connections,
            warning,
            book: None,
        })
    }

    /// Finds the unit of the openings, and the well-known book with this text.
    fn recognised(&self) -> Result<(&'static str, Recognised), Failure> {
        let (unit, is_pgn) = match self.form()? {
            Form::Own(_) | Form::Set(..) => return Ok(("game", Recognised::Not)),
            Form::Pgn(_) => ("game", true),
            Form::Lines(_) => ("line", false),
        };
        let text = || match open(self.bytes()?, &self.name, &self.games.cards)? {
            Source::Text(lines) => Ok(Box::new(lines) as Box<dyn Read>),
            Source::Record | Source::Own(..) => bail!("`{}` has changed", self.name),
        };
        Ok((unit, recognise(self.game.card, self.file, is_pgn, text)?))
    }

    fn note(&self, notes: Vec<String>) {
        for note in notes {
            self.listener.get().warn(note);
        }
    }
}

impl OpeningSource for BookSource<'_> {
    type Error = Failure;

    fn each<T: Send>(
        &self,
        make: impl Fn(Cow<'_, Opening>, &dyn AnyPosition) -> T + Sync,
        mut take: impl FnMut(Result<T, BadLine>),
    ) -> Result<(), Failure> {
        let (plies, listener) = (self.terms.plies, self.listener.get());
        match self.form()? {
            Form::Own(mut games) => {
                games::each_own(self.game, &mut *games, plies, &self.unit, make, take)?;
                self.note(games.notes());
            }
            Form::Pgn(lines) => {
                let games = &self.games.cards;
                games::each_pgn(self.game, lines, plies, games, listener, make, take)?;
            }
            Form::Set(reader, mut lines) => {
                let text = lines.read_all(LARGEST)?;
                self.note(lines.notes());
                self.unit.set("problem");
                for opening in (reader.read)(&text, &self.name, listener) {
                    let position = opening.position();
                    take(Ok(make(Cow::Owned(opening), &*position)));
                }
            }
            Form::Lines(mut lines) => {
                each_line(self.game.card, &mut lines, plies, make, take)?;
                self.note(lines.notes());
            }
        }
        self.listener.set(&NullListener);
        Ok(())
    }
}

/// Returns whether a book of games begins with a tag, or with a numbered move that is no opening of
/// a line.
fn is_pgn(first: &str, card: Card) -> bool {
    let is_numbered = || {
        first.split(char::is_whitespace).next().is_some_and(|word| {
            word.starts_with(|letter: char| letter.is_ascii_digit()) && without_number(word) != word
        })
    };
    let is_opening = || card.read_opening(first).is_some_and(|read| read.is_ok());
    // Not a list in JSON.
    let tag = first.strip_prefix('[').map(str::trim_start);
    let is_tag = tag.is_some_and(|tag| tag.starts_with(char::is_alphabetic));
    is_tag || is_numbered() && !is_opening()
}

/// The error of a book of another game.
fn other_game(name: &str, of: Card, card: Card) -> Failure {
    anyhow::anyhow!(
        "`{name}` is a book of {of:?}, and the game is {card:?}\n\
         help: name a book of {card:?}, or make it a game of {of:?}",
    )
}

/// Number of leading lines that determine the game of a book.
const FIRST_LINES: usize = 5;

/// The first lines of a text that are no comments.
fn first_lines(text: &str) -> String {
    let lines = numbered_lines(text).take(FIRST_LINES);
    lines.map(|(_, line)| line).collect::<Vec<_>>().join("\n")
}
