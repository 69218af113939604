//! A variant that is searched in this process.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::{Budget, Choice, Failure, GameId, Player, Thinking, TimeBudget};
use crate::config::{EvalParams, GameChoice, Variant};
use crate::eval::Evaluation;
use crate::game::Line;
use crate::games::go::reading::{BlockProver, CaptureEvaluation, CaptureParams};
use crate::games::go::{Capture, GoRules};
use crate::games::othello::eval::{OthelloEvaluation, OthelloParams};
use crate::games::othello::{Othello, OthelloRules};
use crate::games::xiangqi::eval::{XiangqiEvaluation, XiangqiParams};
use crate::games::xiangqi::{Xiangqi, XiangqiRules};
use crate::search::proof::SolverParams;
use crate::search::{Prover, SearchLimits, Tactics};

/// A game whose variants can be played in this process: ties the game to its
/// evaluation and to its part of the config.
pub trait Playable: Tactics {
    /// The evaluation that configs describe.
    type Evaluation: Evaluation<Self> + 'static;

    /// The rules of a config about this game; `None` if it is about another.
    fn rules(game: GameChoice) -> Option<Self::Rules>;

    /// The evaluation with these numbers, in games under these rules; `None` if
    /// the numbers belong to another game.
    fn evaluation(params: &EvalParams, rules: Self::Rules) -> Option<Self::Evaluation>;

    /// What plays for a variant with `search.solver`; `None` if the numbers belong to
    /// another game, or the game has no goal to be proved.
    fn prover(
        _solver: &SolverParams,
        _params: &EvalParams,
        _rules: Self::Rules,
    ) -> Option<Box<dyn Prover<Self>>> {
        None
    }
}

impl Playable for Xiangqi {
    type Evaluation = XiangqiEvaluation;

    fn rules(game: GameChoice) -> Option<Self::Rules> {
        match game {
            GameChoice::Xiangqi(rules) => Some(rules),
            GameChoice::Othello(_) | GameChoice::Go(_) => None,
        }
    }

    fn evaluation(params: &EvalParams, _: XiangqiRules) -> Option<Self::Evaluation> {
        XiangqiParams::of(params).map(|params| XiangqiEvaluation::new(&params))
    }
}

impl Playable for Othello {
    type Evaluation = OthelloEvaluation;

    fn rules(game: GameChoice) -> Option<Self::Rules> {
        match game {
            GameChoice::Othello(rules) => Some(rules),
            GameChoice::Xiangqi(_) | GameChoice::Go(_) => None,
        }
    }

    fn evaluation(params: &EvalParams, rules: OthelloRules) -> Option<Self::Evaluation> {
        OthelloParams::of(params).map(|params| OthelloEvaluation::new(&params, rules))
    }
}

impl Playable for Capture {
    type Evaluation = CaptureEvaluation;

    fn rules(game: GameChoice) -> Option<Self::Rules> {
        match game {
            GameChoice::Go(rules) => Some(rules),
            GameChoice::Xiangqi(_) | GameChoice::Othello(_) => None,
        }
    }

    fn evaluation(params: &EvalParams, _: GoRules) -> Option<Self::Evaluation> {
        CaptureParams::of(params).map(|params| CaptureEvaluation::new(&params))
    }

    fn prover(
        solver: &SolverParams,
        params: &EvalParams,
        rules: GoRules,
    ) -> Option<Box<dyn Prover<Self>>> {
        let params = CaptureParams::of(params)?;
        Some(Box::new(BlockProver::new(solver, &params, rules)))
    }
}

/// A player of this process.
pub struct InProcess<P: Playable> {
    thinking: Thinking<P>,
}

impl<P: Playable> InProcess<P> {
    /// A player for `variant` under `rules`; `None` if the variant belongs to
    /// another game.
    pub fn new(variant: &Variant, rules: P::Rules) -> Option<Self> {
        let thinking = Thinking::new(variant, rules)?;
        Some(Self { thinking })
    }
}

impl<P: Playable> Player<P> for InProcess<P> {
    fn new_game(&mut self, _: GameId, _: &P, _: &AtomicBool) {
        self.thinking.new_game();
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
        let report = self.thinking.run(line, &limits, &stop);
        Ok(Choice {
            mv: report.best,
            score: Some(report.score),
            depth: report.depth,
            nodes: report.nodes,
        })
    }

    fn adopt(&mut self, variant: &Variant) -> bool {
        self.thinking.become_other(variant)
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
    use crate::config::{Number, default_variant, parse};
    use crate::game::{Move, Position};

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

    /// What a player finds in a few moves of a game.
    fn game(player: &mut InProcess<Xiangqi>) -> Vec<(Option<Move>, Option<i32>, u32, u64)> {
        let go = AtomicBool::new(false);
        let budget = Budget {
            nodes: Some(2_000),
            ..Budget::default()
        };
        let start = Xiangqi::initial();
        player.new_game(GameId::default(), &start, &go);
        let mut line = Line::new(start);
        let plies = (0..6).map(|_| {
            let found = player.choose(&line, &budget, &go).unwrap();
            line.play(found.mv.unwrap());
            (found.mv, found.score, found.depth, found.nodes)
        });
        plies.collect()
    }

    /// Variants that differ in all that a search remembers: what is looked up of the
    /// evaluation, tables of another size, moves that are ordered otherwise.
    #[test]
    fn who_adopts_a_variant_plays_like_a_new_player() {
        let text = r#"
game = "xiangqi"
limits = { nodes = 1 }
tournament = { pairs = 1 }
[[variant]]
name = "rich"
search = { preset = "full", table_mb = 1 }
eval = { preset = "leitai" }
[[variant]]
name = "plain"
[[variant]]
name = "other"
base = "rich"
eval = { preset = "tutorial" }
"#;
        let [rich, plain, other]: [Variant; 3] = parse(text, "t.toml")
            .unwrap()
            .config
            .variants
            .try_into()
            .unwrap();
        let mut shifted = rich.clone();
        let material = Number::all(&shifted);
        for number in material.iter().filter(|number| number.is_eval()).step_by(3) {
            let value = number.get(&shifted).unwrap();
            number.set(&mut shifted, value + 7);
        }
        let mut small = shifted.clone();
        small.search.table_mb = 0;
        let variants = [rich, shifted, small, plain, other];
        let new = |variant: &Variant| InProcess::new(variant, XiangqiRules::default()).unwrap();
        let games: Vec<_> = variants.iter().map(|it| game(&mut new(it))).collect();
        let mut kept = new(&variants[0]);
        for at in [0, 1, 0, 2, 3, 1, 4, 3, 0, 1] {
            assert!(Player::<Xiangqi>::adopt(&mut kept, &variants[at]));
            assert_eq!(game(&mut kept), games[at], "variant {at}");
        }
        assert_ne!(games[0], games[1], "the test can fail");
    }

    #[test]
    fn no_search_adopts_a_program_or_another_game() {
        let othello = default_variant(GameChoice::Othello(OthelloRules::default())).unwrap();
        let xiangqi = default_variant(GameChoice::Xiangqi(XiangqiRules::default())).unwrap();
        let mut player = InProcess::<Othello>::new(&othello, OthelloRules::default()).unwrap();
        assert!(player.adopt(&othello));
        assert!(!player.adopt(&xiangqi));
    }
}
