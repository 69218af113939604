//! Mocks that speak the protocols of the examples: Gomocup for Gomoku, and USI for Dobutsu shogi.

use std::io;

use leitai_game::{Line, Position, Side};

use crate::playing::{chosen, print_line};

#[path = "../../examples/dobutsu/game.rs"]
#[expect(dead_code, reason = "only the example uses the file format")]
mod dobutsu;
use dobutsu::Dobutsu;

/// Plays the first empty square, row by row. Checks that no square has two stones, and that it is
/// the program's turn.
pub(crate) fn gomocup() {
    let mut lines = io::stdin().lines().map_while(Result::ok);
    while let Some(line) = lines.next() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["ABOUT"] => print_line("name=\"Mock\", version=\"1.0\", author=\"Nobody\""),
            ["START", "15"] | ["RESTART"] => print_line("OK"),
            ["INFO", "timeout_turn" | "time_left", time] => assert!(time.parse::<u64>().is_ok()),
            ["BOARD"] => {
                let stones: Vec<String> = lines.by_ref().take_while(|it| it != "DONE").collect();
                let has = |place: &str| stones.iter().filter(|it| it.starts_with(place)).count();
                let all = (0..225).map(|at| format!("{},{}", at % 15, at / 15));
                let free = all.filter(|place| has(&format!("{place},")) == 0);
                let free: Vec<String> = free.collect();
                assert_eq!(free.len() + stones.len(), 225, "a square twice: {stones:?}");
                let own = stones.iter().filter(|it| it.ends_with(",1")).count();
                assert!([0, 1].contains(&(stones.len() - 2 * own)), "{stones:?}");
                print_line("MESSAGE thinking");
                print_line(&free[0]);
            }
            ["END"] => break,
            other => panic!("unknown: {other:?}"),
        }
    }
}

/// Plays the first legal move; the depth is the number of games.
pub(crate) fn usi() {
    let mut games = 0;
    let mut line = Line::new(Dobutsu::initial());
    for command in io::stdin().lines().map_while(Result::ok) {
        let words: Vec<&str> = command.split_whitespace().collect();
        match words.as_slice() {
            ["usi"] => {
                print_line("id name Mock of USI");
                print_line("option name USI_Hash type spin default 16 min 1 max 64");
                print_line("usiok");
            }
            ["setoption", "name", "USI_Hash", "value", "8"] => {}
            ["usinewgame"] => games += 1,
            ["isready"] => print_line("readyok"),
            ["position", start @ ..] => {
                let (start, moves) = start.split_at(match start {
                    ["startpos", ..] => 1,
                    _ => start
                        .iter()
                        .position(|it| *it == "moves")
                        .unwrap_or(start.len()),
                });
                line = Line::new(match start {
                    ["sfen", fen @ ..] => Dobutsu::from_fen(&fen.join(" ")).expect("a position"),
                    _ => Dobutsu::initial(),
                });
                for mv in moves.iter().skip(1) {
                    line.play(line.position().parse_move(mv).expect("a legal move"));
                }
            }
            ["go", limits @ ..] => {
                assert!(
                    limits.contains(&"nodes") || limits.contains(&"byoyomi"),
                    "{limits:?}"
                );
                let score = 12 * i32::from(line.position().side_to_move() == Side::First);
                print_line(&format!("info depth {games} nodes 2 score cp {score}"));
                let mv = Dobutsu::move_text(chosen(&line));
                print_line(&format!("bestmove {mv}"));
            }
            ["quit"] => break,
            other => panic!("unknown: {other:?}"),
        }
    }
}
