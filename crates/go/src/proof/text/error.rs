//! What can be wrong with the text of a certificate.

use thiserror::Error;

use leitai_base::foreign::{Foreign, excerpt};

/// Where text is not a certificate.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {trouble}")]
pub struct ReadError {
    /// The line, from 1; one after the last where more is missing.
    pub line: usize,
    /// What is wrong there.
    pub trouble: Trouble,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Trouble {
    /// Not UTF-8.
    #[error("not text (UTF-8)")]
    Encoding,
    /// Longer than any line of a certificate.
    #[error("longer than {0} bytes, which no line of a certificate is")]
    TooLong(usize),
    /// Text where a certificate should begin.
    #[error("`{0}` where a certificate should begin: expected `leitai proof 1`")]
    Beginning(Foreign),
    /// A header of another name.
    #[error(
        "`{0}` is no header: expected `id`, `claim`, `master`, `target`, `against`, `with`, \
         `to-move`, `ko-ban`, `liberties`, `board` or `nodes`"
    )]
    Header(Foreign),
    /// A header for the second time.
    #[error("`{0}` is given twice")]
    Again(&'static str),
    /// Headers that are missing when the nodes begin.
    #[error("`{0}` is missing before the nodes begin")]
    Missing(&'static str),
    /// A header with a value that it cannot have.
    #[error("`{0} {1}`: expected {2}")]
    Value(&'static str, Foreign, String),
    /// A row of another length or with other letters.
    #[error("`{0}` is no row: expected {1} of `.`, `X` and `O`")]
    Row(Foreign, u8),
    /// A node out of turn.
    #[error("expected node {0} of {1} here: `{0} PLAY: REPLY NODE, ..., * NODE`")]
    Number(u32, u32),
    /// A node without a play.
    #[error("`{0}` is no play: expected a point of the board such as `C3`, `pass` or `-`")]
    Answer(Foreign),
    /// A reply that cannot be read.
    #[error("`{0}` is no reply: expected a point and a node such as `C3 7`, or `* 7`")]
    Reply(Foreign),
    /// Two answers to all other plays.
    #[error("`*` is given twice")]
    TwoOtherwise,
    /// More after the last node.
    #[error("`{0}` after the last of {1} nodes: expected `end`")]
    Surplus(Foreign, u32),
    /// The text ends too early.
    #[error("the text ends within a certificate: expected {0}")]
    CutOff(&'static str),
}

/// Letters of a line that a message shows.
const SHOWN: usize = 60;

/// The beginning of a text, fit to be shown.
pub(super) fn shown(text: &str) -> Foreign {
    excerpt(text, SHOWN).into()
}
