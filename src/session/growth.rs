//! What a run takes over from others of its record.

use std::collections::HashSet;
use std::sync::atomic::Ordering;

use serde_json::Value;

use super::{Failure, Session, recorded};
use crate::count::count;
use crate::play::PairRecord;
use crate::store::{PairRow, Store, StoreError};
use crate::tournament::{Plan, Questions, RunError, Taken, comes_out_the_same};

impl Session<'_> {
    /// Lets a run that is not begun yet have all pairs of tournaments and gates of the record
    /// that are pairs of it too, and says so. A run of another version of the program, or whose
    /// players find other moves today, has none.
    ///
    /// How many pairs a gate has depends on how they ended. So a gate has pairs of others, and
    /// they have its, where the games would come out the same if they were played again.
    pub(super) fn take_over(&self, plan: &mut Plan, store: &Store) -> Result<(), Failure> {
        let runs = store.runs()?;
        if runs.is_empty() || runs.iter().any(|entry| entry.meta.id == plan.id()) {
            return Ok(());
        }
        let limits = plan.config.limits_by_variant();
        let is_scaled = limits.iter().any(|own| own.reference_nps.is_some());
        if plan.carried.is_some() || !plan.origins.is_empty() || is_scaled {
            // The record holds neither what programs were told of an opening, nor at which
            // of a run's speeds a pair was played.
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
            let games = self.games.cards();
            let Ok(old) = recorded::plan_as_it_was(store, entry, games) else {
                continue;
            };
            if old.id() != entry.meta.id {
                continue;
            }
            let questions = questions.get_or_insert_with(|| Questions::of(plan, recorded));
            let rows = store.pairs(&entry.handle);
            let rows = rows.take_while(|_| !self.cancel.load(Ordering::Relaxed));
            let whole = rows.map_while(|row| self.believed(&old, row));
            // What a player's failure has decided is tried again.
            let policies = &plan.config.failures;
            let whole = whole.filter(|record| {
                record.faults().next().is_none() && comes_out_the_same(record, policies)
            });
            let whole = whole.map(|record| record.index);
            let pairs = questions.take(&old, &entry.handle, whole);
            if !pairs.is_empty() {
                taken.push(pairs);
            }
        }
        let pairs: usize = taken.iter().map(Taken::len).sum();
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

    /// A recorded pair, if it is one of its plan; `None`, and a warning, if it is not, or
    /// cannot be read.
    fn believed(&self, old: &Plan, row: Result<PairRow, StoreError>) -> Option<PairRecord> {
        let problem = match row {
            Ok(row) => {
                let index = row.record.index;
                let spec = (index < old.schedule.len()).then(|| old.schedule.pair(index));
                let planned = spec.map(|spec| (spec.pairing, spec.variants, spec.opening));
                if planned == Some((row.pairing, row.variants, row.opening)) {
                    return Some(row.record);
                }
                RunError::OtherPlan(index).to_string()
            }
            Err(error) => error.to_string(),
        };
        self.listener.warn(format!(
            "{problem}\nhelp: the pairs of that run are taken over up to there"
        ));
        None
    }
}

/// Whether two resolved configs have a pair of players in common.
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
    players(ours)
        .intersection(&players(theirs))
        .nth(1)
        .is_some()
}
