//! The files that a tune leaves, each beside the others.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::Arguments;
use crate::cli::common::Failure;
use crate::cli::configs::{Overrides, load_config};
use crate::config::{
    Loaded, Offspring, Play, Proof, Sequel, Tune, Variant, path_word, quoted, with_sequel,
};
use crate::stats::Model;

/// Names of the files, by the stage that writes them.
#[derive(Clone, Debug)]
pub(super) struct Files {
    /// The tuned variant, with the gate between it and the start.
    pub(super) tuned: PathBuf,
    /// What the others begin with.
    stem: PathBuf,
}

impl Files {
    /// Beside the config, unless the tuned variant is wanted elsewhere.
    pub(super) fn of(arguments: &Arguments) -> Self {
        let usual = || arguments.config.with_extension("tuned.toml");
        let tuned = arguments.out.clone().unwrap_or_else(usual);
        let stem = match &arguments.out {
            None => arguments.config.with_extension(""),
            // `x.tuned.toml` and `x.toml` both have their company called `x.*`.
            Some(out) => {
                let stem = out.with_extension("");
                match stem.extension() {
                    Some(extension) if extension == "tuned" => stem.with_extension(""),
                    _ => stem,
                }
            }
        };
        Self { tuned, stem }
    }

    /// The file of that ending.
    pub(super) fn other(&self, ending: &str) -> PathBuf {
        let mut name = self.stem.clone().into_os_string();
        name.push(".");
        name.push(ending);
        PathBuf::from(name)
    }
}

/// The config that was given, from which all others are derived.
pub(super) struct Origin<'a> {
    /// The file.
    pub(super) config: &'a Path,
    /// Its text, with what was overridden.
    pub(super) text: &'a str,
    /// What it says.
    pub(super) loaded: &'a Loaded,
    /// Its tune.
    pub(super) tune: &'a Tune,
}

impl<'a> Origin<'a> {
    /// The variant that is tuned, as the config has it.
    pub(super) fn start(&self) -> &'a Variant {
        &self.loaded.config.variants[self.tune.variant]
    }

    /// The name of something that comes of the start.
    pub(super) fn name(&self, what: &str) -> String {
        format!("{}-{what}", self.start().name)
    }

    /// Refuses a config whose variants have names that are to be given.
    pub(super) fn check_names(&self) -> Result<(), Failure> {
        let pool = self.tune.pool.as_ref();
        let checkpoints = pool.map_or(0, |pool| pool.checkpoints);
        let names = (1..=checkpoints).map(|number| self.name(&format!("checkpoint-{number}")));
        let names = names.chain(["fitted", "tuned"].map(|what| self.name(what)));
        for name in names {
            let mut variants = self.loaded.config.variants.iter();
            if variants.any(|other| other.name == name) {
                bail!(
                    "there is a variant `{name}` already\nhelp: rename it: that is what one will \
                     be called that comes of the tune"
                );
            }
        }
        Ok(())
    }

    /// The seed number `step` after that of the config.
    fn seed(&self, step: u64) -> u64 {
        self.loaded.config.seed.wrapping_add(step) & (u64::MAX >> 1)
    }

    /// Writes the config that goes on with these variants, and reads it.
    pub(super) fn go_on(
        &self,
        file: &Path,
        seed: u64,
        second_limits: bool,
        variants: Vec<Offspring<'_>>,
        play: Play<'_>,
    ) -> Result<Loaded, Failure> {
        let openings = self.openings_from(file)?;
        let sequel = Sequel {
            seed: self.seed(seed),
            openings: openings.as_deref(),
            second_limits,
            variants,
            play,
        };
        let text = with_sequel(self.text, &sequel)?;
        // A file that says the same stays as it is, and keeps its date.
        if fs::read_to_string(file).ok().as_ref() != Some(&text) {
            fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))?;
        }
        load_config(file, &Overrides::default())
    }

    /// The openings as a file names them that does not lie beside the config: its own
    /// path would lead elsewhere from there.
    fn openings_from(&self, file: &Path) -> Result<Option<String>, Failure> {
        let folder = |path: &Path| path.parent().map(Path::to_owned).unwrap_or_default();
        let openings = self.loaded.config.openings.file.as_deref();
        let Some(openings) = openings.filter(|_| folder(file) != folder(self.config)) else {
            return Ok(None);
        };
        let absolute = fs::canonicalize(openings)
            .with_context(|| format!("cannot find {}", openings.display()))?;
        Ok(Some(absolute.display().to_string()))
    }
}

/// The keys of a gate between two variants.
pub(super) fn gate_keys(base: &str, candidate: &str, proof: &Proof) -> Play<'static> {
    let (hypotheses, errors) = (&proof.hypotheses, &proof.errors);
    let mut keys = vec![
        ("base", quoted(base)),
        ("candidate", quoted(candidate)),
        ("elo0", real(hypotheses.elo0())),
        ("elo1", real(hypotheses.elo1())),
        ("alpha", real(errors.alpha())),
        ("beta", real(errors.beta())),
    ];
    if hypotheses.model() == Model::Normalized {
        keys.push(("model", quoted("normalized")));
    }
    if let Some(pairs) = proof.max_pairs {
        keys.push(("max_pairs", pairs.to_string()));
    }
    Play::Gate(keys)
}

/// A number as TOML has a real one.
fn real(value: f64) -> String {
    format!("{value:?}")
}

/// The command that plays the stage of a file again by itself.
pub(super) fn command(verb: &str, file: &Path, store: &Path) -> String {
    format!(
        "leitai {verb} {} --store {}",
        path_word(file),
        path_word(store)
    )
}
