//! Making opening suites: random plies, kept when an engine finds the position
//! level enough, each only once up to mirror symmetry.
//!
//! Candidate `i` is a function of the seed and `i` alone, and candidates are
//! considered in the order of their numbers, so the suite does not depend on
//! the number of threads.
//!
//! Capture problems of Go are made in [`capture`].

pub mod capture;

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::eval::Score;
use crate::game::{Line, Move, MoveList, Position, Side};
use crate::play::{Sequencer, work};
use crate::player::{Budget, GameId, Player};
use crate::schedule::{Operation, Stream, below, generator, write_epd};

/// What makes an opening fit.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// How many openings are wanted.
    pub count: usize,
    /// Random plies from the usual start; each candidate draws its own number.
    pub plies: RangeInclusive<u32>,
    /// Scores that are kept, from the first side's point of view.
    pub window: RangeInclusive<Score>,
    /// What the evaluating player may spend.
    pub budget: Budget,
    /// Seed of the candidates.
    pub seed: u64,
    /// Give up after so many candidates.
    pub most_candidates: u64,
}

/// An opening that fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated<P> {
    /// The position.
    pub position: P,
    /// The moves that lead there from the usual start.
    pub moves: Vec<Move>,
    /// Its score from the first side's point of view.
    pub score: Score,
    /// Depth and nodes of the search that found it.
    pub effort: (u32, u64),
}

/// What came of a recipe.
#[derive(Clone, Debug)]
pub struct Suite<P> {
    /// The openings, in the order of their candidates.
    pub openings: Vec<Generated<P>>,
    /// Candidates considered.
    pub candidates: u64,
}

/// Follows the recipe on `threads` threads, each with a player of its own that
/// `make` gives. Stops at the wanted number, at the most candidates, or when
/// `cancel` is set, with the first openings of the same suite; `progress` hears, of
/// every candidate considered, how many openings are kept of how many candidates.
pub fn generate<P: Position>(
    recipe: &Recipe,
    threads: NonZeroUsize,
    cancel: &AtomicBool,
    make: impl Fn() -> Box<dyn Player<P>> + Sync,
    mut progress: impl FnMut(usize, u64),
) -> Suite<P> {
    let mut suite = Suite {
        openings: Vec::new(),
        candidates: 0,
    };
    let mut seen = HashSet::new();
    let mut sequencer = Sequencer::from(0);
    let enough = AtomicBool::new(recipe.count == 0);
    let worker = || {
        let mut player = make();
        let enough = &enough;
        move |number| {
            if enough.load(Ordering::Relaxed) || cancel.load(Ordering::Relaxed) {
                return None;
            }
            let found = candidate(recipe, number, player.as_mut(), cancel);
            // What was stopped is not what the seed says.
            (!cancel.load(Ordering::Relaxed)).then_some(found)
        }
    };
    let done: Result<(), ()> = work(
        0..recipe.most_candidates,
        threads,
        cancel,
        worker,
        |number, found| {
            sequencer.put(number, found);
            while let Some(found) = sequencer.take() {
                if suite.openings.len() == recipe.count {
                    break;
                }
                suite.candidates += 1;
                if let Some(opening) = found
                    && seen.insert(opening.position.symmetric_key())
                {
                    suite.openings.push(opening);
                }
                progress(suite.openings.len(), suite.candidates);
            }
            if suite.openings.len() == recipe.count {
                enough.store(true, Ordering::Relaxed);
            }
            Ok(())
        },
    );
    debug_assert!(done.is_ok());
    suite
}

/// Candidate `number`: a random line, if it leads to a position that fits.
fn candidate<P: Position>(
    recipe: &Recipe,
    number: u64,
    player: &mut dyn Player<P>,
    cancel: &AtomicBool,
) -> Option<Generated<P>> {
    let mut random = generator(
        recipe.seed,
        Stream::Pair {
            index: number,
            purpose: 0,
        },
    );
    let (least, most) = (*recipe.plies.start(), *recipe.plies.end());
    let plies = u64::from(least) + below(&mut random, u64::from(most - least) + 1);
    let mut line = Line::new(P::initial());
    for _ in 0..plies {
        let mut moves = MoveList::new();
        line.position().legal_moves(&mut moves);
        if moves.is_empty() {
            return None;
        }
        line.play(moves[below(&mut random, moves.len() as u64) as usize]);
    }
    let position = line.position();
    let over = position.count_legal_moves() == 0 || position.is_dead();
    // A long line may have run into the move limit: then it cannot be read back.
    if over || position.in_check() || P::from_fen(&position.to_fen()).is_err() {
        return None;
    }
    // The line so far is not history: games will begin here.
    let line_from_here = Line::new(line.position().clone());
    let game = GameId {
        pair: number,
        game: 1,
        attempt: 1,
    };
    player.new_game(game, line_from_here.start(), cancel);
    let choice = player
        .choose(&line_from_here, &recipe.budget, cancel)
        .ok()?;
    let side = line.position().side_to_move();
    let score = if side == Side::First {
        choice.score?
    } else {
        -choice.score?
    };
    recipe.window.contains(&score).then(|| Generated {
        position: line.position().clone(),
        moves: line.moves().collect(),
        score,
        effort: (choice.depth, choice.nodes),
    })
}

/// One line of EPD: board, side and opcodes (`id`; `ce` from the side to
/// move's point of view; `acd` and `acn`, depth and nodes of that score; `c0`,
/// the moves from the start).
pub fn epd<P: Position>(opening: &Generated<P>, id: &str) -> String {
    let first = opening.position.side_to_move() == Side::First;
    let score = if first { opening.score } else { -opening.score };
    let (depth, nodes) = opening.effort;
    let moves: Vec<String> = opening.moves.iter().map(|&mv| P::move_text(mv)).collect();
    let number = |name: &str, operand: String| Operation {
        name: name.to_owned(),
        operand,
    };
    let operations = [
        Operation::text("id", id),
        number("ce", score.to_string()),
        number("acd", depth.to_string()),
        number("acn", nodes.to_string()),
        Operation::text("c0", &moves.join(" ")),
    ];
    write_epd(&opening.position, &operations)
}
