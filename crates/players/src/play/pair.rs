//! Pairs: two games from one opening with sides exchanged.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use arrayvec::ArrayVec;

use super::game::{Halt, Terms, play_game};
use super::record::{Fault, PairRecord};
use super::{Evidence, EvidenceList};
use crate::player::{GameId, Observer, Player, PlayerEvent};
use crate::schedule::PairSpec;
use leitai_config::{FailurePolicies, FailurePolicy};
use leitai_game::card::AnyPosition;
use leitai_game::{Cause, Side};

/// The players of one worker thread, created when first needed and kept.
pub struct Players<'a> {
    make: &'a (dyn Fn(usize) -> Box<dyn Player> + Sync),
    warm: Vec<Option<Box<dyn Player>>>,
    /// The time after each game before the next one.
    wait: Duration,
    observer: Option<Observer>,
}

/// Longest time without a look at a cancellation.
const LONGEST_SLEEP: Duration = Duration::from_millis(50);

impl<'a> Players<'a> {
    /// Players for `count` variants, created by `make` from their index.
    pub fn new(make: &'a (dyn Fn(usize) -> Box<dyn Player> + Sync), count: usize) -> Self {
        Self {
            make,
            warm: (0..count).map(|_| None).collect(),
            wait: Duration::ZERO,
            observer: None,
        }
    }

    /// The same players, which wait after each game.
    #[must_use]
    pub fn waiting(self, wait: Duration) -> Self {
        Self { wait, ..self }
    }

    /// The same players, whose games `observer` sees as they end.
    #[must_use]
    pub fn observed(self, observer: Option<Observer>) -> Self {
        Self { observer, ..self }
    }

    /// Waits between two games, unless that is cancelled.
    fn wait(&self, cancel: &AtomicBool) {
        let begun = Instant::now();
        while !cancel.load(Ordering::Relaxed) {
            let left = self.wait.saturating_sub(begun.elapsed());
            if left.is_zero() {
                break;
            }
            sleep(left.min(LONGEST_SLEEP));
        }
    }

    /// Two players, some of them running already; `make` creates the others, and replacements.
    pub fn resume(
        make: &'a (dyn Fn(usize) -> Box<dyn Player> + Sync),
        warm: [Option<Box<dyn Player>>; 2],
    ) -> Self {
        Self {
            make,
            warm: warm.into(),
            wait: Duration::ZERO,
            observer: None,
        }
    }

    /// Releases two players, if they are running, to be [resumed](Self::resume).
    pub fn rest(self) -> [Option<Box<dyn Player>>; 2] {
        let mut warm = self.warm.into_iter();
        std::array::from_fn(|_| warm.next().flatten())
    }

    /// Two different players; `None` for indices that are equal or too large.
    fn two(&mut self, indices: [usize; 2]) -> Option<[&mut dyn Player; 2]> {
        let make = self.make;
        let slots = self.warm.get_disjoint_mut(indices).ok()?;
        let mut index = indices.into_iter();
        Some(slots.map(|slot| {
            let index = index.next().unwrap_or_default();
            slot.get_or_insert_with(|| make(index)).as_mut() as &mut dyn Player
        }))
    }
}

/// The result of playing a pair.
#[expect(
    clippy::large_enum_variant,
    reason = "it is handed on once in a pair, and is nearly always the large one"
)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PairOutcome {
    /// Both games were finished.
    Finished(PairRecord),
    /// A player failed in a way that stops the run, or the machine could not start it; the pair does not count. For a time forfeit,
    /// includes the excess in microseconds.
    Stopped(Fault, Option<u32>, EvidenceList),
}

impl PairOutcome {
    /// The record, if the pair was finished.
    pub fn finished(self) -> Option<PairRecord> {
        match self {
            Self::Finished(record) => Some(record),
            Self::Stopped(..) => None,
        }
    }
}

/// Plays a pair of the schedule from its opening. If a player fails and the policies request a
/// replay, repeats the pair from its first game with new players. A failure in the last permitted
/// replay counts as a loss. If the machine paused, repeats the pair under any policy, with the same
/// players. Stops under any policy if the machine cannot start a player. `None` if it was cancelled. For node and depth limits the result depends only on the
/// variants, the opening and the terms.
pub fn play_pair(
    spec: &PairSpec,
    opening: &dyn AnyPosition,
    players: &mut Players<'_>,
    terms: &Terms,
    policies: &FailurePolicies,
    cancel: &AtomicBool,
) -> Option<PairOutcome> {
    let mut spoilt = Vec::new();
    let mut evidence = Vec::new();
    let mut attempt = 1;
    let mut paused = 0;
    loop {
        let mut games = ArrayVec::new();
        let mut faults = Vec::new();
        let mut policy = FailurePolicy::Lose;
        let mut pause = None;
        for (number, variants) in spec.games().enumerate() {
            let id = GameId {
                pair: spec.index,
                game: number as u8 + 1,
                attempt,
            };
            let fault = |mover: Side, cause| Fault {
                attempt,
                game: number,
                variant: variants[mover.index()],
                cause,
            };
            let two = players.two(variants)?;
            let game = match play_game(id, opening, two, variants, terms, cancel) {
                Ok((game, failed)) => {
                    evidence.extend(failed.map(|failed| Evidence {
                        attempt,
                        game: number,
                        ..failed
                    }));
                    game
                }
                Err(Halt::Cancelled) => return None,
                Err(Halt::Paused(mover)) => {
                    pause = Some(fault(mover, Cause::Pause));
                    break;
                }
                Err(Halt::NoResources(mover, evidence)) => {
                    let evidence = EvidenceList(vec![*evidence]);
                    let fault = fault(mover, Cause::NoResources);
                    return Some(PairOutcome::Stopped(fault, None, evidence));
                }
            };
            if let Some(fault) = Fault::of(&game, number, attempt) {
                faults.push(fault);
                policy = match policies.of(fault.cause) {
                    FailurePolicy::Replay if attempt - paused > policies.replays => {
                        FailurePolicy::Lose
                    }
                    policy => policy,
                };
            }
            if let Some(observer) = &players.observer {
                observer.see(&PlayerEvent::Ended {
                    game: id,
                    first_to_move: opening.side_to_move(),
                    record: &game,
                });
            }
            games.push(game);
            players.wait(cancel);
            if policy != FailurePolicy::Lose {
                break;
            }
        }
        if let Some(pause) = pause {
            faults.push(pause);
            spoilt.append(&mut faults);
            attempt += 1;
            paused += 1;
            continue;
        }
        match policy {
            FailurePolicy::Lose => {
                let evidence = EvidenceList(evidence);
                let record = PairRecord::new(spec.index, games, spoilt, evidence, opening);
                return Some(PairOutcome::Finished(record));
            }
            FailurePolicy::Stop => {
                let late = games.pop().and_then(|game| game.times.late);
                let last = EvidenceList(evidence.pop().into_iter().collect());
                return faults
                    .pop()
                    .map(|fault| PairOutcome::Stopped(fault, late, last));
            }
            FailurePolicy::Replay => {
                spoilt.append(&mut faults);
                // The next use creates new players.
                for variant in spec.variants {
                    players.warm[variant] = None;
                }
                attempt += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests;
