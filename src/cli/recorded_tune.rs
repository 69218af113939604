//! A recorded tune: its progress, and its verification.

use super::prelude::*;
use super::verify::{How, is_none, replay, report_missing_tables, report_unreplayed};
use leitai_config::{config_words, path_word};
use leitai_report::{ClockScale, FailureSummary, clock_scales};
use leitai_runs::tournament::{Gap, RunError, TunePlan, batch_gap, check_batches, verify_tune};
use leitai_session::memory;

#[derive(Serialize)]
struct Reported<'a> {
    run: &'a str,
    /// The kind of the run.
    kind: &'static str,
    game: &'a str,
    variant: &'a str,
    algorithm: &'a str,
    dimensions: usize,
    batches: u64,
    /// The number of recorded pairs.
    recorded: u64,
    /// The number of pairs of the whole tune.
    pairs: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    clocks: Vec<ClockScale>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failures: Option<FailureSummary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gap: Option<Gap>,
    /// The command that prints the tuned values.
    values: String,
}

/// Reports the progress of a recorded tune, and the command that prints its values.
pub(super) fn report(
    plan: TunePlan<'_>,
    store: &Store,
    entry: &RunEntry,
    (path, times): (&Path, bool),
    json: Json,
) -> Outcome {
    let tune = &plan.tune;
    let [batches, recorded] = store.count_batches(&entry.handle)?;
    let rows = store.batches(&entry.handle)?;
    let gap = batch_gap(&rows);
    report_gap(gap);
    let failures = FailureSummary::of_tune(plan, &rows);
    let failures = failures.map(|it| if times { it.with_times() } else { it });
    let config = config_words(&entry.meta.source_name);
    let reported = Reported {
        run: &entry.meta.id,
        kind: "tune",
        game: plan.config.game.name(),
        variant: &plan.start_variant().name,
        algorithm: tune.algorithm.name(),
        dimensions: tune.dimensions.len(),
        batches,
        recorded,
        pairs: entry.meta.pairs,
        clocks: clock_scales(&plan.config, &plan.speeds),
        failures,
        gap,
        values: format!(
            "{} tune {config} --store {}",
            program::name(),
            path_word(path)
        ),
    };
    if json.is_printed() {
        json.write(&reported)?;
        return Ok(Exit::Success);
    }
    print(&format!(
        "{}: a tune of `{}` by {}, {}, {recorded} of {} in {}",
        reported.game,
        reported.variant,
        reported.algorithm,
        count(reported.dimensions as u64, "dimension", "dimensions"),
        count(reported.pairs, "pair", "pairs"),
        count(batches, "batch", "batches"),
    ))?;
    for scale in &reported.clocks {
        print(&scale.sentence())?;
    }
    if let Some(failures) = &reported.failures {
        print(&format!("\n{}", failures.text().trim_end()))?;
    }
    let whole = if recorded < reported.pairs {
        "plays the remaining pairs and prints its values"
    } else {
        "prints its values again"
    };
    print(&format!("\nThis {whole}:\n  {}", reported.values))?;
    json.write(&reported)?;
    Ok(Exit::Success)
}

/// Reports on standard error the pairs or batches that are left out.
pub(super) fn report_gap(gap: Option<Gap>) {
    if let Some(gap) = gap {
        eprint(&format!("note: {gap}"));
    }
}

#[derive(Default, Serialize)]
struct Verified<'a> {
    run: &'a str,
    kind: &'static str,
    batches: u64,
    /// Batches whose players were recomputed from the results of earlier batches.
    followed: u64,
    pairs: u64,
    /// Replayed pairs.
    replayed: u64,
    complete: bool,
    /// Pairs that were left out because the endgame tables that ended a game are missing.
    #[serde(skip_serializing_if = "is_none")]
    without_tables: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    gap: Option<Gap>,
    differences: Vec<Difference>,
}

#[derive(Serialize)]
struct Difference {
    batch: u64,
    what: String,
}

/// The reason why a tune has no games.
pub(crate) const NO_GAMES: &str = "the tune has no recorded games yet";

/// Checks the batches of a recorded tune, and replays their pairs that `how` names.
pub(super) fn verify(
    plan: TunePlan<'_>,
    store: &Store,
    entry: &RunEntry,
    how: How,
    json: Json,
) -> Outcome {
    let [batches, pairs] = store.count_batches(&entry.handle)?;
    let mut verified = Verified {
        run: &entry.meta.id,
        kind: "tune",
        batches,
        pairs,
        complete: true,
        ..Verified::default()
    };
    match check_batches(plan.tuner()?, store, &entry.handle) {
        Ok(checked) => {
            (verified.batches, verified.pairs) = (checked.batches, checked.pairs);
            verified.followed = checked.followed;
            verified.gap = checked.gap;
        }
        Err(RunError::OtherBatch(batch)) => {
            verified.followed = batch;
            let what = "the tuner asks for other players, or other games".to_owned();
            verified.differences.push(Difference { batch, what });
        }
        Err(other) => return Err(other.into()),
    }
    let size = plan.batch_size();
    let is_replayed = entry.meta.reproducible && entry.recorded > 0;
    if is_replayed {
        let both = [plan.start_variant().clone(), plan.start_variant().clone()];
        memory::check_players(&both, pairs, how.1)?;
        let replayed = replay(how, |replaying| {
            verify_tune(plan, store, &entry.handle, replaying)
        })?;
        report_unreplayed(replayed.cancelled, replayed.wanted - replayed.pairs);
        (verified.replayed, verified.complete) = (replayed.pairs, !replayed.cancelled);
        verified.without_tables = replayed.without_tables;
        report_missing_tables(replayed.without_tables);
        let differences = replayed.mismatches.into_iter().map(|it| Difference {
            batch: it.index / size,
            what: format!("pair {}: {}", it.index, it.what),
        });
        verified.differences.extend(differences);
    }
    report_gap(verified.gap);
    let same = verified.differences.is_empty();
    if !json.is_printed() {
        for difference in &verified.differences {
            print(&format!("batch {}: {}", difference.batch, difference.what))?;
        }
        let rest = match verified.batches - verified.followed {
            0 => ", and follow".to_owned(),
            _ => format!(", the first {} follow", verified.followed),
        };
        let games = match (entry.recorded, is_replayed) {
            (_, true) => format!("{} replayed", count(verified.replayed, "pair", "pairs")),
            (0, _) => "its games are not recorded, so that none was replayed".to_owned(),
            _ => {
                "other programs or the clock affect its games, so that none was replayed".to_owned()
            }
        };
        print(&format!(
            "{} of {}: all as they were written{rest} from each other by the plan\n{games}",
            count(verified.batches, "batch", "batches"),
            count(verified.pairs, "pair", "pairs"),
        ))?;
    }
    json.write(&verified)?;
    Ok(match (same, verified.complete) {
        (false, _) => Exit::Failure,
        (true, false) => Exit::Interrupted,
        (true, true) => Exit::Success,
    })
}
