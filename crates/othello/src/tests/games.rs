//! Legal moves, passes and game ends, compared with `open_spiel`.

use serde::Deserialize;

use super::{after, move_texts};
use crate::{EmptySquares, Othello, OthelloRules, PASS, read_transcript, write_transcript};
use leitai_game::{Cause, Line, Position, Side, Verdict, perft};

#[derive(Deserialize)]
struct Data {
    positions: Vec<Reached>,
    games: Vec<Finished>,
}

#[derive(Deserialize)]
struct Reached {
    moves: String,
    board: String,
    /// `X`, `O`, or `-` when the game is over.
    side: String,
    terminal: bool,
    returns_black: Option<i32>,
    legal: Vec<String>,
}

#[derive(Deserialize)]
struct Finished {
    moves: String,
    final_board: String,
    black: u32,
    white: u32,
    empty: u32,
    passes: usize,
    returns_black: i32,
    score_black_winner_takes_empties: i32,
}

fn data() -> Data {
    serde_json::from_str(include_str!("../../../../tests/data/othello-legal.json")).unwrap()
}

fn read(moves: &str) -> Line<Othello> {
    read_transcript(&Othello::initial(), moves).unwrap()
}

fn board(position: &Othello) -> String {
    position.to_fen()[..64].to_owned()
}

fn returns_black(verdict: Verdict) -> i32 {
    assert_eq!(verdict.cause, Cause::Counted);
    i32::from(verdict.half_points(Side::First)) - 1
}

#[test]
fn legal_moves_equal_the_reference() {
    let positions = data().positions;
    assert_eq!(positions.len(), 10);
    for reached in positions {
        let line = read(&reached.moves);
        let position = line.position();
        assert_eq!(board(position), reached.board);
        let mut texts = move_texts(position);
        texts.sort();
        assert_eq!(texts, reached.legal, "after {}", reached.moves);
        assert_eq!(
            line.verdict(OthelloRules::default()).map(returns_black),
            reached.returns_black,
            "after {}",
            reached.moves
        );
        assert_eq!(
            reached.terminal,
            line.verdict(OthelloRules::default()).is_some()
        );
        if !reached.terminal {
            assert!(position.to_fen().ends_with(&reached.side));
        }
    }
}

#[test]
fn games_end_as_in_the_reference() {
    let games = data().games;
    assert_eq!(games.len(), 5);
    for game in games {
        let line = read(&game.moves);
        let position = line.position();
        assert_eq!(board(position), game.final_board);
        assert_eq!(line.moves().filter(|&mv| mv == PASS).count(), game.passes);
        assert_eq!(position.discs(Side::First).count_ones(), game.black);
        assert_eq!(position.discs(Side::Second).count_ones(), game.white);
        assert_eq!(position.empties(), game.empty);
        let score = game.score_black_winner_takes_empties;
        let winner = OthelloRules::default();
        assert_eq!(position.final_score(Side::First, winner), score);
        assert_eq!(position.final_score(Side::Second, winner), -score);
        let nobody = OthelloRules {
            empties: EmptySquares::Nobody,
        };
        let discs = game.black as i32 - game.white as i32;
        assert_eq!(position.final_score(Side::First, nobody), discs);
        assert_eq!(score != discs, game.empty > 0 && discs != 0);
        assert_eq!(
            line.verdict(OthelloRules::default()).map(returns_black),
            Some(game.returns_black)
        );

        let without = write_transcript(&line);
        assert_eq!(without.len(), 2 * (line.len() - game.passes));
        assert!(read(&without).moves().eq(line.moves()));
    }
}

#[test]
fn a_wipe_out_ends_the_game_at_once() {
    let games = data().games;
    let wipe_out = games.iter().find(|game| game.white == 0).unwrap();
    let mut line = read(&wipe_out.moves);
    assert_eq!(line.len(), 19);
    assert_eq!(move_texts(line.position()), Vec::<String>::new());
    assert_eq!(
        line.verdict(OthelloRules::default()),
        Some(Verdict::win(Side::First, Cause::Counted))
    );
    assert_eq!(perft(&mut line.position().clone(), 5), 1);
    line.undo();
    assert_eq!(line.verdict(OthelloRules::default()), None);
}

#[test]
fn a_forced_pass_is_the_only_move() {
    for reached in data().positions {
        let mut position = after(&reached.moves);
        let must_pass = reached.legal == ["pass"];
        assert_eq!(position.is_legal(PASS), must_pass);
        for form in ["pass", "pa", "ps", "--", "PA", "Pass", "PS"] {
            assert_eq!(position.parse_move(form).is_ok(), must_pass, "{form}");
        }
        if must_pass {
            assert_eq!(position.count_legal_moves(), 1);
            let before = board(&position);
            position.make(PASS);
            assert_eq!(board(&position), before);
            assert!(position.mobility() != 0, "two passes are never played");
        }
    }
}

/// Figure 2 of Du & Cheng 2007 (Computer Technology and Development 17(1),
/// 216-218) shows the tree below 1.d3. Its row under c3 is misprinted; these
/// are the legal replies.
#[test]
fn replies_of_figure_2_of_du_and_cheng() {
    let mut position = after("d3");
    assert_eq!(move_texts(&position), ["c3", "e3", "c5"]);
    assert_eq!(move_texts(&after("d3c3")), ["b3", "c4", "f5", "e6"]);
    assert_eq!(
        move_texts(&after("d3e3")),
        ["f2", "f3", "f4", "f5", "f6"].map(str::to_owned)
    );
    assert_eq!(
        move_texts(&after("d3c5")),
        ["b6", "c6", "d6", "e6", "f6"].map(str::to_owned)
    );
    assert_eq!(perft(&mut position, 2), 14);
}
