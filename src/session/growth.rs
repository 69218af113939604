//! What a run takes over from others of its record.

use std::collections::HashSet;

use serde_json::Value;

use super::{Failure, Session, recorded};
use crate::count::count;
use crate::store::Store;
use crate::tournament::{Plan, Questions};

impl Session<'_> {
    /// Lets a run that is not begun yet have all pairs of tournaments of the record that
    /// are pairs of it too, and says so. A run of another version of the program, or whose
    /// players find other moves today, has none.
    pub(super) fn take_over(&self, plan: &mut Plan, store: &Store) -> Result<(), Failure> {
        let runs = store.runs()?;
        if runs.is_empty() || runs.iter().any(|entry| entry.meta.id == plan.id()) {
            return Ok(());
        }
        let ours = serde_json::to_value(&plan.config).unwrap_or_default();
        let mut questions = None;
        let mut taken = Vec::new();
        for entry in runs.iter().rev() {
            let theirs: Value = serde_json::from_str(&entry.meta.config).unwrap_or_default();
            let is_tournament = theirs["tournament"].is_object();
            if !is_tournament || theirs["game"] != ours["game"] || !share_players(&ours, &theirs) {
                continue;
            }
            let games = self.games.cards();
            let Ok(old) = recorded::plan_as_it_was(store, entry, games) else {
                continue;
            };
            if old.id() != entry.meta.id {
                continue;
            }
            let questions = questions.get_or_insert_with(|| Questions::of(plan));
            // What is damaged there is played here.
            let rows = store.pairs(&entry.handle);
            let whole = rows.map_while(|row| match row {
                Ok(row) => Some(row.record.index),
                Err(error) => {
                    self.listener.warn(format!(
                        "{error}\nhelp: the pairs of that run are taken over up to there"
                    ));
                    None
                }
            });
            let pairs = questions.take(&old, &entry.handle, whole);
            if !pairs.is_empty() {
                taken.push(pairs);
            }
        }
        let pairs: usize = taken.iter().map(crate::tournament::Taken::len).sum();
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
