//! Commands that update an engine's own board and clock.

use super::{Gtp, Purpose, TIMES, words};
use crate::player::TimeBudget;
use crate::player::external::codec::{Ask, LimitKind};
use leitai_game::Side;

impl Gtp {
    /// Returns whether the engine may support the command.
    pub(crate) fn knows(&self, command: &str) -> bool {
        self.commands.is_empty() || self.commands.iter().any(|known| known == command)
    }

    /// The command for a move; `None` for a pass that the engine does not expect.
    fn play(&mut self, index: usize, mv: &str) -> Option<String> {
        let is_pass = mv == words::PASS;
        if is_pass && !self.tells_passes {
            return None;
        }
        let purpose = if is_pass {
            Purpose::Pass
        } else {
            Purpose::Play
        };
        let colour = words::colour(words::mover(index));
        Some(self.say(purpose, format!("play {colour} {mv}")))
    }

    /// Commands for an empty board, with the limits of the game.
    fn set_up(&mut self, ask: &Ask) -> Vec<String> {
        let mut lines = Vec::new();
        let mut say = |text: String| lines.push(self.exchange.ask(Purpose::Setting, text));
        if self.commands.iter().any(|known| known == "set_game") {
            say(format!("set_game {}", ask.game));
        }
        say(format!("boardsize {}", words::BOARD_SIZE));
        say("clear_board".to_owned());
        // Main time, a period of byo-yomi, and the moves in one. In byo-yomi the rest of a period
        // would be lost, so the remaining time is sent before every move.
        match ask.budget.time {
            Some(TimeBudget::Move(time)) => {
                say(format!("time_settings 0 {} 1", time.as_secs().max(1)));
            }
            Some(TimeBudget::Clock(clock)) => say(match clock.period {
                Some(period) => {
                    format!("time_settings 0 {} {}", period.time.as_secs(), period.moves)
                }
                None => format!("time_settings {} 0 0", clock.remaining.as_secs()),
            }),
            None => {}
        }
        self.board = Some(Vec::new());
        self.limits = Some(LimitKind::of(ask.budget));
        lines
    }

    /// Commands that bring the engine's board to the current position.
    pub(crate) fn catch_up(&mut self, ask: &Ask) -> Vec<String> {
        let before = ask.before.into_iter().flatten();
        let moves: Vec<String> = before.chain(ask.moves).cloned().collect();
        let board = self.board.take();
        let board = board.filter(|made| {
            self.limits == Some(LimitKind::of(ask.budget)) && moves.starts_with(made)
        });
        let (mut lines, known) = match board {
            Some(made) => (Vec::new(), made.len()),
            None => (self.set_up(ask), 0),
        };
        for (index, mv) in moves.iter().enumerate().skip(known) {
            lines.extend(self.play(index, mv));
        }
        self.board = Some(moves);
        lines
    }

    /// Commands for the remaining times.
    pub(crate) fn clocks(&mut self, ask: &Ask) -> Vec<String> {
        let shown = match ask.budget.time {
            None => Vec::new(),
            Some(TimeBudget::Move(time)) => vec![(ask.side, time.as_secs().max(1), 1)],
            Some(TimeBudget::Clock(clock)) => {
                let to_go = clock.period.map_or(0, |period| period.to_go);
                let theirs = clock.period.and_then(|period| period.opponent_to_go);
                let opponent = clock.opponent.as_secs();
                vec![
                    (ask.side.other(), opponent, theirs.unwrap_or(0)),
                    (ask.side, clock.remaining.as_secs(), to_go),
                ]
            }
        };
        if !self.knows(TIMES[1]) {
            return Vec::new();
        }
        let line = |(side, seconds, moves): (Side, u64, u32)| {
            let colour = words::colour(side);
            self.say(
                Purpose::Clock,
                format!("time_left {colour} {seconds} {moves}"),
            )
        };
        shown.into_iter().map(line).collect()
    }
}
