//! Plays the batches of a tuner into the record.
//!
//! A tuner says what batch `k` is as soon as it knows all results up to a fixed
//! number of batches before it; until then whoever wants to play it waits. Results
//! are recorded as they come and told to the tuner in the order of the batches, so
//! that what is played depends on nothing but the seed: not on the number of
//! threads, nor on when the run was stopped and carried on.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::{Means, RunError, Stop};
use crate::config::FailurePolicies;
use crate::game::Position;
use crate::play::{Played, Players, Terms, play_pair, work};
use crate::player::Player;
use crate::schedule::{Opening, PairSpec, varied};
use crate::stats::Pentanomial;
use crate::store::{Appended, BatchRow, RunHandle, Store};
use crate::tune::{Proposal, Tuner};

/// How often who waits for a batch looks whether it is still wanted.
const PULSE: Duration = Duration::from_millis(50);

/// What the players of a batch meet over.
pub struct Ring<'a, P: Position> {
    /// The terms of play; both players have the limits at 0 and 1.
    pub terms: &'a Terms<P>,
    /// The openings.
    pub openings: &'a [Opening<P>],
    /// The places of the openings in the order in which pairs take them, again and
    /// again; not empty.
    pub order: &'a [usize],
    /// The seed of the plies after an opening that is taken for a second time.
    pub seed: u64,
    /// What a failing player entails.
    pub policies: &'a FailurePolicies,
    /// How games are played.
    pub means: &'a Means,
    /// A player with these values of the dimensions.
    pub seat: &'a Seat<'a, P>,
}

/// Makes a player with these values of the dimensions.
pub type Seat<'a, P> = dyn Fn(&[f64]) -> Box<dyn Player<P>> + Sync + 'a;

/// How the play of batches ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatchEnding {
    /// The budget is spent.
    Complete,
    /// It was cancelled; the same command carries on.
    Cancelled,
    /// A player failed in a way that stops the run.
    Stopped(Stop),
}

/// The tuner, and those who wait for it to know more.
struct Desk {
    tuner: Mutex<Tuner>,
    told: Condvar,
}

impl Desk {
    fn tuner(&self) -> MutexGuard<'_, Tuner> {
        self.tuner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until batch `number` is known; `None` if nobody wants it any more.
    fn wait_for(&self, number: u64, is_over: &dyn Fn() -> bool) -> Option<Proposal> {
        let mut tuner = self.tuner();
        loop {
            if let Some(proposal) = tuner.ask(number) {
                return Some(proposal.clone());
            }
            if is_over() {
                return None;
            }
            let waited = self.told.wait_timeout(tuner, PULSE);
            tuner = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// Batches that are known and not told yet, in order.
struct Ahead(BTreeMap<u64, BatchRow>);

impl Ahead {
    /// Tells the tuner what comes next, as far as it is there.
    fn tell(&mut self, tuner: &mut Tuner) -> Result<(), RunError> {
        while let Some(row) = self.0.remove(&tuner.told()) {
            let number = row.number;
            let same = |proposal: &Proposal| {
                let is = |ours: &[f64], theirs: &[f64]| {
                    ours.iter()
                        .map(|v| v.to_bits())
                        .eq(theirs.iter().map(|v| v.to_bits()))
                };
                is(&proposal.plus, &row.plus) && is(&proposal.minus, &row.minus)
            };
            if !tuner.ask(number).is_some_and(same) {
                return Err(RunError::OtherPlan(number));
            }
            let told = tuner.tell(number, &row.result);
            told.map_err(|_| RunError::OtherPlan(number))?;
        }
        Ok(())
    }
}

/// Plays what is left of a tuner's batches on `threads` threads into `store`, and
/// gives the tuner that knows all of them. `watch` sees it after every batch.
///
/// # Errors
/// The record cannot be read or written, or is that of another plan. What was
/// recorded stays.
pub fn play_batches<P: Position>(
    mut tuner: Tuner,
    ring: &Ring<'_, P>,
    store: &Store,
    run: &RunHandle,
    threads: NonZeroUsize,
    cancel: &AtomicBool,
    mut watch: impl FnMut(&Tuner),
) -> Result<(BatchEnding, Tuner), RunError> {
    let rows = store.batches(run)?;
    let mut ahead = Ahead(rows.into_iter().map(|row| (row.number, row)).collect());
    ahead.tell(&mut tuner)?;
    watch(&tuner);
    let plan = *tuner.plan();
    let batch = u64::from(plan.batch.max(1));
    let recorded: Vec<u64> = ahead.0.keys().copied().collect();
    let todo = (tuner.told()..plan.pairs.div_ceil(batch))
        .filter(|number| recorded.binary_search(number).is_err());
    let desk = Desk {
        tuner: Mutex::new(tuner),
        told: Condvar::new(),
    };
    let halted = AtomicBool::new(false);
    let mut stop: Option<Stop> = None;
    let worker = || {
        if let Some(cores) = &ring.means.cores {
            // Whether it is allowed has been asked before: it is no reason to stop.
            let _ = cores.take();
        }
        let (desk, halted) = (&desk, &halted);
        move |number| {
            let is_over = || cancel.load(Ordering::Relaxed) || halted.load(Ordering::Relaxed);
            let proposal = desk.wait_for(number, &is_over)?;
            let played = play_one(ring, &proposal, number * batch, cancel)?;
            if played.is_err() {
                halted.store(true, Ordering::Relaxed);
            }
            Some(played)
        }
    };
    let mut take = |played| {
        let mut row: BatchRow = match played {
            Ok(row) => row,
            Err(fault) => {
                let fault: Stop = fault;
                let first = stop.is_none_or(|known| fault.pair < known.pair);
                stop = if first { Some(fault) } else { stop };
                return Ok(());
            }
        };
        if store.append_batch(run, &row)? == Appended::AlreadyThere {
            // Another process was faster. What is recorded counts.
            let recorded = store.batches(run)?.into_iter();
            let mut same = recorded.filter(|recorded| recorded.number == row.number);
            row = same.next().unwrap_or(row);
        }
        ahead.0.insert(row.number, row);
        let mut tuner = desk.tuner();
        ahead.tell(&mut tuner)?;
        watch(&tuner);
        drop(tuner);
        desk.told.notify_all();
        Ok::<(), RunError>(())
    };
    work(todo, threads, cancel, worker, |_, played| {
        let taken = take(played);
        if taken.is_err() {
            // Nobody is to wait for what will not come.
            halted.store(true, Ordering::Relaxed);
        }
        taken
    })?;
    let tuner = desk.tuner.into_inner();
    let tuner = tuner.unwrap_or_else(PoisonError::into_inner);
    let ending = match stop {
        _ if tuner.is_done() => BatchEnding::Complete,
        Some(stop) => BatchEnding::Stopped(stop),
        None => BatchEnding::Cancelled,
    };
    Ok((ending, tuner))
}

/// Plays a batch, whose pairs count from `first`; `Err` if a failure is to stop the
/// run, `None` if it was cancelled.
fn play_one<P: Position>(
    ring: &Ring<'_, P>,
    proposal: &Proposal,
    first: u64,
    cancel: &AtomicBool,
) -> Option<Result<BatchRow, Stop>> {
    let started = Instant::now();
    let make = |index: usize| {
        (ring.seat)(if index == 0 {
            &proposal.plus
        } else {
            &proposal.minus
        })
    };
    let mut players = Players::new(&make, 2);
    let mut counts = [0; 5];
    for pair in first..first + u64::from(proposal.pairs) {
        let place = (pair % ring.order.len() as u64) as usize;
        let opening = ring.order[place];
        let spec = PairSpec {
            index: pair,
            pairing: 0,
            variants: [0, 1],
            opening,
            lap: pair / ring.order.len() as u64,
        };
        let mut position = ring.openings[opening].position.clone();
        if spec.lap > 0 {
            position = varied(&position, ring.seed, pair);
        }
        let played = play_pair(
            &spec,
            &position,
            &mut players,
            ring.terms,
            ring.policies,
            cancel,
        )?;
        match played {
            Played::Finished(record) => counts[record.cell()] += 1,
            Played::Stopped(fault) => {
                return Some(Err(Stop {
                    pair,
                    opening,
                    fault,
                }));
            }
        }
    }
    Some(Ok(BatchRow {
        number: proposal.number,
        plus: proposal.plus.clone(),
        minus: proposal.minus.clone(),
        result: Pentanomial(counts),
        elapsed_us: started.elapsed().as_micros() as u64,
    }))
}
