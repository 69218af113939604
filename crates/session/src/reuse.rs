//! Reuse of pairs from other runs of the record.

use std::collections::HashSet;
use std::sync::atomic::Ordering;

use serde_json::Value;

use super::recorded::{planned, recorded_config};
use super::{Failure, Session};
use leitai_base::count::count;
use leitai_players::play::PairRecord;
use leitai_runs::store::{PairRow, Store, StoreError};
use leitai_runs::tournament::{OpenPairs, Plan, ReusedPairs, RunError, has_same_result};

impl Session<'_> {
    /// Takes over all matching pairs of recorded tournaments and gates for a run that has not
    /// begun, and reports them. Runs of another version of the program, or with players that choose
    /// other moves today, are not used.
    ///
    /// The number of pairs of a gate depends on their results. Therefore gates take pairs from
    /// others, and others from gates, only if the games would be the same when played again.
    pub(super) fn reuse_pairs(&self, plan: &mut Plan, store: &Store) -> Result<(), Failure> {
        let runs = store.runs()?;
        if runs.is_empty() || runs.iter().any(|entry| entry.meta.id == plan.id()) {
            return Ok(());
        }
        let limits = plan.config.limits_by_variant();
        let is_scaled = limits.iter().any(|own| own.reference_nps.is_some());
        if plan.earlier.is_some() || !plan.origins.is_empty() || is_scaled {
            // The record contains neither the text of openings that engines received, nor the speed
            // of the run at which a pair was played.
            return Ok(());
        }
        let ours = serde_json::to_value(&plan.config).unwrap_or_default();
        let is_gate = ours["gate"].is_object();
        let is_reproducible = plan.config.is_reproducible();
        let recorded = runs.iter().map(|entry| entry.recorded).sum();
        let mut questions = None;
        let mut taken = Vec::new();
        for entry in runs.iter().rev() {
            let theirs: Value = serde_json::from_str(&entry.meta.config).unwrap_or_default();
            let are_tournaments = theirs["tournament"].is_object() && !is_gate;
            let are_matches = theirs["tournament"].is_object() || theirs["gate"].is_object();
            if !(are_tournaments || are_matches && is_reproducible)
                || theirs["game"] != ours["game"]
                || !share_players(&ours, &theirs)
            {
                continue;
            }
            let games = &self.games.cards;
            let loaded = recorded_config(&entry.meta, games);
            let Ok(old) = loaded.and_then(|loaded| planned(store, entry, loaded, games)) else {
                continue;
            };
            if old.id() != entry.meta.id {
                continue;
            }
            let questions = questions.get_or_insert_with(|| OpenPairs::of(plan, recorded));
            let policies = &plan.config.failures;
            let rows = store.pairs(&entry.handle);
            let rows = rows.take_while(|_| !self.cancel.load(Ordering::Relaxed));
            let records = rows.map_while(|row| self.planned_pair(&old, row));
            // Pairs that a player's failure decided are played again.
            let usable = records.filter(|record| {
                record.faults().next().is_none() && has_same_result(record, policies)
            });
            let usable = usable.map(|record| record.index);
            let pairs = questions.take(&old, &entry.handle, usable);
            if !pairs.is_empty() {
                taken.push(pairs);
            }
        }
        let pairs: usize = taken.iter().map(ReusedPairs::len).sum();
        if pairs > 0 {
            self.listener.info(format!(
                "{} taken over from {} of the record: the same players, openings and terms",
                count(pairs as u64, "pair is", "pairs are"),
                count(taken.len() as u64, "other run", "other runs")
            ));
        }
        plan.taken = taken;
        Ok(())
    }

    /// Returns a recorded pair that belongs to its plan. Otherwise, or if the pair is unreadable,
    /// returns `None` with a warning.
    fn planned_pair(&self, old: &Plan, row: Result<PairRow, StoreError>) -> Option<PairRecord> {
        let planned = row.map_err(RunError::from).and_then(|row| {
            let spec = old.spec_of(&row)?;
            let is_planned = spec.index < old.schedule.len();
            let record = is_planned.then_some(row.record);
            record.ok_or(RunError::OtherPlan(spec.index))
        });
        let warn = |problem: &RunError| {
            self.listener.warn(format!(
                "{problem}\nhelp: only the pairs of that run before it are reused"
            ));
        };
        planned.inspect_err(warn).ok()
    }
}

/// Returns whether two resolved configs have two players in common.
fn share_players(ours: &Value, theirs: &Value) -> bool {
    let players = |config: &Value| -> HashSet<String> {
        let variants = config["variants"].as_array().into_iter().flatten();
        let contents = variants.map(|variant| {
            let mut variant = variant.clone();
            variant["name"].take();
            variant.to_string()
        });
        contents.collect()
    };
    let (ours, theirs) = (players(ours), players(theirs));
    ours.intersection(&theirs).count() > 1
}
