//! The Universal Shogi Interface (Romstad, 2007), with the clock words of the second draft and
//! `bestmove resign` and `bestmove win` of Shogidokoro.
//!
//! The side that opens the game is Black: it has `btime`.

use std::fmt::Write as _;
use std::time::Duration;

use leitai_base::side::Side;

use super::budget::TimeBudget;
use super::codec::{Codec, Info, Introduction, Message, MoveRequest, ReadyMessage, mate};
use super::offer::{Offer, OptionKind};
use super::protocol::{Limit, Protocol};
use super::uci_info::parse_info_line;

/// The Universal Shogi Interface. A game sends its start as `startpos` or `sfen`, with the text of
/// `Facts::fen_for`.
pub const USI: &Protocol = &Protocol {
    greeting_end: "usiok",
    pong: "readyok",
    reply: "bestmove",
    lacks: &[Limit::Periods, Limit::PeriodsWithIncrement, Limit::Stages],
    keys: &["node_margin", "ponder"],
    stops: true,
    ponder_option: Some("USI_Ponder"),
    ..Protocol::new("usi", |_| {
        Box::new(Usi {
            to_move: Side::First,
        })
    })
};

struct Usi {
    /// The side that searches: a win by declaration is its own.
    to_move: Side,
}

impl Usi {
    fn commands(&mut self, command: &str, ask: &MoveRequest) -> Vec<String> {
        self.to_move = ask.side;
        let mut position = "position startpos".to_owned();
        if !ask.usual {
            position = format!("position sfen {}", ask.fen);
        }
        if !ask.moves.is_empty() {
            position.push_str(" moves ");
            position.push_str(&ask.moves.join(" "));
        }
        vec![position, format!("{command}{}", limits(ask))]
    }
}

/// The words after `go`.
fn limits(ask: &MoveRequest) -> String {
    let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let budget = ask.budget;
    let mut words = Vec::new();
    match budget.time {
        Some(TimeBudget::Clock(clock)) => {
            let own = [clock.remaining, clock.increment];
            let other = [clock.opponent, clock.opponent_increment];
            let [black, white] = match ask.side {
                Side::First => [own, other],
                Side::Second => [other, own],
            };
            words.extend([("btime", millis(black[0])), ("wtime", millis(white[0]))]);
            words.extend([("binc", millis(black[1])), ("winc", millis(white[1]))]);
        }
        // The form of Shogidokoro has `byoyomi`, and no `movetime`.
        Some(TimeBudget::Move(time)) => {
            words.extend([("btime", 0), ("wtime", 0), ("byoyomi", millis(time))]);
        }
        None => {}
    }
    words.extend(budget.nodes.map(|nodes| ("nodes", nodes)));
    words.extend(budget.depth.map(|depth| ("depth", depth.into())));
    if words.is_empty() {
        return " infinite".to_owned();
    }
    let mut line = String::new();
    for (word, value) in words {
        let _ = write!(line, " {word} {value}");
    }
    line
}

impl Codec for Usi {
    fn hello(&mut self) -> Vec<String> {
        vec!["usi".to_owned()]
    }

    fn read_greeting(&mut self, line: &str, introduction: &mut Introduction) -> bool {
        let line = line.trim();
        if let Some(name) = line.strip_prefix("id name ") {
            name.trim().clone_into(&mut introduction.name);
        } else if let Some(author) = line.strip_prefix("id author ") {
            author.trim().clone_into(&mut introduction.author);
        } else if let Some(option) = line.strip_prefix("option name ") {
            introduction.offers.push(Offer::uci(option));
        }
        line == USI.greeting_end
    }

    fn option(&mut self, kind: OptionKind, name: &str, value: &str) -> String {
        match kind {
            OptionKind::Button => format!("setoption name {name}"),
            _ => format!("setoption name {name} value {value}"),
        }
    }

    fn new_game(&mut self, _: &MoveRequest) -> Vec<String> {
        vec!["usinewgame".to_owned()]
    }

    fn ping(&mut self) -> Option<String> {
        Some("isready".to_owned())
    }

    fn parse_ready_line(&mut self, line: &str) -> ReadyMessage {
        match line.trim() {
            "readyok" => ReadyMessage::Ready,
            line if line.starts_with("info ") => ReadyMessage::Nothing,
            _ => ReadyMessage::Remark,
        }
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

    fn stop(&mut self) -> Option<String> {
        Some("stop".to_owned())
    }

    fn parse_search_line(&mut self, line: &str) -> Message {
        if let Some(mut info) = parse_info_line(line) {
            // Mates are in plies; the parser reads moves of the winner, as in UCI.
            info.mate = info.mate.map(|plies| match plies {
                1.. => plies - plies / 2,
                _ => plies / 2,
            });
            info.score = info.mate.map_or(info.score, |moves| Some(mate(moves)));
            return Message::Info(info);
        }
        let mut words = line.split_ascii_whitespace();
        match (words.next(), words.next()) {
            (Some("bestmove"), Some("resign")) => Message::Resigns,
            (Some("bestmove"), Some("win")) => Message::Claims(Some(self.to_move)),
            (Some("bestmove"), Some(mv)) => Message::Move(mv.to_owned(), Info::default()),
            (Some("bestmove"), None) => Message::Malformed,
            _ => Message::Nothing,
        }
    }
}
