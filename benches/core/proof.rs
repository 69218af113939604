//! Speed of the AND/OR tree solvers in moves per second, in an artificial game that takes almost no
//! time itself. `cargo bench --bench core -- proof`.

use divan::Bencher;
use divan::counter::ItemsCount;
use leitai_game::search::proof::{
    AndOr, Counting, Outcome, SolveLimits, Solver, SolverKind, SolverParams,
};

/// Limit of moves per search.
const NODES: u64 = 200_000;

/// Moves per position.
const MOVES: u64 = 8;

/// A game whose positions are hashes. End positions are rare, so that nothing is decided early, and
/// different move orders occasionally transpose.
struct Hashes(Vec<u64>);

impl Hashes {
    fn here(&self) -> u64 {
        self.0[self.0.len() - 1]
    }
}

fn mixed(number: u64) -> u64 {
    let product = (number ^ (number >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    product ^ (product >> 32)
}

impl AndOr for Hashes {
    type Move = u64;
    type Zone = ();

    fn key(&self) -> u128 {
        u128::from(self.here()) << 64 | u128::from(mixed(self.here()))
    }

    fn is_or(&self) -> bool {
        self.0.len() % 2 == 1
    }

    fn outcome(&mut self) -> Outcome<()> {
        match self.here() % 64 {
            0 => Outcome::Proved(()),
            1 => Outcome::Disproved(()),
            _ => Outcome::Open,
        }
    }

    fn moves(&mut self, moves: &mut Vec<u64>) {
        moves.extend(0..MOVES);
    }

    fn play(&mut self, mv: u64) {
        // Half of the successors are shared with another position of the same ply.
        let from = if mv.is_multiple_of(2) {
            self.here() / 2 * 2
        } else {
            self.here()
        };
        let ply = self.0.len() as u64;
        self.0
            .push(mixed(from.wrapping_add(mv + 1).wrapping_add(ply << 40)));
    }

    fn undo(&mut self) {
        self.0.pop();
    }

    fn evaluate(&mut self) -> i32 {
        (self.here() >> 8) as i32 % 24
    }
}

fn solve(bencher: Bencher<'_, '_>, params: &SolverParams) {
    let mut solver = Solver::new(params);
    bencher
        .counter(ItemsCount::new(NODES))
        .bench_local(move || {
            let limits = SolveLimits {
                nodes: Some(NODES),
                stop: &|| false,
            };
            solver.new_problem();
            let solution = solver.solve(&mut Hashes(vec![3]), limits, None);
            assert_eq!(solution.effort.visited, NODES);
        });
}

/// Each algorithm.
#[divan::bench(args = SolverKind::ALL.iter().map(|kind| kind.name()), sample_count = 5, sample_size = 1)]
fn algorithms(bencher: Bencher<'_, '_>, name: &str) {
    let named = SolverKind::ALL.iter().find(|kind| kind.name() == name);
    let kind = *named.expect("an algorithm");
    solve(
        bencher,
        &SolverParams {
            kind,
            ..SolverParams::default()
        },
    );
}

/// df-pn+ with tables of 2 to the power of `table` entries.
#[divan::bench(args = [6, 10, 14, 22], sample_count = 5, sample_size = 1)]
fn tables(bencher: Bencher<'_, '_>, table: u32) {
    solve(
        bencher,
        &SolverParams {
            table,
            ..SolverParams::default()
        },
    );
}

/// df-pn+ with each counting method.
#[divan::bench(args = Counting::ALL.iter().map(|counting| counting.name()), sample_count = 5, sample_size = 1)]
fn countings(bencher: Bencher<'_, '_>, name: &str) {
    let named = Counting::ALL
        .iter()
        .find(|counting| counting.name() == name);
    let counting = *named.expect("a way to count");
    solve(
        bencher,
        &SolverParams {
            counting,
            ..SolverParams::default()
        },
    );
}
