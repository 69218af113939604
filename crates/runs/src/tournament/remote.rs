//! The interface to remote workers, and the description of a run that they need.

use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::dispatch::{PairReply, RunContext};
use super::{Progress, RunError};
use crate::store::{RunMeta, StoreError};
use leitai_base::count::count;
use leitai_game::Move;
use leitai_players::play::WorkerPool;
use leitai_players::schedule::Opening;

/// The remote workers cannot be reached, or do not work as required.
#[derive(Clone, Debug, Error)]
#[error("{0}")]
pub struct WorkersUnreachable(pub String);

/// Remote workers that play the units of runs.
pub trait RemoteWorkers: fmt::Debug + Send + Sync {
    /// Lets the workers play units of that run while `lead` directs them.
    ///
    /// # Errors
    /// The workers cannot be reached, or the connection was lost.
    fn direct(
        &self,
        run: &RunDescription,
        lead: &mut dyn FnMut(&dyn WorkerPool<PairReply>),
    ) -> Result<(), WorkersUnreachable>;

    /// Provides files, by their SHA-256 in hexadecimal, to workers whose runs need them.
    ///
    /// # Errors
    /// A file cannot be read or kept, or the workers cannot be reached.
    fn provide_files(&self, files: &[(String, PathBuf)]) -> Result<(), WorkersUnreachable>;

    /// The rejected workers, whose answers do not count.
    ///
    /// # Errors
    /// The workers cannot be reached.
    fn rejected(&self) -> Result<Vec<String>, WorkersUnreachable>;
}

/// All that determines the units of a run.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct RunDescription {
    /// The data with which the run began.
    pub meta: RunMeta,
    /// The whole book.
    pub book: DescribedBook,
    /// True if the first failure ends the run.
    pub strict: bool,
}

/// The book of a described run.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DescribedBook {
    /// Its openings, in order.
    Openings(Vec<DescribedOpening>),
    /// Its lines, and the number of first moves of a line of moves.
    Lines(String, Option<usize>),
}

/// An opening of a described run.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct DescribedOpening {
    /// The opening's name.
    pub id: String,
    /// The position in the game's text form.
    pub fen: String,
    /// The moves to the position from the usual start, if the book has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<u16>>,
}

impl RunDescription {
    /// The description of a recorded run.
    pub(super) fn of(context: &RunContext<'_>) -> Result<Self, StoreError> {
        let book = &context.plan.book;
        let described = |opening: Cow<'_, Opening>| DescribedOpening {
            id: opening.id().into_owned(),
            fen: opening.fen().to_owned(),
            moves: (opening.moves.as_ref()).map(|moves| moves.iter().map(|mv| mv.0).collect()),
        };
        let book = match book.source() {
            Some((text, plies)) => DescribedBook::Lines(text, plies),
            None => DescribedBook::Openings(book.iter().map(described).collect()),
        };
        Ok(Self {
            meta: context.store.run(context.run.id())?.meta,
            book,
            strict: context.plan.execution_options.strict,
        })
    }
}

/// Pairs that were removed from a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemovedPairs {
    /// The worker that played them.
    pub worker: String,
    /// The number of pairs, including those that depended on them.
    pub pairs: u64,
}

impl fmt::Display for RemovedPairs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs = count(self.pairs, "pair", "pairs");
        write!(
            f,
            "the games of worker `{}` do not replay: other workers play the {pairs} from it \
             again\nhelp: check that machine (memory, processor, another build)",
            self.worker
        )
    }
}

/// Removes the pairs of rejected workers from the record of a run; for a tune with batches of
/// `batch` pairs, also all pairs that depended on them.
pub(super) fn remove_rejected<G>(
    context: &RunContext<'_>,
    batch: Option<u64>,
    progress: &mut dyn Progress<G>,
) -> Result<(), RunError> {
    let RunContext { store, run, .. } = *context;
    let Some(remote) = &context.plan.execution_options.remote else {
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
            pairs.extend(later.numbers().filter(|&pair| pair >= (number + 1) * size));
            pairs.sort_unstable();
            pairs.dedup();
        }
        if !store.remove_pairs(run, &pairs, first_batch)? {
            return Err(RunError::StillPlayed(worker));
        }
        let pairs = pairs.len() as u64;
        progress.forgotten(&RemovedPairs { worker, pairs });
    }
    Ok(())
}

impl DescribedOpening {
    /// The moves to the position, if known.
    pub fn moves(&self) -> Option<Vec<Move>> {
        let moves = self.moves.as_ref()?;
        Some(moves.iter().map(|&mv| Move(mv)).collect())
    }
}
