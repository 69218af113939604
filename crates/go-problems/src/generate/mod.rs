//! Makes capture problems of Go: positions of quick self-play, a block under attack, and, if there
//! is one, a verdict proved by a certificate.
//!
//! Candidate `i` is a function of the seed and `i` alone, searches have a node limit and no time
//! limit, and candidates are considered in the order of their numbers: the suite does not depend on
//! the number of threads.

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

use balance::Balance;
use candidate::Readers;
use leitai_base::settings::choice;
use leitai_go::{CaptureVerdict, Problem};
use leitai_players::play::{Sequencer, work};

choice! {
    /// The candidates to keep.
    pub enum Keep {
        /// Random plays that like contact; questions that seem to have the next wanted verdict.
        /// Keeps proved verdicts, equally many of each verdict and difficulty.
        Proved = "proved",
        /// Games of players that read ladders; any question that a search of a few plies does not
        /// answer. Keeps verdicts with a hard proof, equally many of each verdict.
        Hard = "hard",
        /// All of the same questions in order, with or without a proof.
        All = "all",
    }
}

/// The recipe of a problem set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaptureRecipe {
    /// The candidates to keep.
    pub keep: Keep,
    /// The range of board sizes, within 5 to 19; each candidate draws its own.
    pub sizes: RangeInclusive<u8>,
    /// The number of wanted problems.
    pub count: usize,
    /// Node limit of a proof; a candidate that needs more is not proved.
    pub nodes: u64,
    /// Seed of the candidates.
    pub seed: u64,
    /// The maximum number of candidates.
    pub most_candidates: u64,
    /// Prefix of every problem's id; the number of the candidate follows.
    pub prefix: String,
}

choice! {
    /// Difficulty of a problem by the nodes of the proof, guesses before it included; the name is
    /// the problem's category.
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
    /// The difficulty of a proof.
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

/// A problem; its verdict, if it has one, is proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// The problem; its category is the difficulty.
    pub problem: Problem,
    /// The nodes of the proof, or of the search for one.
    pub nodes: u64,
}

/// The result of a recipe.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CaptureSuite {
    /// The problems, in the order of their candidates.
    pub problems: Vec<Made>,
    /// Candidates considered.
    pub candidates: u64,
}

/// Follows the recipe on `threads` threads. Stops at the wanted number of problems, with the quota
/// of every verdict and difficulty if there are quotas; at the maximum number of candidates
/// (problems beyond their quota then fill gaps); or when `cancel` is set. Calls `progress` for
/// every candidate with the numbers of kept problems and of candidates.
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
            // A cancelled candidate is not the one of the seed.
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

/// The verdicts with equal quotas.
const VERDICTS: [CaptureVerdict; 3] = [
    CaptureVerdict::Captured,
    CaptureVerdict::Escapes,
    CaptureVerdict::Ko,
];
