//! Speed of Xiangqi move generation in perft leaves per second: `cargo bench --bench core -- perft`.

use divan::Bencher;
use divan::counter::ItemsCount;
use leitai_game::{MoveList, Position, perft};
use leitai_games::xiangqi::Xiangqi;

/// The cases: a name, a position, a depth.
const CASES: [(&str, &str, u32); 5] = [
    (
        "start, depth 4",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
        4,
    ),
    (
        "start, depth 5",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
        5,
    ),
    (
        "opening, depth 5",
        "rnbakabnr/9/6c2/p1p1p1p1p/9/6P2/P1P1Pc2P/4C1C2/9/RNBAKABNR w - - 0 1",
        5,
    ),
    (
        "middle game, depth 4",
        "1rbak1b2/4a4/3cc1n2/C3p3p/2p6/P4nC1P/2P1P1P2/2N1B4/4A4/R2AK1BN1 b - - 0 1",
        4,
    ),
    (
        "check, depth 6",
        "3a5/4k4/1P1a5/4R1p1p/9/9/4P3P/1p6N/9/4KAB2 b - - 0 1",
        6,
    ),
];

fn names() -> impl Iterator<Item = &'static str> {
    CASES.iter().map(|&(name, ..)| name)
}

fn measure(bencher: Bencher<'_, '_>, name: &str, count: fn(&mut Xiangqi, u32) -> u64) {
    let &(_, fen, depth) = CASES.iter().find(|case| case.0 == name).expect("a case");
    let mut position = Xiangqi::from_fen(fen).expect("a position");
    let leaves = perft(&mut position, depth);
    bencher
        .counter(ItemsCount::new(leaves))
        .bench_local(|| count(&mut position, depth));
}

/// Counts the last ply without listing its moves.
#[divan::bench(args = names(), sample_count = 10, sample_size = 1)]
fn counted(bencher: Bencher<'_, '_>, name: &str) {
    measure(bencher, name, perft);
}

/// Counts the last ply by the length of its move list, as other programs do.
#[divan::bench(args = names(), sample_count = 10, sample_size = 1)]
fn listed(bencher: Bencher<'_, '_>, name: &str) {
    measure(bencher, name, perft_by_list);
}

fn perft_by_list(position: &mut Xiangqi, depth: u32) -> u64 {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    if depth == 1 {
        return moves.len() as u64;
    }
    let mut leaves = 0;
    for mv in moves {
        let undo = position.make(mv);
        leaves += perft_by_list(position, depth - 1);
        position.unmake(mv, undo);
    }
    leaves
}
