//! The check by zones against the check that follows every play, and both against
//! solutions by brute force.

use super::super::certificate::{Certificate, Claim, Master, Stone};
use super::super::check::{Effort, check};
use super::brute::{Deep, Dice, Match, Retrograde, random_problem, sparse};
use super::exhaustive;

/// What was tried, so that a test that tries nothing fails.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) captured: u32,
    pub(super) escapes: u32,
    /// Replies that full certificates had, and sparse ones.
    pub(super) full: usize,
    pub(super) sparse: usize,
}

fn replies(certificate: &Certificate) -> usize {
    certificate
        .nodes
        .iter()
        .map(|node| node.replies.len())
        .sum()
}

impl Tally {
    /// A full certificate is valid both ways; and so is what is left of it when the zones
    /// ask for no more.
    pub(super) fn examine(&mut self, full: &Certificate) -> Certificate {
        for effort in [Effort::default(), exhaustive()] {
            let checked = check(full, effort);
            assert!(
                checked.is_ok(),
                "{} {effort:?}\n{full}",
                checked.unwrap_err()
            );
        }
        let sparse = sparse(full);
        let checked = check(&sparse, exhaustive());
        if let Err(refusal) = checked {
            panic!("A HOLE IN THE THEORY OF ZONES: {refusal}\n{sparse}");
        }
        self.full += replies(full);
        self.sparse += replies(&sparse);
        match full.statement.claim {
            Claim::Captured => self.captured += 1,
            Claim::Escapes => self.escapes += 1,
        }
        sparse
    }
}

pub(super) fn deep(dice: &mut Dice, size: u8, depth: u32) -> Option<Certificate> {
    let percent = 25 + dice.below(55);
    let (board, target) = random_problem(dice, size, percent)?;
    let owner = board.at(target)?;
    let master = if dice.below(2) == 0 {
        Master::Attacker
    } else {
        Master::Defender
    };
    let game = Match {
        target,
        attacker: owner.other(),
        master,
        escape: 3 + dice.below(3) as u32,
    };
    let claim = if dice.below(2) == 0 {
        Claim::Captured
    } else {
        Claim::Escapes
    };
    let to_move = if dice.below(2) == 0 {
        Stone::Black
    } else {
        Stone::White
    };
    if claim == Claim::Escapes && game.liberties(&board) >= game.escape {
        return None;
    }
    let prover = Deep {
        game,
        claim,
        nodes: Vec::new(),
        dice,
        fuel: 3000,
    };
    prover.certificate(&board, to_move, depth)
}

#[test]
fn zones_leave_out_only_what_cannot_matter() {
    let mut dice = Dice(0x5eed);
    let mut tally = Tally::default();
    let rounds = std::env::var("ROUNDS").map_or(120, |it| it.parse().expect("a number"));
    for round in 0..rounds {
        let (size, depth) = [(4, 3), (5, 2), (4, 2), (6, 2)][round % 4];
        if let Some(full) = deep(&mut dice, size, depth) {
            tally.examine(&full);
        }
    }
    assert!(tally.captured > 20 && tally.escapes > 20, "{tally:?}");
    assert!(tally.sparse * 4 < tally.full * 3, "{tally:?}");
    println!("{tally:?}");
}

#[test]
fn strategies_from_all_games_of_tiny_boards_are_valid() {
    let mut dice = Dice(0xabc);
    let mut tally = Tally::default();
    let rounds = std::env::var("ROUNDS").map_or(12, |it| it.parse().expect("a number"));
    for round in 0..rounds {
        let size = if round % 4 == 0 { 2 } else { 3 };
        let percent = 30 + dice.below(40);
        let Some((board, target)) = random_problem(&mut dice, size, percent) else {
            continue;
        };
        let Some(owner) = board.at(target) else {
            continue;
        };
        let game = Match {
            target,
            attacker: owner.other(),
            master: if dice.below(2) == 0 {
                Master::Attacker
            } else {
                Master::Defender
            },
            escape: if dice.below(2) == 0 { 99 } else { 4 },
        };
        let to_move = if dice.below(2) == 0 {
            Stone::Black
        } else {
            Stone::White
        };
        let Some(solved) = Retrograde::new(game, &board, to_move, 20_000) else {
            continue;
        };
        tally.examine(&solved.certificate(&mut dice));
    }
    assert!(tally.captured > 1 && tally.escapes > 1, "{tally:?}");
    println!("{tally:?}");
}
