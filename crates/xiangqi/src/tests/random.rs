//! Random play: compares our moves with those of the naive generator, and the parts of the
//! generator with each other.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::mailbox::Mailbox;
use crate::attacks::Occupancy;
use crate::{Square, Xiangqi};
use leitai_game::{Move, MoveList, Position, Side};

pub(super) fn legal_moves(position: &Xiangqi) -> MoveList {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves
}

fn captures(position: &Xiangqi) -> MoveList {
    let mut moves = MoveList::new();
    let enemies = position.sides[position.to_move.other().index()];
    position.generate(enemies, &mut moves);
    moves
}

/// Returns whether the move captures a piece.
pub(super) fn takes(position: &Xiangqi, mv: Move) -> bool {
    Xiangqi::squares_of(mv).is_some_and(|(_, to)| position.piece_at(to).is_some())
}

/// Calls `check` at every position of `games` random games. Every fourth move captures and every
/// fourth gives check, if possible: otherwise the boards would stay full and checks would be rare.
pub(super) fn play(seed: u64, games: usize, plies: usize, check: impl Fn(&Xiangqi)) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for _ in 0..games {
        let mut position = Xiangqi::initial();
        for _ in 0..plies {
            check(&position);
            let moves = legal_moves(&position);
            let chosen: Vec<Move> = match rng.next_u64() % 4 {
                0 => captures(&position).into_iter().collect(),
                1 => moves
                    .iter()
                    .copied()
                    .filter(|&mv| {
                        let mut next = position.clone();
                        next.make(mv);
                        next.in_check()
                    })
                    .collect(),
                _ => Vec::new(),
            };
            let from: &[Move] = if chosen.is_empty() { &moves } else { &chosen };
            if from.is_empty() {
                break;
            }
            position.make(from[rng.next_u64() as usize % from.len()]);
        }
    }
}

#[test]
fn moves_are_those_of_the_naive_generator() {
    play(1, 60, 160, |position| {
        let mut ours: Vec<String> = legal_moves(position)
            .into_iter()
            .map(Xiangqi::move_text)
            .collect();
        ours.sort_unstable();
        let fen = position.to_fen();
        let board = Mailbox::from_fen(&fen);
        assert_eq!(ours, board.legal_moves(), "{fen}");
        assert_eq!(position.in_check(), board.is_check(), "{fen}");
    });
}

#[test]
fn captures_are_the_moves_that_take() {
    play(2, 100, 200, |position| {
        let mut expected = legal_moves(position);
        expected.retain(|&mut mv| takes(position, mv));
        assert_eq!(captures(position), expected, "{}", position.to_fen());
    });
}

#[test]
fn the_two_ways_to_look_for_attackers_agree() {
    play(3, 20, 150, |position| {
        for square in (0..90).filter_map(Square::new) {
            for by in Side::BOTH {
                let attackers = position.king_attackers(square, by, position.occupied, 0);
                let attacked = position.is_attacked(square, by);
                assert_eq!(attacked, attackers != 0, "{square} {}", position.to_fen());
            }
        }
    });
}

#[test]
fn the_occupancy_after_a_move_is_that_of_the_position_after_it() {
    play(4, 10, 100, |position| {
        for mv in legal_moves(position) {
            let mut next = position.clone();
            next.make(mv);
            let (from, to) = Xiangqi::squares_of(mv).unwrap();
            assert_eq!(position.occupied.after(from, to), next.occupied);
            assert_eq!(Occupancy::of(next.occupied.by_rank), next.occupied);
        }
    });
}
