//! The protocol of the interface `NBoard` (Welty), version 2. The engine does not make its own
//! moves on its board: all moves are sent.

use std::fmt::Write as _;
use std::time::Duration;

use leitai_base::score::{MAX_EVAL, Score};
use leitai_base::side::Side;

use super::budget::{Budget, TimeBudget};
use super::codec::{
    Board, Codec, Info, Introduction, Message, MoveRequest, ReadyMessage, pong_reply,
};
use super::offer::{Offer, OptionKind};
use super::protocol::{Limit, Passing, Protocol};

/// The protocol of the interface `NBoard`, version 2.
pub const NBOARD: &Protocol = &Protocol {
    greeting_end: "pong",
    pong: "pong",
    reply: "===",
    lacks: &[Limit::Nodes, Limit::MoveTime, Limit::Periods],
    keys: &["passes"],
    whole_seconds: true,
    stops: true,
    ..Protocol::new("nboard", |settings| Box::new(Nboard::new(settings.passes)))
};

/// The depth that is sent if only a clock limits a search: beyond every game.
const DEEPEST: u32 = 60;
/// Minutes on the clock of a game without a time control.
const NO_CLOCK_MINUTES: u64 = 1_000;
/// A pass in the notation of moves and games.
const PASS: &str = "PA";
/// The only option of the protocol, with its range.
const CONTEMPT: &str = "contempt type spin default 0 min -100 max 100";

#[derive(Default)]
pub(crate) struct Nboard {
    sends_passes: bool,
    pings: u32,
    board: Board,
}

impl Nboard {
    pub(crate) fn new(passes: Passing) -> Self {
        Self {
            sends_passes: passes == Passing::Send,
            ..Self::default()
        }
    }

    /// The number of moves that are on the engine's board already. A clock can only be sent with
    /// the whole game.
    fn known(&self, ask: &MoveRequest) -> Option<usize> {
        let has_clock = matches!(ask.budget.time, Some(TimeBudget::Clock(_)));
        self.board.known(ask).filter(|_| !has_clock)
    }

    fn is_sent(&self, mv: &str) -> bool {
        self.sends_passes || mv != PASS
    }

    /// The whole game in the Generic Game Format (Buro).
    fn game(&self, ask: &MoveRequest) -> String {
        let clock = clock(ask.budget);
        let (board, mut side) = board(ask.fen);
        let mut text = format!(
            "(;GM[{}]PC[leitai]PB[black]PW[white]RE[?]TI[{clock}]TY[8]BO[8 {board} {}]",
            ask.game,
            ['*', 'O'][side.index()]
        );
        for mv in ask.moves {
            if self.is_sent(mv) {
                let colour = ['B', 'W'][side.index()];
                // Writing to a string cannot fail.
                let _ = write!(text, "{colour}[{mv}]");
            }
            side = side.other();
        }
        text + ";)"
    }

    fn set_up(&mut self, ask: &MoveRequest) -> Vec<String> {
        self.board.set(ask);
        vec![format!("set game {}", self.game(ask))]
    }
}

/// The time of the side to move: minutes and seconds, and the increment.
fn clock(budget: &Budget) -> String {
    let written = |time: Duration| {
        let seconds = time.as_secs();
        format!("{:02}:{:02}", seconds / 60, seconds % 60)
    };
    match budget.time {
        Some(TimeBudget::Clock(clock)) if clock.increment.is_zero() => written(clock.remaining),
        Some(TimeBudget::Clock(clock)) => {
            format!("{}/{}", written(clock.remaining), written(clock.increment))
        }
        Some(TimeBudget::Move(_)) | None => format!("{NO_CLOCK_MINUTES}:00"),
    }
}

/// The squares of a position of Leitai in the letters of this protocol, and the side to move.
fn board(fen: &str) -> (String, Side) {
    let (squares, side) = fen.split_once(' ').unwrap_or((fen, "X"));
    (
        squares.replace('X', "*"),
        Side::BOTH[usize::from(side == "O")],
    )
}

/// Converts a score in discs to hundredths of a disc.
fn hundredths(discs: &str) -> Option<Score> {
    // Two numbers are the values if a draw counts for black, and for white.
    let discs: f64 = discs.split(',').next()?.parse().ok()?;
    let most = f64::from(MAX_EVAL);
    let hundredths = (discs * 100.0).round().clamp(-most, most);
    discs.is_finite().then_some(hundredths as Score)
}

impl Codec for Nboard {
    fn hello(&mut self) -> Vec<String> {
        // Engines send their name in reply to a depth.
        let mut lines = ["nboard 2", "set depth 1"].map(str::to_owned).to_vec();
        lines.extend(self.ping());
        lines
    }

    fn read_greeting(&mut self, line: &str, introduction: &mut Introduction) -> bool {
        if let Some(name) = line.trim().strip_prefix("set myname ") {
            // `NTest12` is NTest at depth 12.
            let name = name.trim();
            let name = name.strip_suffix('1').unwrap_or(name);
            name.clone_into(&mut introduction.name);
            return false;
        }
        let is_ready = self.parse_ready_line(line) == ReadyMessage::Ready;
        let offer = is_ready.then(|| Offer::uci(CONTEMPT));
        introduction.offers.extend(offer);
        is_ready
    }

    fn option(&mut self, _: OptionKind, name: &str, value: &str) -> String {
        format!("set {name} {value}")
    }

    fn new_game(&mut self, ask: &MoveRequest) -> Vec<String> {
        let depth = ask.budget.depth.unwrap_or(DEEPEST);
        let mut lines = vec![format!("set depth {depth}")];
        lines.extend(self.set_up(ask));
        lines
    }

    fn ping(&mut self) -> Option<String> {
        self.pings = self.pings.wrapping_add(1);
        Some(format!("ping {}", self.pings))
    }

    fn parse_ready_line(&mut self, line: &str) -> ReadyMessage {
        pong_reply(line, self.pings, line.trim().is_empty())
    }

    fn go(&mut self, ask: &MoveRequest) -> Vec<String> {
        let mut lines = match self.known(ask) {
            Some(known) => {
                let new = ask.moves[known..].iter().filter(|mv| self.is_sent(mv));
                let lines = new.map(|mv| format!("move {mv}")).collect();
                self.board.set(ask);
                lines
            }
            None if self.board.has_limits(ask) => self.set_up(ask),
            None => self.new_game(ask),
        };
        lines.push("go".to_owned());
        lines
    }

    fn stop(&mut self) -> Option<String> {
        self.ping()
    }

    fn parse_search_line(&mut self, line: &str) -> Message {
        let words: Vec<&str> = line.split_whitespace().collect();
        let scored = |score: Option<&str>| Info {
            score: score.and_then(hundredths),
            ..Info::default()
        };
        match words.as_slice() {
            ["===", rest @ ..] => {
                // `F5/1.23/0.5`, or with blanks as separators.
                let mut parts = rest.iter().flat_map(|word| word.split('/'));
                match parts.next().filter(|mv| !mv.is_empty()) {
                    Some(mv) => Message::Move(mv.to_owned(), scored(parts.next())),
                    None => Message::Malformed,
                }
            }
            // Principal variation, score, a zero, and the depth.
            ["search", _, score, _, depth, ..] => Message::Info(Info {
                depth: depth.parse().ok(),
                ..scored(Some(score))
            }),
            ["nodestats", nodes, ..] => Message::Info(Info {
                nodes: nodes.parse().ok(),
                ..Info::default()
            }),
            _ => Message::Nothing,
        }
    }
}

#[cfg(test)]
mod tests;
