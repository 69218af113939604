//! Configs: TOML files as checked values.
//!
//! ```
//! use leitai::config::Config;
//!
//! let games = leitai::games::all();
//! let text = "
//!     game = 'othello'
//!     limits = { nodes = 20 }
//!     tournament = { pairs = 1 }
//!     [[variant]]
//!     name = 'plain'
//!     [[variant]]
//!     name = 'ordered'
//!     search.preset = 'full'
//! ";
//! let config = Config::parse(text, &games)?;
//! assert_eq!(config.variants(), ["plain", "ordered"]);
//!
//! let error = Config::parse(&text.replace("nodes", "nods"), &games).unwrap_err();
//! assert!(error.to_string().contains("did you mean `nodes`?"));
//! # Ok::<(), leitai::config::ConfigError>(())
//! ```

use std::fmt;
use std::path::Path;

use leitai_config::{Loaded, Override, load, parse};
use leitai_game::card::{GameCard, Games};
use leitai_game::search::SearchParams;

/// A checked config.
///
/// `docs/keys.md` lists all keys.
#[derive(Clone, Debug)]
pub struct Config(pub(crate) Loaded);

impl Config {
    /// Reads a file. Paths in it are relative to its folder.
    ///
    /// # Errors
    /// The file cannot be read, or is not a valid config of one of the games.
    pub fn read(path: impl AsRef<Path>, games: &Games) -> Result<Self, ConfigError> {
        Self::read_with(path, &[], games)
    }

    /// Reads a file and replaces values, such as `limits.nodes=500` or `variant.new.eval.rook=900`.
    ///
    /// # Errors
    /// The file cannot be read, a setting names an unknown key, or the result is not a valid config.
    pub fn read_with(
        path: impl AsRef<Path>,
        settings: &[&str],
        games: &Games,
    ) -> Result<Self, ConfigError> {
        let settings = settings.iter().map(|it| it.parse::<Override>());
        let settings: Result<Vec<_>, _> = settings.collect();
        let settings = settings.map_err(|error| ConfigError(error.to_string()))?;
        let loaded = load(path.as_ref(), &settings, games);
        loaded.map(Self).map_err(ConfigError::of)
    }

    /// Parses a text. Paths in it are relative to the working folder.
    ///
    /// # Errors
    /// The text is not a valid config of one of the games.
    pub fn parse(text: &str, games: &Games) -> Result<Self, ConfigError> {
        parse(text, "<text>", games)
            .map(Self)
            .map_err(ConfigError::of)
    }

    /// The name of the game.
    pub fn game(&self) -> &'static str {
        self.0.config.game.card.name()
    }

    /// The names of the variants, in the order of the file.
    pub fn variants(&self) -> Vec<&str> {
        let variants = self.0.config.variants.iter();
        variants.map(|variant| variant.name.as_str()).collect()
    }

    /// Warnings about the file with line, column and remedy; empty if there are none.
    pub fn warnings(&self) -> String {
        self.0.warnings.to_string()
    }
}

/// The settings of a search with this name in configs, such as `full` or `plain`; `None` if no game
/// and not this one has them.
///
/// ```
/// use leitai::config::search_preset;
///
/// let full = search_preset("full", None).expect("a search of all games");
/// assert_ne!(full, leitai::search::SearchParams::default());
/// ```
pub fn search_preset(name: &str, game: Option<&'static dyn GameCard>) -> Option<SearchParams> {
    leitai_config::search_preset(game, name)
}

/// The reason that a config is not valid: all problems, each with file, line, column and remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError(pub(crate) String);

impl ConfigError {
    fn of(error: leitai_config::ConfigError) -> Self {
        Self(format!("{:#}", anyhow::Error::from(error)))
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for ConfigError {}
