//! Forged certificates.

use proptest::prelude::*;

use super::super::certificate::{Ban, Certificate, Claim, Master, Play, Spot, Stone};
use super::super::check::{Effort, check};
use super::super::refusal::Reason;
use super::super::text::read;
use super::brute::{Dice, Match, Retrograde};
use super::exhaustive;
use super::theory::{deep, tiny};

/// Makes one random change.
fn forge(certificate: &mut Certificate, dice: &mut Dice) {
    let size = certificate.statement.rows.len();
    let spot = Spot {
        col: dice.below(size) as u8,
        row: dice.below(size) as u8,
    };
    let count = certificate.nodes.len();
    let other = dice.below(count) as u32;
    let node = &mut certificate.nodes[dice.below(count)];
    let reply = dice.below(node.replies.len());
    let statement = &mut certificate.statement;
    match dice.below(16) {
        0 => node.answer = Some(Play::At(spot)),
        1 => node.answer = Some(Play::Pass),
        2 => node.answer = None,
        3 if !node.replies.is_empty() => drop(node.replies.remove(reply)),
        4 if !node.replies.is_empty() => node.replies[reply].1 = other,
        5 if !node.replies.is_empty() => node.replies[reply].0 = Play::At(spot),
        6 => node.replies.push((Play::At(spot), other)),
        7 => node.otherwise = Some(other),
        8 => node.otherwise = None,
        9 => {
            let letter = ["X", "O", "."][dice.below(3)];
            let col = usize::from(spot.col);
            statement.rows[usize::from(spot.row)].replace_range(col..=col, letter);
        }
        10 => statement.target = spot,
        11 => {
            statement.claim = match statement.claim {
                Claim::Captured => Claim::Escapes,
                Claim::Escapes => Claim::Captured,
                Claim::Connected => Claim::Cut,
                Claim::Cut => Claim::Connected,
            };
        }
        12 => {
            statement.master = match statement.master {
                Master::Attacker => Master::Defender,
                Master::Defender => Master::Attacker,
            };
        }
        13 => {
            let stone = statement.to_move;
            let stone = [stone, stone.other()][dice.below(2)];
            statement.ban = Some(Ban { spot, stone });
        }
        14 => statement.ban = None,
        _ => statement.to_move = statement.to_move.other(),
    }
}

/// Returns whether the statement is true, if brute force can decide it.
fn truth(certificate: &Certificate) -> Option<bool> {
    let statement = &certificate.statement;
    let question = super::super::check::Question::of(statement).ok()?;
    let owner = question.board.at(statement.target)?;
    let game = Match {
        target: statement.target,
        attacker: owner.other(),
        master: statement.master,
        escape: statement.escape_liberties.map_or(99, u32::from),
        ban: statement.ban,
    };
    let solved = Retrograde::new(game, &question.board, statement.to_move, 3_000)?;
    // In the brute-force solution an escape by liberties comes before any capture.
    Some(solved.is_captured() == (statement.claim == Claim::Captured))
}

/// The result of both checks, which must agree.
fn is_valid(certificate: &Certificate) -> Option<bool> {
    let mut valid = [false; 2];
    for (valid, effort) in valid.iter_mut().zip([Effort::default(), exhaustive()]) {
        match check(certificate, effort) {
            Ok(_) => *valid = true,
            Err(refusal) if matches!(refusal.reason, Reason::TooMany(_)) => return None,
            Err(_) => {}
        }
    }
    assert_eq!(valid[0], valid[1], "the checks disagree on\n{certificate}");
    Some(valid[0])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// For any change, both checks agree, and every certificate that they accept is true.
    #[test]
    fn a_forged_certificate_is_refused_or_still_a_proof(seed in 1_u64.., changes in 1_usize..3) {
        let mut dice = Dice(seed);
        let made = if dice.below(2) == 0 {
            tiny(&mut dice)
        } else {
            deep(&mut dice, 4, 2, false)
        };
        if let Some(genuine) = made {
            for _ in 0..12 {
                let mut forged = genuine.clone();
                (0..changes).for_each(|_| forge(&mut forged, &mut dice));
                let valid = is_valid(&forged);
                // An escape by liberties is a convention that a capture does not use.
                let knows_limit = forged.statement.claim == Claim::Escapes
                    || forged.statement.escape_liberties.is_none_or(|limit| limit > 9);
                if forged.statement.rows.len() == 3 && valid == Some(true) && knows_limit {
                    prop_assert_ne!(truth(&forged), Some(false), "{}", forged);
                }
                if valid == Some(true) {
                    let shrunk = forged.clone().shrunk();
                    prop_assert_ne!(is_valid(&shrunk), Some(false), "{}\n{}", forged, shrunk);
                }
            }
        }
    }

    /// The same with changed bytes of the text.
    #[test]
    fn forged_text_is_refused_or_still_a_proof(seed in 1_u64..) {
        let mut dice = Dice(seed);
        if let Some(genuine) = tiny(&mut dice) {
            let text = genuine.shrunk().to_string();
            for _ in 0..20 {
                let mut bytes = text.clone().into_bytes();
                let place = dice.below(bytes.len());
                match dice.below(3) {
                    0 => bytes[place] = b"XO.ABC123*-:,\n "[dice.below(15)],
                    1 => drop(bytes.remove(place)),
                    _ => bytes.insert(place, bytes[dice.below(bytes.len())]),
                }
                for listed in read(&bytes).flatten() {
                    is_valid(&listed.certificate);
                }
            }
        }
    }
}

#[test]
fn a_wrong_side_to_move_is_refused() {
    let text = "leitai proof 1\nclaim captured\nmaster defender\ntarget A1\nto-move black\n\
                board 2\n..\nXO\nnodes 1\n0 A2\nend\n";
    let mut certificate = super::one(text);
    assert!(is_valid(&certificate) == Some(false));
    certificate.statement.to_move = Stone::White;
    assert!(is_valid(&certificate) == Some(true));
}
