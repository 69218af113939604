//! Xiangqi moves as text: written moves read back, other programs write the same, and variants of
//! the notation are accepted.

use std::collections::HashMap;

use leitai_game::{Move, MoveError, MoveList, Position};
use leitai_games::xiangqi::{Notation, Xiangqi};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

fn position(fen: &str) -> Xiangqi {
    Xiangqi::from_fen(fen).unwrap_or_else(|error| panic!("{error}"))
}

fn legal(position: &Xiangqi) -> MoveList {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves
}

fn below(rng: &mut ChaCha8Rng, bound: usize) -> usize {
    (rng.next_u64() % bound as u64) as usize
}

/// Checks that every legal move reads back in every notation, and that no two are written alike.
fn assert_round_trip(position: &Xiangqi) {
    for &notation in Notation::ALL {
        let mut written: HashMap<String, Move> = HashMap::new();
        for mv in legal(position) {
            let text = position.write_move(mv, notation);
            let fen = position.to_fen();
            assert_eq!(position.parse_move(&text), Ok(mv), "{text} in {fen}");
            let twin = written.insert(text.clone(), mv);
            assert_eq!(twin, None, "{text} twice in {fen}");
        }
    }
}

#[test]
fn moves_of_random_games_read_back() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..12 {
        let mut position = Xiangqi::initial();
        for _ in 0..120 {
            let moves = legal(&position);
            if moves.is_empty() {
                break;
            }
            assert_round_trip(&position);
            position.make(moves[below(&mut rng, moves.len())]);
        }
    }
}

/// A position with pawn stacks of the given sizes on random files, all across the river, for both
/// sides; `None` if the position is not legal.
fn stacked(rng: &mut ChaCha8Rng, sizes: &[usize]) -> Option<Xiangqi> {
    let mut board = [['1'; 9]; 10];
    let mut put = |rank: usize, file: usize, piece: char| {
        let free = board[rank][file] == '1';
        board[rank][file] = piece;
        free
    };
    let mut clean = put(below(rng, 3), 3 + below(rng, 3), 'K');
    clean &= put(7 + below(rng, 3), 3 + below(rng, 3), 'k');
    for red in [true, false] {
        let first = below(rng, 9);
        for (nth, &size) in sizes.iter().enumerate() {
            let file = (first + nth * (1 + below(rng, 3))) % 9;
            let gap = below(rng, 6 - size);
            for step in 0..size {
                let rank = gap + step;
                clean &= if red {
                    put(9 - rank, file, 'P')
                } else {
                    put(rank, file, 'p')
                };
            }
        }
        for piece in ["RRCCN", "rrccn"][usize::from(!red)].chars() {
            clean &= put(below(rng, 10), below(rng, 4) * 2, piece);
        }
    }
    let rows: Vec<String> = board.iter().rev().map(|row| row.iter().collect()).collect();
    let side = ["w", "b"][below(rng, 2)];
    clean
        .then(|| Xiangqi::from_fen(&format!("{} {side}", rows.join("/"))).ok())
        .flatten()
}

#[test]
fn moves_of_stacked_pawns_read_back() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let shapes: [&[usize]; 7] = [&[2, 2], &[2, 3], &[3, 2], &[3], &[4], &[5], &[2, 2, 1]];
    for sizes in shapes {
        let mut tried = 0;
        while tried < 200 {
            if let Some(position) = stacked(&mut rng, sizes) {
                assert_round_trip(&position);
                tried += 1;
            }
        }
    }
}

/// Returns whether `theirs` is `ours` with the file instead of the sign for front or rear.
/// Fairy-Stockfish omits the sign when the other of two pieces on a file would leave the board. All
/// other programs, and the rules, do not.
fn leaves_place_out(ours: &str, theirs: &str) -> bool {
    let [
        &[piece, b'+' | b'-', ref ours @ ..],
        &[same, b'1'..=b'9', ref theirs @ ..],
    ] = [ours.as_bytes(), theirs.as_bytes()]
    else {
        return false;
    };
    piece == same && ours == theirs
}

/// Checks a file of `fen` lines, each followed by all its legal moves in three notations as written
/// by other programs.
fn assert_written_as_in(data: &str) {
    let mut here = Xiangqi::initial();
    let mut open = 0;
    for line in data.lines().filter(|line| !line.starts_with('#')) {
        if let Some(fen) = line.strip_prefix("fen ") {
            assert_eq!(open, 0, "moves missing before {fen}");
            here = position(fen);
            open = here.count_legal_moves();
            continue;
        }
        let [uci, wxf, chinese] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("not three texts: {line}");
        };
        let mv = here.parse_move(uci).expect(line);
        let fen = here.to_fen();
        for (notation, text) in [(Notation::Wxf, wxf), (Notation::Chinese, chinese)] {
            let ours = here.write_move(mv, notation);
            assert!(
                ours == text || leaves_place_out(&ours, text),
                "{uci}: {ours}, not {text}, in {fen}"
            );
            assert_eq!(here.parse_move(text), Ok(mv), "{text} in {fen}");
        }
        open -= 1;
    }
    assert_eq!(open, 0, "moves missing at the end");
}

#[test]
fn other_programs_write_the_same() {
    assert_written_as_in(include_str!("../data/xiangqi-notation.txt"));
}

/// Asserts that each text is read as the move.
fn assert_reads(fen: &str, uci: &str, texts: &[&str]) {
    let position = position(fen);
    for text in texts {
        let read = position.parse_move(text);
        let read = read.map(|mv| position.write_move(mv, Notation::Uci));
        assert_eq!(read.as_deref(), Ok(uci), "{text} in {fen}");
    }
}

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";

#[test]
fn every_dialect_of_an_opening_move_is_read() {
    assert_reads(
        START,
        "h2e2",
        &[
            "h2e2",
            "H2-E2",
            "h2-e2",
            "Ｈ２－Ｅ２",
            " C2=5 ",
            "c2.5",
            "Ｃ２＝５",
            "炮二平五",
            "砲２平５",
            "包2平5",
        ],
    );
    assert_reads(
        START,
        "h0g2",
        &["H2+3", "N2+3", "n2+3", "马二进三", "傌二進三", "馬2上3"],
    );
    assert_reads(START, "g0e2", &["E3+5", "B3+5", "相三进五", "象3進5"]);
    let black = &START.replace(" w", " b");
    assert_reads(
        black,
        "h9g7",
        &["H8+7", "h8+7", "馬８進７", "马8进7", "马八进七"],
    );
    assert_reads(black, "e9e8", &["K5+1", "将５进１", "將5進1", "帥五进一"]);
    assert_reads(
        black,
        "i9i8",
        &["R9+1", "R9＋1", "车９进１", "俥九進一", "車9上1"],
    );
}

#[test]
fn front_and_rear_are_read_before_and_after_the_piece() {
    let fen = "3k5/9/9/9/2R6/9/2R6/9/9/4K4 w";
    let front = ["R+=4", "+R=4", "前车平四", "車前平四", "前俥平４"];
    assert_reads(fen, "c5f5", &front);
    assert_reads(
        fen,
        "c3f3",
        &["R-=4", "-R.4", "R–=4", "后车平四", "後車平四", "车后平四"],
    );
    let bishops = "3k5/9/9/9/9/2B6/9/9/9/2B2K3 w";
    assert_reads(bishops, "c0a2", &["E7+9", "E-+9", "相七进九", "后相进九"]);
    assert_reads(bishops, "c4a2", &["E7-9", "E+-9", "相七退九", "前相退九"]);
}

#[test]
fn every_rule_for_stacked_pawns_is_read() {
    let three = "3k5/9/2P6/2P6/2P6/9/9/9/9/4K4 w";
    assert_reads(
        three,
        "c7d7",
        &["17=6", "P+=6", "Pa=6", "前兵平六", "一兵平六"],
    );
    assert_reads(
        three,
        "c6d6",
        &["27=6", "P7=6", "P.=6", "Pb=6", "中兵平六", "二兵平六"],
    );
    assert_reads(
        three,
        "c5d5",
        &["37=6", "P-=6", "Pc=6", "后兵平六", "三兵平六"],
    );
    let four = "4k4/9/9/9/9/4p4/4p4/4p4/4p4/5K3 b";
    assert_reads(
        four,
        "e1d1",
        &["15=4", "++=4", "Pa=4", "一卒平４", "前卒平４", "1卒平4"],
    );
    assert_reads(
        four,
        "e2d2",
        &["25=4", "P+=4", "Pb=4", "二卒平４", "２卒平４"],
    );
    assert_reads(four, "e3d3", &["35=4", "P-=4", "Pc=4", "三卒平４"]);
    assert_reads(
        four,
        "e4f4",
        &["45=6", "--=6", "Pd=6", "四卒平６", "后卒平6"],
    );
    let five = "3k5/4P4/4P4/4P4/4P4/4P4/9/9/9/5K3 w";
    assert_reads(
        five,
        "e6f6",
        &["35=4", "P5=4", "Pc=4", "三兵平四", "中兵平四"],
    );
    let two_files = "3k5/9/2P6/2P3P2/2P3P2/9/9/9/9/4K4 w";
    assert_reads(
        two_files,
        "g6f6",
        &["13=4", "3+=4", "Pa=4", "一兵平四", "前兵三平四", "前三平四"],
    );
    assert_reads(
        two_files,
        "g5f5",
        &["23=4", "3-=4", "Pb=4", "二兵平四", "后兵３平４"],
    );
    assert_reads(
        two_files,
        "c6b6",
        &["27=8", "7==8", "Pd=8", "四兵平八", "中兵七平八", "中七平八"],
    );
    assert_reads(two_files, "c7b7", &["前兵平八", "P+=8"]);
}

#[test]
fn invalid_text_is_distinguished_from_illegal_moves() {
    let start = position(START);
    for text in [
        "",
        "e",
        "h2e",
        "j2e2",
        "0000",
        "C2",
        "C2=",
        "C2=0",
        "X2=5",
        "C2*5",
        "C2=5!",
        "=2=5",
        "炮二平",
        "炮二平十",
        "二平五",
        "炮炮平五",
        "前前平五",
        "前炮二炮五",
        "a前炮二平五",
        "1/2-1/2",
        "一五平四",
        "ｘ",
        "é2e2",
    ] {
        let error = MoveError::Syntax(text.into());
        assert_eq!(start.parse_move(text), Err(error));
    }
    for text in [
        "h2i9",
        "a0a9",
        "C2=8",
        "C+=5",
        "C1=5",
        "R1=2",
        "12+1",
        "P++1",
        "Pa+1",
        "K5=4",
        "前炮平五",
        "车一平二",
        "一兵进一",
        "前兵五进一",
    ] {
        let error = MoveError::Illegal(text.into());
        assert_eq!(start.parse_move(text), Err(error));
    }
    let twins = position("3k5/9/9/2P3P2/2P3P2/9/9/9/9/4K4 w");
    for text in ["前兵进一", "P++1"] {
        let error = MoveError::Ambiguous(text.into());
        assert_eq!(twins.parse_move(text), Err(error));
    }
}

#[test]
fn a_notation_is_found_by_its_name() {
    for &notation in Notation::ALL {
        assert_eq!(notation.name().parse(), Ok(notation));
    }
    assert!("san".parse::<Notation>().is_err());
}
