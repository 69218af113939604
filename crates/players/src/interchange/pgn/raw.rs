//! Unparsed games.

use super::{MoveComment, Tags};

/// Largest number of bytes of the words of one game, and of its tags.
const MAX_TEXT: usize = 1 << 20;

/// Largest number of tags of a game.
const MAX_TAGS: usize = 512;

/// The words of movetext that may be moves, each with its line, in one allocation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    text: String,
    /// End of each word in `text`, and its line.
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

    /// The number of words.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

/// An unparsed game, bounded in size for any file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawGame {
    /// Number of the game in its file, from 1.
    pub number: u64,
    /// The line where the game begins.
    pub line: u64,
    /// Its tags.
    pub tags: Tags,
    /// Words that may be moves, without variations.
    pub words: Words,
    /// Search data from comments, each with the number of words before it.
    pub searched: Vec<(usize, MoveComment)>,
    /// The result at the end of its moves.
    pub result: Option<&'static str>,
    /// The defect that makes the game incomplete, if any.
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

    /// Returns whether the game is still empty.
    pub(super) fn is_nothing(&self) -> bool {
        self.tags.is_empty() && self.words.is_empty() && self.result.is_none()
    }

    /// Returns whether the game already has this tag, if it is one that occurs once per game. Then
    /// the new tag belongs to the next game, and this game had no moves and no result after its
    /// tags.
    pub(super) fn has(&self, tag: &str) -> bool {
        let once = ["game", "red", "white", "black", "result", "event"];
        let once = once.iter().any(|name| tag.eq_ignore_ascii_case(name));
        once && self.tags.get(tag).is_some()
    }

    pub(super) fn tag(&mut self, name: &str, value: &str) {
        self.tag_text += name.len() + value.len();
        if self.tag_text > MAX_TEXT || self.tags.len() >= MAX_TAGS {
            self.damage("it has more than 512 tags or 1 MiB of them");
        } else {
            self.tags.push(name, value);
        }
    }

    pub(super) fn word(&mut self, word: &str, line: u64) {
        if self.words.text.len() + word.len() > MAX_TEXT {
            self.damage("its movetext is longer than 1 MiB");
        } else {
            self.words.push(word, line);
        }
    }

    /// Stores a comment as search data of the last word, if it is that.
    pub(super) fn comment(&mut self, text: &str) {
        let words = self.words.len();
        let is_first = self.searched.last().is_none_or(|(of, _)| *of < words);
        if words > 0 && is_first {
            let searched = MoveComment::read(text).map(|searched| (words, searched));
            self.searched.extend(searched);
        }
    }

    /// Stores the reason that makes the game incomplete; the first reason counts.
    pub(super) fn damage(&mut self, problem: &'static str) {
        self.damage.get_or_insert(problem);
    }
}
