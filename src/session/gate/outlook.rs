//! What is known of a gate before it is played.

use std::path::Path;

use super::{goes_on, warn_if_short};
use crate::config::Loaded;
use crate::gate::Trials;
use crate::session::{Failure, Session, beforehand, equal_time};
use crate::store::{Mode, Store, StoreError};
use crate::tournament::{Pace, Plan, recalled, recorded_pace};

/// A gate as it would be played now.
pub(crate) struct Outlook {
    pub(crate) plan: Plan,
    /// With what the record holds of it.
    pub(crate) trials: Trials,
    /// How fast its pairs were played, if some are recorded.
    pub(crate) pace: Option<Pace>,
}

impl Session<'_> {
    /// Looks at a gate, and plays nothing; with `scales` its clocks are those of this
    /// machine. Warns of what its games will not tell.
    pub(crate) fn outlook(&self, loaded: Loaded, scales: bool) -> Result<Outlook, Failure> {
        let listener = &*self.listener;
        let (mut plan, mut trials) = self.prepare_gate(loaded)?;
        let store = if self.store.exists() {
            Some(Store::open(&self.store, Mode::Read)?)
        } else {
            None
        };
        if let Some(store) = &store {
            equal_time::recall(&mut plan, store)?;
            (plan, trials) = goes_on(plan, trials, store, listener)?;
        }
        if scales {
            self.scale_clocks(&mut plan, None)?;
        }
        beforehand::warn(&plan, listener);
        let mut pace = None;
        if let Some(store) = &store {
            (trials, pace) = from_record(&plan, trials, store)?;
        }
        if !trials.is_over() {
            let (game, openings) = (&plan.config.game, plan.book.len());
            self.cancel.unheeded(|| {
                warn_if_short("the gate", &trials, game, openings, listener);
            });
        }
        Ok(Outlook { plan, trials, pace })
    }
}

/// The pace of a plan's recorded pairs; `None` without a record that can be read.
pub(crate) fn known_pace(record: &Path, plan: &Plan) -> Option<Pace> {
    let store = record
        .exists()
        .then(|| Store::open(record, Mode::Read).ok())??;
    let run = store.run(plan.known_id()?).ok()?;
    recorded_pace(&store, &run.handle).ok()?
}

/// What the record holds of this very gate, if there is one, or of the one that it goes
/// on from.
fn from_record(
    plan: &Plan,
    trials: Trials,
    store: &Store,
) -> Result<(Trials, Option<Pace>), Failure> {
    let run = match (store.run(plan.id()), &plan.carried) {
        (Ok(entry), _) => entry.handle,
        (Err(StoreError::NoRun { .. }), Some(carried)) => carried.run.clone(),
        (Err(StoreError::NoRun { .. }), None) => return Ok((trials, None)),
        (Err(error), _) => return Err(error.into()),
    };
    let (trials, _) = recalled(trials, plan, store, &run)?;
    Ok((trials, recorded_pace(store, &run)?))
}
