//! Generation of opening suites: random plies, kept if an engine finds the position level enough,
//! and unique up to mirror symmetry.
//!
//! Candidate `i` depends on the seed and `i` alone, and candidates are considered in the order of
//! their numbers, so the suite does not depend on the number of threads.

mod related;

use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering};

use self::related::{Paths, drop_related};
use crate::play::{Sequencer, work};
use crate::player::{Budget, GameId, Player};
use crate::schedule::{Stream, below, generator};
use leitai_game::card::{AnyPosition, GameCard};
use leitai_game::eval::Score;
use leitai_game::{Move, Side};
use leitai_interchange::epd::{Operation, write_epd};

/// Point of view of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewpoint {
    /// One side's.
    Of(Side),
    /// Either side's: the position fits if the score of one of them does.
    Either,
}

/// The criteria for openings.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// The number of openings to generate.
    pub count: usize,
    /// Start positions with equal probability; empty for the usual start.
    pub starts: Vec<Box<dyn AnyPosition>>,
    /// Random plies from the start; each candidate draws its own number.
    pub plies: RangeInclusive<u32>,
    /// Range of accepted scores.
    pub window: RangeInclusive<Score>,
    /// Point of view of these scores.
    pub viewpoint: Viewpoint,
    /// Limits of the evaluating player.
    pub budget: Budget,
    /// Limits of a first look, which drops a candidate if it is further outside the window than the
    /// window is wide; `None` for no first look.
    pub first_look: Option<Budget>,
    /// True to drop an opening that leads into another: games from one may transpose into games
    /// from the other.
    pub unrelated: bool,
    /// Seed of the candidates.
    pub seed: u64,
    /// Number of candidates after which the search ends.
    pub most_candidates: u64,
}

impl Recipe {
    /// Returns whether a score, from the first side's point of view, is in the window widened by
    /// `more` at both ends.
    fn fits(&self, score: Score, more: Score) -> bool {
        let least = self.window.start().saturating_sub(more);
        let window = least..=self.window.end().saturating_add(more);
        match self.viewpoint {
            Viewpoint::Of(Side::First) => window.contains(&score),
            Viewpoint::Of(Side::Second) => window.contains(&-score),
            Viewpoint::Either => window.contains(&score) || window.contains(&-score),
        }
    }
}

/// A generated opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedOpening {
    /// The position.
    pub position: Box<dyn AnyPosition>,
    /// Position before the moves; `None` for the usual start.
    pub start: Option<Box<dyn AnyPosition>>,
    /// The moves from the start to the position.
    pub moves: Vec<Move>,
    /// Its score from the first side's point of view.
    pub score: Score,
    /// Depth and nodes of the search that gave the score.
    pub effort: (u32, u64),
}

impl GeneratedOpening {
    fn move_texts(&self) -> Vec<String> {
        let card = self.position.card();
        self.moves.iter().map(|&mv| card.move_text(mv)).collect()
    }
}

/// The result of a recipe.
#[derive(Clone, Debug, Default)]
pub struct Suite {
    /// The openings, in the order of their candidates.
    pub openings: Vec<GeneratedOpening>,
    /// Candidates considered.
    pub candidates: u64,
}

/// Generates openings on `threads` threads, each with a player from `make`. Stops at the requested
/// number, at the largest number of candidates, or when `cancel` is set, with the results of the
/// candidates before that. Calls `progress` for every candidate with the number of kept openings
/// and the number of candidates. If the openings must be unrelated, openings that lead into another
/// are dropped when the number is reached, and the search continues.
pub fn generate(
    card: &'static dyn GameCard,
    recipe: &Recipe,
    threads: NonZeroUsize,
    cancel: &AtomicBool,
    make: impl Fn() -> Box<dyn Player> + Sync,
    mut progress: impl FnMut(usize, u64),
) -> Suite {
    let mut suite = Suite::default();
    let wants = |suite: &Suite| {
        suite.openings.len() < recipe.count && suite.candidates < recipe.most_candidates
    };
    while wants(&suite) && !cancel.load(Ordering::Relaxed) {
        let mut paths = Paths::of(&suite.openings, recipe.unrelated);
        let first = suite.candidates;
        let mut sequencer = Sequencer::from(first);
        let enough = AtomicBool::new(false);
        let worker = || {
            let mut player = make();
            let enough = &enough;
            move |number| {
                if enough.load(Ordering::Relaxed) || cancel.load(Ordering::Relaxed) {
                    return None;
                }
                let found = candidate(card, recipe, number, player.as_mut(), cancel);
                // A cancelled search is not reproducible from the seed.
                (!cancel.load(Ordering::Relaxed)).then_some(found)
            }
        };
        let take = |number, found: Option<GeneratedOpening>| {
            sequencer.put(number, found);
            while let Some(found) = sequencer.take() {
                if suite.openings.len() == recipe.count {
                    break;
                }
                suite.candidates += 1;
                let taken = found.filter(|opening| paths.take(opening));
                suite.openings.extend(taken);
                progress(suite.openings.len(), suite.candidates);
            }
            if suite.openings.len() == recipe.count {
                enough.store(true, Ordering::Relaxed);
            }
            Ok(())
        };
        let numbers = first..recipe.most_candidates;
        let Ok::<_, Infallible>(()) = work(numbers, threads, cancel, worker, take);
        if recipe.unrelated {
            drop_related(&mut suite.openings);
        }
    }
    suite
}

/// Candidate `number`: a random line, if it leads to a position that fits.
fn candidate(
    card: &'static dyn GameCard,
    recipe: &Recipe,
    number: u64,
    player: &mut dyn Player,
    cancel: &AtomicBool,
) -> Option<GeneratedOpening> {
    let (index, purpose) = (number, 0);
    let mut random = generator(recipe.seed, Stream::Pair { index, purpose });
    let (least, most) = (*recipe.plies.start(), *recipe.plies.end());
    let plies = u64::from(least) + below(&mut random, u64::from(most - least) + 1);
    let start = match recipe.starts.len() as u64 {
        0 => None,
        some => Some(recipe.starts[below(&mut random, some) as usize].clone()),
    };
    let mut line = card.line(&*start.clone().unwrap_or_else(|| card.initial()));
    for _ in 0..plies {
        let moves = line.position().moves();
        if moves.is_empty() {
            return None;
        }
        line.play(moves[below(&mut random, moves.len() as u64) as usize]);
    }
    let position = line.position();
    let over = position.count_legal_moves() == 0 || position.is_dead();
    // A long line may have reached the move limit: then its position is not readable.
    if over || position.in_check() || card.read(&position.to_fen()).is_err() {
        return None;
    }
    let mut score = |budget: &Budget| score(position, number, player, budget, cancel);
    if let Some(budget) = &recipe.first_look {
        let (least, most) = (*recipe.window.start(), *recipe.window.end());
        let width = most.saturating_sub(least);
        if !recipe.fits(score(budget)?.0, width) {
            return None;
        }
    }
    let (score, effort) = score(&recipe.budget)?;
    recipe.fits(score, 0).then(|| GeneratedOpening {
        position: position.boxed(),
        start,
        moves: line.moves(),
        score,
        effort,
    })
}

/// The player's score of candidate `number` within the budget, from the first side's point of view,
/// with depth and nodes of its search; `None` if it was cancelled or gave no score.
fn score(
    position: &dyn AnyPosition,
    number: u64,
    player: &mut dyn Player,
    budget: &Budget,
    cancel: &AtomicBool,
) -> Option<(Score, (u32, u64))> {
    // The line so far is not history: games will begin here.
    let line = position.card().line(position);
    let game = GameId {
        pair: number,
        game: 1,
        attempt: 1,
    };
    player.new_game(game, line.start(), cancel);
    let choice = player.choose(&*line, budget, cancel).ok()?;
    let score = match position.side_to_move() {
        Side::First => choice.score?,
        Side::Second => -choice.score?,
    };
    Some((score, (choice.depth, choice.nodes)))
}

/// The moves from the usual start on one line, without blanks if the game reads that: `h2e2h9g7`.
pub fn moves(opening: &GeneratedOpening) -> String {
    let moves = opening.move_texts();
    let tight = moves.concat();
    match opening.position.card().read_opening(&tight) {
        Some(Ok((line, _))) if line.len() == moves.len() => tight,
        _ => moves.join(" "),
    }
}

/// One line of EPD: board, side and opcodes (`id`; `ce` from the side to move's point of view;
/// `acd` and `acn`, depth and nodes of that score; `c0`, the moves from the start; `c1`, that
/// start, if it is not the usual one).
pub fn epd(opening: &GeneratedOpening, id: &str) -> String {
    let first = opening.position.side_to_move() == Side::First;
    let score = if first { opening.score } else { -opening.score };
    let (depth, nodes) = opening.effort;
    let number = |name: &str, operand: String| Operation {
        name: name.to_owned(),
        operand,
    };
    let start = opening.start.as_ref();
    let start = start.map(|start| Operation::text("c1", &format!("from {}", start.to_fen())));
    let operations = [
        Operation::text("id", id),
        number("ce", score.to_string()),
        number("acd", depth.to_string()),
        number("acn", nodes.to_string()),
        Operation::text("c0", &opening.move_texts().join(" ")),
    ];
    write_epd(&*opening.position, operations.iter().chain(&start))
}
