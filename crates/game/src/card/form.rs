//! Forms in which games are written, beside PGN.

/// A form of text in which games of one game are written: what it is called, and how a
/// file shows that it has it.
#[derive(Clone, Copy, Debug)]
pub struct TextForm {
    /// Its name on the command line, and the ending of its files: `ggf`.
    pub name: &'static str,
    /// What sentences call it: `GGF`.
    pub title: &'static str,
    /// The same after a verb: `in GGF`.
    pub manner: &'static str,
    /// What stands behind its name in a list of formats.
    pub about: &'static str,
    /// Whether a file has this form whose first line, that is no comment, is this.
    pub begins: fn(line: &str) -> bool,
    /// Whether files have it that are said to be of the game and are no PGN.
    pub is_usual: bool,
}

impl PartialEq for TextForm {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for TextForm {}
