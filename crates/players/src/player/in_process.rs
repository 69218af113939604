//! Variants that play in this process.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::{Budget, Choice, ChoiceResult, Failure, GameId, Player, Symptoms, TimeBudget};
use leitai_config::Variant;
use leitai_game::Move;
use leitai_game::card::{AnyLine, AnyPosition, GameChoice, Thinker};
use leitai_game::search::SearchLimits;

/// The search of `variant`; `None` if it is an external engine, or its numbers belong to another
/// game.
pub fn thinker(variant: &Variant, game: &GameChoice) -> Option<Box<dyn Thinker>> {
    if variant.program.is_some() {
        return None;
    }
    if let Some(player) = variant.player {
        return (player.card() == game.card).then(|| player.thinker(&game.rules));
    }
    game.card
        .thinker(&variant.search, &variant.eval, &game.rules)
}

/// A player of this process.
pub struct InProcess {
    thinker: Box<dyn Thinker>,
    /// True if a panic counts as a failure of the player, as in foreign code; a panic in our search
    /// is our bug.
    may_panic: bool,
    /// The principal variation of the last search.
    variation: Vec<Move>,
    /// The symptoms of its failure, if its last choice was one.
    symptoms: Option<Symptoms>,
}

impl InProcess {
    /// A player for `variant`; `None` as for its [`thinker`].
    pub fn new(variant: &Variant, game: &GameChoice) -> Option<Self> {
        Some(Self {
            thinker: thinker(variant, game)?,
            may_panic: variant.player.is_some(),
            variation: Vec::new(),
            symptoms: None,
        })
    }
}

impl Player for InProcess {
    fn new_game(&mut self, _: GameId, _: &dyn AnyPosition, _: &AtomicBool) {
        self.thinker.new_game();
    }

    fn choose(&mut self, line: &dyn AnyLine, budget: &Budget, cancel: &AtomicBool) -> ChoiceResult {
        let limits = SearchLimits {
            nodes: budget.nodes,
            depth: budget.depth,
        };
        let deadline = budget.time.map(|time| Instant::now() + share(time));
        let stop = || {
            cancel.load(Ordering::Relaxed)
                || deadline.is_some_and(|deadline| Instant::now() >= deadline)
        };
        let run = || self.thinker.run(line, &limits, &stop, None);
        let report = guarded(self.may_panic, run);
        self.symptoms = match &report {
            Err(panic) => Some(Symptoms {
                reason: Some(format!("its code panicked: {panic}")),
                ..Symptoms::default()
            }),
            Ok(report) => report.best.filter(|_| self.may_panic).map(|mv| Symptoms {
                answer: Some(line.position().card().move_text(mv)),
                ..Symptoms::default()
            }),
        };
        let report = report.map_err(|_| Failure::Crash)?;
        self.variation = report.pv;
        Ok(Choice {
            mv: report.best,
            // The smallest number has no negation.
            score: Some(report.score.max(-i32::MAX)),
            depth: report.depth,
            nodes: report.nodes,
        })
    }

    fn variation(&self, _: &dyn AnyLine) -> Vec<Move> {
        self.variation.clone()
    }

    fn symptoms(&mut self) -> Option<Symptoms> {
        self.symptoms.take()
    }

    fn adopt(&mut self, variant: &Variant) -> bool {
        variant.is_search() && self.thinker.reconfigure(&variant.search, &variant.eval)
    }
}

/// The result of `run`, or its message if it panics and `may_panic` is set.
///
/// # Errors
/// It panics.
pub fn guarded<T>(may_panic: bool, run: impl FnOnce() -> T) -> Result<T, String> {
    if !may_panic {
        return Ok(run());
    }
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        text.unwrap_or_else(|| "without a message".to_owned())
    })
}

/// Time for this move.
fn share(time: TimeBudget) -> Duration {
    match time {
        TimeBudget::Move(time) => time,
        TimeBudget::Clock(clock) => {
            let to_go = clock.period.map(|period| period.to_go);
            clock.byoyomi + share_of_clock(clock.remaining, clock.increment, to_go)
        }
    }
}

/// Time for this move by a clock. `moves` is the number of moves to the end of the period, this one
/// included; without a number the clock is for the whole game.
///
/// The remaining time is shared among these moves and one more, or among 25 if that is less, which
/// suits a game of some 50 more moves with decreasing shares. So a period ends with time left,
/// which the next one gets; and a fifth of the clock is always kept.
pub fn share_of_clock(remaining: Duration, increment: Duration, to_go: Option<u32>) -> Duration {
    let shares = to_go.map_or(25, |moves| moves.clamp(1, 24) + 1);
    (remaining / shares + increment * 3 / 4).min(remaining * 4 / 5)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::ClockTimes;
    use leitai_config::{Number, default_variant, parse};
    use leitai_games as games;

    #[test]
    fn the_clock_is_shared_out_and_never_emptied() {
        let clock = |remaining, increment| {
            share(TimeBudget::Clock(ClockTimes {
                remaining: Duration::from_millis(remaining),
                opponent: Duration::ZERO,
                increment: Duration::from_millis(increment),
                opponent_increment: Duration::ZERO,
                ..ClockTimes::default()
            }))
        };
        assert_eq!(clock(10_000, 100), Duration::from_millis(475));
        assert_eq!(clock(100, 1000), Duration::from_millis(80));
        assert_eq!(clock(0, 0), Duration::ZERO);
    }

    /// Periods of every length, where each move uses its whole share.
    #[test]
    fn a_period_is_shared_out_and_never_overrun() {
        for moves in [1, 2, 3, 10, 24, 25, 40, 200] {
            for increment in [0, 100] {
                let time = Duration::from_secs(2);
                let increment = Duration::from_millis(increment);
                let mut remaining = time;
                for number in 0..3 * moves {
                    let to_go = moves - number % moves;
                    let spent = share_of_clock(remaining, increment, Some(to_go));
                    assert!(spent <= remaining * 4 / 5, "move {number} of {moves}");
                    // The last move has at least half of a fair share.
                    let fair = time / moves;
                    assert!(moves > 25 || spent >= fair / 2, "{spent:?} of {fair:?}");
                    remaining = remaining.saturating_sub(spent) + increment;
                    if to_go == 1 {
                        remaining += time;
                    }
                }
                assert!(remaining < 4 * time, "{remaining:?} were not used");
            }
        }
    }

    /// The results of a player for a few moves of a game.
    fn game(player: &mut InProcess) -> Vec<(Option<Move>, Option<i32>, u32, u64)> {
        let go = AtomicBool::new(false);
        let budget = Budget::of_nodes(2_000);
        let card = leitai_xiangqi::card();
        let start = card.initial();
        player.new_game(GameId::default(), &*start, &go);
        let mut line = card.line(&*start);
        let plies = (0..6).map(|_| {
            let found = player.choose(&*line, &budget, &go).unwrap();
            line.play(found.mv.unwrap());
            (found.mv, found.score, found.depth, found.nodes)
        });
        plies.collect()
    }

    /// Variants that differ in everything that a search caches: evaluation lookups, tables of
    /// another size, move ordering.
    #[test]
    fn an_adopted_variant_plays_like_a_new_player() {
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
        let [rich, plain, other]: [Variant; 3] = parse(text, "t.toml", &games::all())
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
        let choice = GameChoice::usual(leitai_xiangqi::card());
        let new = |variant: &Variant| InProcess::new(variant, &choice).unwrap();
        let games: Vec<_> = variants.iter().map(|it| game(&mut new(it))).collect();
        let mut kept = new(&variants[0]);
        for at in [0, 1, 0, 2, 3, 1, 4, 3, 0, 1] {
            assert!(kept.adopt(&variants[at]));
            assert_eq!(game(&mut kept), games[at], "variant {at}");
        }
        assert_ne!(games[0], games[1], "the test can fail");
    }

    #[test]
    fn no_search_adopts_a_program_or_another_game() {
        let game = GameChoice::usual(leitai_othello::card());
        let othello = default_variant(game).unwrap();
        let xiangqi = default_variant(GameChoice::usual(leitai_xiangqi::card())).unwrap();
        let mut player = InProcess::new(&othello, &game).unwrap();
        assert!(player.adopt(&othello));
        assert!(!player.adopt(&xiangqi));
    }
}
