//! A game as its file has it, nothing of it understood.

use super::{Searched, Tags};

/// Most bytes of the words of one game, and of its tags.
const MOST_TEXT: usize = 1 << 20;

/// Most tags of a game.
const MOST_TAGS: usize = 512;

/// The words of movetext that could be moves, each with its line, in one piece
/// of memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    text: String,
    /// Where each word ends in `text`, and its line.
    ends: Vec<(usize, u64)>,
}

impl Words {
    fn push(&mut self, word: &str, line: u64) {
        self.text.push_str(word);
        self.ends.push((self.text.len(), line));
    }

    /// The words, each after the number of its line.
    pub fn iter(&self) -> impl Iterator<Item = (u64, &str)> {
        let mut start = 0;
        self.ends.iter().map(move |&(end, line)| {
            let word = &self.text[start..end];
            start = end;
            (line, word)
        })
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

/// A game as its file has it: bounded in size, whatever the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawGame {
    /// Number of the game in its file, from 1.
    pub number: u64,
    /// Where it begins.
    pub line: u64,
    /// Its tags.
    pub tags: Tags,
    /// What may be its moves, variations left out.
    pub words: Words,
    /// What comments say that players said, each behind so many words.
    pub searched: Vec<(usize, Searched)>,
    /// The result at the end of its moves.
    pub result: Option<&'static str>,
    /// Why it cannot be read whole.
    pub damage: Option<&'static str>,
    /// Bytes of the tags.
    tag_text: usize,
}

impl RawGame {
    pub(super) fn at(line: u64) -> Self {
        Self {
            line,
            ..Self::default()
        }
    }

    /// Whether nothing of a game has been found.
    pub(super) fn is_nothing(&self) -> bool {
        self.tags.is_empty() && self.words.is_empty() && self.result.is_none()
    }

    /// Whether a tag that every game has once is there already: then this one
    /// is the next game's, and the game had no moves and no result after them.
    pub(super) fn has(&self, tag: &str) -> bool {
        let once = ["game", "red", "white", "black", "result", "event"];
        let once = once.iter().any(|name| tag.eq_ignore_ascii_case(name));
        once && self.tags.get(tag).is_some()
    }

    pub(super) fn tag(&mut self, name: &str, value: &str) {
        self.tag_text += name.len() + value.len();
        if self.tag_text > MOST_TEXT || self.tags.len() >= MOST_TAGS {
            self.damage("it has more than 512 tags or 1 MiB of them");
        } else {
            self.tags.push(name, value);
        }
    }

    pub(super) fn word(&mut self, word: &str, line: u64) {
        if self.words.text.len() + word.len() > MOST_TEXT {
            self.damage("its movetext is longer than 1 MiB");
        } else {
            self.words.push(word, line);
        }
    }

    /// Takes a comment for what a player said of the last word, if it is that.
    pub(super) fn comment(&mut self, text: &str) {
        let words = self.words.len();
        let is_first = self.searched.last().is_none_or(|(of, _)| *of < words);
        if words > 0 && is_first {
            let searched = Searched::read(text).map(|searched| (words, searched));
            self.searched.extend(searched);
        }
    }

    /// Notes why the game cannot be read whole; the first reason counts.
    pub(super) fn damage(&mut self, what: &'static str) {
        self.damage.get_or_insert(what);
    }
}
