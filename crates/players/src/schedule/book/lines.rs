//! Books of many lines: their text, an index of the lines, and the keys of their positions.

use std::sync::Arc;

use memchr::memchr_iter;
use sha2::{Digest, Sha256};

use super::{BadLines, BookError, Duplicate, Result, in_order, read_line};
use crate::schedule::Opening;
use leitai_game::card::GameCard;

/// The lines of a book, each parsed when it is drawn. Takes the size of the text and some 20 bytes
/// per line.
pub(super) struct BookLines {
    card: &'static dyn GameCard,
    /// The name of the file.
    name: String,
    /// The text of the file.
    text: Arc<String>,
    /// Number of first moves of a line of moves.
    plies: Option<usize>,
    /// The offsets of the kept lines in the text.
    kept: Vec<u32>,
    /// The number of each [`STEP`]th kept line.
    numbers: Vec<u32>,
    /// The symmetric keys of the kept lines.
    keys: KeyPlaces,
    digest: [u8; 32],
}

/// Number of lines that are read at a time.
pub(in crate::schedule) const AT_ONCE: usize = 1 << 13;
/// Distance of kept lines whose numbers are stored.
const STEP: usize = 64;

/// Returns the lines of a text with their numbers, without surrounding blanks, empty lines and
/// comments.
pub fn numbered_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = (1..).zip(text.split('\n'));
    lines.filter_map(|(number, line)| Some((number, content(line)?)))
}

/// Returns a line without surrounding blanks; `None` for an empty line or a comment.
pub(in crate::schedule) fn content(line: &str) -> Option<&str> {
    let line = line.trim();
    (!line.is_empty() && !line.starts_with(['#', '%'])).then_some(line)
}

/// Returns the number of line feeds.
pub fn line_ends(text: &[u8]) -> u64 {
    memchr_iter(b'\n', text).count() as u64
}

impl BookLines {
    /// Indexes the lines of a text of less than 4 GiB without those that equal an earlier one up to
    /// symmetry, which are returned. A line is parsed only if its key does not follow from its text.
    pub(super) fn of(
        card: &'static dyn GameCard,
        text: String,
        name: &str,
        plies: Option<usize>,
    ) -> Result<(Self, Vec<Duplicate>)> {
        let text = Arc::new(text);
        let most = line_ends(text.as_bytes()) as usize + 1;
        let mut book = Self {
            card,
            name: name.to_owned(),
            text: Arc::clone(&text),
            plies,
            kept: Vec::with_capacity(most),
            numbers: Vec::new(),
            keys: KeyPlaces::with_capacity(most),
            digest: [0; 32],
        };
        let (mut bad, mut duplicates) = (BadLines::default(), Vec::new());
        let read = |&(number, line): &(usize, &str)| {
            read_line(card, line, number, plies).map(|(_, position)| position.symmetric_key())
        };
        let mut lines = numbered_lines(&text).peekable();
        while lines.peek().is_some() {
            let block: Vec<_> = lines.by_ref().take(AT_ONCE).collect();
            // The key of a text is that of its board, from which moves may lead on.
            let told = block.iter().map(|(_, line)| {
                let has_moves = line.contains("moves ");
                (!has_moves).then(|| card.text_key(line)).flatten()
            });
            let told: Vec<_> = told.collect();
            let both = block.iter().zip(&told);
            let untold: Vec<_> = both.filter(|it| it.1.is_none()).map(|it| *it.0).collect();
            let mut parsed = in_order(&untold, read).into_iter();
            for ((number, line), key) in block.into_iter().zip(told) {
                let key = match key.map(Ok).or_else(|| parsed.next()) {
                    Some(Ok(key)) => key,
                    Some(Err(line)) => {
                        bad.add(line);
                        continue;
                    }
                    None => continue,
                };
                if let Some(first) = book.keys.insert(key) {
                    duplicates.push(Duplicate {
                        line: number,
                        first: book.number(first),
                        unit: "line",
                    });
                    continue;
                }
                if book.kept.len().is_multiple_of(STEP) {
                    book.numbers.push(number as u32);
                }
                let offset = line.as_ptr().addr() - text.as_ptr().addr();
                book.kept.push(offset as u32);
            }
        }
        bad.check(name, "line")?;
        book.digest = book.digest_of(book.len());
        Ok((book, duplicates))
    }

    pub(super) fn len(&self) -> usize {
        self.kept.len()
    }

    /// The text of a kept line.
    fn line(&self, start: u32) -> &str {
        let from = &self.text[start as usize..];
        from.split('\n').next().unwrap_or_default().trim_end()
    }

    /// The number of a kept line, from 1.
    fn number(&self, index: usize) -> usize {
        let step = index / STEP;
        let between = self.kept[step * STEP] as usize..self.kept[index] as usize;
        self.numbers[step] as usize + line_ends(&self.text.as_bytes()[between]) as usize
    }

    /// Parses the opening with that index; `None` after the last.
    pub(super) fn opening(&self, index: usize) -> Option<Result<Opening>> {
        let line = self.line(*self.kept.get(index)?);
        let read = read_line(self.card, line, self.number(index), self.plies);
        let read = read.map(|(mut opening, _)| {
            opening.number(index + 1);
            opening
        });
        Some(read.map_err(|bad| BookError::Lines {
            name: self.name.as_str().into(),
            what: "line",
            lines: vec![bad],
            beyond: 0,
        }))
    }

    /// Parses the first `count` openings.
    pub(super) fn parse(&self, count: usize) -> Result<Vec<Opening>> {
        let (mut openings, mut bad) = (Vec::new(), BadLines::default());
        let indices: Vec<usize> = (0..count.min(self.len())).collect();
        for block in indices.chunks(AT_ONCE) {
            for read in in_order(block, |&index| self.opening(index)) {
                match read {
                    Some(Ok(opening)) => openings.push(opening),
                    Some(Err(BookError::Lines { lines, .. })) => {
                        for line in lines {
                            bad.add(line);
                        }
                    }
                    Some(Err(other)) => return Err(other),
                    None => {}
                }
            }
        }
        bad.check(&self.name, "line")?;
        Ok(openings)
    }

    /// The book of the first `count` lines.
    pub(super) fn prefix(&self, count: usize) -> Self {
        let kept = self.kept[..count.min(self.len())].to_vec();
        let mut keys = KeyPlaces::with_capacity(kept.len());
        for &key in &self.keys.keys[..kept.len()] {
            keys.insert(key);
        }
        Self {
            card: self.card,
            name: self.name.clone(),
            text: Arc::clone(&self.text),
            plies: self.plies,
            digest: self.digest_of(kept.len()),
            numbers: self.numbers.clone(),
            kept,
            keys,
        }
    }

    /// The kept lines as a text that gives an equal book, and the number of first moves of a line.
    pub(super) fn source(&self) -> (String, Option<usize>) {
        let lines = self.kept.iter();
        let text = lines.fold(String::with_capacity(self.text.len()), |text, &line| {
            text + self.line(line) + "\n"
        });
        (text, self.plies)
    }

    /// The index of the opening with that key.
    pub(super) fn place(&self, key: u64) -> Option<usize> {
        self.keys.place(key)
    }

    /// A SHA-256 of the kept lines.
    pub(super) fn digest(&self) -> [u8; 32] {
        self.digest
    }

    fn digest_of(&self, count: usize) -> [u8; 32] {
        let mut hasher = Sha256::new();
        hasher.update(format!("lines {:?}\n", self.plies));
        for &line in &self.kept[..count] {
            hasher.update(self.line(line));
            hasher.update(b"\n");
        }
        hasher.finalize().into()
    }
}

/// Keys without repetition, and their places in the order of insertion. Takes at most 24 bytes per
/// key.
struct KeyPlaces {
    keys: Vec<u64>,
    /// A hash table with open addressing: places plus one, 0 if free. At most half full.
    slots: Vec<u32>,
}

impl KeyPlaces {
    fn with_capacity(keys: usize) -> Self {
        Self {
            keys: Vec::with_capacity(keys),
            slots: vec![0; (2 * keys + 2).next_power_of_two()],
        }
    }

    /// Adds a key; returns the place of an equal one instead if there is one.
    fn insert(&mut self, key: u64) -> Option<usize> {
        if self.slots.len() <= 2 * self.keys.len() {
            self.slots = vec![0; 2 * self.slots.len()];
            for place in 0..self.keys.len() {
                let slot = self.slot(self.keys[place]);
                self.slots[slot] = place as u32 + 1;
            }
        }
        let slot = self.slot(key);
        match self.slots[slot] {
            0 => {
                self.keys.push(key);
                self.slots[slot] = self.keys.len() as u32;
                None
            }
            place => Some(place as usize - 1),
        }
    }

    fn place(&self, key: u64) -> Option<usize> {
        let found = self.slots[self.slot(key)] as usize;
        found.checked_sub(1)
    }

    /// The slot of a key, or the free one for it.
    fn slot(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = key as usize & mask;
        loop {
            match self.slots[slot] {
                0 => return slot,
                place if self.keys[place as usize - 1] == key => return slot,
                _ => slot = (slot + 1) & mask,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_keep_their_first_places() {
        let mut places = KeyPlaces::with_capacity(10);
        assert_eq!(places.place(0), None);
        // The low bits, which choose the slot, are equal.
        let keys = || (0..3_000).map(|number: u64| number << 40);
        for key in keys() {
            assert_eq!(places.insert(key), None);
        }
        for (place, key) in keys().enumerate() {
            assert_eq!(places.insert(key), Some(place));
            assert_eq!(places.place(key), Some(place));
        }
        assert_eq!(places.place(1), None);
        assert_eq!(places.keys.len(), 3_000);
    }

    #[test]
    fn lines_without_an_opening_are_skipped() {
        let found: Vec<_> = numbered_lines(" a \nb\n\n# c\n\n%d\n\te").collect();
        assert_eq!(found, [(1, "a"), (2, "b"), (7, "e")]);
    }
}
