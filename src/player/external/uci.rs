//! The Universal Chess Interface (Huber and Meyer-Kahlen, April 2006), as
//! engines for Xiangqi speak it.

use super::codec::{Ask, Greeting, Heard, Info, ProtocolCodec, centipawns, mate, number_after};
use super::offer::{Offer, OptionKind};
use crate::game::Side;
use crate::player::TimeBudget;

/// `cyclone`: positions without the word `position` before them, as the interface
/// Cyclone says them.
pub(crate) struct Uci {
    pub(crate) cyclone: bool,
}

impl ProtocolCodec for Uci {
    fn hello(&mut self) -> Vec<String> {
        vec!["uci".to_owned()]
    }

    fn welcome(&self) -> &'static str {
        "uciok"
    }

    fn greeting(&mut self, line: &str) -> Vec<Greeting> {
        let line = line.trim();
        let name = line.strip_prefix("id name ");
        let author = line.strip_prefix("id author ");
        let option = line.strip_prefix("option name ");
        let option = option.map(|rest| Greeting::Offers(Offer::uci(rest)));
        let done = (line == "uciok").then_some(Greeting::Done);
        let name = name.map(|name| Greeting::Name(name.trim().to_owned()));
        let author = author.map(|author| Greeting::Author(author.trim().to_owned()));
        name.or(author).or(option).or(done).into_iter().collect()
    }

    fn option(&mut self, kind: OptionKind, name: &str, value: &str) -> String {
        match kind {
            OptionKind::Button => format!("setoption name {name}"),
            _ => format!("setoption name {name} value {value}"),
        }
    }

    fn new_game(&mut self, _: &Ask) -> Vec<String> {
        vec!["ucinewgame".to_owned()]
    }

    fn ping(&mut self) -> String {
        "isready".to_owned()
    }

    fn pong(&self) -> &'static str {
        "readyok"
    }

    fn go(&mut self, ask: &Ask) -> Vec<String> {
        let mut go = vec!["go".to_owned()];
        let mut say = |word: &str, value: u128| go.push(format!("{word} {value}"));
        if let Some(nodes) = ask.budget.nodes {
            say("nodes", nodes.into());
        }
        if let Some(depth) = ask.budget.depth {
            say("depth", depth.into());
        }
        match ask.budget.time {
            Some(TimeBudget::Move(time)) => say("movetime", time.as_millis()),
            Some(TimeBudget::Clock {
                remaining,
                opponent,
                increment,
            }) => {
                let [white, black] = match ask.side {
                    Side::First => [remaining, opponent],
                    Side::Second => [opponent, remaining],
                };
                say("wtime", white.as_millis());
                say("btime", black.as_millis());
                say("winc", increment.as_millis());
                say("binc", increment.as_millis());
            }
            None => {}
        }
        if go.len() == 1 {
            go.push("infinite".to_owned());
        }
        let position = position(ask);
        let position = if self.cyclone {
            position.trim_start_matches("position ").to_owned()
        } else {
            position
        };
        vec![position, go.join(" ")]
    }

    fn stop(&mut self) -> Option<String> {
        Some("stop".to_owned())
    }

    fn hear(&mut self, line: &str) -> Heard {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["bestmove", mv, ..] => Heard::Move((*mv).to_owned(), Info::default()),
            ["bestmove"] => Heard::Malformed,
            // What follows `string` is anything.
            ["info", "string", ..] => Heard::Nothing,
            ["info", rest @ ..] => Heard::Info(info(rest)),
            _ => Heard::Nothing,
        }
    }
}

/// The line that says where the game stands, shared with UCCI.
pub(crate) fn position(ask: &Ask) -> String {
    let mut line = format!("position fen {}", ask.fen);
    if !ask.moves.is_empty() {
        line.push_str(" moves ");
        line.push_str(&ask.moves.join(" "));
    }
    line
}

/// The words after `info`, shared with UCCI, where `cp` may be missing.
pub(crate) fn info(words: &[&str]) -> Info {
    // What follows is a line of play, in which a square is no number, or free
    // text.
    let end = words
        .iter()
        .position(|word| matches!(*word, "pv" | "string" | "message"));
    let words = &words[..end.unwrap_or(words.len())];
    // Of several lines of play the first is the one that is played.
    if number_after(words, "multipv").is_some_and(|line: u32| line > 1) {
        return Info::default();
    }
    let at = words.iter().position(|word| *word == "score");
    let score = at.and_then(|at| match words[at + 1..] {
        ["mate", number, ..] => number.parse().ok().map(mate),
        ["cp", number, ..] | [number, ..] => number.parse().ok().map(centipawns),
        [] => None,
    });
    // A bound is not a score.
    let bound = words
        .iter()
        .any(|word| matches!(*word, "lowerbound" | "upperbound"));
    Info {
        depth: number_after(words, "depth"),
        score: score.filter(|_| !bound),
        nodes: number_after(words, "nodes"),
    }
}
