//! The counts of each term on example boards.

use cozy_chess::{Board, Color};

use super::*;
use crate::eval::terms::{COUNT, GROUPS, term};

struct Counts([i32; COUNT]);

impl Sink for Counts {
    fn add(&mut self, place: usize, count: i32) {
        self.0[place] += count;
    }
}

fn counts(fen: &str) -> [[i32; COUNT]; 2] {
    let board = Board::from_fen(fen, false).unwrap();
    let mut sinks = Color::ALL.map(|_| Counts([0; COUNT]));
    count(&board, TermGroups::ALL, &mut sinks);
    sinks.map(|sink| sink.0)
}

/// White's and Black's counts of the terms with this prefix, by index, without terms that neither
/// side has.
fn met(fen: &str, beginning: &str) -> Vec<(String, i32, i32)> {
    let [white, black] = counts(fen);
    let mut all = Vec::new();
    for group in &GROUPS {
        for it in group.terms {
            let path = format!("{}.{}", group.name, it.name);
            if !path.starts_with(beginning) {
                continue;
            }
            let first = term(group.name, it.name);
            for place in 0..it.weights() {
                let found = (white[first + place], black[first + place]);
                if found == (0, 0) {
                    continue;
                }
                let name = match it.places.get(place) {
                    Some(place) => format!("{} {place}", it.name),
                    None => it.name.to_owned(),
                };
                all.push((name, found.0, found.1));
            }
        }
    }
    all
}

fn check(fen: &str, beginning: &str, expected: &[(&str, i32, i32)]) {
    let found = met(fen, beginning);
    let found: Vec<_> = found
        .iter()
        .map(|(name, white, black)| (&**name, *white, *black))
        .collect();
    assert_eq!(found, expected, "{fen}");
}

#[test]
fn mobility_leaves_out_own_pieces_and_squares_attacked_by_pawns() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let all = [
        ("knight 2", 2, 2),
        ("bishop 0", 2, 2),
        ("rook 0", 2, 2),
        ("queen 0", 1, 1),
    ];
    check(start, "mobility", &all);
    // A pawn on e7 attacks d6 and f6; the queen on d1 goes to d2 to d5, d7 and d8, to a1 to c1, and
    // to c2, b3 and a4.
    let fen = "4k3/4p3/8/8/8/8/4P3/3QK2N w - - 0 1";
    check(fen, "mobility", &[("knight 2", 1, 0), ("queen 12", 1, 0)]);
}

#[test]
fn pieces_and_pawns() {
    let fen = "4k3/1p3p2/8/3N4/2P1B3/8/8/R3K1BR w KQ - 0 1";
    // The knight on d5 has no pawn in front that can attack it: those on b7 and f7 cannot.
    check(
        fen,
        "pieces",
        &[
            ("bishop_pair", 1, 0),
            ("bishop_pawns", 1, 0),
            ("knight_outpost", 1, 0),
            ("rook_open_file", 2, 0),
        ],
    );
    // A pawn on e7 can attack it.
    let other = fen.replace("1p3p2", "1p2p3");
    assert!(
        !met(&other, "pieces.knight")
            .iter()
            .any(|it| it.0 == "knight_outpost")
    );
    let rooks = "4k3/R4p2/8/8/1P6/3N1p2/5P2/1R2K1R1 w - - 0 1";
    check(
        rooks,
        "pieces",
        &[
            ("rook_open_file", 2, 0),
            ("rook_seventh", 1, 0),
            ("rook_behind_passed", 1, 0),
        ],
    );
    check(
        "4k3/8/2p5/2n5/8/4p3/4B3/4K2R w K - 0 1",
        "pieces.behind",
        &[("behind_pawn", 1, 0)],
    );
}

#[test]
fn structure_of_pawns() {
    // White: c-pawns doubled and isolated, g3 backward (h4 is past it, f5 attacks g4), Black: e6
    // and f5 linked.
    let fen = "4k3/8/4p3/5p2/2P4P/2P3P1/8/4K3 w - - 0 1";
    check(
        fen,
        "pawns",
        &[
            ("doubled", 1, 0),
            ("isolated", 2, 0),
            ("isolated_open", 2, 0),
            ("backward", 1, 0),
            ("backward_open", 1, 0),
            ("protected rank 4", 1, 1),
        ],
    );
    check(
        "4k3/pp6/8/8/8/8/PP6/4K3 w - - 0 1",
        "pawns",
        &[("phalanx rank 2", 2, 2)],
    );
    check(
        "4k3/p7/8/8/8/8/P7/4K3 w - - 0 1",
        "pawns",
        &[("isolated", 1, 1)],
    );
}

#[test]
fn passed_pawns() {
    // The pawn on b6 is free: Black's king is far away and has no help.
    check(
        "7k/8/1P6/8/8/8/8/1K6 w - - 0 1",
        "passed",
        &[
            ("rank rank 6", 1, 0),
            ("free rank 6", 1, 0),
            ("own_king", 18, 0),
            ("enemy_king", 18, 0),
            ("runner", 1, 0),
        ],
    );
    // With a knight in front of it, and a pawn next to it.
    check(
        "7k/1n6/1PP5/8/8/8/8/1K6 w - - 0 1",
        "passed",
        &[
            ("rank rank 6", 2, 0),
            ("blocked rank 6", 1, 0),
            ("free rank 6", 1, 0),
            ("connected", 2, 0),
            ("own_king", 36, 0),
            ("enemy_king", 33, 0),
        ],
    );
    // Not passed: a pawn behind an own pawn, and a pawn that an enemy pawn on an adjacent file can
    // take.
    check("7k/2p5/8/1P6/1P6/8/8/K7 w - - 0 1", "passed.rank", &[]);
    check(
        "8/8/8/8/8/k7/7p/K7 w - - 0 1",
        "passed.rank",
        &[("rank rank 7", 0, 1)],
    );
}

#[test]
fn kings() {
    // White has castled behind three pawns; one of them has moved by one square.
    check(
        "4k3/8/8/8/6p1/6P1/5P1P/6K1 w - - 0 1",
        "king.s",
        &[
            ("shelter beside or next", 2, 0),
            ("shelter two ranks on", 1, 0),
            ("shelter none", 0, 3),
            ("storm three", 1, 0),
            ("storm further", 0, 1),
            ("storm none", 2, 2),
        ],
    );
    check(
        "4k3/8/8/8/8/8/8/6K1 w - - 0 1",
        "king.open",
        &[("open_files", 3, 3)],
    );
    // A queen on a1 attacks f6 and g7 of the zone.
    let fen = "6k1/5ppp/8/8/8/8/8/Q5K1 w - - 0 1";
    let found = met(fen, "king.danger");
    assert!(
        found.iter().any(|it| it.0 == "danger 2" && it.1 == 1),
        "{found:?}"
    );
    check(
        "6k1/5ppp/8/8/8/8/8/Q5K1 w - - 0 1",
        "king.safe",
        &[("safe_queen_checks", 1, 0)],
    );
    // Protected by the rook on f8.
    check("5rk1/5ppp/8/8/8/8/8/Q5K1 w - - 0 1", "king.safe", &[]);
}

#[test]
fn threats() {
    check(
        "4k3/8/3n4/4P3/1r6/P7/2B5/4K2Q w - - 0 1",
        "threats",
        &[
            ("pawn_minor", 1, 0),
            ("pawn_major", 1, 0),
            ("hanging", 2, 0),
        ],
    );
    // The pawn attacks the knight after one step.
    check(
        "3qk3/8/3n4/8/4P3/8/8/4K3 w - - 0 1",
        "threats",
        &[("push", 1, 0), ("hanging_pawn", 0, 1)],
    );
    check(
        "4k3/4q3/8/r3n3/4B3/2N5/8/R3K3 w Q - 0 1",
        "threats.minor",
        &[],
    );
    check(
        "4k3/4q3/3B4/r3n3/8/1N6/8/R3K3 w Q - 0 1",
        "threats.minor",
        &[
            ("minor_minor", 1, 0),
            ("minor_rook", 1, 0),
            ("minor_queen", 1, 0),
        ],
    );
    check(
        "8/8/8/8/8/1k6/1p1q4/R3K3 w Q - 0 1",
        "threats.king",
        &[("king", 1, 0)],
    );
}
