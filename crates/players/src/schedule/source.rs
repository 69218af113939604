//! Openings that are read again and again instead of kept, so that files of any size take the same
//! memory.

use std::borrow::Cow;
use std::collections::HashMap;
use std::convert::Infallible;

use super::book::{AT_ONCE, BadLine, BadLines, Book, Duplicate, content, in_order, read_line};
use super::opening::Opening;
use leitai_base::foreign::Foreign;
use leitai_game::card::{AnyPosition, GameCard, KeyFilter};
use leitai_interchange::{Lines, TextError};

/// Number of bytes of lines that are read at a time.
const BYTES_AT_ONCE: usize = 1 << 22;

/// Openings in a fixed order.
pub trait OpeningSource {
    /// The error of reading them.
    type Error;

    /// Passes the result of `make` for each opening and its position to `take`, in order, and bad
    /// lines. `make` runs on several threads.
    ///
    /// # Errors
    /// The openings cannot be read.
    fn each<T: Send>(
        &self,
        make: impl Fn(Cow<'_, Opening>, &dyn AnyPosition) -> T + Sync,
        take: impl FnMut(Result<T, BadLine>),
    ) -> Result<(), Self::Error>;
}

impl OpeningSource for Book {
    type Error = Infallible;

    fn each<T: Send>(
        &self,
        make: impl Fn(Cow<'_, Opening>, &dyn AnyPosition) -> T + Sync,
        take: impl FnMut(Result<T, BadLine>),
    ) -> Result<(), Infallible> {
        Sample {
            book: self,
            step: 1,
        }
        .each(make, take)
    }
}

/// Every `step`th opening of a book.
pub(super) struct Sample<'a> {
    pub(super) book: &'a Book,
    pub(super) step: usize,
}

impl OpeningSource for Sample<'_> {
    type Error = Infallible;

    fn each<T: Send>(
        &self,
        make: impl Fn(Cow<'_, Opening>, &dyn AnyPosition) -> T + Sync,
        mut take: impl FnMut(Result<T, BadLine>),
    ) -> Result<(), Infallible> {
        let indices: Vec<usize> = (0..self.book.len()).step_by(self.step).collect();
        for block in indices.chunks(AT_ONCE) {
            let made = in_order(block, |&index| {
                let opening = self.book.opening(index).map_err(|error| BadLine {
                    line: index + 1,
                    text: Foreign::default(),
                    reason: error.to_string().into(),
                })?;
                let position = opening.position();
                Ok(make(opening, &*position))
            });
            made.into_iter().for_each(&mut take);
        }
        Ok(())
    }
}

/// Reads the openings of a text as [`Book::parse_to`] does, and passes them on as
/// [`OpeningSource::each`] does.
///
/// # Errors
/// The text cannot be read.
pub fn each_line<T: Send>(
    card: &'static dyn GameCard,
    lines: &mut Lines<'_>,
    plies: Option<usize>,
    make: impl Fn(Cow<'_, Opening>, &dyn AnyPosition) -> T + Sync,
    mut take: impl FnMut(Result<T, BadLine>),
) -> Result<(), TextError> {
    loop {
        let (mut block, mut bytes) = (Vec::new(), 0);
        while block.len() < AT_ONCE
            && bytes < BYTES_AT_ONCE
            && let Some((number, line)) = lines.next_line()?
        {
            if content(&line).is_some() {
                bytes += line.len();
                block.push((number as usize, line));
            }
        }
        if block.is_empty() {
            return Ok(());
        }
        let read = |(number, line): &(usize, String)| {
            let (opening, position) = read_line(card, line.trim(), *number, plies)?;
            Ok(make(Cow::Owned(opening), &*position))
        };
        in_order(&block, read).into_iter().for_each(&mut take);
    }
}

/// The openings of a source without those that equal an earlier one up to symmetry.
///
/// Takes memory for the repeated openings, and for few others: one in 130 of a million openings, and
/// one in 13 of ten million.
#[derive(Debug)]
pub struct Distinct<'a, S> {
    source: &'a S,
    /// The first opening with a key, of the keys that may repeat.
    first: HashMap<u64, First>,
    /// The number of openings.
    pub len: usize,
    /// The lines of the dropped openings, and of the equal earlier ones.
    pub dropped: Vec<[u32; 2]>,
}

/// The first opening with some key.
#[derive(Clone, Copy, Debug)]
struct First {
    /// Its place in the source.
    place: u32,
    line: u32,
}

impl<'a, S: OpeningSource> Distinct<'a, S> {
    /// Finds the openings of a source that repeat others. Also returns the bad lines.
    ///
    /// # Errors
    /// The openings cannot be read.
    pub fn of(source: &'a S) -> Result<(Self, BadLines), S::Error> {
        let (mut bad, mut seen) = (BadLines::default(), KeyFilter::default());
        let mut first: HashMap<u64, Option<First>> = HashMap::new();
        let mut all = 0;
        source.each(
            |_, position| position.symmetric_key(),
            |read| match read {
                Ok(key) => {
                    all += 1;
                    if seen.insert(key) {
                        first.insert(key, None);
                    }
                }
                Err(line) => bad.add(line),
            },
        )?;
        drop(seen);
        let mut dropped = Vec::new();
        if !first.is_empty() {
            let mut place = 0;
            source.each(
                |opening, position| (position.symmetric_key(), opening.line as u32),
                |read| {
                    let Ok((key, line)) = read else { return };
                    match first.get_mut(&key) {
                        Some(Some(first)) => dropped.push([line, first.line]),
                        Some(none) => *none = Some(First { place, line }),
                        None => {}
                    }
                    place += 1;
                },
            )?;
        }
        let first = first
            .into_iter()
            .filter_map(|(key, first)| Some((key, first?)));
        let distinct = Self {
            source,
            first: first.collect(),
            len: all - dropped.len(),
            dropped,
        };
        Ok((distinct, bad))
    }

    /// Reads the openings with these indices.
    ///
    /// # Errors
    /// The openings cannot be read.
    pub fn at(&self, indices: &[u32]) -> Result<HashMap<u32, Opening>, S::Error> {
        let (mut found, mut index) = (HashMap::new(), 0);
        if indices.is_empty() {
            return Ok(found);
        }
        self.each(
            |opening, _| opening.into_owned(),
            |read| {
                if let Ok(mut opening) = read
                    && indices.contains(&index)
                {
                    opening.number(index as usize + 1);
                    found.insert(index, opening);
                }
                index += 1;
            },
        )?;
        Ok(found)
    }

    /// The dropped openings; `unit` is that of their numbers.
    pub fn duplicates(&self, unit: &'static str) -> impl ExactSizeIterator<Item = Duplicate> {
        let dropped = self.dropped.iter();
        dropped.map(move |&[line, first]| Duplicate {
            line: line as usize,
            first: first as usize,
            unit,
        })
    }
}

impl<S: OpeningSource> OpeningSource for Distinct<'_, S> {
    type Error = S::Error;

    fn each<T: Send>(
        &self,
        make: impl Fn(Cow<'_, Opening>, &dyn AnyPosition) -> T + Sync,
        mut take: impl FnMut(Result<T, BadLine>),
    ) -> Result<(), S::Error> {
        let mut place = 0;
        let repeats = !self.dropped.is_empty();
        self.source.each(
            |opening, position| {
                let key = repeats.then(|| position.symmetric_key());
                (key, make(opening, position))
            },
            |read| {
                let Ok((key, made)) = read else { return };
                let first = key.and_then(|key| self.first.get(&key));
                if first.is_none_or(|first| first.place == place) {
                    take(Ok(made));
                }
                place += 1;
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::OpeningConnections;

    struct Text(String);

    impl OpeningSource for Text {
        type Error = TextError;

        fn each<T: Send>(
            &self,
            make: impl Fn(Cow<'_, Opening>, &dyn AnyPosition) -> T + Sync,
            take: impl FnMut(Result<T, BadLine>),
        ) -> Result<(), TextError> {
            let mut lines = Lines::new(self.0.as_bytes(), "book");
            each_line(leitai_chess::card(), &mut lines, None, make, take)
        }
    }

    /// Games of chess from their first plies on, with comments and blank lines: more lines than are
    /// read at a time. Many lead into each other, and many are equal.
    fn text() -> Text {
        let mut random = crate::schedule::generator(7, crate::schedule::Stream::Openings);
        let mut text = String::from("# a book\n\n");
        let mut openings = 0;
        while openings < AT_ONCE + 500 {
            let mut position = leitai_chess::card().initial();
            for _ in 0..3 {
                let moves = position.moves();
                let chosen = crate::schedule::below(&mut random, moves.len() as u64);
                position.play(moves[chosen as usize]);
                text.extend([position.to_fen().as_str(), "\n"]);
                openings += 1;
            }
        }
        Text(text)
    }

    #[test]
    fn openings_that_are_not_kept_are_those_of_a_book() {
        let text = text();
        let book = Book::parse(leitai_chess::card(), &text.0, "book").unwrap();
        let (openings, bad) = Distinct::of(&text).unwrap();
        bad.check("book", "line").unwrap();
        assert!(openings.dropped.len() > 5_000 && openings.len == book.len());
        assert!(
            openings
                .duplicates("line")
                .eq(book.duplicates.iter().cloned())
        );
        let mut kept = Vec::new();
        let add = |read: Result<Opening, _>| kept.push(read.unwrap());
        openings
            .each(|opening, _| opening.into_owned(), add)
            .unwrap();
        for (number, opening) in (1..).zip(&mut kept) {
            opening.number(number);
        }
        assert!(
            kept.iter()
                .eq(book.iter().map(Cow::into_owned).collect::<Vec<_>>().iter())
        );
        let connections = OpeningConnections::of(&openings).unwrap();
        assert_eq!(connections, OpeningConnections::within(&book, u64::MAX));
        assert!(connections.found.len() > 100);
    }

    #[test]
    fn bad_lines_are_found() {
        let text = Text(text().0 + "\n8/8/8/8/8/8/8/8 w - - 0 1\n");
        let (openings, bad) = Distinct::of(&text).unwrap();
        assert!(openings.len > 1_000);
        let error = bad.check("book", "line").unwrap_err().to_string();
        let last = text.0.lines().count();
        assert!(error.contains(&format!("book:{last}: ")), "{error}");
    }
}
