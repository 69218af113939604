//! TOML files as checked values; presets; writing configs back.
//!
//! Two stages. The *raw* stage reads the tables as typed, with the place of every value, and checks
//! only types and keys. The *checked* stage resolves names, ranges and inheritance into [`Config`],
//! the only form that the rest of the program uses. Problems are collected, not thrown: a
//! [`Diagnostics`] holds all of them in the order of the file.
//!
//! Inheritance: a variant starts from the default search and the game's usual preset. Then the
//! settings of its base's base, of its base and its own are applied in this order. Within one
//! `eval` table the preset comes first, so that a variant that names a preset keeps no inherited
//! number.

mod adjudication;
mod baseline;
mod check;
mod checks;
mod clock;
mod context;
mod domain;
mod draft;
mod duration;
mod effective;
mod eval;
mod failures;
mod files;
mod gate;
mod glob;
mod kept;
mod limits;
mod lineage;
mod number;
mod openings;
mod overrides;
mod pairs;
mod presets;
mod problem;
mod program;
mod program_check;
mod program_profile;
mod program_typed;
mod reader;
mod rules;
mod schema;
mod search;
mod study;
mod tournament;
mod tune;
mod values;
mod variant;
mod variants;
mod write_back;

#[cfg(test)]
use leitai_games as games;
use std::io;
use std::path::{Path, PathBuf};

use leitai_base::foreign::{raw_path, read_text, shown_path};
pub use leitai_game::numbers::EvalParams;
use thiserror::Error;

pub use adjudication::{
    Adjudication, DrawReset, DrawRule, DrawStart, EndgameTables, ResignBy, ResignRule, TableResults,
};
pub use baseline::with_partner;
pub use checks::Checks;
pub use clock::{Clock, LaterStages, MAX_MOVES, MAX_STAGES, Stage};
pub use domain::Config;
pub use duration::read_time_limit;
pub use effective::{TestSettings, as_typed, typed_text, with_times_as_text};
pub use eval::{BadPreset, eval_preset};
pub use failures::{FailurePolicies, FailurePolicy, Share};
pub use gate::{Control, Gate, GateModel, TestKind};
pub use kept::{Kept, LinePattern};
pub use leitai_game::card::{GameChoice, Games, Letters, Passing};
pub use limits::{Limits, TimeControl};
pub use number::{Decimal, Number, SearchNumber, UnknownNumber};
pub use openings::{BookFormat, EarlierBook, Exhausted, OpeningOrder, Openings};
pub use overrides::{
    Override, OverrideError, config_command_words, config_words, path_word, run_name, shell_word,
};
pub use pairs::{GamesOfPair, PairForm};
pub use presets::{default_variant, full_variant, preset_variant};
pub use problem::{Colour, Diagnostics, Problem, Severity};
pub use program::{Identity, Profile, Program, UnspecifiedProfile};
pub use schema::schema;
pub use search::search_preset;
pub use study::{SolverStudy, Study, StudyGames};
pub use tournament::{Format, GauntletSides, Tournament};
pub use tune::{
    Algorithm, BlockKind, Climb, DimensionMember, FitSource, FreezeReason, Frozen, Generations,
    PoolStage, Proof, SecondProof, TexelStage, Tune, TunedDimension,
};
pub use variant::Variant;
pub use write_back::{
    AddedVariant, NextConfig, NextGames, WriteBackError, added_variant_text, next_config_text,
    quoted, with_paths,
};

/// A config that can be run.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// The checked values.
    pub config: Config,
    /// The study of searches that the file describes, if any.
    pub study: Option<Study>,
    /// The study of solvers that the file describes, if any; never both.
    pub solver_study: Option<SolverStudy>,
    /// Warnings about the file, and its text; often without a problem.
    pub warnings: Diagnostics,
}

/// The reason why a config cannot be loaded.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read the config `{}`", shown_path(path))]
    Read {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The file's text is no valid config. For colours, call
    /// [`Diagnostics::render`].
    #[error("{0}")]
    Invalid(Diagnostics),
    /// A value cannot be overridden.
    #[error(transparent)]
    Override(#[from] OverrideError),
}

/// The purpose of reading a config.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To play, tune or study its players.
    Play,
    /// To inspect its players: one is enough, and neither limits nor a tournament are required.
    Look,
}

/// Maximum size of a config in bytes: a million weights of an evaluation.
const LARGEST: u64 = 64 << 20;

/// Reads the config in the file `path` and applies the overrides.
///
/// Files named in the config are searched in the folder of the config and then in the working
/// directory; they must exist. `leitai:NAME` is a book included in the program.
///
/// # Errors
/// The file cannot be read, or is no valid config.
pub fn load(path: &Path, overrides: &[Override], games: &Games) -> Result<Loaded, ConfigError> {
    load_for(Purpose::Play, path, overrides, games)
}

/// Reads the config in the file `path` for a purpose, and applies the overrides.
///
/// # Errors
/// The file cannot be read, or is no valid config.
pub fn load_for(
    purpose: Purpose,
    path: &Path,
    overrides: &[Override],
    games: &Games,
) -> Result<Loaded, ConfigError> {
    let text = read_text(path, LARGEST).map_err(|source| ConfigError::Read {
        path: path.to_owned(),
        source,
    })?;
    if overrides.is_empty() {
        return read_from(purpose, &text, &raw_path(path), path, games);
    }
    let name = config_command_words(path, overrides);
    let text = overrides::apply(&text, overrides)?;
    read_from(purpose, &text, &name, path, games)
}

/// Reads a config from its text, as if it were in the file `path`. Messages call it `name`.
///
/// # Errors
/// The text is no valid config.
pub fn load_text(
    text: &str,
    name: &str,
    path: &Path,
    games: &Games,
) -> Result<Loaded, ConfigError> {
    read_from(Purpose::Play, text, name, path, games)
}

fn read_from(
    purpose: Purpose,
    text: &str,
    name: &str,
    path: &Path,
    games: &Games,
) -> Result<Loaded, ConfigError> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let find = |file: &Path| {
        if shipped_name(file).is_some() {
            return Ok(file.to_owned());
        }
        let mut tried = vec![folder.join(file), file.to_owned()];
        tried.dedup();
        let text = file.to_str().unwrap_or_default();
        let is_there: fn(&PathBuf) -> bool = if text.ends_with(std::path::is_separator) {
            |path| path.is_dir()
        } else {
            |path| path.is_file()
        };
        match tried.iter().position(is_there) {
            Some(found) => Ok(tried.swap_remove(found)),
            None => Err(tried),
        }
    };
    check::check(purpose, text, name, games, &find).map_err(ConfigError::Invalid)
}

/// The name of a book included in the program, for a file written as `leitai:NAME`.
pub fn shipped_name(file: &Path) -> Option<&str> {
    file.to_str()?.strip_prefix("leitai:")
}

/// Checks the text of a config that messages call `name`. Accesses no files: paths stay as written.
///
/// # Errors
/// The text is no valid config.
pub fn parse(text: &str, name: &str, games: &Games) -> Result<Loaded, ConfigError> {
    let find = |file: &Path| Ok(file.to_owned());
    check::check(Purpose::Play, text, name, games, &find).map_err(ConfigError::Invalid)
}
