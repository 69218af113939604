//! Text formats of games, in addition to PGN.

/// A text format for the games of one game: its names, and its detection in files.
#[derive(Clone, Copy, Debug)]
pub struct TextForm {
    /// Its name on the command line, and its file extension: `ggf`.
    pub name: &'static str,
    /// Its name in sentences: `GGF`.
    pub title: &'static str,
    /// The same with a preposition: `in GGF`.
    pub manner: &'static str,
    /// The description after its name in a list of formats.
    pub about: &'static str,
    /// Returns whether a file has this format, given its first line that is no comment.
    pub begins: fn(line: &str) -> bool,
    /// True for the default format of the game's files that are not PGN.
    pub is_usual: bool,
}

impl PartialEq for TextForm {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for TextForm {}
