//! Converts the name of a config on the command line to its checked values.

use std::io;

use super::failure::Rendered;
use super::prelude::*;
use super::terminal::{eprint_coloured, has_colours};
use leitai_config::{Colour, Config, ConfigError, Override, Purpose, Variant, load, load_for};

/// Values of the config that the command line changes.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Overrides {
    /// Change a value of the config; may be given more than once. The path has dots
    /// between its keys and the name of a variant after `variant`:
    /// `limits.nodes=5000`, `variant.new.search.null_move.reduction=3`,
    /// `variant.fairy.options.Hash=16`.
    #[arg(long, value_name = "PATH=VALUE", requires = "config")]
    set: Vec<Override>,
}

impl Overrides {
    pub(crate) fn is_empty(&self) -> bool {
        self.set.is_empty()
    }

    /// Returns these overrides followed by `text`.
    ///
    /// # Errors
    /// `text` is not an override.
    pub(crate) fn with(&self, text: &str) -> Result<Self, Failure> {
        let mut set = self.set.clone();
        set.push(text.parse()?);
        Ok(Self { set })
    }
}

/// Reads a config; prints warnings about it on standard error.
pub(crate) fn load_config(path: &Path, overrides: &Overrides) -> Result<Loaded, Failure> {
    is_file(path)?;
    checked(load(path, &overrides.set, games()))
}

/// Like [`load_config`], but only for a player.
pub(crate) fn load_for_players(path: &Path, overrides: &Overrides) -> Result<Loaded, Failure> {
    is_file(path)?;
    checked(load_for(Purpose::Look, path, &overrides.set, games()))
}

/// Refuses standard input: resuming the run reads the config again.
fn is_file(path: &Path) -> Result<(), Failure> {
    if path == Path::new("-") {
        bail!(
            "cannot read a config from standard input: a resumed run reads it again\n\
             help: save it to a file; `--set` overrides its values"
        );
    }
    Ok(())
}

/// Prints warnings about a config, and renders its problems with colours.
pub(crate) fn checked(loaded: Result<Loaded, ConfigError>) -> Result<Loaded, Failure> {
    let colour = if has_colours(&io::stderr()) {
        Colour::Ansi
    } else {
        Colour::Plain
    };
    let loaded = loaded.map_err(|error| match error {
        ConfigError::Invalid(problems) => Failure::new(Rendered(problems.render(colour))),
        other => other.into(),
    })?;
    if !loaded.warnings.is_empty() {
        eprint_coloured(&loaded.warnings.render(colour));
    }
    Ok(loaded)
}

/// The record of a config that names none.
pub(crate) fn default_store(config: &Path) -> PathBuf {
    named_like(config, ".sqlite")
}

/// The file in the current folder that has the config's name with another extension.
pub(crate) fn named_like(config: &Path, ending: &str) -> PathBuf {
    let mut name = config.file_stem().unwrap_or(config.as_os_str()).to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// A variant of a config.
#[derive(Clone, Debug, Args)]
pub(crate) struct VariantChoice {
    /// Config of the variant; by default the game's own.
    #[arg(long, short)]
    pub(crate) config: Option<PathBuf>,
    #[command(flatten)]
    overrides: Overrides,
    /// The variant; by default the first one of the config.
    #[arg(long, requires = "config")]
    variant: Option<String>,
}

impl VariantChoice {
    /// The chosen variant, a search of this game, and its config; `None` without a config.
    pub(crate) fn load(&self, card: Card) -> Result<Option<(Variant, Config)>, Failure> {
        let Some(file) = &self.config else {
            return Ok(None);
        };
        let config = load_for_players(file, &self.overrides)?.config;
        if config.game.card != card {
            bail!("{} is not about {}", shown_path(file), card.name());
        }
        let variant = choose(&config, self.variant.as_deref())?.clone();
        if variant.program.is_some() {
            bail!(
                "`{}` is another program, and this command needs a search of leitai\n\
                 help: choose another variant with --variant",
                variant.name
            );
        }
        Ok(Some((variant, config)))
    }
}

/// The named variant, or the first one.
pub(crate) fn choose<'a>(config: &'a Config, name: Option<&str>) -> Result<&'a Variant, Failure> {
    let mut variants = config.variants.iter();
    let Some(name) = name else {
        return variants.next().context("the config has no variants");
    };
    let found = variants.find(|variant| variant.name == name);
    found.with_context(|| {
        let names = config.variants.iter().map(|variant| variant.name.as_str());
        let names: Vec<_> = names.collect();
        format!("no variant `{name}`; there are {}", names.join(", "))
    })
}
