//! Players with an observer.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::{Budget, ChoiceResult, GameId, Player, PvWarning, Symptoms};
use crate::play::{GameRecord, MoveReport};
use leitai_config::Variant;
use leitai_game::card::{AnyLine, AnyPosition, Rules};
use leitai_game::{Move, Side};

/// An event of a player or of a game, on the thread that plays it.
#[derive(Clone, Debug)]
pub enum PlayerEvent<'a> {
    /// A player was created: at first, or to replace one after a failure.
    Started {
        /// The player's name.
        player: &'a str,
    },
    /// A player has replied.
    Moved {
        /// The player's name.
        player: &'a str,
        /// The game.
        game: GameId,
        /// The moves of the game before the reply.
        line: &'a dyn AnyLine,
        /// The reply, before the referee's check.
        answer: ChoiceResult,
        /// The principal variation; empty if it is unknown or not wanted.
        variation: &'a [Move],
        /// Duration of the move.
        time: Duration,
        /// Duration as the player reports it, if it does.
        reported: Option<Duration>,
        /// The limits of the move.
        budget: &'a Budget,
    },
    /// A game has ended. Its pair may be played again.
    Ended {
        /// The game.
        game: GameId,
        /// The side to move at its start.
        first_to_move: Side,
        /// Its moves and result.
        record: &'a GameRecord,
    },
}

/// Observes players.
#[derive(Clone)]
pub struct Observer {
    see: Arc<dyn Fn(&PlayerEvent<'_>) + Send + Sync>,
    wants_variations: bool,
}

impl Observer {
    /// An observer that calls `see` synchronously; the player blocks until it returns. Reading
    /// variations takes time: it is done only if they are wanted.
    pub fn new(
        wants_variations: bool,
        see: impl Fn(&PlayerEvent<'_>) + Send + Sync + 'static,
    ) -> Self {
        Self {
            see: Arc::new(see),
            wants_variations,
        }
    }

    /// Calls the function with an event.
    pub(crate) fn see(&self, event: &PlayerEvent<'_>) {
        (self.see)(event);
    }
}

impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Observer")
    }
}

/// A player with an observer, which does not affect its play.
pub struct Observed {
    player: Box<dyn Player>,
    name: String,
    game: GameId,
    observer: Observer,
}

impl Observed {
    /// A player whose searches `observer` sees.
    pub fn new(player: Box<dyn Player>, name: &str, observer: Observer) -> Self {
        observer.see(&PlayerEvent::Started { player: name });
        Self {
            player,
            name: name.to_owned(),
            game: GameId::default(),
            observer,
        }
    }
}

impl Player for Observed {
    fn new_game(&mut self, game: GameId, start: &dyn AnyPosition, cancel: &AtomicBool) {
        self.game = game;
        self.player.new_game(game, start, cancel);
    }

    fn choose(&mut self, line: &dyn AnyLine, budget: &Budget, cancel: &AtomicBool) -> ChoiceResult {
        let began = Instant::now();
        let answer = self.player.choose(line, budget, cancel);
        let time = began.elapsed();
        // After cancellation the reply does not matter.
        if !cancel.load(Ordering::Relaxed) {
            let variation = if self.observer.wants_variations {
                self.player.variation(line)
            } else {
                Vec::new()
            };
            self.observer.see(&PlayerEvent::Moved {
                player: &self.name,
                game: self.game,
                line,
                answer,
                variation: &variation,
                time,
                reported: self.player.reported_time(),
                budget,
            });
        }
        answer
    }

    fn ponder(&mut self, line: &dyn AnyLine, budget: &Budget) {
        self.player.ponder(line, budget);
    }

    fn end_game(&mut self, half_points: Option<u8>, cancel: &AtomicBool) {
        self.player.end_game(half_points, cancel);
    }

    fn pv_warnings(
        &mut self,
        game: &mut dyn AnyLine,
        rules: &Rules,
        best: Option<Move>,
    ) -> Vec<PvWarning> {
        self.player.pv_warnings(game, rules, best)
    }

    fn report(&mut self) -> Option<MoveReport> {
        self.player.report()
    }

    fn symptoms(&mut self) -> Option<Symptoms> {
        self.player.symptoms()
    }

    fn reported_time(&self) -> Option<Duration> {
        self.player.reported_time()
    }

    fn adopt(&mut self, variant: &Variant) -> bool {
        self.player.adopt(variant)
    }
}
