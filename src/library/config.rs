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
//! let problem = &error.problems()[0];
//! assert_eq!((problem.line, problem.column), (3, 16));
//! assert_eq!(problem.help[0], "did you mean `nodes`?");
//! # Ok::<(), leitai::config::ConfigError>(())
//! ```

use std::fmt;
use std::path::Path;

use leitai_config::{Colour, Diagnostics, Loaded, Override, load, parse};
use leitai_game::card::{GameCard, Games};
use leitai_game::numbers::{EvalParams, NumberTable};
use leitai_game::search::SearchParams;

/// A checked config.
///
/// `docs/keys.md` lists all keys.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    pub(crate) loaded: Loaded,
    warnings: Vec<Problem>,
}

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
        let loaded = settings.map_err(leitai_config::ConfigError::from);
        let loaded = loaded.and_then(|settings| load(path.as_ref(), &settings, games));
        loaded.map(Self::of).map_err(ConfigError::of)
    }

    /// Parses a text. Paths in it are relative to the working folder.
    ///
    /// # Errors
    /// The text is not a valid config of one of the games.
    pub fn parse(text: &str, games: &Games) -> Result<Self, ConfigError> {
        let loaded = parse(text, "<text>", games);
        loaded.map(Self::of).map_err(ConfigError::of)
    }

    fn of(loaded: Loaded) -> Self {
        let warnings = Problem::list(&loaded.warnings);
        Self { loaded, warnings }
    }

    /// The name of the game.
    pub fn game(&self) -> &'static str {
        self.loaded.config.game.card.name()
    }

    /// The names of the variants, in the order of the file.
    pub fn variants(&self) -> Vec<&str> {
        let variants = self.loaded.config.variants.iter();
        variants.map(|variant| variant.name.as_str()).collect()
    }

    /// Probable mistakes that do not prevent games.
    pub fn warnings(&self) -> &[Problem] {
        &self.warnings
    }
}

/// A mistake at one place of a config. Displays as a text of several lines: message, place, the
/// line with the mistake underlined, and remedies.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// The message, as a lowercase fragment.
    pub message: String,
    /// The line, from 1; in a text with replaced values, a line of that text.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// Remedies.
    pub help: Vec<String>,
    text: String,
}

impl Problem {
    fn list(diagnostics: &Diagnostics) -> Vec<Self> {
        let texts = diagnostics.messages(Colour::Plain);
        let problems = diagnostics.problems.iter().zip(texts);
        let problems = problems.map(|(problem, text)| {
            let end = diagnostics.text.floor_char_boundary(problem.span.start);
            let before = &diagnostics.text[..end];
            let line = before.rsplit('\n').next().unwrap_or_default();
            Self {
                message: problem.message.clone(),
                line: 1 + before.matches('\n').count(),
                column: 1 + line.chars().count(),
                help: problem.help.clone(),
                text,
            }
        });
        problems.collect()
    }
}

impl std::error::Error for Problem {}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

/// The numbers of an evaluation with this name in configs, such as `leitai` or `plain`; `None` if
/// the game has no such preset. The first of the table's presets is the usual one.
///
/// ```
/// use leitai::card::Game;
/// use leitai::config::eval_preset;
/// use leitai::games::chess::Chess;
///
/// let usual = eval_preset(Chess::numbers(), "leitai").expect("a preset of chess");
/// assert!(Chess::evaluation(&usual, Default::default()).is_some());
/// ```
pub fn eval_preset(table: &'static NumberTable, name: &str) -> Option<EvalParams> {
    leitai_config::eval_preset(table, name).ok()
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

/// The reason that a config cannot be used. Displays as a message with all causes, so that
/// [`source`](std::error::Error::source) has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    kind: ConfigErrorKind,
    problems: Vec<Problem>,
    pub(crate) message: String,
}

/// The kind of a [`ConfigError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ConfigErrorKind {
    /// The file cannot be read.
    File,
    /// The text is not a config of one of the games.
    Invalid,
    /// A setting to replace is not of the form `KEY=VALUE`, or leads to no value.
    Setting,
}

impl ConfigError {
    /// The kind.
    pub fn kind(&self) -> ConfigErrorKind {
        self.kind
    }

    /// All mistakes in an invalid text, in its order; empty for other kinds.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    fn of(error: leitai_config::ConfigError) -> Self {
        use leitai_config::ConfigError as Inner;

        let (kind, problems) = match &error {
            Inner::Read { .. } => (ConfigErrorKind::File, Vec::new()),
            Inner::Invalid(diagnostics) => (ConfigErrorKind::Invalid, Problem::list(diagnostics)),
            Inner::Override(_) => (ConfigErrorKind::Setting, Vec::new()),
        };
        Self {
            kind,
            problems,
            message: format!("{:#}", anyhow::Error::from(error)),
        }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for ConfigError {}
