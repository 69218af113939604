//! The Go Text Protocol, version 2, for Othello engines. The engine keeps its own board, so only
//! new moves are sent; positions are sent as the moves from the usual start.
//!
//! [`exchange`] is independent of the game, [`telling`] updates the engine's board, and [`words`]
//! is specific to Othello.

pub mod exchange;
mod telling;
mod words;

use exchange::{Exchange, Part};

use super::codec::{Ask, Greeting, Info, LimitKind, Message, ProtocolCodec, Settled};
use super::offer::{Offer, OptionKind};
use leitai_config::Passing;

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
const RESERVED: [&str; 12] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "play",
    "genmove",
    "undo",
    "set_game",
];
/// Largest number of commands of one engine; GNU Go has two hundred.
const MOST_COMMANDS: usize = 10_000;

const TIMES: [&str; 2] = ["time_settings", "time_left"];

#[derive(Default)]
pub(crate) struct Gtp {
    exchange: Exchange<Purpose>,
    /// True if passes are sent to the engine.
    tells_passes: bool,
    name: String,
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
            tells_passes: passes == Passing::Send,
            ..Self::default()
        }
    }

    fn say(&mut self, purpose: Purpose, text: impl Into<String>) -> String {
        self.exchange.ask(purpose, text)
    }
}

impl ProtocolCodec for Gtp {
    fn hello(&mut self) -> Vec<String> {
        [
            (Purpose::Other, "protocol_version"),
            (Purpose::Name, "name"),
            (Purpose::Version, "version"),
            (Purpose::List, "list_commands"),
        ]
        .map(|(purpose, text)| self.say(purpose, text))
        .into()
    }

    fn welcome(&self) -> &'static str {
        "= (the answer to `list_commands`)"
    }

    fn greeting(&mut self, line: &str) -> Vec<Greeting> {
        match self.exchange.hear(line) {
            Part::Begins(command, obeyed, text) => match (command.purpose, obeyed) {
                (Purpose::Name, true) => {
                    self.name.clone_from(&text);
                    vec![Greeting::Name(text)]
                }
                (Purpose::Version, true) if !text.is_empty() => {
                    let named = format!("{} {text}", self.name).trim().to_owned();
                    vec![Greeting::Name(named)]
                }
                (Purpose::List, true) => {
                    self.is_listing = true;
                    self.commands.extend((!text.is_empty()).then_some(text));
                    Vec::new()
                }
                (Purpose::List, false) => vec![Greeting::Done],
                _ => Vec::new(),
            },
            Part::Continues if self.is_listing => {
                self.commands.push(line.trim().to_owned());
                Vec::new()
            }
            Part::Ends if self.is_listing => {
                self.is_listing = false;
                let known = self.commands.iter();
                let offered = known.filter(|name| {
                    let name = name.as_str();
                    !RESERVED.contains(&name) && !TIMES.contains(&name)
                });
                let offers = offered.map(|name| Greeting::Offers(Offer::command(name)));
                offers.chain([Greeting::Done]).collect()
            }
            Part::Continues | Part::Ends | Part::Stray => Vec::new(),
        }
    }

    fn plain(&mut self, line: &str) -> String {
        // A number from the config would not match a pending command.
        let text = line
            .trim_start()
            .trim_start_matches(|c: char| c.is_ascii_digit());
        self.say(Purpose::Setting, text.trim())
    }

    fn option(&mut self, _: OptionKind, name: &str, value: &str) -> String {
        self.say(Purpose::Setting, format!("{name} {value}").trim())
    }

    fn tells_seconds(&self) -> bool {
        true
    }

    fn lacks_for_times(&self) -> Option<&'static str> {
        let [settings, _] = TIMES;
        (!self.knows(settings)).then_some(settings)
    }

    fn new_game(&mut self, ask: &Ask) -> Vec<String> {
        self.board = None;
        self.catch_up(ask)
    }

    fn ping(&mut self) -> String {
        self.say(Purpose::Ready, "protocol_version")
    }

    fn pong(&self) -> &'static str {
        "= (the answer to `protocol_version`)"
    }

    fn settled(&mut self, line: &str) -> Settled {
        match self.exchange.hear(line) {
            Part::Begins(command, obeyed, text) => match (command.purpose, obeyed) {
                (Purpose::Ready, _) => Settled::Ready,
                (Purpose::Pass, false) => {
                    self.tells_passes = false;
                    Settled::Nothing
                }
                (Purpose::Setting | Purpose::Play, false) => Settled::Refused {
                    told: command.text,
                    answer: format!("? {text}"),
                },
                _ => Settled::Nothing,
            },
            Part::Stray if !line.trim().is_empty() => Settled::Remark,
            Part::Continues | Part::Ends | Part::Stray => Settled::Nothing,
        }
    }

    fn go(&mut self, ask: &Ask) -> Vec<String> {
        let mut lines = self.catch_up(ask);
        lines.extend(self.clocks(ask));
        let colour = words::colour(ask.side);
        lines.push(self.say(Purpose::Move, format!("genmove {colour}")));
        lines
    }

    fn roll_call(&mut self) -> Option<String> {
        // Replies have the numbers of their commands.
        None
    }

    fn most_offers(&self) -> usize {
        MOST_COMMANDS
    }

    fn answer_word(&self) -> &'static str {
        "="
    }

    fn stop(&mut self) -> Option<String> {
        None
    }

    fn hear(&mut self, line: &str) -> Message {
        let Part::Begins(command, obeyed, text) = self.exchange.hear(line) else {
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
                self.tells_passes = false;
                Message::Nothing
            }
            _ => Message::Nothing,
        }
    }

    fn played(&mut self, mv: &str) {
        if let Some(moves) = &mut self.board {
            moves.push(mv.to_ascii_lowercase());
        }
    }
}

#[cfg(test)]
mod tests;
