//! Leaf counts.

use std::num::NonZeroUsize;

use crate::Xiangqi;
use leitai_game::card::divide;
use leitai_game::{MoveList, Position, perft};

/// Maximum leaf count checked in every test run; the ignored tests check larger counts.
const QUICK: u64 = 8_000_000;

const THREE_PROGRAMS: &str = include_str!("../../../../tests/data/xiangqi-perft.txt");
const PIKAFISH: &str = include_str!("../../../../tests/data/xiangqi-perft-pikafish.txt");

/// The lines `FEN|depth 1|depth 2|...` of a file.
fn table(text: &str) -> impl Iterator<Item = (&str, Vec<u64>)> {
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let mut fields = line.split('|');
            let fen = fields.next().unwrap();
            (fen, fields.map(|count| count.parse().unwrap()).collect())
        })
}

/// The positions of both files.
pub(super) fn positions() -> impl Iterator<Item = &'static str> {
    table(THREE_PROGRAMS)
        .chain(table(PIKAFISH))
        .map(|(fen, _)| fen)
}

/// Checks the counts that `select` accepts.
fn check(text: &str, select: impl Fn(u64) -> bool) {
    let mut checked = 0;
    for (fen, counts) in table(text) {
        let mut position = Xiangqi::from_fen(fen).unwrap();
        for (depth, &count) in (1..).zip(&counts) {
            if select(count) {
                assert_eq!(perft(&mut position, depth), count, "depth {depth} of {fen}");
                checked += 1;
            }
        }
    }
    assert!(checked > 0);
}

/// Counts leaves by the length of the move list.
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

#[test]
fn leaves_are_those_of_three_other_programs() {
    check(THREE_PROGRAMS, |count| count <= QUICK);
}

#[test]
#[ignore = "300 million leaves"]
fn deeper_leaves_are_those_of_three_other_programs() {
    check(THREE_PROGRAMS, |count| (QUICK..1 << 32).contains(&count));
}

#[test]
#[ignore = "5 billion leaves"]
fn deepest_leaves_are_those_of_two_other_programs() {
    check(THREE_PROGRAMS, |count| count >= 1 << 32);
}

#[test]
fn leaves_are_those_of_pikafish() {
    check(PIKAFISH, |_| true);
}

#[test]
fn lists_are_as_long_as_counted() {
    for (fen, counts) in table(THREE_PROGRAMS).chain(table(PIKAFISH)) {
        let mut position = Xiangqi::from_fen(fen).unwrap();
        let shallow = (1..).zip(counts).take_while(|&(_, count)| count < 100_000);
        for (depth, count) in shallow {
            let leaves = perft_by_list(&mut position, depth);
            assert_eq!(leaves, count, "depth {depth} of {fen}");
        }
    }
}

#[test]
fn the_parts_add_up() {
    let parts = divide(&Xiangqi::initial(), 3, false, NonZeroUsize::MIN);
    assert_eq!(parts.len(), 44);
    assert_eq!(parts.iter().map(|&(_, count)| count).sum::<u64>(), 79_666);
}
