//! A tune that is a fit and nothing else: no number is moved by games.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::Serialize;

use super::Arguments;
use super::play::prove;
use super::warm::{Figures, Fit, Stage, WarmStart, warm_start};
use crate::cli::common::{Outcome, note, say, say_json};
use crate::cli::configs::{default_store, resume};
use crate::cli::{Exit, signals};
use crate::config::{Loaded, Proof, ProofText, TexelStage, Tune, with_tuned};
use crate::player::Playable;
use crate::stats::Model;
use crate::store::{Mode, Store};
use crate::texel::Linear;

#[derive(Serialize)]
struct Answer<'a> {
    store: &'a Path,
    /// The file that holds the fitted variant; none if it is the start.
    fitted: Option<&'a Path>,
    #[serde(flatten)]
    figures: &'a Figures,
}

/// Fits, writes the fitted variant, and gates it against the start.
pub(super) fn play<P: Playable + Linear>(
    arguments: &Arguments,
    loaded: &Loaded,
    (tune, texel): (&Tune, &TexelStage),
) -> Outcome {
    let cancel = signals::install()?;
    let threads = arguments.threads.get();
    let store_file = arguments.store.clone();
    let store_file = store_file.unwrap_or_else(|| default_store(&arguments.config));
    let store = Store::open(&store_file, Mode::Write)?;
    let (overrides, means) = (&arguments.overrides, &arguments.means);
    let file = &arguments.config;
    let again = resume("tune", file, overrides, &store_file, threads, means);
    let stage = Stage {
        file,
        loaded,
        store: &store,
        threads,
        cancel,
        means,
        quiet: arguments.quiet,
        again: &again,
    };
    let fit = match warm_start::<P>(&stage, tune, texel)? {
        WarmStart::Stopped(exit) => return Ok(exit),
        WarmStart::Fitted(fit) => fit,
    };
    let fitted_file = fitted_file(file);
    let has_changed = fit.variant != loaded.config.variants[tune.variant];
    if has_changed {
        write(&fitted_file, loaded, (tune, texel), &fit, file)?;
    }
    let fitted = has_changed.then_some(fitted_file.as_path());
    if arguments.json {
        say_json(&Answer {
            store: &store_file,
            fitted,
            figures: &fit.figures,
        })?;
    } else {
        say(&fit.figures.text())?;
        if let Some(fitted) = fitted {
            say(&format!("\nwritten to {}", fitted.display()))?;
        }
    }
    if !has_changed {
        note("nothing has changed, so that there is nothing to prove");
        return Ok(Exit::Inconclusive);
    }
    if arguments.no_proof {
        return Ok(Exit::Success);
    }
    drop(store);
    prove(arguments, &fitted_file, &store_file, threads)
}

/// Where the fitted variant is written: beside the config, so that the paths in it
/// still lead somewhere.
fn fitted_file(config: &Path) -> PathBuf {
    config.with_extension("texel.toml")
}

fn write(
    file: &Path,
    loaded: &Loaded,
    (tune, texel): (&Tune, &TexelStage),
    fit: &Fit,
    config: &Path,
) -> anyhow::Result<()> {
    let start = &loaded.config.variants[tune.variant];
    let name = format!("{}-texel", start.name);
    let comment = format!(
        "Fitted by `leitai tune` from {}: {} games, run {}.",
        config.display(),
        texel.games,
        &fit.figures.run[..12],
    );
    let proof = ProofText {
        name: &name,
        comment: &comment,
        openings: None,
        seed: loaded.config.seed.wrapping_add(2) & (u64::MAX >> 1),
        gate: gate_keys(&texel.gate),
    };
    let text = with_tuned(&loaded.warnings.text, start, &fit.variant, &proof)?;
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}

/// The keys of `[gate]` that say what is tested.
fn gate_keys(proof: &Proof) -> Vec<(&'static str, String)> {
    let (hypotheses, errors) = (&proof.hypotheses, &proof.errors);
    let real = |value: f64| format!("{value:?}");
    let mut keys = vec![
        ("elo0", real(hypotheses.elo0())),
        ("elo1", real(hypotheses.elo1())),
        ("alpha", real(errors.alpha())),
        ("beta", real(errors.beta())),
    ];
    if hypotheses.model() == Model::Normalized {
        keys.push(("model", "\"normalized\"".to_owned()));
    }
    if let Some(pairs) = proof.max_pairs {
        keys.push(("max_pairs", pairs.to_string()));
    }
    keys
}
