//! `leitai verify`: replays recorded pairs and checks that they are reproduced exactly.

use super::prelude::*;
use super::recorded::{open_recorded, restored_plan};
use super::recorded_tune;
use super::recorded_tune::report_gap;
use leitai_config::Config;
use leitai_game::card::OpenTables;
use leitai_runs::gate::recorded_standings;
use leitai_runs::tournament::{Gap, Mismatch, ReplayOptions, ReplayReport, RunError, verify};
use leitai_session::{memory, tables};

/// Replay recorded pairs and check that they are reproduced exactly.
///
/// The record contains everything that is needed: the config and the openings are not read again.
/// Exit code 1 if a pair differs.
///
/// For a tune also its batches are checked: against their digests and the results of their pairs,
/// and their players against the requests of the tuner.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  leitai verify run.sqlite
  leitai verify run.sqlite --every 10")]
pub(super) struct Arguments {
    /// The record.
    #[arg(value_name = "FILE")]
    record: PathBuf,
    /// The run, by its id or the first letters of it; by default the latest.
    #[arg(long, value_name = "ID")]
    run: Option<String>,
    /// Replay only every N-th pair.
    #[arg(long, value_name = "N", default_value = "1")]
    every: NonZeroU64,
    #[command(flatten)]
    threads: Threads,
    /// Show no progress.
    #[arg(long, short)]
    quiet: bool,
    /// Print JSON.
    #[arg(long)]
    json: Option<PathBuf>,
}

/// The endgame tables of a recorded run; none, with a note, if they are missing here.
pub(super) fn tables_of(config: &Config, config_name: &str) -> OpenTables {
    let tables = tables::reopen(config.game.card, &config.adjudication, config_name);
    match tables {
        Ok(tables) => tables.unwrap_or_default(),
        Err(why) => {
            eprint(&format!("note: {why}"));
            OpenTables::default()
        }
    }
}

/// The pairs to replay, the number of threads, and whether no progress is shown.
pub(super) type How = (NonZeroU64, NonZeroUsize, bool);

/// Replays pairs by `play`, and shows the progress.
pub(super) fn replay(
    (every, threads, is_quiet): How,
    play: impl FnOnce(ReplayOptions<'_>) -> Result<ReplayReport, RunError>,
) -> Result<ReplayReport, Failure> {
    let mut bar = None;
    let verified = play(ReplayOptions {
        every,
        threads,
        cancel: signals::install_handler(),
        progress: &mut |done, all| {
            let new = || Bar::new(all, "pairs replayed", is_quiet);
            bar.get_or_insert_with(new).set(done);
        },
    })?;
    if let Some(bar) = bar {
        bar.finish();
    }
    Ok(verified)
}

/// Reports a stopped replay, with the number of pairs that are left.
pub(super) fn report_unreplayed(is_stopped: bool, left: u64) {
    if is_stopped {
        let pairs = count(left, "pair was", "pairs were");
        eprint(&format!("stopped: {pairs} not replayed, and not verified"));
    }
}

/// Reports pairs that cannot be replayed without tables.
pub(super) fn report_missing_tables(pairs: u64) {
    if pairs > 0 {
        eprint(&format!(
            "note: {} with games that tables of endgames ended {} left out",
            count(pairs, "pair", "pairs"),
            if pairs == 1 { "is" } else { "are" }
        ));
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
pub(super) fn is_none(pairs: &u64) -> bool {
    *pairs == 0
}

#[derive(Serialize)]
struct VerifyOutput<'a> {
    run: &'a str,
    replayed: u64,
    complete: bool,
    /// Pairs that were left out because the endgame tables that ended a game are missing.
    #[serde(skip_serializing_if = "is_none")]
    without_tables: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    gap: Option<Gap>,
    differences: &'a [Mismatch],
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let json = Json::for_inputs(arguments.json.as_ref(), [&arguments.record])?;
    let (store, entry) = &open_recorded(&arguments.record, arguments.run.as_deref())?;
    let mut plan = restored_plan(store, entry)?;
    if plan.tune().is_none() && plan.config.has_programs() {
        bail!("other programs played in this run, so its games cannot be replayed");
    }
    if plan.tune().is_none() && !entry.meta.reproducible {
        bail!("this run was limited by the clock, so its games cannot be replayed");
    }
    let tables = tables_of(&plan.config, &entry.meta.source_name);
    plan.take_tables(tables);
    let plan = &plan;
    let how = (arguments.every, arguments.threads.get(), arguments.quiet);
    if let Some(tune) = plan.tune() {
        return recorded_tune::verify(tune, store, entry, how, json);
    }
    let variants = &plan.config.variants;
    memory::check_players(variants, plan.schedule.len(), arguments.threads.get())?;
    let verified = replay(how, |replaying| {
        verify(plan, store, &entry.handle, replaying)
    })?;
    let differences = verified.mismatches.as_slice();
    let same = differences.is_empty();
    let (_, reach) = recorded_standings(plan, store, &entry.handle)?;
    let gap = reach.gap();
    report_gap(gap);
    report_missing_tables(verified.without_tables);
    if !json.is_printed() {
        for difference in differences {
            print(&format!("pair {}: {}", difference.index, difference.what))?;
        }
        let bad = differences.len() as u64;
        let (replayed, good) = (verified.pairs, verified.pairs - bad);
        print(&format!(
            "{} replayed, {good} the same, {bad} different",
            count(replayed, "pair", "pairs")
        ))?;
        report_unreplayed(verified.cancelled, verified.wanted - replayed);
    }
    json.write(&VerifyOutput {
        run: &entry.meta.id,
        replayed: verified.pairs,
        complete: !verified.cancelled,
        without_tables: verified.without_tables,
        gap,
        differences,
    })?;
    Ok(match (verified.cancelled, same) {
        (_, false) => Exit::Failure,
        (true, true) => Exit::Interrupted,
        (false, true) => Exit::Success,
    })
}
