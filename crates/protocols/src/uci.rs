//! The Universal Chess Interface (Huber and Meyer-Kahlen, April 2006), in the form of Xiangqi
//! engines, and the Universal Chinese Chess Protocol, version 3.0 (xqbase), which differs in few
//! words.

use std::fmt::Write as _;
use std::time::Duration;

use leitai_base::side::Side;

use super::budget::TimeBudget;
use super::codec::{Codec, Info, Introduction, Message, MoveRequest, ReadyMessage};
use super::offer::{Offer, OptionKind};
use super::protocol::{Limit, Protocol};
use super::uci_info::parse_info_line;
use super::usi::{self, USI};

/// The Universal Chess Interface.
pub const UCI: &Protocol = &Protocol {
    greeting_end: "uciok",
    pong: "readyok",
    reply: "bestmove",
    keys: &["node_margin", "ponder"],
    stops: true,
    ponder_option: Some("Ponder"),
    ..Protocol::new("uci", |_| Box::new(Uci::new(Form::Uci, true)))
};

/// UCI with bare positions, `startpos ...` and `fen ...`: the form of the interface Cyclone.
pub const UCI_CYCLONE: &Protocol = &Protocol {
    name: "uci-cyclone",
    is_recognised: false,
    codec: |_| Box::new(Uci::new(Form::Cyclone, true)),
    ..*UCI
};

/// The Universal Chinese Chess Protocol, version 3.
pub const UCCI: &Protocol = &Protocol {
    name: "ucci",
    greeting_end: "ucciok",
    lacks: &[Limit::Several, Limit::PeriodsWithIncrement],
    keys: &["milliseconds", "node_margin", "ponder"],
    since_irreversible: true,
    bans_moves: true,
    restarts: true,
    ponder_option: None,
    codec: |settings| Box::new(Uci::new(Form::Ucci, settings.milliseconds)),
    ..*UCI
};

/// The forms of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Uci,
    Cyclone,
    Ucci,
    Usi,
}

/// A time in milliseconds.
pub(super) fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// The words before the moves.
const MOVES: &str = " moves";

/// The interface Cyclone sends positions without the word `position`.
pub(crate) struct Uci {
    form: Form,
    /// True if times of UCCI are sent in milliseconds.
    milliseconds: bool,
    ponders: bool,
    /// The side that searches: in USI a win by declaration is its own.
    to_move: Side,
}

impl Uci {
    pub(crate) fn new(form: Form, milliseconds: bool) -> Self {
        Self {
            form,
            milliseconds,
            ponders: false,
            to_move: Side::First,
        }
    }

    fn is_ucci(&self) -> bool {
        self.form == Form::Ucci
    }

    /// The command that sets the position.
    fn position(&self, ask: &MoveRequest) -> String {
        let (start, fen) = match self.form {
            Form::Cyclone => ("fen ", ask.fen),
            Form::Usi if ask.usual => ("position startpos", ""),
            Form::Usi => ("position sfen ", ask.fen),
            Form::Uci | Form::Ucci => ("position fen ", ask.fen),
        };
        let moves: usize = ask.moves.iter().map(|mv| mv.len() + 1).sum();
        let length = start.len() + fen.len() + MOVES.len() + moves;
        let mut line = String::with_capacity(length);
        line.push_str(start);
        line.push_str(fen);
        if !ask.moves.is_empty() {
            line.push_str(MOVES);
        }
        for mv in ask.moves {
            line.push(' ');
            line.push_str(mv);
        }
        line
    }

    /// The commands that set the position, exclude moves in UCCI, and start a search with the words
    /// `command`.
    fn commands(&mut self, command: &str, ask: &MoveRequest) -> Vec<String> {
        self.to_move = ask.side;
        let bans = self.is_ucci() && !ask.banned.is_empty();
        let bans = bans.then(|| format!("banmoves {}", ask.banned.join(" ")));
        let position = [self.position(ask)].into_iter();
        position
            .chain(bans)
            .chain([self.search(command, ask)])
            .collect()
    }

    /// The command with these words that starts a search.
    fn search(&self, command: &str, ask: &MoveRequest) -> String {
        if self.is_ucci() {
            return format!("{command} {}", self.ucci_limits(ask));
        }
        if self.form == Form::Usi {
            return format!("{command}{}", usi::limits(ask));
        }
        let mut line = command.to_owned();
        Self::add_uci_limits(&mut line, ask);
        line
    }

    /// Adds the words after `go` in UCI.
    fn add_uci_limits(line: &mut String, ask: &MoveRequest) {
        let start = line.len();
        let mut say = |word: &str, value: u64| {
            let _ = write!(line, " {word} {value}");
        };
        if let Some(nodes) = ask.budget.nodes {
            say("nodes", nodes);
        }
        if let Some(depth) = ask.budget.depth {
            say("depth", depth.into());
        }
        match ask.budget.time {
            Some(TimeBudget::Move(time)) => say("movetime", millis(time)),
            Some(TimeBudget::Clock(clock)) => {
                let (mut times, mut increments) = (
                    [clock.remaining, clock.opponent],
                    [clock.increment, clock.opponent_increment],
                );
                if ask.side == Side::Second {
                    times.reverse();
                    increments.reverse();
                }
                say("wtime", millis(times[0]));
                say("btime", millis(times[1]));
                say("winc", millis(increments[0]));
                say("binc", millis(increments[1]));
                if let Some(period) = clock.period {
                    say("movestogo", period.to_go.into());
                }
            }
            None => {}
        }
        if line.len() == start {
            line.push_str(" infinite");
        }
    }

    /// The words after `go` in UCCI, which supports one kind of limit at a time, and clocks with
    /// either periods or an increment; the config's checks ensure this.
    fn ucci_limits(&self, ask: &MoveRequest) -> String {
        let unit = if self.milliseconds { 1 } else { 1_000 };
        let units = |time: Duration| time.as_millis() / unit;
        let budget = ask.budget;
        match (budget.time, budget.nodes, budget.depth) {
            (Some(TimeBudget::Move(time)), ..) => format!("time {} movestogo 1", units(time)),
            (Some(TimeBudget::Clock(clock)), ..) => {
                let [own, more] = [clock.remaining, clock.increment].map(units);
                let [other, theirs] = [clock.opponent, clock.opponent_increment].map(units);
                let Some(period) = clock.period else {
                    return format!(
                        "time {own} increment {more} opptime {other} oppincrement {theirs}"
                    );
                };
                let moves = period.opponent_to_go;
                let moves = moves.map(|moves| format!(" oppmovestogo {moves}"));
                format!(
                    "time {own} movestogo {} opptime {other}{}",
                    period.to_go,
                    moves.unwrap_or_default()
                )
            }
            (None, Some(nodes), _) => format!("nodes {nodes}"),
            (None, None, Some(depth)) => format!("depth {depth}"),
            (None, None, None) => "infinite".to_owned(),
        }
    }
}

impl Codec for Uci {
    fn hello(&mut self) -> Vec<String> {
        let word = match self.form {
            Form::Uci | Form::Cyclone => "uci",
            Form::Ucci => "ucci",
            Form::Usi => "usi",
        };
        vec![word.to_owned()]
    }

    fn read_greeting(&mut self, line: &str, introduction: &mut Introduction) -> bool {
        let line = line.trim();
        if self.is_ucci() {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.as_slice() {
                ["id", "name", name @ ..] => introduction.name = name.join(" "),
                ["id", "author", author @ ..] => introduction.author = author.join(" "),
                ["option", rest @ ..] if !rest.is_empty() => {
                    introduction.offers.push(Offer::ucci(&rest.join(" ")));
                }
                _ => {}
            }
        } else if let Some(name) = line.strip_prefix("id name ") {
            name.trim().clone_into(&mut introduction.name);
        } else if let Some(author) = line.strip_prefix("id author ") {
            author.trim().clone_into(&mut introduction.author);
        } else if let Some(option) = line.strip_prefix("option name ") {
            introduction.offers.push(Offer::uci(option));
        }
        let protocol = match self.form {
            Form::Uci | Form::Cyclone => UCI,
            Form::Ucci => UCCI,
            Form::Usi => USI,
        };
        line == protocol.greeting_end
    }

    fn option(&mut self, kind: OptionKind, name: &str, value: &str) -> String {
        let [before, between] = if self.is_ucci() {
            ["", ""]
        } else {
            ["name ", " value"]
        };
        match kind {
            OptionKind::Button => format!("setoption {before}{name}"),
            _ => format!("setoption {before}{name}{between} {value}"),
        }
    }

    fn enable_pondering(&mut self) {
        self.ponders = true;
    }

    fn required_options(&self) -> Vec<(&'static str, &'static str)> {
        if !self.is_ucci() {
            return Vec::new();
        }
        let milliseconds = ["false", "true"][usize::from(self.milliseconds)];
        let mut options = vec![("usemillisec", milliseconds)];
        options.extend(self.ponders.then_some(("ponder", "true")));
        options
    }

    fn note_options(&mut self, offers: &[Offer]) {
        // Times of UCCI are in seconds unless the engine has this option.
        self.milliseconds &= offers.iter().any(|offer| offer.is_called("usemillisec"));
    }

    fn sends_seconds(&self) -> bool {
        self.is_ucci() && !self.milliseconds
    }

    fn new_game(&mut self, _: &MoveRequest) -> Vec<String> {
        let command = match self.form {
            Form::Uci | Form::Cyclone => Some("ucinewgame"),
            Form::Usi => Some("usinewgame"),
            Form::Ucci => None,
        };
        command.into_iter().map(str::to_owned).collect()
    }

    fn ping(&mut self) -> Option<String> {
        Some("isready".to_owned())
    }

    fn parse_ready_line(&mut self, line: &str) -> ReadyMessage {
        match line.trim() {
            "readyok" => ReadyMessage::Ready,
            line if self.form == Form::Usi && line.starts_with("info ") => ReadyMessage::Nothing,
            _ => ReadyMessage::Remark,
        }
    }

    fn may_protest(&self) -> bool {
        matches!(self.form, Form::Ucci | Form::Usi)
    }

    fn go(&mut self, ask: &MoveRequest) -> Vec<String> {
        self.commands("go", ask)
    }

    fn expected_reply<'line>(&self, line: &'line str) -> Option<&'line str> {
        let mut words = line.split_whitespace().skip_while(|word| *word != "ponder");
        words.nth(1)
    }

    fn ponder(&mut self, ask: &MoveRequest) -> Vec<String> {
        self.commands("go ponder", ask)
    }

    fn game_over(&mut self, half_points: u8) -> Option<String> {
        let result = match half_points {
            0 => "lose",
            1 => "draw",
            _ => "win",
        };
        (self.form == Form::Usi).then(|| format!("gameover {result}"))
    }

    fn stop(&mut self) -> Option<String> {
        Some("stop".to_owned())
    }

    fn parse_search_line(&mut self, line: &str) -> Message {
        if self.form == Form::Usi {
            return usi::parse_search_line(line, self.to_move);
        }
        if let Some(info) = parse_info_line(line) {
            return Message::Info(info);
        }
        let mut words = line.split_ascii_whitespace();
        match (words.next(), self.is_ucci()) {
            (Some("bestmove"), is_ucci) => match words.next() {
                Some(_) if is_ucci && words.any(|word| word == "resign") => Message::Resigns,
                Some(mv) => Message::Move(mv.to_owned(), Info::default()),
                None => Message::Malformed,
            },
            (Some("nobestmove"), true) => Message::Refuses,
            _ => Message::Nothing,
        }
    }
}
