//! A mock that solves capture problems by GTP, correctly or badly: it keeps a board by the rules of
//! Leitai and reports a target as captured if one move captures it.

use std::io::{self, BufRead, Write};
use std::process::exit;

use leitai_games::go::{Board, Colour, Point};

use crate::playing::{is_first, print_line};

/// The supported commands.
const COMMANDS: &str = "name\nversion\nlist_commands\nquit\nboardsize\nclear_board\nplay\n\
    attack\ndefend\nreset_reading_node_counter\nget_reading_node_counter\nclear_cache\nlevel";

#[expect(clippy::exit, reason = "programs that crash are what is tested")]
pub(crate) fn play(mode: &str) {
    let mut board = Board::empty(19);
    let mut nodes = 1_000;
    print_line("");
    for command in io::stdin().lock().lines() {
        let Ok(command) = command else { break };
        let (number, rest) = command.split_once(' ').expect("a number first");
        let number = if mode == "no-numbers" { "" } else { number };
        if mode == "babbles" {
            print_line("reading...\n");
        }
        let answer = |text: &str| print_line(&format!("={number} {text}\n"));
        let refuse = |text: &str| print_line(&format!("?{number} {text}\n"));
        let words: Vec<&str> = rest.split_whitespace().collect();
        let point = |name: &str| Point::from_name(name, board.size()).expect("a point");
        match words.as_slice() {
            ["list_commands"] if mode == "endless-commands" => {
                print_line(&format!("={number} play"));
                for command in 0_u64.. {
                    print_line(&format!("c{command}"));
                }
            }
            ["list_commands"] if mode == "plays-only" => answer("boardsize\nclear_board\nplay"),
            ["list_commands"] if mode == "uncounted" => {
                answer("boardsize\nclear_board\nplay\nattack\ndefend");
            }
            ["list_commands"] => answer(COMMANDS),
            ["name"] => answer("Mock"),
            ["version"] => answer("3"),
            ["boardsize", size] => {
                board = Board::empty(size.parse().expect("a size"));
                answer("");
            }
            ["clear_board"] => {
                board = Board::empty(board.size());
                answer("");
            }
            ["play", "white", _] if mode == "refuses-white" => refuse("illegal move"),
            ["play", colour, name] => {
                let colour = if *colour == "black" {
                    Colour::Black
                } else {
                    Colour::White
                };
                assert!(board.is_legal(point(name), colour), "{command}");
                board.play(point(name), colour);
                answer("");
            }
            ["reset_reading_node_counter"] => {
                nodes = 0;
                answer("");
            }
            ["get_reading_node_counter"] => answer(&nodes.to_string()),
            ["clear_cache"] | ["level", "10"] => answer(""),
            ["attack" | "defend", _] if mode == "crash" => {
                let _ = writeln!(io::stderr(), "stepped on a bug");
                exit(3);
            }
            ["attack" | "defend", _] if mode == "crash-once" && is_first() => exit(3),
            ["attack" | "defend", _] if mode == "hangs" => {}
            ["attack" | "defend", _] if mode == "flood" => loop {
                print_line("still reading");
            },
            ["attack" | "defend", _] if mode == "rubbish" => answer("7 Z9 perhaps"),
            ["attack" | "defend", _] if mode == "bytes" => {
                let _ = io::stdout().write_all(b"=\x00\x01\xfe\n\n");
                let _ = io::stdout().flush();
            }
            [verb @ ("attack" | "defend"), name] => {
                nodes += 7;
                answer(&solve(&board, verb, point(name)));
            }
            ["quit"] => break,
            _ => refuse("unknown command"),
        }
    }
}

/// Solves by the liberties: the attacker captures a target with one liberty, and the defender
/// extends there. A forbidden ko counts as one that needs a threat.
fn solve(board: &Board, verb: &str, target: Point) -> String {
    let liberties = board.liberties(target);
    let only = liberties.first().filter(|_| liberties.len() == 1);
    match (verb, only) {
        ("attack", Some(point)) if board.ko() == Some(point) => {
            format!("3 {}", point.name(board.size()))
        }
        (_, Some(point)) => format!("1 {}", point.name(board.size())),
        ("attack", None) => "0".to_owned(),
        _ => "1 PASS".to_owned(),
    }
}
