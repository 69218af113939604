//! The protocols: their names, and the lines that they send.

use std::time::Duration;

use super::command::Command;
use super::task::written;
use leitai_base::settings::choice;
use leitai_game::card::{GameCard, Rules};
use leitai_game::eval::{MATE, Score, mate_plies};
use leitai_game::search::SearchReport;

/// Greatest number of characters of foreign text that are echoed.
const LONGEST_ECHO: usize = 200;

choice! {
    /// An engine protocol.
    pub enum Protocol {
        /// The Universal Chess Interface, with positions and moves as the game writes them.
        Uci = "uci",
        /// The Universal Chinese Chess Protocol, version 3.0.
        Ucci = "ucci",
        /// The Universal Shogi Interface, with positions and moves as the game writes them.
        Usi = "usi",
    }
}

impl Protocol {
    /// Returns the protocols that Leitai can serve for the game.
    pub fn of(card: &dyn GameCard) -> Vec<Self> {
        let protocols = card.facts().protocols.iter();
        let served = protocols.filter_map(|protocol| Self::from_name(protocol.name));
        served.collect()
    }

    /// Parses a line of any content. `milliseconds` selects the unit of [`Ucci`](Protocol::Ucci)
    /// times: milliseconds if true, otherwise seconds.
    pub fn parse(self, line: &str, milliseconds: bool) -> Command {
        Command::parse(self, line, if milliseconds { 1 } else { 1000 })
    }

    /// Formats a comment for the user on one line, regardless of the content of `text`.
    pub(super) fn remark(self, text: &str) -> String {
        let word = match self {
            Protocol::Uci | Protocol::Usi => "string",
            Protocol::Ucci => "message",
        };
        let mut line = format!("info {word} ");
        let letters = text.chars().take(LONGEST_ECHO);
        line.extend(letters.map(|letter| if letter.is_control() { '?' } else { letter }));
        if text.chars().nth(LONGEST_ECHO).is_some() {
            line.push_str(" ...");
        }
        line
    }

    /// Formats a search report; `number` is that of the line, 1 for the best.
    pub(super) fn info(
        self,
        (card, rules): (&dyn GameCard, &Rules),
        report: &SearchReport,
        number: usize,
        spent: Duration,
    ) -> String {
        let milliseconds = spent.as_millis() as u64;
        let mut line = String::new();
        for (index, &mv) in report.pv.iter().enumerate() {
            line += if index == 0 { " pv " } else { " " };
            line += &written(card, mv, rules);
        }
        let (depth, score, nodes) = (report.depth, report.score, report.nodes);
        match self {
            Protocol::Uci | Protocol::Usi => {
                let rate = nodes.saturating_mul(1_000_000) / spent.as_micros().max(1) as u64;
                format!(
                    "info depth {depth} seldepth {} multipv {number} score {} nodes {nodes} nps \
                     {rate} hashfull {} time {milliseconds}{line}",
                    report.reach.max(depth),
                    self.score(score, report.pv.len()),
                    report.table_permille,
                )
            }
            Protocol::Ucci => format!(
                "info time {milliseconds} nodes {nodes}\ninfo depth {depth} score {score}{line}"
            ),
        }
    }

    /// Reports the end of the game in a position without moves: `has_won` is the result of the side
    /// to move, `None` for a draw.
    pub(super) fn over(self, has_won: Option<bool>) -> String {
        let score = match has_won {
            Some(true) => MATE,
            Some(false) => -MATE,
            None => 0,
        };
        match self {
            Protocol::Uci | Protocol::Usi if has_won == Some(false) => {
                "info depth 0 score mate 0".to_owned()
            }
            // UCI has no notation for a mate on the board.
            Protocol::Uci | Protocol::Usi => format!("info depth 0 score cp {score}"),
            Protocol::Ucci => format!("info depth 0 score {score}"),
        }
    }

    /// The answer to `go` that declares a won position; `None` if the protocol has none.
    pub(super) const fn declaration(self) -> Option<&'static str> {
        match self {
            Protocol::Usi => Some("bestmove win"),
            Protocol::Uci | Protocol::Ucci => None,
        }
    }

    /// The answer to `go`: the move, and the expected reply.
    pub(super) fn best_move(self, best: Option<String>, reply: Option<String>) -> String {
        match (self, best, reply) {
            (Protocol::Uci, None, _) => "bestmove (none)".to_owned(),
            (Protocol::Usi, None, _) => "bestmove resign".to_owned(),
            (Protocol::Ucci, None, _) => "nobestmove".to_owned(),
            (_, Some(best), None) => format!("bestmove {best}"),
            (_, Some(best), Some(reply)) => format!("bestmove {best} ponder {reply}"),
        }
    }

    /// Formats a score: `cp N` in evaluation units, or `mate N` in moves (USI: plies), negative if the
    /// side to move is mated, where the line leads to the mate in `length` plies.
    fn score(self, score: Score, length: usize) -> String {
        let Some(plies) = mate_plies(score).filter(|&mate| mate as usize <= length) else {
            return format!("cp {score}");
        };
        let number = match self {
            Protocol::Usi => plies,
            _ => plies.div_ceil(2),
        };
        let sign = if score > 0 { "" } else { "-" };
        format!("mate {sign}{number}")
    }
}
