//! Moves, checks and ends of Shogi compared with other programs: Fairy-Stockfish (pyffish) in random
//! games, if `LEITAI_PYTHON` names a Python that has it, and counts of leaves.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::thread;

use leitai_game::{Line, Move, Position, legal_moves, perft};
use leitai_games::shogi::{Shogi, ShogiRules};

use crate::common::project;

/// A random number below a bound, and the next state.
fn random(state: &mut u64, below: usize) -> usize {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1);
    (*state >> 33) as usize % below
}

/// Returns the move that takes back the side's previous move, if it is legal. Some games play it
/// often, to end by repetition.
fn back(line: &Line<Shogi>, moves: &[Move]) -> Option<Move> {
    let before = line.moves().nth_back(1)?;
    let text = Shogi::move_text(before);
    let (from, to) = (text.get(..2)?, text.get(2..4)?);
    let wanted = format!("{to}{from}");
    moves
        .iter()
        .copied()
        .find(|mv| Shogi::move_text(*mv) == wanted)
}

/// A game for the script `shogi.py`, at most `plies` long.
fn game(seed: u64, plies: usize) -> String {
    let mut state = seed;
    let (mut line, mut text) = (Line::new(Shogi::initial()), String::new());
    let repeats = seed.is_multiple_of(3);
    let cause = loop {
        let position = line.position();
        let moves = legal_moves(position);
        let check = if position.in_check() { "check" } else { "-" };
        let _ = write!(text, "at\t{}\t{check}\t", position.to_fen());
        for mv in &moves {
            let _ = write!(text, "{} ", Shogi::move_text(*mv));
        }
        text.push('\n');
        if let Some(verdict) = line.verdict(ShogiRules::default()) {
            break verdict.cause.to_string();
        }
        if line.len() == plies {
            break "-".to_owned();
        }
        let returns = repeats && line.len() > 20 && random(&mut state, 8) > 0;
        let mv = back(&line, &moves).filter(|_| returns);
        let mv = mv.unwrap_or_else(|| moves[random(&mut state, moves.len())]);
        line.play(mv);
    };
    let moves = line.moves().map(Shogi::move_text);
    let moves: Vec<String> = moves.collect();
    let _ = writeln!(text, "game\t{}\t{cause}", moves.join(" "));
    text
}

/// Compares games with these numbers.
fn compare(games: std::ops::Range<u64>) {
    let Some(python) = env::var_os("LEITAI_PYTHON").filter(|it| !it.is_empty()) else {
        return;
    };
    let mut script = Command::new(python)
        .arg(project("tests/referee/shogi.py"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the Python of LEITAI_PYTHON runs");
    let mut input = script.stdin.take().expect("a pipe");
    let count = games.end - games.start;
    let writer = thread::spawn(move || {
        for number in games {
            input
                .write_all(game(number, 300).as_bytes())
                .expect("a reader");
        }
    });
    let output = script.wait_with_output().expect("an answer");
    writer.join().expect("all games");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    assert!(text.contains(&format!("{count} games")), "{text}");
    for cause in ["checkmate", "repetition"] {
        assert!(text.contains(cause), "{text}");
    }
}

#[test]
fn random_games_of_shogi_are_judged_alike() {
    compare(1..31);
}

#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn a_thousand_random_games_of_shogi_are_judged_alike() {
    compare(1..1001);
}

#[test]
fn leaves_of_positions_with_drops_are_those_of_another_program() {
    let table = fs::read_to_string(project("tests/data/shogi-perft.txt")).expect("a table");
    let mut rows = 0;
    for row in table.lines().filter(|row| !row.starts_with('#')) {
        let mut fields = row.split(';');
        let text = fields.next().expect("a position");
        let mut position = Shogi::from_fen(text).expect("a position");
        for (depth, count) in (1..).zip(fields) {
            let count: u64 = count.parse().expect("a count");
            assert_eq!(perft(&mut position, depth), count, "{text} {depth}");
        }
        rows += 1;
    }
    assert_eq!(rows, 10);
}
