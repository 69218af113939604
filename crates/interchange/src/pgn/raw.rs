//! Unparsed games.

use super::Tags;

/// Largest number of bytes of the words of one game, and of its tags.
const MAX_TEXT: usize = 1 << 20;

/// Largest number of tags of a game.
const MAX_TAGS: usize = 512;

/// An unparsed game, bounded in size for any file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawGame<'t> {
    /// Number of the game in its block of the file, from 1.
    pub number: u64,
    /// The line where the game begins.
    pub line: u64,
    /// Its tags.
    pub tags: Tags,
    /// Words that may be moves, without variations, each after its line.
    pub words: Vec<(u64, &'t str)>,
    /// Comments on moves, each with the number of words before it.
    pub comments: Vec<(usize, &'t str)>,
    /// The result at the end of its moves.
    pub result: Option<&'static str>,
    /// The defect that makes the game incomplete, if any.
    pub damage: Option<&'static str>,
    /// Bytes of the tags and of the words.
    tag_text: usize,
    word_text: usize,
}

impl<'t> RawGame<'t> {
    /// Forgets the game, and keeps the memory for the next one.
    pub(super) fn clear(&mut self) {
        let Self {
            tags,
            words,
            comments,
            ..
        } = std::mem::take(self);
        (self.tags, self.words, self.comments) = (tags, words, comments);
        self.tags.clear();
        self.words.clear();
        self.comments.clear();
    }

    /// Returns whether the game is still empty.
    pub(super) fn is_nothing(&self) -> bool {
        self.tags.is_empty() && self.words.is_empty() && self.result.is_none()
    }

    /// Returns whether there is a result and nothing else.
    pub(super) fn is_result(&self) -> bool {
        self.tags.is_empty() && self.words.is_empty()
    }

    pub(super) fn tag(&mut self, name: &str, value: &str) {
        self.tag_text += name.len() + value.len();
        if self.tag_text > MAX_TEXT || self.tags.len() >= MAX_TAGS {
            self.damage("it has more than 512 tags or 1 MiB of them");
        } else {
            self.tags.push(name, value);
        }
    }

    pub(super) fn word(&mut self, word: &'t str, line: u64) {
        self.word_text += word.len();
        if self.word_text > MAX_TEXT {
            self.damage("its movetext is longer than 1 MiB");
        } else {
            self.words.push((line, word));
        }
    }

    /// Stores a comment on the last word.
    pub(super) fn comment(&mut self, text: &'t str) {
        let words = self.words.len();
        if words > 0 {
            self.comments.push((words, text));
        }
    }

    /// Stores the reason that makes the game incomplete; the first reason counts.
    pub(super) fn damage(&mut self, problem: &'static str) {
        self.damage.get_or_insert(problem);
    }
}
