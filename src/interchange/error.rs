//! What can be wrong with a file, and with one game or line of it.

use std::fmt;

use thiserror::Error;

use crate::foreign::Foreign;

/// Why a file of text cannot be read any further.
#[derive(Debug, Error)]
pub enum TextError {
    /// The operating system says no.
    #[error("cannot read {name}")]
    Read {
        /// Name of the file.
        name: Foreign,
        /// Why not.
        source: std::io::Error,
    },
    /// The file as a whole is not what it should be.
    #[error("{name}: {problem}\nhelp: {help}")]
    File {
        /// Name of the file.
        name: Foreign,
        /// What is wrong.
        problem: Foreign,
        /// What would be right.
        help: Foreign,
    },
}

/// One game or position that cannot be read. The others of its file can.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct Damage {
    /// Name of the file.
    pub name: Foreign,
    /// Number of the line, from 1.
    pub line: u64,
    /// Number of the game in the file, from 1; `None` for a position.
    pub game: Option<u64>,
    /// Number of the ply at fault, from 1.
    pub ply: Option<usize>,
    /// What is wrong, with the offending text.
    pub problem: Foreign,
    /// What would be right.
    pub help: Foreign,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, line {}", self.name, self.line)?;
        if let Some(game) = self.game {
            write!(f, ", game {game}")?;
        }
        if let Some(ply) = self.ply {
            write!(f, ", ply {ply}")?;
        }
        write!(f, ": {}", self.problem)?;
        if self.help.raw().is_empty() {
            Ok(())
        } else {
            write!(f, "\n  help: {}", self.help)
        }
    }
}
