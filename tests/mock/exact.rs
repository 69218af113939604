//! A mock by UCI and UCCI that compares options exactly, and plays only after one is set.

use std::io::{self, BufRead};

use leitai_game::{Line, Position};
use leitai_games::xiangqi::Xiangqi;

use crate::playing::{answer, position, print_line};

/// The settings that it accepts.
const SETTINGS: [&str; 6] = [
    "setoption name Hash value 4",
    "setoption name ThreadS value 1",
    "setoption name Style value Risky Play",
    "setoption name OwnBook value false",
    "setoption usemillisec true",
    "setoption UseBook false",
];

pub(crate) fn play() {
    let mut line = Line::new(Xiangqi::initial());
    let mut set = 0;
    for command in io::stdin().lock().lines() {
        let Ok(command) = command else { break };
        match command.split_whitespace().next() {
            Some("uci") => print_line(
                "option name Hash type spin default 16 min 1 max 64\n\
                option name ThreadS type spin default 1 min 1 max 1\n\
                option name Style type combo default Solid var Solid var Risky Play\n\
                option name OwnBook type check default true\nuciok",
            ),
            Some("ucci") => print_line("option UseBook type check default true\nucciok"),
            Some("setoption") => {
                assert!(SETTINGS.contains(&command.as_str()), "{command}");
                set += 1;
            }
            Some("isready") => print_line("readyok"),
            Some("position") => line = position(&command),
            Some("go") => {
                assert!(set > 0, "no option was set");
                answer(&line);
            }
            Some("quit") => break,
            _ => {}
        }
    }
}
