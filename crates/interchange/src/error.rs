//! Errors of a file, and of one game or line in it.

use thiserror::Error;

use leitai_base::count::count;
use leitai_base::foreign::Foreign;

/// An error that ends the reading of a text file.
#[derive(Debug, Error)]
pub enum TextError {
    /// The operating system refused to read.
    #[error("cannot read {name}")]
    Read {
        /// Name of the file.
        name: Foreign,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The file as a whole has the wrong contents.
    #[error("{name}: {problem}\nhelp: {help}")]
    File {
        /// Name of the file.
        name: Foreign,
        /// The problem.
        problem: Foreign,
        /// The correct form.
        help: Foreign,
    },
}

impl TextError {
    /// The error of reading a file.
    pub fn read(name: &str, source: std::io::Error) -> Self {
        if source.kind() == std::io::ErrorKind::IsADirectory {
            return Self::file(name, "it is a folder", "pass the files in it");
        }
        Self::Read {
            name: name.into(),
            source,
        }
    }

    /// The error about a file with the wrong contents.
    pub fn file(name: &str, problem: impl Into<Foreign>, help: impl Into<Foreign>) -> Self {
        Self::File {
            name: name.into(),
            problem: problem.into(),
            help: help.into(),
        }
    }
}

/// A game or position that cannot be read. The others of its file can.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "{name}{}{}{}: {problem}{}",
    if *.line > 0 { format!(", line {line}") } else { String::new() },
    .game.map_or_else(String::new, |game| format!(", game {game}")),
    .ply.map_or_else(String::new, |ply| format!(", ply {ply}")),
    if .help.raw().is_empty() { String::new() } else { format!("\n  help: {}", .help) }
)]
pub struct Damage {
    /// Name of the file.
    pub name: Foreign,
    /// Number of the line, from 1; 0 in a binary file.
    pub line: u64,
    /// Number of the game in the file, from 1; `None` for a position.
    pub game: Option<u64>,
    /// Number of the faulty ply, from 1.
    pub ply: Option<usize>,
    /// The problem, with the offending text.
    pub problem: Foreign,
    /// The correct form.
    pub help: Foreign,
}

/// The place of a game in its file.
#[derive(Clone, Copy, Debug)]
pub struct GameLocation<'a> {
    /// Name of the file.
    pub name: &'a str,
    /// Line, from 1; 0 in a binary file.
    pub line: u64,
    /// Number of the game in the file, from 1.
    pub game: u64,
}

impl GameLocation<'_> {
    /// The damage of this game, at a ply counted from 1.
    pub fn damage(
        &self,
        ply: Option<usize>,
        problem: impl Into<Foreign>,
        help: impl Into<Foreign>,
    ) -> Damage {
        Damage {
            name: self.name.into(),
            line: self.line,
            game: Some(self.game),
            ply,
            problem: problem.into(),
            help: help.into(),
        }
    }
}

/// The note about parts of the games of a file that are not kept; `None` if there are none.
pub fn left_out(name: &str, variations: u64, comments: u64) -> Option<String> {
    let parts = [
        (variations, "variation", "variations"),
        (comments, "comment", "comments"),
    ];
    let parts = parts.iter().filter(|(number, ..)| *number > 0);
    let parts = parts.map(|(number, one, many)| count(*number, one, many));
    let parts: Vec<String> = parts.collect();
    let name = leitai_base::foreign::shown(name);
    (!parts.is_empty()).then(|| format!("{name}: left out: {}", parts.join(" and ")))
}
