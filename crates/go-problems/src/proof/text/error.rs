//! Errors in the text of a certificate.

use thiserror::Error;

use leitai_base::foreign::{Foreign, excerpt};

/// An error in the text of a certificate.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {trouble}")]
pub struct ReadError {
    /// The line, from 1; one after the last line if the text ends too early.
    pub line: usize,
    /// The error in that line.
    pub trouble: Trouble,
}

/// The error in a line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Trouble {
    /// Not UTF-8.
    #[error("not text (UTF-8)")]
    Encoding,
    /// Longer than any line of a certificate.
    #[error("longer than {0} bytes, which no line of a certificate is")]
    TooLong(usize),
    /// Other text in place of the beginning of a certificate.
    #[error("`{0}` where a certificate should begin: expected `leitai proof 1`")]
    Beginning(Foreign),
    /// An unknown header.
    #[error(
        "invalid header `{0}`: expected `id`, `claim`, `master`, `target`, `against`, `with`, \
         `to-move`, `ko-ban`, `liberties`, `board` or `nodes`"
    )]
    Header(Foreign),
    /// A repeated header.
    #[error("`{0}` is given twice")]
    Again(&'static str),
    /// A header that is still missing before the nodes.
    #[error("`{0}` is missing before the nodes begin")]
    Missing(&'static str),
    /// A header with an invalid value.
    #[error("`{0} {1}`: expected {2}")]
    Value(&'static str, Foreign, String),
    /// A row with a wrong length or wrong letters.
    #[error("invalid row `{0}`: expected {1} of `.`, `X` and `O`")]
    Row(Foreign, u8),
    /// A node out of order.
    #[error("expected node {0} of {1} here: `{0} PLAY: REPLY NODE, ..., * NODE`")]
    Number(u32, u32),
    /// A node without a play.
    #[error("invalid play `{0}`: expected a point of the board such as `C3`, `pass` or `-`")]
    Answer(Foreign),
    /// An unreadable reply.
    #[error("invalid reply `{0}`: expected a point and a node such as `C3 7`, or `* 7`")]
    Reply(Foreign),
    /// Two answers to unlisted plays.
    #[error("`*` is given twice")]
    TwoOtherwise,
    /// Text after the last node.
    #[error("`{0}` after the last of {1} nodes: expected `end`")]
    Surplus(Foreign, u32),
    /// The early end of the text.
    #[error("the text ends within a certificate: expected {0}")]
    CutOff(&'static str),
}

/// Maximum number of letters of a line in a message.
const SHOWN: usize = 60;

/// The beginning of a text, safe to print.
pub(super) fn shown(text: &str) -> Foreign {
    excerpt(text, SHOWN).into()
}
