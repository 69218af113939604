//! Measured strength of candidates in recorded gates.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::Failure;
use crate::recorded::{planned, recorded_config};
use leitai_game::card::Games;
use leitai_runs::gate::Trials;
use leitai_runs::store::{Mode, RunEntry, Store};
use leitai_runs::tournament::replay_record;
use leitai_stats::Pentanomial;
use leitai_stats::logistic::elo_from_score;

/// Returns Elo and standard error of each candidate of the gates in the record at `path`.
///
/// # Errors
/// The record cannot be read.
pub fn recorded_results(path: &Path, games: &Games) -> Result<Vec<(f64, f64)>, Failure> {
    let store = &Store::open(path, Mode::Read)?;
    let mut results = Vec::new();
    // Of a gate that was continued, only the last run counts.
    let runs = store.runs()?;
    let of_gate = |entry: &RunEntry| {
        let mut config: Value = serde_json::from_str(&entry.meta.config).unwrap_or_default();
        for (table, key) in [("gate", "max_pairs"), ("openings", "former")] {
            if let Some(table) = config[table].as_object_mut() {
                table.remove(key);
            }
        }
        config.to_string()
    };
    let last: BTreeMap<String, &RunEntry> =
        runs.iter().map(|entry| (of_gate(entry), entry)).collect();
    for entry in last.into_values() {
        let loaded = recorded_config(&entry.meta, games)?;
        let Some(gate) = loaded.config.gate.clone() else {
            continue;
        };
        let plan = planned(store, entry, loaded, games)?;
        let trials = Trials::of(&gate, &plan)?;
        let (trials, _) = replay_record(trials, &plan, store, &entry.handle)?;
        let tallies = trials.standings.tallies();
        results.extend(tallies.filter_map(|(_, tally)| result(&tally.pairs)));
    }
    Ok(results)
}

/// Computes Elo and its standard error; `None` without two different pairs.
fn result(pairs: &Pentanomial) -> Option<(f64, f64)> {
    let (score, variance) = (pairs.mean()?, pairs.variance()?);
    let slope = 400.0 / std::f64::consts::LN_10 / (score * (1.0 - score));
    let error = slope * (variance / pairs.pairs() as f64).sqrt();
    let elo = elo_from_score(score)?;
    (error > 0.0 && error.is_finite()).then_some((elo, error))
}
