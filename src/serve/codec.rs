//! What is said, in the words of each protocol.

use std::time::Duration;

use super::Protocol;
use crate::eval::{MATE, Score, mate_plies};
use crate::game::{Move, Position};
use crate::games::xiangqi::Xiangqi;
use crate::search::SearchReport;

/// Characters of somebody else's text that are given back at most.
const LONGEST_ECHO: usize = 200;

impl Protocol {
    /// A word to the person who reads along: one line, whatever `text` holds.
    pub(super) fn remark(self, text: &str) -> String {
        let word = match self {
            Protocol::Uci => "string",
            Protocol::Ucci => "message",
        };
        let mut line = format!("info {word} ");
        line.extend(
            text.chars()
                .take(LONGEST_ECHO)
                .map(|letter| if letter.is_control() { '?' } else { letter }),
        );
        if text.chars().nth(LONGEST_ECHO).is_some() {
            line.push_str(" ...");
        }
        line
    }

    /// What the search has found so far; `number` is that of the line, 1 for
    /// the best.
    pub(super) fn info(self, report: &SearchReport, number: usize, spent: Duration) -> String {
        let milliseconds = spent.as_millis() as u64;
        let line: Vec<String> = report.pv.iter().map(|&mv| Xiangqi::move_text(mv)).collect();
        let line = if line.is_empty() {
            String::new()
        } else {
            format!(" pv {}", line.join(" "))
        };
        let SearchReport {
            depth,
            score,
            nodes,
            ..
        } = report;
        match self {
            Protocol::Uci => {
                let rate = nodes.saturating_mul(1_000_000) / spent.as_micros().max(1) as u64;
                format!(
                    "info depth {depth} seldepth {} multipv {number} score {} nodes {nodes} nps \
                     {rate} hashfull {} time {milliseconds}{line}",
                    report.reach.max(*depth),
                    uci_score(*score),
                    report.table_permille,
                )
            }
            Protocol::Ucci => format!(
                "info time {milliseconds} nodes {nodes}\ninfo depth {depth} score {score}{line}"
            ),
        }
    }

    /// That the side to move has lost: there is no move.
    pub(super) fn lost(self) -> String {
        match self {
            Protocol::Uci => "info depth 0 score mate 0".to_owned(),
            Protocol::Ucci => format!("info depth 0 score {}", -MATE),
        }
    }

    /// The answer to `go`.
    pub(super) fn best_move(self, best: Option<Move>, reply: Option<Move>) -> String {
        let Some(best) = best else {
            return match self {
                Protocol::Uci => "bestmove (none)",
                Protocol::Ucci => "nobestmove",
            }
            .to_owned();
        };
        let mut text = format!("bestmove {}", Xiangqi::move_text(best));
        if let Some(reply) = reply {
            text.push_str(" ponder ");
            text.push_str(&Xiangqi::move_text(reply));
        }
        text
    }
}

/// `cp N` in evaluation units, or `mate N` in moves, less than 0 for the side
/// that is mated.
fn uci_score(score: Score) -> String {
    match mate_plies(score) {
        None => format!("cp {score}"),
        Some(plies) if score > 0 => format!("mate {}", plies.div_ceil(2)),
        Some(plies) => format!("mate {}", -i64::from(plies.div_ceil(2))),
    }
}
