//! The Universal Shogi Interface (Romstad, 2007), with the clock words of the second draft and
//! `bestmove resign` and `bestmove win` of Shogidokoro: a form of UCI with other limits and answers.
//!
//! The side that opens the game is Black: it has `btime`.

use std::fmt::Write as _;

use leitai_base::side::Side;

use super::budget::TimeBudget;
use super::codec::{Info, Message, MoveRequest};
use super::protocol::{Limit, Protocol};
use super::uci::{Form, Uci, millis};
use super::uci_info::parse_info;

/// The Universal Shogi Interface. A game sends its start as `startpos` or `sfen`, with the text of
/// `Facts::fen_for`.
pub const USI: &Protocol = &Protocol {
    greeting_end: "usiok",
    pong: "readyok",
    reply: "bestmove",
    lacks: &[Limit::Periods, Limit::PeriodsWithIncrement, Limit::Stages],
    has_byoyomi: true,
    keys: &["node_margin", "ponder"],
    stops: true,
    ponder_option: Some("USI_Ponder"),
    ..Protocol::new("usi", |_| Box::new(Uci::new(Form::Usi, true)))
};

/// The words after `go`.
pub(super) fn limits(ask: &MoveRequest) -> String {
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
            if clock.byoyomi.is_zero() {
                words.extend([("binc", millis(black[1])), ("winc", millis(white[1]))]);
            } else {
                words.push(("byoyomi", millis(clock.byoyomi)));
            }
        }
        // The form of Shogidokoro has `byoyomi` and no `movetime`. Programs that know both keep a
        // reserve of the first for delays, and use all of the second.
        Some(TimeBudget::Move(time)) => {
            let time = millis(time);
            words.extend([("btime", 0), ("wtime", 0)]);
            words.extend([("byoyomi", time), ("movetime", time)]);
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

/// Parses a line during a search of the side to move.
pub(super) fn parse_search_line(line: &str, to_move: Side) -> Message {
    // Mates are in plies.
    let to_moves = |plies: i64| match plies {
        1.. => plies - plies / 2,
        _ => plies / 2,
    };
    if let Some(info) = parse_info(line, to_moves) {
        return Message::Info(info);
    }
    let mut words = line.split_ascii_whitespace();
    match (words.next(), words.next()) {
        (Some("bestmove"), Some("resign")) => Message::Resigns,
        (Some("bestmove"), Some("win")) => Message::Claims(Some(to_move)),
        (Some("bestmove"), Some(mv)) => Message::Move(mv.to_owned(), Info::default()),
        (Some("bestmove"), None) => Message::Malformed,
        _ => Message::Nothing,
    }
}
