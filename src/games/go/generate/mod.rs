//! Making capture problems of Go: positions of quick self-play, a block that is
//! attacked, and a verdict that is proved by a certificate, where there is one.
//!
//! Candidate `i` is a function of the seed and `i` alone, verdicts are searched
//! for with a limit of nodes and none of time, and candidates are considered in
//! the order of their numbers: the suite does not depend on the number of
//! threads.

mod balance;
mod candidate;
mod game;
mod self_play;
#[cfg(test)]
mod tests;

use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::games::go::{CaptureVerdict, Problem};
use crate::play::{Sequencer, work};
use crate::settings::choice;
use balance::Balance;
use candidate::Readers;

choice! {
    /// Which candidates are kept.
    pub enum Keep {
        /// Random plays that like contact; a question that seems to have the verdict whose
        /// turn it is. Kept if its verdict is proved, as many of each verdict and
        /// difficulty.
        Proved = "proved",
        /// Games of players that read ladders; any question that a search of a few plies
        /// does not answer. Kept if the proof of its verdict is hard, as many of each
        /// verdict.
        Hard = "hard",
        /// The same games and questions, all of them, in their order, whether their
        /// verdict can be proved or not.
        All = "all",
    }
}

/// What problems are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaptureRecipe {
    /// Which candidates are kept.
    pub keep: Keep,
    /// The sizes of boards, within 5 to 19; each candidate draws its own.
    pub sizes: RangeInclusive<u8>,
    /// How many problems are wanted.
    pub count: usize,
    /// The most nodes of a proof; a candidate that needs more is not proved.
    pub nodes: u64,
    /// Seed of the candidates.
    pub seed: u64,
    /// Stop after so many candidates.
    pub most_candidates: u64,
    /// Beginning of every problem's id; the number of the candidate follows.
    pub prefix: String,
}

choice! {
    /// How many nodes the proof of a verdict takes, guesses before it included; with the
    /// category of such problems.
    #[derive(PartialOrd, Ord)]
    pub enum Difficulty {
        /// Below 300.
        Easy = "self-play-easy",
        /// 300 to 2,999.
        Medium = "self-play-medium",
        /// 3,000 and more.
        Hard = "self-play-hard",
    }
}

impl Difficulty {
    /// That of a proof.
    pub const fn of(nodes: u64) -> Difficulty {
        match nodes {
            0..300 => Difficulty::Easy,
            300..3_000 => Difficulty::Medium,
            _ => Difficulty::Hard,
        }
    }
}

/// The category of problems without a verdict.
const OPEN: &str = "self-play-open";

/// A problem; its verdict is proved if it has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// The problem; its category tells the difficulty.
    pub problem: Problem,
    /// The nodes of the proof, or of the search for one.
    pub nodes: u64,
}

/// What came of a recipe.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CaptureSuite {
    /// The problems, in the order of their candidates.
    pub problems: Vec<Made>,
    /// Candidates considered.
    pub candidates: u64,
}

/// Follows the recipe on `threads` threads. Stops when there are as many as wanted,
/// every verdict and difficulty with its share where there are shares, at the most
/// candidates (where a share is missing, others are filled up), or when `cancel` is
/// set; `progress` hears, of every candidate considered, how many problems are kept of
/// how many candidates.
pub fn generate_captures(
    recipe: &CaptureRecipe,
    threads: NonZeroUsize,
    cancel: &AtomicBool,
    mut progress: impl FnMut(usize, u64),
) -> CaptureSuite {
    let mut balance = Balance::new(recipe.count, recipe.keep);
    let mut candidates = 0;
    let mut sequencer = Sequencer::from(0);
    let enough = AtomicBool::new(balance.is_full());
    let worker = || {
        let mut readers = Readers::new();
        let enough = &enough;
        move |number| {
            let stop = || enough.load(Ordering::Relaxed) || cancel.load(Ordering::Relaxed);
            if stop() {
                return None;
            }
            let made = readers.candidate(recipe, number, &stop);
            // What was stopped is not what the seed says.
            (!stop()).then_some(made)
        }
    };
    let Ok::<_, Infallible>(()) = work(
        0..recipe.most_candidates,
        threads,
        cancel,
        worker,
        |number, made| {
            sequencer.put(number, made);
            while let Some(made) = sequencer.take() {
                if balance.is_full() {
                    break;
                }
                candidates += 1;
                if let Some(made) = made {
                    balance.offer(made);
                }
                progress(balance.kept(), candidates);
            }
            if balance.is_full() {
                enough.store(true, Ordering::Relaxed);
            }
            Ok(())
        },
    );
    CaptureSuite {
        problems: balance.problems(),
        candidates,
    }
}

/// The verdicts of which there are to be equally many.
const VERDICTS: [CaptureVerdict; 3] = [
    CaptureVerdict::Captured,
    CaptureVerdict::Escapes,
    CaptureVerdict::Ko,
];
