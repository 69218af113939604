//! A program that moves its last piece to and fro, and records the commands that it receives.

use std::fs::OpenOptions;
use std::io::{self, BufRead, Write};

use leitai_game::{Line, Move, MoveList, Position};
use leitai_games::xiangqi::Xiangqi;

use crate::playing::{position, print_line};

/// The file in the working folder for all commands of all processes.
const COMMANDS: &str = "commands";

/// Plays by UCI or UCCI. `mode` lists candidates for the first moves after a space each.
pub(crate) fn play(mode: &str) {
    let mut line = Line::new(Xiangqi::initial());
    let mut banned = Vec::new();
    for command in io::stdin().lock().lines() {
        let Ok(command) = command else { break };
        record(&command);
        let mut words = command.split_whitespace();
        match words.next() {
            Some("uci") => print_line("id name Mock 1\nuciok"),
            Some("ucci") => print_line("id name Mock 1\nucciok"),
            Some("isready") => print_line("readyok"),
            Some("position") => (line, banned) = (position(&command), Vec::new()),
            Some("banmoves") => banned = words.map(str::to_owned).collect(),
            Some("go") => {
                let mv = Xiangqi::move_text(chosen(&line, mode, &banned));
                print_line(&format!("bestmove {mv}"));
            }
            Some("quit") => break,
            _ => {}
        }
    }
}

/// The first move that is legal and not banned: the last own move reversed, the candidates of
/// `mode`, any other.
fn chosen(line: &Line<Xiangqi>, mode: &str, banned: &[String]) -> Move {
    let moves: Vec<_> = line.moves().collect();
    let last = moves.iter().rev().nth(1).copied();
    let back = last
        .and_then(Xiangqi::squares_of)
        .map(|(from, to)| Xiangqi::move_between(to, from));
    let listed = mode.split(' ').skip(1);
    let listed = listed.filter_map(|text| line.position().parse_move(text).ok());
    let mut all = MoveList::new();
    line.position().legal_moves(&mut all);
    let mut candidates = back.into_iter().chain(listed).chain(all);
    let is_open =
        |mv: &Move| line.position().is_legal(*mv) && !banned.contains(&Xiangqi::move_text(*mv));
    candidates.find(is_open).unwrap_or(Move::NULL)
}

fn record(command: &str) {
    let file = OpenOptions::new().create(true).append(true).open(COMMANDS);
    let written = file.and_then(|mut file| file.write_all(format!("{command}\n").as_bytes()));
    written.expect("a list of commands");
}
