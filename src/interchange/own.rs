//! Games in forms that only one game has.

use std::io::BufRead;

use super::pgn::Game;
use super::{Damage, Lines, TextError};
use crate::card::{Rules, TextForm};

/// A form that games are read and written in.
#[derive(Clone, Copy, Debug)]
pub struct OwnForm {
    /// Which one.
    pub form: &'static TextForm,
    /// Reads the games of a file.
    pub reader: Reader,
    /// A game, which is of the form's, without a line end.
    pub write: fn(&Game) -> Option<String>,
}

/// Begins to read a file.
pub type Reader = fn(Lines<Box<dyn BufRead>>) -> Box<dyn ReadGames>;

/// Reads the games of a file one by one.
pub trait ReadGames {
    /// The next game by `rules`, or why it is none; `None` at the end.
    ///
    /// # Errors
    /// The file cannot be read.
    fn next_game(&mut self, rules: Rules) -> Result<Option<Result<Game, Damage>>, TextError>;

    /// The file's name.
    fn name(&self) -> &str;

    /// What is to be said of the file, once all games have been read.
    fn notes(&self) -> Vec<String>;
}
