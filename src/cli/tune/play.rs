//! Playing a tune: the batches, the tuned variant's file, and the proof.

use std::fmt::Write as _;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, bail};
use serde::Serialize;

use super::Arguments;
use crate::cli::common::{Outcome, book_of, note, say, say_json};
use crate::cli::configs::{default_store, resume};
use crate::cli::display::{Mode, PLAIN, REFRESH};
use crate::cli::{Exit, gate, memory, signals};
use crate::config::{Loaded, ProofText, with_tuned};
use crate::player::{Playable, adopt_orphans, identify};
use crate::stats::Model;
use crate::store::{Mode as Access, Store};
use crate::tournament::{BatchEnding, Source, TunePlan, play_batches};
use crate::tune::Tuner;

#[derive(Serialize)]
struct Answer<'a> {
    run: &'a str,
    store: &'a Path,
    complete: bool,
    games: u64,
    /// The file that holds the tuned variant; none before the end.
    tuned: Option<&'a Path>,
    dimensions: Vec<Row<'a>>,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct Row<'a> {
    name: &'a str,
    start: i64,
    min: i64,
    max: i64,
    /// What it is now, rounded.
    value: i64,
    /// One standard error; none where the algorithm has none.
    error: Option<f64>,
    /// Whether it lies at a bound, which then keeps it from better values.
    at_bound: bool,
}

pub(super) fn play<P: Playable>(arguments: &Arguments, mut loaded: Loaded) -> Outcome {
    adopt_orphans();
    let cancel = signals::install()?;
    identify(&mut loaded.config, cancel)?;
    let (text, name) = (loaded.warnings.text.clone(), loaded.warnings.name.clone());
    let book = book_of::<P>(&loaded.config)?;
    let plan = TunePlan::<P>::new(loaded.config, book)?;
    let mut plan = plan.with_context(|| format!("{name} is not about {}", P::NAME))?;
    let threads = arguments.threads.get();
    plan.means = arguments.means.get(threads)?;
    let tuner = plan.tuner()?;
    let both = [plan.start().clone(), plan.start().clone()];
    memory::check_players(&both, plan.tune.games / 2, threads)?;
    let tuned_file = arguments
        .out
        .clone()
        .unwrap_or_else(|| tuned_file(&arguments.config));
    let store_file = arguments.store.clone();
    let store_file = store_file.unwrap_or_else(|| default_store(&arguments.config));
    let store = Store::open(&store_file, Access::Write)?;
    let source = Source {
        name: &name,
        text: &text,
    };
    let run = plan.begin(source, &store)?;
    let seat = plan.seat();
    let ring = plan.ring(&seat);
    let mut progress = Progress::new(arguments.quiet, plan.tune.games / 2);
    let (ending, tuner) = play_batches(tuner, &ring, &store, &run, threads, cancel, |tuner| {
        progress.show(tuner);
    })?;
    progress.finish();
    if ending != BatchEnding::Complete {
        tell(arguments, &plan, &tuner, &store_file, None)?;
        if let BatchEnding::Stopped(stop) = ending {
            note(&format!(
                "pair {}: a player failed ({}), and the config says to stop then",
                stop.pair,
                stop.fault.cause.name()
            ));
        }
        note(&format!(
            "stopped after {} of {} games, all batches recorded in {}; carry on with\n  {}",
            2 * tuner.told_pairs(),
            plan.tune.games,
            store_file.display(),
            resume(
                "tune",
                &arguments.config,
                &arguments.overrides,
                &store_file,
                threads,
                &arguments.means,
            )
        ));
        return Ok(match ending {
            BatchEnding::Stopped(_) => Exit::PlayerFailed,
            _ => Exit::Interrupted,
        });
    }
    let has_changed = write_tuned(&plan, &tuner, &text, &arguments.config, &tuned_file)?;
    tell(arguments, &plan, &tuner, &store_file, Some(&tuned_file))?;
    if !has_changed {
        note("nothing has changed, so that there is nothing to prove");
        return Ok(Exit::Inconclusive);
    }
    if arguments.no_proof {
        return Ok(Exit::Success);
    }
    prove(arguments, &tuned_file, &store_file, threads)
}

/// The gate between start and tuned variant: openings in another order, other games.
pub(super) fn prove(
    arguments: &Arguments,
    tuned_file: &Path,
    store_file: &Path,
    threads: NonZeroUsize,
) -> Outcome {
    if !arguments.quiet {
        note(&format!(
            "the proof: leitai gate {} --store {}",
            tuned_file.display(),
            store_file.display()
        ));
    }
    let gate = gate::Arguments::of(
        tuned_file.to_owned(),
        store_file.to_owned(),
        threads,
        arguments.quiet,
    );
    gate::run(&gate)
}

/// Where the tuned variant is written: beside the config, so that the paths in it
/// still lead somewhere.
fn tuned_file(config: &Path) -> PathBuf {
    config.with_extension("tuned.toml")
}

/// Writes the file; whether the tuned variant is another than the start.
fn write_tuned<P: Playable>(
    plan: &TunePlan<P>,
    tuner: &Tuner,
    text: &str,
    config: &Path,
    file: &Path,
) -> anyhow::Result<bool> {
    let tuned = plan.variant(&tuner.space().nearest(&tuner.estimate()));
    let start = plan.start();
    if tuned == *start {
        return Ok(false);
    }
    let proof = &plan.tune.proof;
    let (hypotheses, errors) = (&proof.hypotheses, &proof.errors);
    let mut gate = vec![
        ("elo0", real(hypotheses.elo0())),
        ("elo1", real(hypotheses.elo1())),
        ("alpha", real(errors.alpha())),
        ("beta", real(errors.beta())),
    ];
    if hypotheses.model() == Model::Normalized {
        gate.push(("model", "\"normalized\"".to_owned()));
    }
    if let Some(pairs) = proof.max_pairs {
        gate.push(("max_pairs", pairs.to_string()));
    }
    let comment = format!(
        "Tuned by `leitai tune` from {}: {} games by {}, run {}.",
        config.display(),
        2 * tuner.told_pairs(),
        plan.tune.algorithm.name(),
        &plan.id()[..12],
    );
    let tuned_name = format!("{}-tuned", start.name);
    if plan
        .config
        .variants
        .iter()
        .any(|other| other.name == tuned_name)
    {
        bail!(
            "there is a variant `{tuned_name}` already\nhelp: rename it: that is what the tuned one will be called"
        );
    }
    let openings = openings_from(file, config, plan.config.openings.file.as_deref())?;
    let text = with_tuned(
        text,
        start,
        &tuned,
        &ProofText {
            name: &tuned_name,
            comment: &comment,
            openings: openings.as_deref(),
            // Another order of the openings than that of the tune.
            seed: plan.config.seed.wrapping_add(1) & (u64::MAX >> 1),
            gate,
        },
    )?;
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))?;
    Ok(true)
}

/// The openings as a file names them that does not lie beside the config: its own
/// path would lead elsewhere from there.
fn openings_from(
    file: &Path,
    config: &Path,
    openings: Option<&Path>,
) -> anyhow::Result<Option<String>> {
    let folder = |path: &Path| path.parent().map(Path::to_owned).unwrap_or_default();
    let Some(openings) = openings.filter(|_| folder(file) != folder(config)) else {
        return Ok(None);
    };
    let absolute = fs::canonicalize(openings)
        .with_context(|| format!("cannot find {}", openings.display()))?;
    Ok(Some(absolute.display().to_string()))
}

/// A number as TOML has a real one.
fn real(value: f64) -> String {
    format!("{value:?}")
}

/// The values so far.
fn tell<P: Playable>(
    arguments: &Arguments,
    plan: &TunePlan<P>,
    tuner: &Tuner,
    store: &Path,
    tuned: Option<&Path>,
) -> anyhow::Result<()> {
    let values = tuner.space().nearest(&tuner.estimate());
    let errors = tuner.errors();
    let rows = plan
        .tune
        .dimensions
        .iter()
        .enumerate()
        .map(|(index, dimension)| {
            let value = values
                .get(index)
                .map_or(dimension.start, |value| value.round() as i64);
            Row {
                name: &dimension.name,
                start: dimension.start,
                min: dimension.min,
                max: dimension.max,
                value,
                error: errors
                    .as_ref()
                    .and_then(|errors| errors.get(index).copied()),
                at_bound: value == dimension.min || value == dimension.max,
            }
        });
    let answer = Answer {
        run: plan.id(),
        store,
        complete: tuner.is_done(),
        games: 2 * tuner.told_pairs(),
        tuned,
        dimensions: rows.collect(),
        notes: tuner.notes(),
    };
    if arguments.json {
        return say_json(&answer);
    }
    say(&table(&answer))
}

fn table(answer: &Answer) -> String {
    let mut text = format!("{} games\n\n", answer.games);
    let names = answer.dimensions.iter().map(|row| row.name.chars().count());
    let names = names.max().unwrap_or(0).max(9);
    let _ = writeln!(
        text,
        "  {:names$}  {:>7}  {:>7}  {:>7}",
        "dimension", "start", "now", "error"
    );
    for row in &answer.dimensions {
        let error = row
            .error
            .map_or("-".to_owned(), |error| format!("{error:.1}"));
        let _ = write!(
            text,
            "  {:names$}  {:>7}  {:>7}  {error:>7}",
            row.name, row.start, row.value
        );
        text.push_str(if row.at_bound {
            "  at its bound\n"
        } else {
            "\n"
        });
    }
    for note in &answer.notes {
        let _ = writeln!(text, "note: {note}");
    }
    if let Some(file) = answer.tuned {
        let _ = writeln!(text, "\nwritten to {}", file.display());
    }
    text.trim_end().to_owned()
}

/// How far the tune has come, on standard error.
struct Progress {
    mode: Mode,
    pairs: u64,
    began: Instant,
    shown: Instant,
    before: Option<u64>,
}

impl Progress {
    fn new(quiet: bool, pairs: u64) -> Self {
        let template = "{msg}\n{wide_bar} {pos}/{len} pairs  {elapsed} gone, {eta} to go";
        let now = Instant::now();
        Self {
            mode: Mode::new(quiet, Some(pairs), template),
            pairs,
            began: now,
            shown: now,
            before: None,
        }
    }

    fn show(&mut self, tuner: &Tuner) {
        let told = tuner.told_pairs();
        let before = *self.before.get_or_insert(told);
        let pause = match self.mode {
            Mode::Quiet => return,
            Mode::Plain => PLAIN,
            Mode::Terminal(_) => REFRESH,
        };
        if self.shown.elapsed() < pause {
            return;
        }
        self.shown = Instant::now();
        let rate = (told - before) as f64 / self.began.elapsed().as_secs_f64().max(1e-9);
        let line = format!("{rate:.1} pairs/s");
        match &self.mode {
            Mode::Terminal(bar) => {
                bar.set_position(told);
                bar.set_message(line);
            }
            Mode::Plain => note(&format!("{told} of {} pairs, {line}", self.pairs)),
            Mode::Quiet => {}
        }
    }

    fn finish(&self) {
        if let Mode::Terminal(bar) = &self.mode {
            bar.finish_and_clear();
        }
    }
}
