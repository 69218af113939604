//! The protocol of the Gomocup tournament (Piskvork), as a protocol of an own game.
//!
//! Each move is asked for with the whole board: `BOARD`, a line `X,Y,WHOSE` for each stone, `DONE`.
//! The program answers `X,Y`. Times are in milliseconds.

use leitai::protocol::{
    Codec, Info, Introduction, Limit, Message, MoveRequest, Protocol, ReadyMessage, Side,
    TimeBudget,
};

use super::game::{SIZE, square};

/// The protocol, for `Facts::protocols`.
pub(crate) const GOMOCUP: &Protocol = &Protocol {
    greeting_end: "OK",
    pong: "OK",
    quit: "END",
    lacks: &[
        Limit::Nodes,
        Limit::Depth,
        Limit::Periods,
        Limit::PeriodsWithIncrement,
        Limit::Stages,
        Limit::Several,
    ],
    keys: &[],
    ..Protocol::new("gomocup", |_| Box::new(Gomocup))
};

struct Gomocup;

impl Codec for Gomocup {
    fn hello(&mut self) -> Vec<String> {
        vec!["ABOUT".to_owned(), format!("START {SIZE}")]
    }

    /// `name="Brain", version="1.0", ...` answers `ABOUT`, and `OK` answers `START`.
    fn read_greeting(&mut self, line: &str, introduction: &mut Introduction) -> bool {
        if let Some((name, _)) = line
            .strip_prefix("name=\"")
            .and_then(|it| it.split_once('"'))
        {
            name.clone_into(&mut introduction.name);
        }
        line.trim() == "OK"
    }

    fn ping(&mut self) -> Option<String> {
        Some("RESTART".to_owned())
    }

    fn parse_ready_line(&mut self, line: &str) -> ReadyMessage {
        match line.trim() {
            "OK" => ReadyMessage::Ready,
            _ => ReadyMessage::Nothing,
        }
    }

    /// None: `RESTART` ends a game, and the program answers each `DONE` once.
    fn sync_command(&mut self) -> Option<String> {
        None
    }

    fn go(&mut self, ask: &MoveRequest) -> Vec<String> {
        let mut lines = match ask.budget.time {
            Some(TimeBudget::Move(time)) => vec![format!("INFO timeout_turn {}", time.as_millis())],
            Some(TimeBudget::Clock(clock)) => {
                vec![format!("INFO time_left {}", clock.remaining.as_millis())]
            }
            None => Vec::new(),
        };
        lines.push("BOARD".to_owned());
        let whose = |side: Side| if side == ask.side { 1 } else { 2 };
        // The start of the game, then the moves; the last one is the opponent's.
        let start = ask.fen.split(['/', ' ']).take(SIZE).enumerate();
        let stones = start.flat_map(|(row, text)| {
            let stones = text.chars().enumerate();
            stones.filter_map(move |(column, letter)| {
                let side = Side::BOTH["XO".find(letter)?];
                Some((format!("{column},{row}"), side))
            })
        });
        lines.extend(stones.map(|(place, side)| format!("{place},{}", whose(side))));
        let mut side = if ask.moves.len().is_multiple_of(2) {
            ask.side
        } else {
            ask.side.other()
        };
        for mv in ask.moves {
            lines.push(format!("{mv},{}", whose(side)));
            side = side.other();
        }
        lines.push("DONE".to_owned());
        lines
    }

    fn parse_search_line(&mut self, line: &str) -> Message {
        match square(line.trim()) {
            Some(_) => Message::Move(line.trim().to_owned(), Info::default()),
            None if line.starts_with("ERROR") || line.starts_with("UNKNOWN") => Message::Malformed,
            None => Message::Nothing,
        }
    }
}
