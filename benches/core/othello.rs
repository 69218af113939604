//! Speed of Othello in perft leaves, moves and solved endgames per second: `cargo bench --bench core --
//! othello`.

use divan::Bencher;
use divan::counter::ItemsCount;
use leitai_game::{MoveList, Position, perft};
use leitai_games::othello::endgame::{Solver, SolverLimits};
use leitai_games::othello::{Othello, OthelloRules};

/// The FFO positions of `tests/data/ffo.obf` with this number of empty squares.
fn endgames(empties: u32) -> Vec<Othello> {
    include_str!("../../tests/data/ffo.obf")
        .lines()
        .filter(|line| !line.starts_with('%'))
        .filter_map(|line| line.split(';').next())
        .map(|board| Othello::from_fen(board).expect("a position"))
        .filter(|position| position.empties() == empties)
        .collect()
}

/// Leaves from the usual start.
#[divan::bench(args = [8, 9, 10], sample_count = 10, sample_size = 1)]
fn leaves(bencher: Bencher<'_, '_>, depth: u32) {
    let mut position = Othello::initial();
    let leaves = perft(&mut position, depth);
    bencher
        .counter(ItemsCount::new(leaves))
        .bench_local(|| perft(&mut position, depth));
}

/// Discs flipped and restored: every move of the positions two plies below the FFO positions with
/// 20 empty squares.
#[divan::bench]
fn moves_made(bencher: Bencher<'_, '_>) {
    let mut positions = Vec::new();
    for position in endgames(20) {
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        for mv in moves {
            let mut after = position;
            after.make(mv);
            let mut replies = MoveList::new();
            after.legal_moves(&mut replies);
            positions.push((after, replies));
        }
    }
    let made: usize = positions.iter().map(|(_, moves)| moves.len()).sum();
    bencher.counter(ItemsCount::new(made)).bench_local(|| {
        for (position, moves) in &mut positions {
            for &mv in &*moves {
                let undo = position.make(mv);
                position.unmake(mv, undo);
            }
        }
    });
}

/// Exact scores of the FFO positions with 14 to 16 empty squares.
#[divan::bench(args = [14, 15, 16], sample_count = 10, sample_size = 1)]
fn solved(bencher: Bencher<'_, '_>, empties: u32) {
    let positions = endgames(empties);
    let mut solver = Solver::new(Solver::megabytes_for(empties));
    bencher
        .counter(ItemsCount::new(positions.len()))
        .bench_local(|| {
            for position in &positions {
                let (rules, limits) = (OthelloRules::default(), SolverLimits::default());
                divan::black_box(solver.solve(position, rules, limits, &|| false, |_| ()));
            }
        });
}
