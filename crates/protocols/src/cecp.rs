//! The Chess Engine Communication Protocol, version 2 (Mann and Muller), in the form of `XBoard`.
//! The engine keeps its own board, so only new moves are sent. An engine that reports no features
//! is one of version 1.

mod replies;

use leitai_base::side::Side;

use super::budget::TimeBudget;
use super::codec::{
    Board, Codec, Info, Introduction, Message, MoveRequest, ReadyMessage, centipawns, mate,
    pong_reply,
};
use super::offer::{Offer, OptionKind};
use super::protocol::{Limit, Protocol};
use replies::{is_coordinates, old_move, resignation};

/// The Chess Engine Communication Protocol, version 2 (`XBoard`, `WinBoard`).
pub const CECP: &Protocol = &Protocol {
    greeting_end: "feature done=1",
    pong: "pong",
    reply: "move",
    lacks: &[Limit::Nodes, Limit::Stages],
    keys: &["node_margin", "ponder", "usermove"],
    whole_seconds: true,
    any_notation: true,
    ..Protocol::new("cecp", |settings| Box::new(Cecp::new(settings.usermove)))
};

/// Minutes on the clock of a game without a time control.
const NO_CLOCK_MINUTES: u32 = 1_000;

/// Scores from here on are mates: 100 000 plus the number of moves.
const MATES: i64 = 100_000;

/// Features that are commands with a number, and the commands: set like options.
const RESOURCES: [(&str, &str); 2] = [("memory", "memory"), ("smp", "cores")];

/// Marks after a depth.
const DEPTH_MARKS: [char; 6] = ['.', '&', '?', '!', '+', '-'];

/// Commands that an engine may lack without harm: complaints about them do not concern the game.
const DISPENSABLE: [&str; 15] = [
    "accepted", "rejected", "easy", "hard", "post", "st", "sd", "level", "time", "otim", "memory",
    "cores", "ping", "option", "protover",
];

#[derive(Default)]
pub(crate) struct Cecp {
    features: Features,
    has_ping: bool,
    usermove: bool,
    /// The commands among [`RESOURCES`] that the engine supports.
    resources: Vec<&'static str>,
    /// The engine's request for moves in standard algebraic notation, and our reply.
    asks_san: bool,
    san: Option<bool>,
    pings: u32,
    board: Board,
    /// The engine's last move in this game, as it wrote it.
    own_move: String,
    pondering: Pondering,
}

/// The features that the engine has reported.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Features {
    /// None: the engine is one of version 1.
    #[default]
    None,
    /// Some.
    Some,
    /// More follow until `done=1`, at any time.
    Open,
}

/// Thinking on the opponent's time.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Pondering {
    /// The engine does not.
    #[default]
    Off,
    /// The engine will after its next move.
    Idle,
    /// The engine does, and plays by itself when it gets the opponent's move.
    Playing,
}

impl Cecp {
    pub(crate) fn new(usermove: bool) -> Self {
        Self {
            usermove,
            ..Self::default()
        }
    }

    /// The command for a move.
    fn move_command(&self, mv: &str) -> String {
        let word = if self.usermove { "usermove " } else { "" };
        format!("{word}{mv}")
    }

    /// The commands that start a game, with its limits.
    fn set_up(&self, ask: &MoveRequest) -> Vec<String> {
        let mut lines = vec!["new".to_owned()];
        if !ask.game.is_empty() {
            lines.push(format!("variant {}", ask.game));
        }
        let ponder = ["easy", "hard"][usize::from(self.pondering != Pondering::Off)];
        lines.extend(["force", ponder, "post"].map(str::to_owned));
        match ask.budget.time {
            Some(TimeBudget::Move(time)) => lines.push(format!("st {}", time.as_secs().max(1))),
            Some(TimeBudget::Clock(clock)) => {
                let period = clock.period.map(|period| (period.moves, period.time));
                let (moves, base) = period.unwrap_or((0, clock.remaining));
                let (minutes, rest) = (base.as_secs() / 60, base.as_secs() % 60);
                let increment = clock.increment.as_secs();
                lines.push(format!("level {moves} {minutes}:{rest:02} {increment}"));
            }
            None => lines.push(format!("level 0 {NO_CLOCK_MINUTES} 0")),
        }
        if let Some(depth) = ask.budget.depth {
            lines.push(format!("sd {depth}"));
        }
        if !ask.usual {
            lines.push(format!("setboard {}", ask.fen));
        }
        lines
    }

    /// Returns whether a complaint is about a command that the game does not depend on.
    fn is_dispensable(complaint: &str) -> bool {
        let (_, command) = complaint.rsplit_once(':').unwrap_or_default();
        let word = command.split_whitespace().next();
        word.is_some_and(|word| DISPENSABLE.contains(&word))
    }
}

/// Returns whether a line is a comment, which is ignored.
fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with('#')
}

impl Codec for Cecp {
    fn hello(&mut self) -> Vec<String> {
        vec!["xboard".to_owned(), "protover 2".to_owned()]
    }

    fn read_greeting(&mut self, line: &str, introduction: &mut Introduction) -> bool {
        let features = line.trim().strip_prefix("feature ").unwrap_or_default();
        let mut is_done = false;
        for (name, value) in pairs(features) {
            self.features = match (name, value) {
                ("done", "0") => Features::Open,
                _ if self.features == Features::Open => Features::Open,
                _ => Features::Some,
            };
            match (name, value) {
                ("myname", _) => value.clone_into(&mut introduction.name),
                ("option", _) => introduction.offers.push(Offer::cecp(value)),
                ("done", _) => is_done |= value == "1",
                ("ping", _) => self.has_ping = value == "1",
                ("san", _) => self.asks_san = value == "1",
                ("usermove", "1") => self.usermove = true,
                (_, "1") => {
                    let resource = RESOURCES.iter().find(|(feature, _)| *feature == name);
                    if let Some(&(_, command)) = resource
                        && !self.resources.contains(&command)
                    {
                        self.resources.push(command);
                        introduction.offers.push(Offer::resource(command));
                    }
                }
                _ => {}
            }
        }
        is_done
    }

    fn unfinished_greeting(&self) -> Option<&'static str> {
        match self.features {
            Features::None => Some(
                "reports no `feature` within 2 s: it speaks version 1 of the protocol, without `ping`",
            ),
            Features::Some => {
                Some("reports no `feature done=1`: its greeting ends after 2 s of silence")
            }
            Features::Open => None,
        }
    }

    fn wants_san(&self) -> bool {
        self.san == Some(true)
    }

    fn enable_pondering(&mut self) {
        self.pondering = Pondering::Idle;
    }

    fn option(&mut self, kind: OptionKind, name: &str, value: &str) -> String {
        let mut resources = self.resources.iter();
        if let Some(command) = resources.find(|it| it.eq_ignore_ascii_case(name)) {
            return format!("{command} {value}");
        }
        // The protocol's booleans are numbers.
        match (kind, value.to_ascii_lowercase().as_str()) {
            (OptionKind::Button, _) => format!("option {name}"),
            (OptionKind::Check, "true") => format!("option {name}=1"),
            (OptionKind::Check, "false") => format!("option {name}=0"),
            _ => format!("option {name}={value}"),
        }
    }

    fn new_game(&mut self, ask: &MoveRequest) -> Vec<String> {
        let mut lines = Vec::new();
        if self.asks_san && self.san.is_none() {
            self.san = Some(ask.has_san);
            let word = if ask.has_san { "accepted" } else { "rejected" };
            lines.push(format!("{word} san"));
        }
        self.board.set(ask);
        self.own_move.clear();
        self.rest();
        lines.extend(self.set_up(ask));
        lines
    }

    fn ping(&mut self) -> Option<String> {
        self.pings = self.pings.wrapping_add(1);
        self.has_ping.then(|| format!("ping {}", self.pings))
    }

    fn parse_ready_line(&mut self, line: &str) -> ReadyMessage {
        pong_reply(line, self.pings, is_comment(line))
    }

    fn go(&mut self, ask: &MoveRequest) -> Vec<String> {
        let known = self.board.known(ask);
        let new = &ask.moves[known.unwrap_or(0)..];
        let moves = new.iter().map(|mv| self.move_command(mv));
        let times = match ask.budget.time {
            Some(TimeBudget::Clock(clock)) => vec![
                format!("time {}", clock.remaining.as_millis() / 10),
                format!("otim {}", clock.opponent.as_millis() / 10),
            ],
            _ => Vec::new(),
        };
        // `force` would end the pondering.
        let lines = if self.pondering == Pondering::Playing && known.is_some() && new.len() == 1 {
            times.into_iter().chain(moves).collect()
        } else {
            let start = match known {
                Some(_) => vec!["force".to_owned()],
                None => self.set_up(ask),
            };
            let lines = start.into_iter().chain(moves).chain(times);
            lines.chain(["go".to_owned()]).collect()
        };
        self.board.set(ask);
        if self.pondering == Pondering::Idle {
            self.pondering = Pondering::Playing;
        }
        lines
    }

    fn rest(&mut self) -> Option<&'static str> {
        let is_playing = self.pondering == Pondering::Playing;
        if is_playing {
            self.pondering = Pondering::Idle;
        }
        is_playing.then_some("force")
    }

    fn stop(&mut self) -> Option<String> {
        Some("?".to_owned())
    }

    fn parse_search_line(&mut self, line: &str) -> Message {
        if is_comment(line) {
            return Message::Nothing;
        }
        // GNU Chess with `-x` reads its greeting late.
        if line.trim_start().starts_with("feature ") {
            self.read_greeting(line, &mut Introduction::default());
            return Message::Nothing;
        }
        if let Some(message) = resignation(line) {
            return message;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let mv = match words.as_slice() {
            ["move", mv, ..] => Some(*mv),
            [mv] if self.features == Features::None
                && is_coordinates(mv)
                && !self.board.is_last(mv) =>
            {
                Some(*mv)
            }
            _ => old_move(line),
        };
        if let Some(mv) = mv {
            // GNU Chess prints each move in two forms. A move between the same squares is never the
            // next one.
            return if !self.has_ping && mv == self.own_move && is_coordinates(mv) {
                Message::Nothing
            } else {
                Message::Move(mv.to_owned(), Info::default())
            };
        }
        match words.as_slice() {
            ["Illegal", ..] if Self::is_dispensable(line) => Message::Nothing,
            ["move"] | ["Illegal", "move" | "move:" | "position", ..] | ["tellusererror", ..] => {
                Message::Malformed
            }
            // The engine does not know the move or the position sent to it.
            ["Error", .., last] if self.board.is_last(last) => Message::Malformed,
            ["Error", ..] if line.contains("setboard") => Message::Malformed,
            ["1-0", ..] => Message::Claims(Some(Side::First)),
            ["0-1", ..] => Message::Claims(Some(Side::Second)),
            ["1/2-1/2", ..] => Message::Claims(None),
            // Depth, score, hundredths of a second, nodes, principal variation.
            [depth, score, time, nodes, ..] if time.parse::<u64>().is_ok() => Message::Info(Info {
                depth: depth.trim_end_matches(DEPTH_MARKS).parse().ok(),
                score: score.parse().ok().map(points),
                nodes: nodes.parse().ok(),
                millis: time.parse::<u32>().ok().map(|it| it.saturating_mul(10)),
                ..Info::default()
            }),
            _ => Message::Nothing,
        }
    }

    fn note_own_move(&mut self, mv: &str) {
        mv.clone_into(&mut self.own_move);
        self.board.play_own();
    }
}

/// The score in an info line.
fn points(value: i64) -> i32 {
    match value.saturating_abs() - MATES {
        ..0 => centipawns(value),
        moves => mate(moves.max(1) * value.signum()),
    }
}

/// The `NAME=VALUE` and `NAME="VALUE"` pairs of a line, as far as it can be parsed.
fn pairs(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (name, after) = rest.trim_start().split_once('=')?;
        let (value, next) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => after.split_once(char::is_whitespace).unwrap_or((after, "")),
        };
        rest = next;
        Some((name, value))
    })
}
