//! Compares the check by zones with the check that follows every play, and both with brute-force
//! solutions.

use super::super::certificate::{Ban, Certificate, Claim, Master, Node, Play, Spot, Stone};
use super::super::check::{Effort, Question, check};
use super::super::names::spot_name;
use super::super::refusal::Reason;
use super::super::rules::Board;
use super::brute::{Deep, Dice, Match, Retrograde, random_ban, random_problem, sparse};
use super::exhaustive;

/// Counts of tested cases, so that a test without cases fails.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) captured: u32,
    pub(super) escapes: u32,
    /// Number of replies in full certificates, and in sparse ones.
    pub(super) full: usize,
    pub(super) sparse: usize,
    /// Certificates of statements with an effective ban.
    pub(super) bans: u32,
    /// Certificates of the lazy prover.
    pub(super) lazy: u32,
    /// Checks that were skipped because they take too long.
    pub(super) skipped: u32,
}

fn replies(certificate: &Certificate) -> usize {
    certificate
        .nodes
        .iter()
        .map(|node| node.replies.len())
        .sum()
}

impl Tally {
    /// Requires that the check accepts a certificate, unless that takes too long.
    pub(super) fn accept(&mut self, certificate: &Certificate, effort: Effort) {
        match check(certificate, effort) {
            Ok(_) => {}
            Err(refusal) if matches!(refusal.reason, Reason::TooMany(_)) => self.skipped += 1,
            Err(refusal) => panic!("refused: {refusal}\n{effort:?}\n{certificate}"),
        }
    }

    /// Requires that a full certificate passes both checks, and its sparse version too if the zones
    /// need no more replies.
    pub(super) fn examine(&mut self, full: &Certificate, dice: &mut Dice) -> Certificate {
        for effort in [Effort::default(), exhaustive()] {
            let checked = check(full, effort);
            assert!(
                checked.is_ok(),
                "{} {effort:?}\n{full}",
                checked.unwrap_err()
            );
        }
        let sparse = sparse(full, dice, 60);
        let checked = check(&sparse, exhaustive());
        if let Err(refusal) = checked {
            panic!("A HOLE IN THE THEORY OF ZONES: {refusal}\n{sparse}");
        }
        let question = Question::of(&full.statement).expect("a statement");
        self.bans += u32::from(question.has_ban());
        self.full += replies(full);
        self.sparse += replies(&sparse);
        match full.statement.claim {
            Claim::Captured | Claim::Connected => self.captured += 1,
            Claim::Escapes | Claim::Cut => self.escapes += 1,
        }
        sparse
    }
}

pub(super) fn deep(dice: &mut Dice, size: u8, depth: u32, is_lazy: bool) -> Option<Certificate> {
    let percent = 25 + dice.below(55);
    let (board, target) = random_problem(dice, size, percent)?;
    // The queries of the lazy prover to the check ignore bans.
    let ban = random_ban(dice, &board).filter(|_| !is_lazy);
    deep_of(dice, &board, target, ban, depth, is_lazy)
}

fn deep_of(
    dice: &mut Dice,
    board: &Board,
    target: Spot,
    ban: Option<Ban>,
    depth: u32,
    is_lazy: bool,
) -> Option<Certificate> {
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
        ban,
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
    if claim == Claim::Escapes && game.liberties(board) >= game.escape {
        return None;
    }
    let prover = Deep {
        game,
        claim,
        nodes: Vec::new(),
        dice,
        fuel: if is_lazy { 150 } else { 3000 },
        is_lazy,
    };
    prover.certificate(board, to_move, depth)
}

/// Plays the exact strategy out against random play.
fn play_out(certificate: &Certificate, dice: &mut Dice) {
    let Certificate { statement, nodes } = certificate;
    let question = Question::of(statement).expect("a statement");
    let mut board = question.board.clone();
    let mut at = 0;
    let mut is_provers = statement.to_move == question.prover;
    let mut is_first = question.has_ban();
    let mut line = Vec::new();
    let fail = |line: &[String], why| panic!("after {}: {why}\n{certificate}", line.join(" "));
    for _ in 0..300 {
        let node: &Node = &nodes[at];
        if question.has_escaped(&board) || is_provers && !question.must_end && node.answer.is_none()
        {
            return;
        }
        if is_provers && let Some(Play::At(spot)) = node.answer {
            line.push(spot_name(spot, question.size));
            match board.play(spot, question.prover) {
                Ok(played) => board = played.board,
                Err(illegal) => fail(&line, format!("{illegal:?}")),
            }
            if question.is_taken(&board) || question.has_escaped(&board) {
                return;
            }
        }
        is_first &= !(is_provers && question.bans_prover());
        let plays: Vec<_> = board
            .spots()
            .filter_map(|spot| Some((spot, question.reply(&board, spot, is_first)?)))
            .collect();
        let otherwise = node
            .otherwise
            .filter(|_| question.may_pass(&board, is_first));
        is_first &= question.bans_prover();
        let chosen = plays.get(dice.below(plays.len() + 1));
        let Some((spot, after)) = chosen else {
            line.push("pass".to_owned());
            (at, is_provers) = match otherwise {
                Some(otherwise) => (otherwise as usize, true),
                None => (at, false),
            };
            continue;
        };
        line.push(spot_name(*spot, question.size));
        board = after.clone();
        if question.is_taken(&board) {
            fail(&line, "taken".to_owned());
        }
        let listed = node
            .replies
            .iter()
            .find(|(play, _)| *play == Play::At(*spot));
        match (listed.map(|&(_, to)| to).or(otherwise), question.must_end) {
            (Some(to), _) => (at, is_provers) = (to as usize, true),
            (None, false) => is_provers = false,
            (None, true) => fail(&line, "no answer".to_owned()),
        }
    }
    assert!(!question.must_end, "goes on for ever\n{certificate}");
}

#[test]
fn zones_leave_out_only_irrelevant_points() {
    compare_with_all_plays(64);
}

#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn zones_in_many_positions() {
    compare_with_all_plays(4_000);
}

fn compare_with_all_plays(rounds: usize) {
    let mut dice = Dice(0x5eed);
    let mut tally = Tally::default();
    for round in 0..rounds {
        let (size, depth) = [(4, 3), (5, 2), (4, 2), (6, 2)][round % 4];
        if let Some(full) = deep(&mut dice, size, depth, false) {
            tally.examine(&full, &mut dice);
        }
        let (size, depth) = [(5, 4), (7, 4), (9, 3), (6, 4)][round % 4];
        if let Some(lazy) = deep(&mut dice, size, depth, true) {
            tally.lazy += 1;
            tally.accept(&lazy, Effort::default());
            tally.accept(&lazy, exhaustive());
            for _ in 0..20 {
                play_out(&lazy, &mut dice);
            }
        }
    }
    assert!(
        tally.captured > 1 && tally.escapes > 1 && tally.lazy as usize > rounds / 6,
        "{tally:?}"
    );
    assert!(tally.sparse < tally.full, "{tally:?}");
}

#[test]
fn bans_are_checked_as_by_every_play() {
    let mut dice = Dice(0xba4);
    let mut tally = Tally::default();
    for _ in 0..3_000 {
        let percent = 40 + dice.below(40);
        let Some((board, target)) = random_problem(&mut dice, 4, percent) else {
            continue;
        };
        let Some(ban) = random_ban(&mut dice, &board) else {
            continue;
        };
        if let Some(full) = deep_of(&mut dice, &board, target, Some(ban), 2, false) {
            let before = tally.bans;
            tally.examine(&full, &mut dice);
            if tally.bans > before {
                play_out(&full, &mut dice);
            }
        }
        if tally.bans >= 24 {
            break;
        }
    }
    assert!(tally.bans >= 24 && tally.escapes > 3, "{tally:?}");
}

#[test]
fn strategies_from_all_games_of_tiny_boards_are_valid() {
    let mut dice = Dice(0xabc);
    let mut tally = Tally::default();
    for _ in 0..12 {
        if let Some(full) = tiny(&mut dice) {
            tally.examine(&full, &mut dice);
        }
    }
    assert!(tally.captured > 1 && tally.escapes > 1, "{tally:?}");
}

/// A certificate from all games of a tiny board.
pub(super) fn tiny(dice: &mut Dice) -> Option<Certificate> {
    let size = if dice.below(4) == 0 { 2 } else { 3 };
    let percent = 30 + dice.below(40);
    let (board, target) = random_problem(dice, size, percent)?;
    let owner = board.at(target)?;
    let game = Match {
        target,
        attacker: owner.other(),
        master: if dice.below(2) == 0 {
            Master::Attacker
        } else {
            Master::Defender
        },
        escape: if dice.below(2) == 0 { 99 } else { 4 },
        ban: random_ban(dice, &board),
    };
    let to_move = if dice.below(2) == 0 {
        Stone::Black
    } else {
        Stone::White
    };
    let solved = Retrograde::new(game, &board, to_move, 20_000)?;
    Some(solved.certificate(dice))
}
