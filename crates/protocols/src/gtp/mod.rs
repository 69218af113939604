//! The Go Text Protocol, version 2, for Othello engines. The engine keeps its own board, so only
//! new moves are sent; positions are sent as the moves from the usual start.
//!
//! [`exchange`] is independent of the game.

pub mod exchange;

use std::time::Duration;

use exchange::{Exchange, Part};

use leitai_base::side::Side;

use super::budget::TimeBudget;
use super::codec::{Codec, Info, Introduction, LimitKind, Message, MoveRequest, ReadyMessage};
use super::offer::{Offer, OptionKind};
use super::protocol::{Limit, Passing, Protocol};

/// The Go Text Protocol, version 2, for Othello.
pub const GTP: &Protocol = &Protocol {
    greeting_end: "= (the answer to `list_commands`)",
    pong: "= (the answer to `protocol_version`)",
    reply: "=",
    lacks: &[Limit::Nodes, Limit::Depth],
    has_byoyomi: true,
    keys: &["passes"],
    whole_seconds: true,
    limits_itself: true,
    moves_only: true,
    ..Protocol::new("gtp", |settings| Box::new(Gtp::new(settings.passes)))
};

/// The purpose of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Name,
    Version,
    List,
    /// A line or an option of the config, or a command that starts a game.
    Setting,
    Play,
    /// A pass of the opponent, or an earlier one.
    Pass,
    /// The remaining time.
    Clock,
    Move,
    /// Tests whether all commands are processed.
    Ready,
    /// A command without consequences.
    Other,
}

/// Commands needed for games, which are not options.
const RESERVED: &str = "protocol_version name version known_command list_commands quit boardsize \
                        clear_board play genmove undo set_game time_settings time_left";

/// Largest number of commands of one engine; GNU Go has two hundred.
const MAX_COMMANDS: usize = 10_000;

/// Squares per row.
const BOARD_SIZE: u32 = 8;

/// A move without a disc.
const PASS: &str = "pass";

const TIMES: [&str; 2] = ["time_settings", "time_left"];

#[derive(Default)]
pub(crate) struct Gtp {
    exchange: Exchange<Purpose>,
    /// True if passes are sent to the engine.
    sends_passes: bool,
    /// The commands that the engine supports; empty if unknown.
    commands: Vec<String>,
    is_listing: bool,
    /// The moves on the engine's board.
    board: Option<Vec<String>>,
    /// The limits sent to the engine.
    limits: Option<LimitKind>,
}

impl Gtp {
    pub(crate) fn new(passes: Passing) -> Self {
        Self {
            sends_passes: passes == Passing::Send,
            ..Self::default()
        }
    }

    fn command(&mut self, purpose: Purpose, text: impl Into<String>) -> String {
        self.exchange.ask(purpose, text)
    }

    /// Returns whether the engine may support the command.
    fn knows(&self, command: &str) -> bool {
        self.commands.is_empty() || self.commands.iter().any(|known| known == command)
    }

    /// The command for a move; `None` for a pass that the engine does not expect.
    fn play(&mut self, index: usize, mv: &str) -> Option<String> {
        let is_pass = mv == PASS;
        if is_pass && !self.sends_passes {
            return None;
        }
        let purpose = [Purpose::Play, Purpose::Pass][usize::from(is_pass)];
        let colour = colour(Side::BOTH[index % 2]);
        Some(self.command(purpose, format!("play {colour} {mv}")))
    }

    /// Commands for an empty board, with the limits of the game.
    fn set_up(&mut self, ask: &MoveRequest) -> Vec<String> {
        let mut lines = Vec::new();
        let mut say = |text: String| lines.push(self.exchange.ask(Purpose::Setting, text));
        if self.commands.iter().any(|known| known == "set_game") {
            say(format!("set_game {}", ask.game));
        }
        say(format!("boardsize {BOARD_SIZE}"));
        say("clear_board".to_owned());
        // Main time, a period of byo-yomi, and the moves in one. In byo-yomi the rest of a period
        // would be lost, so the remaining time is sent before every move.
        match ask.budget.time {
            Some(TimeBudget::Move(time)) => {
                say(format!("time_settings 0 {} 1", time.as_secs().max(1)));
            }
            Some(TimeBudget::Clock(clock)) => {
                let [main, byoyomi] = [clock.remaining, clock.byoyomi].map(|it| it.as_secs());
                let byoyomi = (main, byoyomi, u32::from(byoyomi > 0));
                let (main, time, moves) = clock
                    .period
                    .map_or(byoyomi, |period| (0, period.time.as_secs(), period.moves));
                say(format!("time_settings {main} {time} {moves}"));
            }
            None => {}
        }
        self.board = Some(Vec::new());
        self.limits = Some(LimitKind::of(ask.budget));
        lines
    }

    /// Commands that bring the engine's board to the current position.
    fn catch_up(&mut self, ask: &MoveRequest) -> Vec<String> {
        let before = ask.before.into_iter().flatten();
        let moves: Vec<String> = before.chain(ask.moves).cloned().collect();
        let has_limits = self.limits == Some(LimitKind::of(ask.budget));
        let (mut lines, known) = match self.board.take() {
            Some(made) if has_limits && moves.starts_with(&made) => (Vec::new(), made.len()),
            _ => (self.set_up(ask), 0),
        };
        for (index, mv) in moves.iter().enumerate().skip(known) {
            lines.extend(self.play(index, mv));
        }
        self.board = Some(moves);
        lines
    }

    /// Commands for the remaining times.
    fn clock_commands(&mut self, ask: &MoveRequest) -> Vec<String> {
        let times = match ask.budget.time {
            _ if !self.knows(TIMES[1]) => Vec::new(),
            None => Vec::new(),
            Some(TimeBudget::Move(time)) => vec![(ask.side, time.as_secs().max(1), 1)],
            Some(TimeBudget::Clock(clock)) => {
                let to_go = clock.period.map_or(0, |period| period.to_go);
                let theirs = clock.period.and_then(|period| period.opponent_to_go);
                // In byoyomi, a period of one move has begun.
                let left = |main: Duration, byoyomi: Duration, moves| {
                    if main.as_secs() == 0 && !byoyomi.is_zero() {
                        (byoyomi.as_secs(), 1)
                    } else {
                        (main.as_secs(), moves)
                    }
                };
                let other = left(clock.opponent, clock.opponent_byoyomi, theirs.unwrap_or(0));
                let own = left(clock.remaining, clock.byoyomi, to_go);
                vec![
                    (ask.side.other(), other.0, other.1),
                    (ask.side, own.0, own.1),
                ]
            }
        };
        let line = |(side, seconds, moves): (Side, u64, u32)| {
            let text = format!("time_left {} {seconds} {moves}", colour(side));
            self.command(Purpose::Clock, text)
        };
        times.into_iter().map(line).collect()
    }
}

/// The colour of a side: black begins.
fn colour(side: Side) -> &'static str {
    ["black", "white"][side.index()]
}

impl Codec for Gtp {
    fn hello(&mut self) -> Vec<String> {
        [
            (Purpose::Other, "protocol_version"),
            (Purpose::Name, "name"),
            (Purpose::Version, "version"),
            (Purpose::List, "list_commands"),
        ]
        .map(|(purpose, text)| self.command(purpose, text))
        .into()
    }

    fn read_greeting(&mut self, line: &str, introduction: &mut Introduction) -> bool {
        match self.exchange.parse_line(line) {
            Part::Begins(command, obeyed, text) => match (command.purpose, obeyed) {
                (Purpose::Name, true) => introduction.name = text,
                (Purpose::Version, true) if !text.is_empty() => {
                    let named = format!("{} {text}", introduction.name);
                    named.trim().clone_into(&mut introduction.name);
                }
                (Purpose::List, true) => {
                    self.is_listing = true;
                    self.commands.extend((!text.is_empty()).then_some(text));
                }
                (Purpose::List, false) => return true,
                _ => {}
            },
            Part::Continues if self.is_listing => self.commands.push(line.trim().to_owned()),
            Part::Ends if std::mem::take(&mut self.is_listing) => {
                let is_offered = |name: &&String| RESERVED.split(' ').all(|known| known != **name);
                let offered = self.commands.iter().filter(is_offered);
                let offers = offered.map(|name| Offer::command(name));
                introduction.offers.extend(offers);
                return true;
            }
            Part::Continues | Part::Ends | Part::Stray => {}
        }
        false
    }

    fn plain(&mut self, line: &str) -> String {
        // A number from the config would not match a pending command.
        let is_digit = |c: char| c.is_ascii_digit();
        let text = line.trim_start().trim_start_matches(is_digit);
        self.command(Purpose::Setting, text.trim())
    }

    fn option(&mut self, _: OptionKind, name: &str, value: &str) -> String {
        self.command(Purpose::Setting, format!("{name} {value}").trim())
    }

    fn lacks_for_times(&self) -> Option<&'static str> {
        let [settings, _] = TIMES;
        (!self.knows(settings)).then_some(settings)
    }

    fn new_game(&mut self, ask: &MoveRequest) -> Vec<String> {
        self.board = None;
        self.catch_up(ask)
    }

    fn ping(&mut self) -> Option<String> {
        Some(self.command(Purpose::Ready, "protocol_version"))
    }

    fn parse_ready_line(&mut self, line: &str) -> ReadyMessage {
        match self.exchange.parse_line(line) {
            Part::Begins(command, obeyed, text) => match (command.purpose, obeyed) {
                (Purpose::Ready, _) => ReadyMessage::Ready,
                (Purpose::Pass, false) => {
                    self.sends_passes = false;
                    ReadyMessage::Nothing
                }
                (Purpose::Setting | Purpose::Play, false) => {
                    ReadyMessage::Refused(command.text, format!("? {text}"))
                }
                _ => ReadyMessage::Nothing,
            },
            Part::Stray if !line.trim().is_empty() => ReadyMessage::Remark,
            Part::Continues | Part::Ends | Part::Stray => ReadyMessage::Nothing,
        }
    }

    fn go(&mut self, ask: &MoveRequest) -> Vec<String> {
        let mut lines = self.catch_up(ask);
        lines.extend(self.clock_commands(ask));
        let colour = colour(ask.side);
        lines.push(self.command(Purpose::Move, format!("genmove {colour}")));
        lines
    }

    fn sync_command(&mut self) -> Option<String> {
        // Replies have the numbers of their commands.
        None
    }

    fn most_offers(&self) -> usize {
        MAX_COMMANDS
    }

    fn stop(&mut self) -> Option<String> {
        None
    }

    fn parse_search_line(&mut self, line: &str) -> Message {
        let Part::Begins(command, obeyed, text) = self.exchange.parse_line(line) else {
            return Message::Nothing;
        };
        let word = text.split_whitespace().next();
        match (command.purpose, obeyed, word) {
            (Purpose::Move, true, Some(word)) if word.eq_ignore_ascii_case("resign") => {
                Message::Resigns
            }
            (Purpose::Move, true, Some(word)) => Message::Move(word.to_owned(), Info::default()),
            (Purpose::Move, ..) | (Purpose::Play, false, _) => Message::Malformed,
            (Purpose::Pass, false, _) => {
                // The engine accepts the next move without the pass, or fails at that.
                self.sends_passes = false;
                Message::Nothing
            }
            _ => Message::Nothing,
        }
    }

    fn note_own_move(&mut self, mv: &str) {
        if let Some(moves) = &mut self.board {
            moves.push(mv.to_ascii_lowercase());
        }
    }
}

#[cfg(test)]
mod tests;
