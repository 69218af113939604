//! Leaf counts (perft).

use std::num::NonZeroUsize;

use serde::Deserialize;

use crate::Othello;
use leitai_game::card::divide;
use leitai_game::{MoveList, Position, perft};

/// Maximum leaf count in every test run; greater counts are left to the ignored tests.
const QUICK: u64 = 30_000_000;

#[derive(Deserialize)]
struct Table {
    positions: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    board: String,
    side: String,
    tag: String,
    /// Leaves at depth 1, 2, ...; a finished game counts at every depth.
    leaves: Vec<u64>,
    /// The same without the finished games.
    full_depth_only: Vec<u64>,
}

impl Row {
    fn position(&self) -> Othello {
        Othello::from_fen(&format!("{} {}", self.board, self.side)).unwrap()
    }
}

fn table() -> Vec<Row> {
    let text = include_str!("../../../../tests/data/othello-perft.json");
    serde_json::from_str::<Table>(text).unwrap().positions
}

#[test]
fn leaves_equal_the_table() {
    let rows = table();
    assert_eq!(rows.len(), 10);
    for row in rows {
        let mut position = row.position();
        for (depth, &leaves) in (1..).zip(&row.leaves) {
            if leaves <= QUICK {
                assert_eq!(
                    perft(&mut position, depth),
                    leaves,
                    "{} at {depth}",
                    row.tag
                );
            }
        }
    }
}

#[test]
fn leaves_without_finished_games_equal_the_table() {
    for row in table() {
        let mut position = row.position();
        for (depth, &leaves) in (1..).zip(&row.full_depth_only) {
            if leaves <= QUICK / 10 {
                let found = position.count_leaves(depth, 0);
                assert_eq!(found, leaves, "{} at {depth}", row.tag);
                let mut moves = MoveList::new();
                position.legal_moves(&mut moves);
                let below = moves.iter().map(|&mv| {
                    let mut child = position;
                    child.make(mv);
                    child.count_leaves(depth - 1, 0)
                });
                let sum: u64 = below.sum();
                assert_eq!(sum, leaves, "{} at {depth}", row.tag);
            }
        }
    }
}

#[test]
fn the_start_divides_evenly_by_symmetry() {
    let parts = divide(&Othello::initial(), 6, false, NonZeroUsize::MIN);
    let texts: Vec<String> = parts
        .iter()
        .map(|&(mv, _)| Othello::move_text(mv))
        .collect();
    assert_eq!(texts, ["d3", "c4", "f5", "e6"]);
    assert!(parts.iter().all(|&(_, leaves)| leaves == 2050));
}

/// Also prints the speed: run it with `--release -- --ignored --nocapture`.
#[test]
#[ignore = "takes half a minute"]
fn leaves_of_the_start_to_depth_12() {
    let leaves = &table()[0].leaves;
    for depth in 10..=12 {
        let start = std::time::Instant::now();
        let found = perft(&mut Othello::initial(), depth);
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "depth {depth}: {found} leaves, {seconds:.2} s, {:.0} M/s",
            found as f64 / seconds / 1e6
        );
        assert_eq!(found, leaves[depth as usize - 1]);
    }
}
