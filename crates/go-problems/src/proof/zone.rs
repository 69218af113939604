//! The points on which a won position depends.
//!
//! A *zone* of a won position is a set of points such that the strategy also wins from every
//! position that has the same stones there, and elsewhere at least the stones that the prover's
//! opponent has here. `docs/go-proofs.md` proves the rules.

use super::certificate::{Spot, Stone};
use super::points::Points;
use super::rules::{Board, Illegal};

/// Adds the block and the liberties of every stone of the prover, so that no play outside can take
/// one of these stones or fill one of these liberties.
pub(super) fn close(board: &Board, prover: Stone, zone: &mut Points) {
    let mut seen = Points::default();
    for spot in zone.iter() {
        if board.at(spot) == Some(prover)
            && !seen.contains(spot)
            && let Some(block) = board.block(spot)
        {
            seen.add(&block.stones);
            zone.add(&block.stones);
            zone.add(&block.liberties);
        }
    }
}

/// Adds the points that make the prover's play possible and let it take the same stones.
pub(super) fn for_play(board: &Board, prover: Stone, play: Spot, zone: &mut Points) {
    zone.insert(play);
    board.beside(play).for_each(|beside| zone.insert(beside));
    let mut others = Vec::new();
    for mut block in board.blocks_beside(play, prover.other()) {
        block.liberties.remove(play);
        if block.liberties.len() == 0 {
            // It must have no other liberty in those positions either.
            zone.add(&block.stones);
            zone.add(&block.around);
        } else {
            others.push(block.liberties);
        }
    }
    close(board, prover, zone);
    for liberties in others {
        // It must not be taken in those positions either: one more liberty is enough.
        if !liberties.touches(zone)
            && let Some(liberty) = liberties.iter().next()
        {
            zone.insert(liberty);
        }
    }
}

/// Adds the points that a final play needs, which takes the block of `target`.
pub(super) fn for_capture(
    board: &Board,
    prover: Stone,
    play: Spot,
    target: Spot,
    zone: &mut Points,
) {
    match board.block(target) {
        Some(block) if block.stones.len() > 1 => {
            zone.insert(play);
            zone.add(&block.stones);
            zone.add(&block.around);
            close(board, prover, zone);
        }
        // The play could become a ko capture.
        _ => for_play(board, prover, play, zone),
    }
}

/// Adds points, with the opponent to move, so that plays inside that are impossible here stay
/// impossible. Returns the possible plays inside.
pub(super) fn for_replies(
    board: &Board,
    prover: Stone,
    may_take_ko: impl Fn(Spot) -> bool,
    zone: &mut Points,
) -> Points {
    let opponent = prover.other();
    let (mut seen, mut plays) = (Points::default(), Points::default());
    loop {
        close(board, prover, zone);
        let before = *zone;
        for spot in before.iter() {
            if board.at(spot).is_some() || seen.contains(spot) {
                continue;
            }
            seen.insert(spot);
            match board.play(spot, opponent) {
                Ok(played) if !played.is_ko || may_take_ko(spot) => plays.insert(spot),
                Ok(_) => board.beside(spot).for_each(|beside| zone.insert(beside)),
                Err(Illegal::Suicide) => {
                    board.beside(spot).for_each(|beside| zone.insert(beside));
                    for block in board.blocks_beside(spot, opponent) {
                        zone.add(&block.stones);
                        zone.add(&block.around);
                    }
                }
                Err(Illegal::OffBoard | Illegal::Occupied) => {}
            }
        }
        if *zone == before {
            return plays;
        }
    }
}
