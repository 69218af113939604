//! Tests of each rule.

use super::mate_threat;
use super::material::{Prospect, is_drawn, prospect};
use crate::{RepetitionRule, Xiangqi, XiangqiRules};
use leitai_game::{Cause, Line, Position, Scope, Side, Verdict};

fn line(fen: &str, moves: &str) -> Line<Xiangqi> {
    let mut line = Line::new(Xiangqi::from_fen(fen).unwrap());
    play(&mut line, moves);
    line
}

fn play(line: &mut Line<Xiangqi>, moves: &str) {
    for text in moves.split_whitespace() {
        line.play(line.position().parse_move(text).unwrap());
    }
}

fn judge(line: &Line<Xiangqi>, scope: Scope) -> Option<Verdict> {
    Xiangqi::judge(line, XiangqiRules::default(), scope)
}

/// A red rook chases an unprotected horse.
const CHASE: &str = "5k3/R8/9/2n6/9/9/9/9/9/4K4 w";
const CHASE_CYCLE: &str = "a8a6 c6d8 a6a8 d8c6 ";
/// A red rook gives check with every move.
const CHECKS: &str = "3k5/9/9/9/4R4/9/9/9/9/5K3 w";
const CHECK_CYCLE: &str = "e5d5 d9e9 d5e5 e9d9 ";
/// Both sides give check with every move.
const BOTH_CHECK: &str = "3rka3/3c5/3R5/8P/9/9/p8/9/9/3KC4 w";
const BOTH_CHECK_CYCLE: &str = "d7e7 d8e8 e7d7 e8d8 ";

#[test]
fn in_a_game_the_third_occurrence_counts() {
    for plies in 0..8 {
        let mut line = line(CHASE, &CHASE_CYCLE.repeat(2));
        while line.len() > plies {
            line.undo();
        }
        assert_eq!(judge(&line, Scope::Game), None, "after {plies} plies");
    }
    let line = line(CHASE, &CHASE_CYCLE.repeat(2));
    assert_eq!(line.repetition(Scope::Game), Some(0));
    let black_wins = Verdict::win(Side::Second, Cause::PerpetualChase);
    assert_eq!(judge(&line, Scope::Game), Some(black_wins));
    let rules = XiangqiRules {
        repetition: RepetitionRule::Check,
        ..XiangqiRules::default()
    };
    let draw = Verdict::draw(Cause::Repetition);
    assert_eq!(Xiangqi::judge(&line, rules, Scope::Game), Some(draw));
}

#[test]
fn in_a_search_one_repetition_of_a_position_after_the_root_counts() {
    let black_wins = Some(Verdict::win(Side::Second, Cause::PerpetualChase));
    let twice = line(CHASE, &format!("{CHASE_CYCLE} a8a6"));
    assert_eq!(judge(&twice, Scope::Search { root: 0 }), black_wins);
    assert_eq!(judge(&twice, Scope::Search { root: 1 }), None);
    assert_eq!(judge(&twice, Scope::Search { root: 4 }), None);
    // A repetition of a position before the root still needs the third occurrence.
    let thrice = line(CHASE, &CHASE_CYCLE.repeat(2));
    assert_eq!(judge(&thrice, Scope::Search { root: 7 }), black_wins);
}

#[test]
fn the_first_ten_checks_of_each_side_count_towards_the_limit() {
    let mut line = line(CHECKS, &CHECK_CYCLE.repeat(5));
    assert_eq!(line.position().quiet_plies(), 20);
    assert_eq!(line.position().reversible_plies(), 20);
    // Neither the eleventh check nor the reply to it counts.
    play(&mut line, "e5d5");
    assert_eq!(line.position().quiet_plies(), 20);
    play(&mut line, "d9e9");
    assert_eq!(line.position().quiet_plies(), 20);
    assert_eq!(line.position().reversible_plies(), 22);
    // A move without a check counts, and so does the reply to it.
    play(&mut line, "d5d4 e9e8");
    assert_eq!(line.position().quiet_plies(), 22);
    play(&mut line, "d4e4 e8d8");
    assert_eq!(line.position().quiet_plies(), 22);
    for before in (0..=22).rev() {
        while line.len() > before {
            line.undo();
        }
        assert_eq!(line.position().quiet_plies(), before.min(20) as u32);
    }
}

#[test]
fn the_tens_of_the_two_sides_are_separate() {
    let mut line = line(BOTH_CHECK, &BOTH_CHECK_CYCLE.repeat(5));
    assert_eq!(line.position().quiet_plies(), 20);
    play(&mut line, &BOTH_CHECK_CYCLE.repeat(2));
    assert_eq!(line.position().quiet_plies(), 20);
}

#[test]
fn a_capture_starts_both_counts_anew() {
    let fen = "3k5/9/9/9/3nR4/9/9/9/9/5K3 w - - 7 1";
    let mut line = line(fen, "");
    play(&mut line, "e5d5");
    assert_eq!(line.position().quiet_plies(), 0);
    play(&mut line, "d9e9 d5e5 e9d9");
    assert_eq!(line.position().quiet_plies(), 3);
    play(&mut line, &CHECK_CYCLE.repeat(5));
    // The check by the capture was not one of the ten: nine more count, one does not.
    assert_eq!(line.position().quiet_plies(), 3 + 18);
}

#[test]
fn the_limit_draws_unless_the_last_move_ended_the_game() {
    let fen = |clock| format!("3k4r/9/9/9/9/9/9/9/9/R4K3 w - - {clock} 60");
    let draw = Some(Verdict::draw(Cause::MoveLimit));
    assert_eq!(judge(&line(&fen(118), "a0a1"), Scope::Game), None);
    let limit = line(&fen(118), "a0a1 i9i8");
    assert_eq!(judge(&limit, Scope::Game), draw);
    assert_eq!(judge(&limit, Scope::Search { root: 1 }), draw);
    let rules = XiangqiRules {
        move_limit: false,
        ..XiangqiRules::default()
    };
    assert_eq!(Xiangqi::judge(&limit, rules, Scope::Game), None);

    let mate = line("4k4/8R/R8/9/9/9/9/9/9/3K5 w - - 119 60", "a7a9");
    assert_eq!(mate.position().quiet_plies(), 120);
    assert_eq!(judge(&mate, Scope::Game), None);
    let red_wins = Verdict::win(Side::First, Cause::Checkmate);
    assert_eq!(mate.verdict(XiangqiRules::default()), Some(red_wins));
}

#[test]
fn a_repetition_goes_before_the_limit() {
    let fen = format!("{CHASE} - - 112 1");
    let line = line(&fen, &CHASE_CYCLE.repeat(2));
    assert_eq!(line.position().quiet_plies(), 120);
    let black_wins = Verdict::win(Side::Second, Cause::PerpetualChase);
    assert_eq!(judge(&line, Scope::Game), Some(black_wins));
}

#[test]
fn material_falls_into_its_classes() {
    use Prospect::{Dead, DeadButForMate, Open};
    // Only the two home ranks have pieces.
    for (black, red, expected) in [
        ("4k4", "3K5", Dead),
        ("2bakab2", "2BK1AB2", Dead),
        // A lone cannon without advisors.
        ("4k4", "C2K5", Dead),
        ("2b1k1b2", "C1BK2B2", Dead),
        ("4ka3", "C2K5", Dead),
        ("2b1ka3", "C2K5", Dead),
        ("4ka3", "C1BK5", DeadButForMate),
        ("3aka3", "C2K5", DeadButForMate),
        ("3aka3", "C1BK5", Open),
        ("4k4", "C2K1A3", Open),
        ("c3k4", "3K1AB2", Dead),
        ("c1b1k4", "3K1AB2", DeadButForMate),
        ("c3ka3", "3K5", Open),
        // A cannon each.
        ("c3k4", "C2K5", Dead),
        ("c1b1k4", "C2K5", DeadButForMate),
        ("c3k4", "C2K2B2", DeadButForMate),
        ("c3ka3", "C2K5", Open),
        ("c3k4", "C2K1A3", Open),
        // Anything else.
        ("4k4", "CC1K5", Open),
        ("c3k4", "CC1K5", Open),
        ("4k4", "N2K5", Open),
        ("4k4", "R2K5", Open),
        ("n3k4", "C2K5", Open),
        ("c3k3P", "3K5", Open),
        ("4k3P", "3K5", Open),
    ] {
        let fen = format!("{black}/9/9/9/9/9/9/9/9/{red} w");
        let position = Xiangqi::from_fen(&fen).unwrap();
        assert_eq!(prospect(&position), expected, "{fen}");
        if expected != DeadButForMate {
            assert_eq!(is_drawn(&position), expected == Dead, "{fen}");
        }
    }
}

#[test]
fn the_start_of_a_line_is_not_judged() {
    let mut line = line("3k5/9/9/9/9/9/9/9/9/5K3 w", "");
    assert_eq!(judge(&line, Scope::Game), None);
    play(&mut line, "f0f1");
    let draw = Verdict::draw(Cause::Material);
    assert_eq!(judge(&line, Scope::Game), Some(draw));
    let rules = XiangqiRules {
        material: false,
        ..XiangqiRules::default()
    };
    assert_eq!(Xiangqi::judge(&line, rules, Scope::Game), None);
}

#[test]
fn threats_of_mate_need_checks_without_a_pause() {
    for (fen, checks) in [
        // Two rooks mate on the last ranks.
        ("4k4/8R/R8/9/9/9/9/9/9/3K5 b", Some(1)),
        ("4k4/9/8R/R8/9/9/9/9/9/3K5 b", Some(2)),
        // A rook alone, and two advisors that shield their king.
        ("4k4/9/9/9/8R/9/9/9/9/3K5 b", None),
        ("3aka3/8R/R8/9/9/9/9/9/9/3K5 b", None),
    ] {
        let position = Xiangqi::from_fen(fen).unwrap();
        assert_eq!(
            mate_threat::is_threatened(&position),
            checks.is_some(),
            "{fen}"
        );
        let mut to_mate = position.clone();
        to_mate.pass();
        let least = (1..=3).find(|&checks| mate_threat::can_mate(&mut to_mate, checks));
        assert_eq!(least, checks, "{fen}");
    }
}
