//! A mock that speaks the protocol of `NBoard`, correctly or badly.

use std::io::{self, BufRead};
use std::process::exit;
use std::thread::sleep;
use std::time::Duration;

use leitai_game::{Line, Position};
use leitai_games::othello::{Othello, PASS};

use crate::playing::{chosen, print_line};

pub(crate) fn play(mode: &str) {
    let mut line = Line::new(Othello::initial());
    print_line("Init...Done");
    for command in io::stdin().lock().lines() {
        let Ok(command) = command else { break };
        let words: Vec<&str> = command.split_whitespace().collect();
        match words.as_slice() {
            ["nboard", "2"] if mode == "endless-talk" => loop {
                print_line("status Loading");
            },
            ["nboard", "2"] | ["set", "contempt", "0"] => {}
            ["set", "depth", depth] => print_line(&format!("set myname Mock{depth}")),
            ["set", "game", ..] => line = game(command.trim_start_matches("set game ")),
            ["ping", _] if mode == "silent" => {}
            ["ping", number] => print_line(&format!("pong {number}")),
            ["move", mv] => {
                let mv = line.position().parse_move(mv);
                line.play(mv.expect("a legal move"));
            }
            ["go"] => go(mode, &line),
            ["quit"] => break,
            other => panic!("what is {other:?}?"),
        }
    }
}

/// Parses a game strictly: every pass is written, and every move has the colour of its side.
fn game(text: &str) -> Line<Othello> {
    let (head, moves) = text.split_once(";)").map_or((text, ""), |(head, _)| {
        let at = head.find("BO[8 ").expect("a board");
        let end = at + head[at..].find(']').expect("its end");
        (&head[at + 5..end], &head[end + 1..])
    });
    let mut line = Line::new(Othello::from_fen(head).expect("a position"));
    for item in moves.split_terminator(']') {
        let (colour, mv) = item.split_once('[').expect("a move");
        let side = line.position().side_to_move();
        assert_eq!(colour, ["B", "W"][side.index()], "{text}");
        let mv = line.position().parse_move(mv);
        line.play(mv.expect("a legal move"));
    }
    line
}

#[expect(clippy::exit, reason = "programs that crash are what is tested")]
fn go(mode: &str, line: &Line<Othello>) {
    let late = line.len() >= 6;
    let mv = chosen(line);
    let text = match Othello::move_text(mv) {
        pass if mv == PASS => pass[..2].to_uppercase(),
        square => square.to_uppercase(),
    };
    let mut answer = format!("=== {text}/1.25/0.01");
    match mode {
        "crash" if late => exit(3),
        "hangs" if late => return,
        "late" if late => sleep(Duration::from_millis(1_400)),
        "illegal" if late => "=== D4/0/0".clone_into(&mut answer),
        "rubbish" if late => "=== what a position!".clone_into(&mut answer),
        "no-move" if late => "===".clone_into(&mut answer),
        "blanks" => answer = format!("=== {text} 1.25 0.0"),
        "bare" => answer = format!("=== {text}"),
        "two-moves" => answer = format!("{answer}\n=== D4/0/0"),
        _ => {}
    }
    if mode == "twice" {
        print_line(&answer);
        sleep(Duration::from_millis(3));
    }
    print_line(&format!(
        "status Thinking\nsearch {text} +1.00 0   3\nnodestats 35 0.01\n{answer}\nstatus"
    ));
}
