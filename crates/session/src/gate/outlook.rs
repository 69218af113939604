//! The outlook of a gate before it is played.

use std::path::Path;

use super::{goes_on, warn_if_short};
use crate::{Failure, Session, equal_time, plan_warnings};
use leitai_config::Loaded;
use leitai_runs::gate::Trials;
use leitai_runs::store::{Mode, Store, StoreError, StoreProblem};
use leitai_runs::tournament::{Pace, Plan, recorded_pace, replay_record};

/// A gate as it would be played now.
pub struct Outlook {
    /// The plan of the gate.
    pub plan: Plan,
    /// The trials, with recorded pairs.
    pub trials: Trials,
    /// Speed of its recorded pairs, if there are any.
    pub pace: Option<Pace>,
}

impl Session<'_> {
    /// Prepares a gate without playing it. With `scales`, its clocks are scaled to this machine.
    /// Warns of questions that its games cannot answer.
    ///
    /// # Errors
    /// The book or the record cannot be read, or the gate cannot be played.
    pub fn outlook(&self, loaded: Loaded, scales: bool) -> Result<Outlook, Failure> {
        let listener = &*self.listener;
        let (mut plan, mut trials) = self.prepare_gate(loaded)?;
        let is_there = self.store.exists();
        let store = is_there.then(|| Store::open(&self.store, Mode::Read));
        let store = store.transpose()?;
        if let Some(store) = &store {
            equal_time::recall(&mut plan, store)?;
            (plan, trials) = goes_on(plan, trials, store, listener)?;
        }
        if scales {
            self.scale_clocks(&mut plan, None)?;
        }
        plan_warnings::warn(&plan, listener);
        let mut pace = None;
        if let Some(store) = &store {
            (trials, pace) = from_record(&plan, trials, store)?;
        }
        if !trials.is_over() {
            let (game, openings) = (&plan.config.game, plan.book.len());
            self.cancel.run_uninterruptible(|| {
                warn_if_short("the gate", &trials, game, openings, listener);
            });
        }
        Ok(Outlook { plan, trials, pace })
    }
}

/// Returns the pace of a plan's recorded pairs; `None` without a readable record.
pub fn known_pace(record: &Path, plan: &Plan) -> Option<Pace> {
    let store = record
        .exists()
        .then(|| Store::open(record, Mode::Read).ok())??;
    let run = store.run(plan.known_id()?).ok()?;
    recorded_pace(&store, &run.handle).ok()?
}

/// Loads the recorded state of this gate, or of the run that it continues.
fn from_record(
    plan: &Plan,
    trials: Trials,
    store: &Store,
) -> Result<(Trials, Option<Pace>), Failure> {
    let run = match (store.run(plan.id()), &plan.earlier) {
        (Ok(entry), _) => entry.handle,
        (
            Err(StoreError {
                problem: StoreProblem::NoRun { .. },
                ..
            }),
            Some(carried),
        ) => carried.run.clone(),
        (
            Err(StoreError {
                problem: StoreProblem::NoRun { .. },
                ..
            }),
            None,
        ) => return Ok((trials, None)),
        (Err(error), _) => return Err(error.into()),
    };
    let (trials, _) = replay_record(trials, plan, store, &run)?;
    Ok((trials, recorded_pace(store, &run)?))
}
