//! A variant that is searched in this process.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::{Budget, Choice, Failure, GameId, Player, TimeBudget};
use crate::config::{EvalParams, GameChoice, Variant};
use crate::eval::Evaluation;
use crate::eval::othello::DiscSquare;
use crate::eval::xiangqi::XiangqiEvaluation;
use crate::game::Line;
use crate::game::othello::Othello;
use crate::game::xiangqi::Xiangqi;
use crate::search::{Search, SearchLimits, Tactics};

/// A game whose variants can be played in this process: ties the game to its
/// evaluation and to its part of the config.
pub trait Playable: Tactics {
    /// The evaluation that configs describe.
    type Evaluation: Evaluation<Self> + 'static;

    /// The history rules of a config about this game; `None` if it is about
    /// another.
    fn rules(game: GameChoice) -> Option<Self::Rules>;

    /// The evaluation with these numbers; `None` if they belong to another
    /// game.
    fn evaluation(params: &EvalParams) -> Option<Self::Evaluation>;
}

impl Playable for Xiangqi {
    type Evaluation = XiangqiEvaluation;

    fn rules(game: GameChoice) -> Option<Self::Rules> {
        match game {
            GameChoice::Xiangqi(rules) => Some(rules),
            GameChoice::Othello => None,
        }
    }

    fn evaluation(params: &EvalParams) -> Option<Self::Evaluation> {
        match params {
            EvalParams::Xiangqi(params) => Some(XiangqiEvaluation::new(params)),
            EvalParams::Othello(_) => None,
        }
    }
}

impl Playable for Othello {
    type Evaluation = DiscSquare;

    fn rules(game: GameChoice) -> Option<Self::Rules> {
        match game {
            GameChoice::Othello => Some(()),
            GameChoice::Xiangqi(_) => None,
        }
    }

    fn evaluation(params: &EvalParams) -> Option<Self::Evaluation> {
        match params {
            EvalParams::Othello(params) => Some(DiscSquare::new(*params)),
            EvalParams::Xiangqi(_) => None,
        }
    }
}

/// A searching player.
pub struct InProcess<P: Playable> {
    search: Search<P, P::Evaluation>,
    rules: P::Rules,
}

impl<P: Playable> InProcess<P> {
    /// A player for `variant` under `rules`; `None` if the variant belongs to
    /// another game.
    pub fn new(variant: &Variant, rules: P::Rules) -> Option<Self> {
        let evaluation = P::evaluation(&variant.eval)?;
        Some(Self {
            search: Search::new(variant.search.clone(), evaluation),
            rules,
        })
    }
}

impl<P: Playable> Player<P> for InProcess<P> {
    fn new_game(&mut self, _: GameId, _: &P, _: &AtomicBool) {
        self.search.new_game();
    }

    fn choose(
        &mut self,
        line: &Line<P>,
        budget: &Budget,
        cancel: &AtomicBool,
    ) -> Result<Choice, Failure> {
        let limits = SearchLimits {
            nodes: budget.nodes,
            depth: budget.depth,
        };
        let deadline = budget.time.map(|time| Instant::now() + share(time));
        let stop = || {
            cancel.load(Ordering::Relaxed)
                || deadline.is_some_and(|deadline| Instant::now() >= deadline)
        };
        let report = self.search.run(line, self.rules, &limits, &stop, None);
        Ok(Choice {
            mv: report.best,
            score: Some(report.score),
            depth: report.depth,
            nodes: report.nodes,
        })
    }
}

/// How long to think about this move.
pub(crate) fn share(time: TimeBudget) -> Duration {
    match time {
        TimeBudget::Move(time) => time,
        // A game of some 50 more moves, thinned out as it goes on; a fifth of
        // the clock is always kept.
        TimeBudget::Clock {
            remaining,
            increment,
            ..
        } => (remaining / 25 + increment * 3 / 4).min(remaining * 4 / 5),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_is_shared_out_and_never_emptied() {
        let clock = |remaining, increment| {
            share(TimeBudget::Clock {
                remaining: Duration::from_millis(remaining),
                opponent: Duration::ZERO,
                increment: Duration::from_millis(increment),
            })
        };
        assert_eq!(clock(10_000, 100), Duration::from_millis(475));
        assert_eq!(clock(100, 1000), Duration::from_millis(80));
        assert_eq!(clock(0, 0), Duration::ZERO);
    }
}
