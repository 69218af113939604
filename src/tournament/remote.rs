//! Whoever plays the units of runs elsewhere, and what has to be known there of a run.

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::conduct::{Answer, Site};
use super::{ExecutionOptions, RunError};
use crate::count::count;
use crate::game::Move;
use crate::play::Crew;
use crate::store::{RunHandle, RunMeta, Store, StoreError};

/// Those elsewhere cannot be reached, or do not do what they have to.
#[derive(Clone, Debug, Error)]
#[error("{0}")]
pub struct Unreachable(pub String);

/// Whoever plays the units of runs elsewhere.
pub trait Remote: fmt::Debug + Send + Sync {
    /// Has a crew play units of that run while `lead` leads it.
    ///
    /// # Errors
    /// It cannot be reached, or was lost meanwhile.
    fn lead(
        &self,
        run: &Description,
        lead: &mut dyn FnMut(&dyn Crew<Answer>),
    ) -> Result<(), Unreachable>;

    /// Keeps files, by their SHA-256 in hexadecimal, for those who play runs that need them.
    ///
    /// # Errors
    /// A file cannot be read or kept, or they cannot be reached.
    fn bring(&self, files: &[(String, PathBuf)]) -> Result<(), Unreachable>;

    /// The workers whose answers are not taken: what they have played is not to count.
    ///
    /// # Errors
    /// It cannot be reached.
    fn rejected(&self) -> Result<Vec<String>, Unreachable>;
}

/// All that decides which games the units of a run are.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Description {
    /// What it was begun with.
    pub meta: RunMeta,
    /// The whole book in its order.
    pub openings: Vec<DescribedOpening>,
    /// Whether the first failure ends the run.
    pub strict: bool,
}

/// An opening of a described run.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct DescribedOpening {
    /// Its name.
    pub id: String,
    /// The position in the game's text form.
    pub fen: String,
    /// The moves that lead there from the usual start, where the book tells them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<u16>>,
}

impl Description {
    /// That of a run that is recorded.
    pub(super) fn of(site: &Site<'_>) -> Result<Self, StoreError> {
        let openings = site.openings.iter().map(|opening| DescribedOpening {
            id: opening.id().into_owned(),
            fen: opening.fen().to_owned(),
            moves: (opening.moves.as_ref()).map(|moves| moves.iter().map(|mv| mv.0).collect()),
        });
        Ok(Self {
            meta: site.store.run(site.run.id())?.meta,
            openings: openings.collect(),
            strict: site.execution_options.strict,
        })
    }
}

/// Pairs that were removed from a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forgotten {
    /// The worker that had played them.
    pub worker: String,
    /// How many they were, with those that were asked for because of them.
    pub pairs: u64,
}

impl fmt::Display for Forgotten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs = count(self.pairs, "pair", "pairs");
        write!(
            f,
            "worker `{}` does not play what it says: {pairs} that came of it {} played again by \
             others\n\
             help: see what differs on that machine (memory, processor, another build)",
            self.worker,
            if self.pairs == 1 { "is" } else { "are" }
        )
    }
}

/// Removes from the record what rejected workers have played of a run; of a tune with batches
/// of `batch` pairs, all that was asked for because of it too. `tell` hears of each.
pub(super) fn forget_rejected(
    execution_options: &ExecutionOptions,
    store: &Store,
    run: &RunHandle,
    batch: Option<u64>,
    mut tell: impl FnMut(&Forgotten),
) -> Result<(), RunError> {
    let Some(remote) = &execution_options.remote else {
        return Ok(());
    };
    for worker in remote.rejected()? {
        let mut pairs = store.pairs_of_worker(run, &worker)?;
        let Some(&first) = pairs.first() else {
            continue;
        };
        let first_batch = batch.map(|size| first / size);
        if let (Some(size), Some(number)) = (batch, first_batch) {
            let later = store.recorded_indices(run)?;
            let later = later.ranges().iter().flat_map(Clone::clone);
            pairs.extend(later.filter(|&pair| pair >= (number + 1) * size));
            pairs.sort_unstable();
            pairs.dedup();
        }
        if !store.forget(run, &pairs, first_batch)? {
            return Err(RunError::StillPlayed(worker));
        }
        let pairs = pairs.len() as u64;
        tell(&Forgotten { worker, pairs });
    }
    Ok(())
}

impl DescribedOpening {
    /// The moves that lead there, if they are known.
    pub fn moves(&self) -> Option<Vec<Move>> {
        let moves = self.moves.as_ref()?;
        Some(moves.iter().map(|&mv| Move(mv)).collect())
    }
}
