//! Making capture problems of Go: positions of quick self-play, a block that is
//! attacked, and a verdict that is proved by a certificate.
//!
//! Candidate `i` is a function of the seed and `i` alone, verdicts are searched
//! for with a limit of nodes and none of time, and candidates are considered in
//! the order of their numbers: the suite does not depend on the number of
//! threads.

mod balance;
mod self_play;
#[cfg(test)]
mod tests;

use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::game::Move;
use crate::games::go::proof::{Effort, check};
use crate::games::go::reading::{CaptureParams, Captures};
use crate::games::go::{Board, CaptureVerdict, Colour, Play, Point, PointSet, Problem};
use crate::play::{Sequencer, work};
use crate::schedule::{Stream, below, generator};
use crate::search::proof::{Mode, SolveLimits, SolverParams};
use crate::settings::choice;
use balance::Balance;
use self_play::self_play;

/// What problems are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaptureRecipe {
    /// The sizes of boards, within 5 to 19; each candidate draws its own.
    pub sizes: RangeInclusive<u8>,
    /// How many problems are wanted.
    pub count: usize,
    /// The most nodes of a proof; a candidate that needs more is dropped.
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

/// A problem with a proved verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// The problem; its category tells the difficulty.
    pub problem: Problem,
    /// The nodes of the proof.
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

/// Follows the recipe on `threads` threads. Stops when every verdict and
/// difficulty has its share, at the most candidates (where a share is missing,
/// others are filled up), or when `cancel` is set; `progress` hears, of every
/// candidate considered, how many problems are kept of how many candidates.
pub fn generate_captures(
    recipe: &CaptureRecipe,
    threads: NonZeroUsize,
    cancel: &AtomicBool,
    mut progress: impl FnMut(usize, u64),
) -> CaptureSuite {
    let mut balance = Balance::new(recipe.count);
    let mut candidates = 0;
    let mut sequencer = Sequencer::from(0);
    let enough = AtomicBool::new(balance.is_full());
    let worker = || {
        let mut captures = Captures::new(CaptureParams::default(), SolverParams::default());
        let enough = &enough;
        move |number| {
            let stop = || enough.load(Ordering::Relaxed) || cancel.load(Ordering::Relaxed);
            if stop() {
                return None;
            }
            let made = candidate(recipe, number, &mut captures, &stop);
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

/// Candidate `number`: a position, and a question about it that seems to have the
/// verdict whose turn it is. It is a problem if the verdict, whichever it is, can
/// be proved, its certificate passes the independent check, and the side that has
/// its way needs its first move for that.
fn candidate(
    recipe: &CaptureRecipe,
    number: u64,
    captures: &mut Captures,
    stop: &dyn Fn() -> bool,
) -> Option<Made> {
    let mut random = generator(
        recipe.seed,
        Stream::Pair {
            index: number,
            purpose: 0,
        },
    );
    let (least, most) = (*recipe.sizes.start(), *recipe.sizes.end());
    let size = least + below(&mut random, u64::from(most.saturating_sub(least)) + 1) as u8;
    let board = self_play(size, &mut random);
    let wish = Wish::of(number);
    let mut questions = questions(&board);
    let mut problem = loop {
        let place = below(&mut random, questions.len() as u64) as usize;
        if stop() || place >= questions.len() {
            return None;
        }
        let (target, to_move) = questions.swap_remove(place);
        let problem = Problem::new(board.clone(), target, to_move).ok()?;
        let limits = SolveLimits {
            nodes: Some(GLANCE),
            stop,
        };
        let verdict = captures.solve(&problem, Mode::Fast, limits, None).verdict;
        if wish.fits(&problem, verdict) {
            break problem;
        }
    };
    problem.id = format!("{}-{number:06}", recipe.prefix);

    let limits = SolveLimits {
        nodes: Some(recipe.nodes),
        stop,
    };
    let answer = captures.solve(&problem, Mode::Proved, limits, None);
    // No certificate either if there is no verdict.
    let certificates = captures.certify(&problem, &answer, limits).ok()?;
    let is_sound = |certificate| check(certificate, Effort::default()).is_ok();
    if certificates.is_empty() || !certificates.iter().all(is_sound) {
        return None;
    }
    if has_its_way(&problem, answer.verdict) {
        let other = Problem {
            to_move: problem.to_move.other(),
            ..problem.clone()
        };
        let waiting = captures.solve(&other, Mode::Proved, limits, None).verdict;
        if waiting == answer.verdict || waiting == CaptureVerdict::Unknown {
            return None;
        }
    }
    let solution: Vec<Play> = answer
        .best
        .map(|mv: Move| Play::of(mv))
        .into_iter()
        .collect();
    problem.set_solutions(solution).ok()?;
    problem.expected = Some(answer.verdict);
    problem.proved = true;
    if answer.verdict != CaptureVerdict::Captured {
        // What escapes may do so by liberties: the proof says how many.
        problem.escape_liberties = u8::try_from(CaptureParams::default().escape_liberties).ok();
    }
    let nodes = answer.effort.visited;
    problem.category = Some(Difficulty::of(nodes).name().to_owned());
    Some(Made { problem, nodes })
}

/// Nodes that a question may take before it is chosen.
const GLANCE: u64 = 2_000;

/// What a candidate is to be, if its position has it: each verdict in turn, and
/// every other time the side that has its way plays first.
#[derive(Clone, Copy, Debug)]
struct Wish {
    verdict: CaptureVerdict,
    has_its_way: bool,
}

impl Wish {
    fn of(number: u64) -> Self {
        Self {
            verdict: VERDICTS[(number % 3) as usize],
            has_its_way: (number / 3).is_multiple_of(2),
        }
    }

    fn fits(self, problem: &Problem, verdict: CaptureVerdict) -> bool {
        let indifferent = !self.has_its_way || verdict == CaptureVerdict::Ko;
        verdict == self.verdict && (indifferent || has_its_way(problem, verdict))
    }
}

/// Whether the verdict is what the side to move wants.
fn has_its_way(problem: &Problem, verdict: CaptureVerdict) -> bool {
    match verdict {
        CaptureVerdict::Captured => problem.attacker_moves(),
        CaptureVerdict::Escapes => !problem.attacker_moves(),
        _ => false,
    }
}

/// The verdicts of which there are to be equally many.
const VERDICTS: [CaptureVerdict; 3] = [
    CaptureVerdict::Captured,
    CaptureVerdict::Escapes,
    CaptureVerdict::Ko,
];

/// What can be asked of a position: blocks with few liberties, and who moves.
/// Left out is what one look answers: a block in atari with the attacker to
/// move, and one with four liberties with the defender to move.
fn questions(board: &Board) -> Vec<(Point, Colour)> {
    let mut questions = Vec::new();
    for defender in Colour::BOTH {
        let mut left: PointSet = *board.all(defender);
        while let Some(target) = left.first() {
            left -= board.stones(target);
            let liberties = board.liberty_count(target);
            if (2..=4).contains(&liberties) {
                questions.push((target, defender.other()));
            }
            if (1..=3).contains(&liberties) {
                questions.push((target, defender));
            }
        }
    }
    questions
}
