//! A mock that thinks on its opponent's time by UCI, correctly or badly.

use std::io::{self, BufRead};
use std::process::exit;
use std::thread::sleep;
use std::time::Duration;

use leitai_game::{Line, Position};
use leitai_games::xiangqi::Xiangqi;

use crate::playing::{chosen, other, position, print_line};

#[expect(clippy::exit, reason = "programs that crash are what is tested")]
pub(crate) fn play(mode: &str) {
    let mut line = Line::new(Xiangqi::initial());
    // True between `go ponder` and the end of that search; and if it has moved in it, which no
    // engine may.
    let (mut is_pondering, mut is_early) = (false, false);
    let mut is_allowed = false;
    for command in io::stdin().lock().lines() {
        let Ok(command) = command else { break };
        let words: Vec<&str> = command.split_whitespace().collect();
        let is_end = ["ponderhit", "stop", "quit", "isready"].contains(&words[0]);
        assert!(!is_pondering || is_end, "{command}: it ponders");
        match words.as_slice() {
            ["uci"] if mode == "ponder-unoffered" => print_line("id name Mock 1\nuciok"),
            ["uci"] => {
                print_line("id name Mock 1\noption name Ponder type check default false\nuciok");
            }
            ["setoption", "name", "Ponder", "value", "true"] => is_allowed = true,
            ["isready"] => print_line("readyok"),
            ["position", ..] => line = position(&command),
            ["go", "ponder", ..] => {
                assert!(is_allowed, "it was not allowed to ponder");
                if mode == "ponder-crash" && line.len() >= 3 {
                    exit(3);
                }
                print_line("info depth 77 nodes 7777 score cp 500");
                is_early = mode == "ponder-early";
                is_pondering = !is_early;
                if is_early {
                    answer(mode, &line);
                }
            }
            ["go", ..] => answer(mode, &line),
            ["ponderhit"] => {
                assert!(is_pondering || is_early, "a hit of nothing");
                if mode == "ponder-slow" {
                    sleep(Duration::from_millis(300));
                }
                if std::mem::take(&mut is_pondering) {
                    answer(mode, &line);
                }
            }
            ["stop"] if mode != "ponder-deaf" && is_pondering => {
                is_pondering = false;
                print_line("info depth 88 nodes 8888 score cp 800");
                answer(mode, &line);
            }
            ["quit"] => break,
            _ => {}
        }
    }
}

/// Moves, and names a reply: the one that the mock makes in other modes, or another one.
fn answer(mode: &str, line: &Line<Xiangqi>) {
    let mv = chosen(line);
    let mut after = line.clone();
    after.play(mv);
    let is_miss = ["ponder-miss", "ponder-deaf"].contains(&mode);
    let reply = if is_miss {
        other(&after)
    } else {
        chosen(&after)
    };
    let [mv, reply] = [mv, reply].map(Xiangqi::move_text);
    print_line(&format!("bestmove {mv} ponder {reply}"));
}
