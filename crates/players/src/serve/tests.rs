//! Tests that parsers accept all input, and that a session answers every request once.

mod conversation;
mod games;

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::*;
use leitai_config::{default_variant, eval_preset, search_preset};
use leitai_game::card::{Card, Game, GameChoice};

/// A session and its output.
struct Conversation {
    session: Session,
    said: Arc<Mutex<Vec<String>>>,
}

fn player(preset: &str) -> Player {
    let game = GameChoice::usual(leitai_xiangqi::card());
    let mut search = search_preset(Some(game.card), preset).unwrap();
    search.table_mb = 1;
    Player {
        name: preset.to_owned(),
        search,
        eval: eval_preset(game.card.numbers(), "leitai").unwrap(),
        announces_squares: false,
        game,
    }
}

/// A player of another game.
fn player_of<G: Game>() -> Player {
    let game = GameChoice::usual(Card::<G>::get());
    Player {
        eval: default_variant(game).unwrap().eval,
        game,
        ..player("plain")
    }
}

fn refuses(megabytes: u32) -> Option<String> {
    (megabytes > 100).then(|| "no memory".to_owned())
}

impl Conversation {
    fn new(protocol: Protocol) -> Self {
        Self::with(protocol, player("plain"))
    }

    fn with(protocol: Protocol, player: Player) -> Self {
        let said = Arc::new(Mutex::new(Vec::new()));
        let log = said.clone();
        let output: Output = Arc::new(move |text: &str| {
            log.lock().unwrap().extend(text.lines().map(str::to_owned));
        });
        Self {
            session: Session::new(protocol, player, output, refuses),
            said,
        }
    }

    /// Sends the lines.
    fn send(&mut self, lines: &[&str]) {
        for line in lines {
            assert!(self.session.handle_line(line), "{line}");
        }
    }

    /// Sends the lines and returns the output so far.
    fn replies_to(&mut self, lines: &[&str]) -> Vec<String> {
        self.send(lines);
        self.said.lock().unwrap().drain(..).collect()
    }

    /// Waits for a line with this beginning; returns all output up to it.
    fn until(&mut self, start: &str) -> Vec<String> {
        let began = Instant::now();
        let mut heard = Vec::new();
        while began.elapsed() < Duration::from_secs(30) {
            for line in self.said.lock().unwrap().drain(..) {
                heard.push(line);
            }
            if heard.iter().any(|line| line.starts_with(start)) {
                return heard;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        panic!("no `{start}` but {heard:?}");
    }
}

const WORDS: [&str; 38] = [
    "uci",
    "usi",
    "sfen",
    "byoyomi",
    "gameover",
    "ucci",
    "isready",
    "setoption",
    "name",
    "value",
    "ucinewgame",
    "position",
    "startpos",
    "fen",
    "moves",
    "h2e2",
    "a9a9",
    "go",
    "depth",
    "nodes",
    "infinite",
    "ponder",
    "wtime",
    "btime",
    "movestogo",
    "searchmoves",
    "time",
    "increment",
    "-1",
    "3",
    "99999999999999999999",
    "stop",
    "ponderhit",
    "banmoves",
    "mate",
    "\u{0}",
    "Hash",
    "rnbakabnr/9/1c5c1 w",
];
