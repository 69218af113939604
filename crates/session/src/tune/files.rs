//! The output files of a tune, in one directory.

use std::path::{Path, PathBuf, absolute};

use crate::Failure;
use crate::output::CommandFiles;
use leitai_base::foreign::raw_path;
use leitai_config::{
    AddedVariant, Loaded, NextConfig, NextGames, Proof, Tune, load, load_text, next_config_text,
    path_word, quoted, with_paths,
};
use leitai_game::card::Games;
use leitai_stats::Model;

/// Paths of the files, by the stage that writes them.
#[derive(Clone, Debug)]
pub struct TuneFiles {
    /// The tuned variant, with the gate between the start and this variant.
    pub(super) tuned: PathBuf,
    /// Common stem of the other files.
    stem: PathBuf,
}

impl TuneFiles {
    /// Returns the paths: next to the config, unless `out` is set.
    pub fn of(config: &Path, out: Option<&Path>) -> Self {
        let usual = || config.with_extension("tuned.toml");
        let tuned = out.map_or_else(usual, Path::to_owned);
        let mut stem = out.unwrap_or(config).with_extension("");
        // With `x.tuned.toml` and with `x.toml`, the other files are called `x.*`.
        if out.is_some()
            && stem
                .extension()
                .is_some_and(|extension| extension == "tuned")
        {
            stem.set_extension("");
        }
        Self { tuned, stem }
    }

    /// Refuses files that cannot be written, before hours of games.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn prepare(&self, files: &mut CommandFiles, loaded: &Loaded) -> Result<(), Failure> {
        let Some(tune) = &loaded.config.tune else {
            return Ok(());
        };
        self.prepare_stages(files, tune, tune.generations.is_none())?;
        if tune.pool.is_some() {
            files.prepare_file(&self.other("pool.toml"))?;
        }
        for number in 1..=tune.most_generations() {
            let config = self.generation(number);
            files.prepare_file(&config)?;
            Self::of(&config, None).prepare_stages(files, tune, true)?;
        }
        Ok(())
    }

    /// Prepares the files of all stages of a tune except the pool, or without `plays` those of a
    /// whole series.
    fn prepare_stages(
        &self,
        files: &mut CommandFiles,
        tune: &Tune,
        plays: bool,
    ) -> Result<(), Failure> {
        files.prepare_file(&self.tuned)?;
        let fits = plays && tune.texel.is_some();
        let plays_for_fit = fits && tune.games_of_fit() > 0;
        for (ending, is_written) in [
            ("baseline.toml", plays_for_fit),
            ("baseline.epd", plays_for_fit),
            ("fitted.toml", fits),
            ("polish.toml", fits),
            ("second.toml", plays && tune.second.is_some()),
        ] {
            if is_written {
                files.prepare_file(&self.other(ending))?;
            }
        }
        for ending in ["report.html", "trajectory.csv"] {
            files.prepare(&self.other(ending))?;
        }
        Ok(())
    }

    /// Returns the path of the config of a generation, numbered from 1.
    pub(super) fn generation(&self, number: u32) -> PathBuf {
        self.other(&format!("generation-{number}.toml"))
    }

    /// Returns the path of the file with that ending.
    pub(super) fn other(&self, ending: &str) -> PathBuf {
        let mut name = self.stem.clone().into_os_string();
        name.push(".");
        name.push(ending);
        PathBuf::from(name)
    }
}

/// The original config, from which all others are derived.
pub(super) struct Origin<'a> {
    /// Path of the config.
    pub(super) config: &'a Path,
    /// Text of the config, with overrides applied.
    pub(super) text: &'a str,
    /// The parsed config.
    pub(super) loaded: &'a Loaded,
    /// The games that configs may use.
    pub(super) games: &'a Games,
}

impl Origin<'_> {
    /// Returns the text of the config for a file in that place. In another folder than the config,
    /// relative paths become absolute.
    pub(super) fn text_for(&self, file: &Path) -> Result<String, Failure> {
        let folder = |path: &Path| path.parent().map(Path::to_owned).unwrap_or_default();
        let own = folder(self.config);
        if folder(file) == own {
            return Ok(self.text.to_owned());
        }
        let moved = |path: &Path| {
            let here = own.join(path);
            let found = if here.exists() || !path.exists() {
                &here
            } else {
                path
            };
            absolute(found).unwrap_or_else(|_| found.to_owned())
        };
        Ok(with_paths(self.text, &moved)?)
    }
}

/// A config that continues with variants derived from the start.
pub(super) struct Derived<'a> {
    pub(super) origin: &'a Origin<'a>,
    /// Offset to the config's seed, for different openings.
    pub(super) seed: u64,
    /// Openings to leave out at first, because another gate has used them.
    pub(super) used_openings: u64,
    /// True for the limits of the second proof.
    pub(super) second_limits: bool,
    /// Additional variants.
    pub(super) variants: Vec<AddedVariant<'a>>,
    /// The games of the config.
    pub(super) play: NextGames<'a>,
}

impl Derived<'_> {
    /// Formats the config for that file.
    fn text(&self, file: &Path) -> Result<String, Failure> {
        let text = self.origin.text_for(file)?;
        let sequel = NextConfig {
            games: self.origin.games.clone(),
            seed: self.origin.loaded.config.seed.wrapping_add(self.seed) & (u64::MAX >> 1),
            start: (self.used_openings > 0).then(|| {
                let start = self.origin.loaded.config.openings.start;
                start.saturating_add(self.used_openings)
            }),
            second_limits: self.second_limits,
            variants: self.variants.clone(),
            play: self.play.clone(),
        };
        Ok(next_config_text(&text, &sequel)?)
    }

    /// Writes the config and reads it back.
    pub(super) fn write(&self, file: &Path) -> Result<Loaded, Failure> {
        replace(file, &self.text(file)?)?;
        Ok(load(file, &[], self.origin.games)?)
    }

    /// Reads the config without writing it, so that errors appear before any games.
    pub(super) fn check_stages(&self, file: &Path) -> Result<Loaded, Failure> {
        let (text, name) = (self.text(file)?, raw_path(file));
        Ok(load_text(&text, &name, file, self.origin.games)?)
    }
}

/// Replaces a file atomically, unless its content is the same.
pub(super) fn replace(file: &Path, text: &str) -> Result<(), Failure> {
    CommandFiles::default().prepare(file)?.commit_changed(text)
}

/// Returns the config keys of a gate between two variants.
pub(super) fn gate_keys(base: &str, candidate: &str, proof: &Proof) -> NextGames<'static> {
    let (hypotheses, errors) = (&proof.hypotheses, &proof.errors);
    let mut keys = vec![
        ("base", quoted(base)),
        ("candidate", quoted(candidate)),
        ("elo0", format!("{:?}", hypotheses.elo0())),
        ("elo1", format!("{:?}", hypotheses.elo1())),
        ("alpha", format!("{:?}", errors.alpha())),
        ("beta", format!("{:?}", errors.beta())),
    ];
    if hypotheses.model() == Model::Normalized {
        keys.push(("model", quoted("normalized")));
    }
    if let Some(pairs) = proof.max_pairs {
        keys.push(("max_pairs", pairs.to_string()));
    }
    NextGames::Table("gate", keys)
}

/// Returns the command of a program that plays the stage of a file separately.
pub(super) fn command(program: &str, verb: &str, file: &Path, store: &Path) -> String {
    let (file, store) = (path_word(file), path_word(store));
    format!("{program} {verb} {file} --store {store}")
}
