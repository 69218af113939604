//! Position, move and transcript texts.

use proptest::prelude::*;

use crate::{Othello, PASS, read_transcript, split_board, write_transcript};
use leitai_game::{Line, Move, MoveError, MoveList, Position, Side};

const START: &str = "---------------------------OX------XO--------------------------- X";

#[test]
fn the_start_is_written_as_everywhere() {
    assert_eq!(Othello::initial().to_fen(), START);
    assert_eq!(Othello::initial().side_to_move(), Side::First);
}

#[test]
fn relatives_of_the_position_text_read_alike() {
    let board = &START[..64];
    let rows: Vec<&str> = (0..8).map(|row| &START[8 * row..8 * row + 8]).collect();
    for text in [
        format!("{board} *"),
        format!("{board} x;"),
        format!("  {board} X ; "),
        format!("{board}X"),
        format!("{} *", rows.join(" ")),
        START.replace('X', "*").replace('-', "."),
        START.to_lowercase(),
        START.replace('X', "B").replace('O', "W"),
        START.replace('X', "b").replace('O', "w"),
        format!("[8 {} *]", rows.join(" ")),
        format!("8 {} *", rows.join("  ")),
    ] {
        assert_eq!(Othello::from_fen(&text), Ok(Othello::initial()), "{text}");
    }
    let white = Othello::from_fen(&format!("{board} o")).unwrap();
    assert_eq!(white.side_to_move(), Side::Second);
    assert_eq!(white.discs(Side::First), 1 << 28 | 1 << 35);
}

const NO_SIDE: &str =
    "the side to move is missing: write `X` (black) or `O` (white) behind the 64 squares";

#[test]
fn a_board_is_the_beginning_of_a_line() {
    let board = &START[..64];
    let rows: Vec<&str> = (0..8).map(|row| &board[8 * row..8 * row + 8]).collect();
    let other = board.replace('X', "b").replace('O', "W");
    for (line, split) in [
        (START.to_owned(), Some((START, ""))),
        (format!("{START}; id \"x\";"), Some((START, "id \"x\";"))),
        (format!("{START} f5d6"), Some((START, "f5d6"))),
        (format!("{board} f5d6"), Some((board, "f5d6"))),
        (
            format!("[8 {} X] f5d6", rows.join(" ")),
            Some((START, "f5d6")),
        ),
        (format!("8 {} X", rows.join(" ")), Some((START, ""))),
        (format!("{other} X"), Some((&*format!("{other} X"), ""))),
        (board[1..].to_owned(), None),
        (String::new(), None),
    ] {
        let read = split_board(&line);
        let read = read.as_ref().map(|(board, rest)| (&**board, *rest));
        assert_eq!(read, split, "{line}");
    }
}

#[test]
fn errors_of_the_position_text_name_the_error() {
    let board = &START[..64];
    for (text, reason) in [
        (String::new(), "the board has 0 squares instead of 64"),
        (
            board[1..].to_owned() + " X",
            "the board has 63 squares instead of 64",
        ),
        (
            board[1..].to_owned(),
            "the board has 63 squares instead of 64",
        ),
        (
            format!("{board}-- X"),
            "the board has 66 squares instead of 64",
        ),
        (board.to_owned(), NO_SIDE),
        (format!("{board};"), NO_SIDE),
        (format!("[8 {board}]"), NO_SIDE),
        (
            format!("{board} Z"),
            "the side to move `Z` is neither `X` nor `O`",
        ),
        (
            format!("{board} -"),
            "the side to move `-` is neither `X` nor `O`",
        ),
        (
            START.replacen('O', "0", 1),
            "`0` at index 27 (d4) is none of `X`, `O`, `-`",
        ),
        (
            START.replacen('-', "\u{25cf}", 1),
            "`\u{25cf}` at index 0 (a1) is none of `X`, `O`, `-`",
        ),
    ] {
        let error = Othello::from_fen(&text).unwrap_err();
        assert_eq!(error.reason, reason, "{text}");
        assert_eq!(error.text.raw(), text);
    }
}

#[test]
fn moves_read_in_either_case_and_only_whole() {
    let start = Othello::initial();
    assert_eq!(start.parse_move("d3"), Ok(Move(19)));
    assert_eq!(start.parse_move("D3"), Ok(Move(19)));
    assert_eq!(start.parse_move("c3"), Err(MoveError::Illegal("c3".into())));
    assert_eq!(
        start.parse_move("pass"),
        Err(MoveError::Illegal("pass".into()))
    );
    for text in [
        "", "d", "d9", "d0", "i3", "d3 ", "d3d3", "3d", "passe", "-", "\u{e9}3",
    ] {
        assert_eq!(start.parse_move(text), Err(MoveError::Syntax(text.into())));
    }
    assert_eq!(Othello::move_text(Move(63)), "h8");
    assert_eq!(Othello::move_text(PASS), "pass");
    assert_eq!(Othello::move_text(Move(65)), "??");
}

#[test]
fn the_openings_read_and_write_themselves() {
    let text = include_str!("../../../../openings/othello.txt");
    let openings = text.lines().filter(|line| !line.starts_with('#'));
    let mut keys: Vec<u64> = Vec::new();
    for opening in openings {
        let moves = opening.split_whitespace().next().unwrap();
        let line = read_transcript(&Othello::initial(), moves).unwrap();
        assert_eq!(line.len(), 8);
        assert_eq!(write_transcript(&line), moves);
        keys.push(line.position().symmetric_key());
    }
    assert_eq!(keys.len(), 300);
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), 300, "distinct under the eight symmetries");
}

#[test]
fn errors_of_a_transcript_name_the_ply() {
    let start = Othello::initial();
    for (text, message) in [
        ("f5d6c3d9", "neither a square nor a pass at ply 4: `d9`"),
        ("f5 d", "neither a square nor a pass at ply 2: `d`"),
        (
            "f5\u{e9}\u{e9}\u{e9}",
            "neither a square nor a pass at ply 2: `\u{e9}\u{e9}`",
        ),
        ("f5d6f5", "the square is taken at ply 3: `f5`"),
        ("F5A1", "white turns no disc there at ply 2: `A1`"),
        ("f5psd6", "white has moves and may not pass at ply 2: `ps`"),
        (
            "c4c5f6e3b5f4e2b6g5b4a5a6a4b3a2a3a7b2b1 pa",
            "the game ended with ply 19, and 1 move is left over at ply 20: `pa`",
        ),
        (
            "c4c5f6e3b5f4e2b6g5b4a5a6a4b3a2a3a7b2b1h8",
            "the game ended with ply 19, and 1 move is left over at ply 20: `h8`",
        ),
        (
            "c4c5f6e3b5f4e2b6g5b4a5a6a4b3a2a3a7b2b1 h8 h7zz",
            "the game ended with ply 19, and 3 moves are left over at ply 20: `h8`",
        ),
    ] {
        let error = read_transcript(&start, text).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
}

/// Black to move must pass; White's f1 then ends the game.
const MUST_PASS: &str = "------XO-------------------------------------------------------- X";

#[test]
fn a_final_pass_is_written_for_nothing_would_imply_it() {
    let start = Othello::from_fen(MUST_PASS).unwrap();
    let mut line = Line::new(start);
    line.play(PASS);
    assert_eq!(write_transcript(&line), "ps");
    line.play(Move(5));
    assert_eq!(write_transcript(&line), "f1");
    assert_eq!(read_transcript(&start, "f1").unwrap().len(), 2);
}

#[test]
fn every_form_of_a_pass_reads_alike() {
    let start = Othello::from_fen(MUST_PASS).unwrap();
    for form in ["pass", "PASS", "pa", "PA", "ps", "Ps", "--", ""] {
        let line = read_transcript(&start, &format!("{form}f1")).unwrap();
        assert_eq!(line.moves().collect::<Vec<_>>(), [PASS, Move(5)], "{form}");
    }
}

proptest! {
    /// Random games, cut at any point, from the start or from the middle.
    #[test]
    fn transcripts_round_trip(
        choices in prop::collection::vec(any::<prop::sample::Index>(), 0..70),
        skip in 0usize..20,
        upper in any::<bool>(),
    ) {
        let mut line = Line::new(Othello::initial());
        for (index, choice) in choices.iter().enumerate() {
            let mut moves = MoveList::new();
            line.position().legal_moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            if index == skip {
                line = Line::new(*line.position());
            }
            line.play(moves[choice.index(moves.len())]);
        }
        let mut text = write_transcript(&line);
        if upper {
            text = text.to_uppercase();
        }
        let copy = read_transcript(line.start(), &text).unwrap();
        prop_assert_eq!(copy.position(), line.position());
        prop_assert!(copy.moves().eq(line.moves()));
        let spaced: Vec<&str> = (0..text.len()).step_by(2).map(|at| &text[at..at + 2]).collect();
        let copy = read_transcript(line.start(), &spaced.join(" \n")).unwrap();
        prop_assert!(copy.moves().eq(line.moves()));
    }

    #[test]
    fn no_text_makes_a_reader_panic(text in "\\PC{0,80}") {
        let start = Othello::initial();
        let _ = Othello::from_fen(&text);
        let _ = start.parse_move(&text);
        let _ = read_transcript(&start, &text);
    }
}
