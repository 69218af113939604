//! Zones are closed and sound.

use proptest::prelude::*;

use super::{at, board, cases, names, played};
use crate::reading::zone::{Replies, close, close_replies, extended, lift_own, taken, untried};
use crate::reading::{CaptureParams, Kos, LadderOutcome, ladder, ladder_zone};
use crate::{Board, Colour, Point, PointSet};

#[test]
fn a_stone_next_to_the_target_belongs_to_the_zone_of_its_capture() {
    // Black takes A1 at A2. White would save it at F1 by taking the adjacent stones.
    let rows = [
        ".......", ".......", ".......", ".......", ".......", ".OOOO..", "OXXXX..",
    ];
    let board = board(&rows);
    let zone = taken(&board, at(&board, "A1"), at(&board, "A2"));
    assert!(zone.contains(at(&board, "F1")), "{}", names(&board, zone));
    assert!(!zone.contains(at(&board, "G7")));
    let mut saved = board.clone();
    assert_eq!(saved.play(at(&board, "F1"), Colour::White), 4);
    assert_eq!(saved.captures(at(&board, "A2"), Colour::Black), 0);
}

fn sets(board: &Board, bits: &[u64]) -> PointSet {
    let points = Point::all(board.size()).zip(bits.iter().cycle());
    points
        .filter(|(_, bits)| **bits % 4 == 0)
        .map(|(point, _)| point)
        .collect()
}

/// Returns whether the attacker takes the target within a number of plies, and the zone of the
/// capture. The defender's replies are the pass and those that the zone needs, or all of them.
fn take(
    board: &mut Board,
    target: Point,
    to_move: Colour,
    kos: Kos,
    plies: u32,
    by_zone: bool,
) -> Option<PointSet> {
    let defender = board.at(target)?;
    let attacker = defender.other();
    if plies == 0 {
        return None;
    }
    if to_move == attacker {
        let points = *board.empties();
        for point in points {
            if !kos.may_play(board, point, attacker, defender) {
                continue;
            }
            if board.captures(point, attacker) > 0
                && board.liberty_count(target) == 1
                && board.liberties(target).contains(point)
            {
                return Some(taken(board, target, point));
            }
            board.play(point, attacker);
            let child = take(board, target, defender, kos, plies - 1, by_zone);
            board.undo();
            if let Some(mut zone) = child {
                lift_own(board, point, &mut zone, attacker);
                return Some(zone);
            }
        }
        return None;
    }
    board.pass();
    let child = take(board, target, attacker, kos, plies - 1, by_zone);
    board.undo();
    let mut zone = child?;
    let mut tried = PointSet::EMPTY;
    let replies = Replies::of(kos.may_take(false));
    loop {
        close_replies(board, &mut zone, attacker, &replies);
        let within = if by_zone { zone } else { *board.empties() };
        let open = untried(board, &within, &tried, defender, &replies);
        if open.is_empty() {
            return Some(zone);
        }
        for reply in open {
            tried.insert(reply);
            board.play(reply, defender);
            let child = take(board, target, attacker, kos, plies - 1, by_zone);
            board.undo();
            zone |= child?;
        }
    }
}

/// Makes legal plays of `colour` outside the zone, chosen by `picks`.
fn play_outside(board: &mut Board, zone: &PointSet, colour: Colour, picks: &[u16]) {
    for pick in picks {
        let open = (*board.empties() - *zone).iter();
        let legal: Vec<Point> = open.filter(|&it| !board.is_suicide(it, colour)).collect();
        if let Some(&point) = legal.get(usize::from(*pick) % legal.len().max(1)) {
            board.play(point, colour);
        }
    }
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn closed_zones_stay_closed_and_hold_the_blocks_of_the_prover(
        board in played(4..=7, 70),
        bits in proptest::collection::vec(any::<u64>(), 49),
    ) {
        for prover in Colour::BOTH {
            let mut zone = sets(&board, &bits);
            let start = zone;
            close(&board, &mut zone, prover);
            prop_assert!(start.is_subset(&zone));
            let mut again = zone;
            close(&board, &mut again, prover);
            prop_assert_eq!(again, zone);
            for point in zone & *board.all(prover) {
                prop_assert!(board.stones(point).is_subset(&zone));
                prop_assert!(board.liberties(point).is_subset(&zone));
            }
            close_replies(&board, &mut zone, prover, &Replies::of(false));
            let mut again = zone;
            close_replies(&board, &mut again, prover, &Replies::of(false));
            prop_assert_eq!(again, zone);
        }
    }

    #[test]
    fn plays_outside_change_nothing_inside(
        board in played(4..=7, 70),
        bits in proptest::collection::vec(any::<u64>(), 49),
        picks in proptest::collection::vec(any::<u16>(), 8),
    ) {
        for prover in Colour::BOTH {
            let mut zone = sets(&board, &bits);
            close(&board, &mut zone, prover);
            let mut after = board.clone();
            play_outside(&mut after, &zone, prover.other(), &picks);
            for point in zone {
                prop_assert_eq!(after.at(point), board.at(point));
                if board.at(point) == Some(prover) {
                    prop_assert_eq!(after.stones(point), board.stones(point));
                    prop_assert_eq!(after.liberties(point), board.liberties(point));
                }
            }
        }
    }

    #[test]
    fn a_play_of_the_prover_takes_the_same_after_plays_outside(
        board in played(4..=7, 70),
        bits in proptest::collection::vec(any::<u64>(), 49),
        picks in proptest::collection::vec(any::<u16>(), 8),
    ) {
        for prover in Colour::BOTH {
            let legal = |&it: &Point| !board.is_suicide(it, prover);
            for point in board.empties().iter().filter(legal) {
                let mut zone = sets(&board, &bits);
                lift_own(&board, point, &mut zone, prover);
                let mut after = board.clone();
                play_outside(&mut after, &zone, prover.other(), &picks);
                prop_assert!(!after.is_suicide(point, prover));
                prop_assert_eq!(after.captures(point, prover), board.captures(point, prover));
                prop_assert_eq!(after.is_ko_capture(point, prover), board.is_ko_capture(point, prover));
                let mut before = board.clone();
                before.play(point, prover);
                after.play(point, prover);
                for point in zone {
                    prop_assert_eq!(after.at(point), before.at(point));
                }
            }
        }
    }

    #[test]
    fn an_extension_is_one_after_plays_outside(
        board in played(4..=9, 70),
        picks in proptest::collection::vec(any::<u16>(), 8),
    ) {
        for target in Point::all(board.size()) {
            let Some(defender) = board.at(target) else { continue };
            for point in board.liberties(target) {
                if board.is_suicide(point, defender) {
                    continue;
                }
                let zone = extended(&mut board.clone(), target, point);
                let [before, after] = [false, true].map(|plays| {
                    let mut board = board.clone();
                    if plays {
                        play_outside(&mut board, &zone, defender.other(), &picks);
                    }
                    board.play(point, defender);
                    board.liberty_count(target)
                });
                prop_assert!(after >= before);
            }
        }
    }

    #[test]
    fn a_ladder_works_whatever_is_played_outside_its_zone(
        board in played(4..=7, 70),
        picks in proptest::collection::vec(any::<u16>(), 4),
    ) {
        let mut board = board;
        let params = CaptureParams::default();
        let stones = *board.all(Colour::Black) | *board.all(Colour::White);
        for target in stones {
            let defender = board.at(target).unwrap();
            for (to_move, kos) in [
                (Colour::Black, Kos::Attacker),
                (Colour::White, Kos::Attacker),
                (Colour::Black, Kos::Defender),
                (Colour::White, Kos::Defender),
            ] {
                let (outcome, zone) = ladder_zone(&mut board, target, to_move, kos, &params);
                if let LadderOutcome::Captured(_) = outcome {
                    let mut after = board.clone();
                    play_outside(&mut after, &zone, defender, &picks);
                    let outcome = ladder(&mut after, target, to_move, kos, &params);
                    prop_assert!(
                        matches!(outcome, LadderOutcome::Captured(_)),
                        "{board:?} {after:?} {} {kos:?}: {}", target.name(board.size()),
                        names(&board, zone)
                    );
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn replies_outside_the_zone_need_not_be_tried(board in played(3..=4, 40)) {
        let mut board = board;
        let stones = *board.all(Colour::Black) | *board.all(Colour::White);
        for target in stones.iter().filter(|&it| board.block(it) == it).collect::<Vec<_>>() {
            for to_move in Colour::BOTH {
                for kos in [Kos::Attacker, Kos::Defender] {
                    let by_zone = take(&mut board, target, to_move, kos, 4, true);
                    let by_all = take(&mut board, target, to_move, kos, 4, false);
                    prop_assert_eq!(
                        by_zone.is_some(), by_all.is_some(),
                        "{:?} {} {:?} {:?}", board, target.name(board.size()), to_move, kos
                    );
                }
            }
        }
    }
}
