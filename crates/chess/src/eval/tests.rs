//! Properties of the whole evaluation.

use proptest::prelude::*;

use super::numbers::{NUMBERS, TABLE, TEMPO, first, term};
use super::terms::{COUNT, GROUPS};
use super::*;
use crate::Chess;
use leitai_config::eval_preset;
use leitai_game::eval::{Evaluation, MAX_EVAL, Score};
use leitai_game::numbers::EvalParams;
use leitai_game::search::Tactics;
use leitai_game::{Move, MoveList, Position};

/// A random value for every number.
fn any_params() -> impl Strategy<Value = EvalParams> {
    prop::collection::vec(-200_i64..=200, NUMBERS)
        .prop_map(|values| EvalParams::new(&TABLE, values))
}

/// Presets and random numbers.
fn some_params() -> impl Strategy<Value = EvalParams> {
    let presets = TABLE.presets.iter();
    let presets: Vec<_> = presets
        .map(|preset| eval_preset(&TABLE, preset.name).unwrap())
        .collect();
    prop_oneof![2 => any_params(), 1 => prop::sample::select(presets)]
}

fn any_choices() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..200)
}

/// Start positions: the usual one, one with castling from unusual squares, and one whose pawns are
/// soon promoted or taken en passant.
const STARTS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "nrbkqrbn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQRBN w FBfb - 0 1",
    "4k3/PPP1p3/8/3P4/3p4/8/4Pppp/3K4 w - - 0 1",
    "r3k2r/8/8/pPpPpPpP/PpPpPpPp/8/8/R3K2R w KQkq - 0 1",
];

/// The position after the moves chosen by `choices`: for an odd number a capture or promotion if
/// there is one, to reach endgames.
fn walk(choices: &[u8], mut visit: impl FnMut(&Chess, Move)) -> Chess {
    let start = choices.first().map_or(0, |&choice| usize::from(choice));
    let mut position = Chess::from_fen(STARTS[start % STARTS.len()]).unwrap();
    for &choice in choices {
        let mut moves = MoveList::new();
        if choice % 2 == 1 {
            position.captures(&mut moves);
        }
        if moves.is_empty() {
            position.legal_moves(&mut moves);
        }
        let Some(&mv) = moves.get(usize::from(choice / 2) % moves.len().max(1)) else {
            break;
        };
        visit(&position, mv);
        position.make(mv);
    }
    position
}

/// The same position with the players exchanged: ranks flipped, colours and turn swapped.
fn exchanged(position: &Chess) -> Chess {
    let fen = position.to_fen();
    let fields: Vec<&str> = fen.split(' ').collect();
    let swap = |text: &str| -> String {
        let letters = text.chars().map(|c| {
            if c.is_ascii_uppercase() {
                c.to_ascii_lowercase()
            } else {
                c.to_ascii_uppercase()
            }
        });
        letters.collect()
    };
    let board: Vec<String> = fields[0].split('/').rev().map(swap).collect();
    let turn = if fields[1] == "w" { "b" } else { "w" };
    let passed = match fields[3] {
        "-" => "-".to_owned(),
        square => {
            let rank = if square.ends_with('3') { '6' } else { '3' };
            format!("{}{rank}", &square[..1])
        }
    };
    let rights = swap(fields[2]);
    let fen = format!("{} {turn} {rights} {passed} 0 1", board.join("/"));
    Chess::from_fen(&fen).unwrap()
}

fn evaluated(params: &EvalParams, position: &Chess) -> Score {
    let eval = ChessEvaluation::of(params).unwrap();
    eval.evaluate(position, eval.accumulate(position))
}

fn all_features(position: &Chess) -> Vec<(usize, i32)> {
    let mut all = Vec::new();
    features(position, &mut |index, coefficient| {
        all.push((index, coefficient));
    });
    all
}

proptest! {
    #[test]
    fn the_balance_kept_up_is_that_of_the_board(params in any_params(), choices in any_choices()) {
        let eval = ChessEvaluation::of(&params).unwrap();
        let mut balance = None;
        let end = walk(&choices, |before, mv| {
            let here = eval.accumulate(before);
            assert_eq!(balance.unwrap_or(here), here);
            balance = Some(eval.advance(here, before, mv));
        });
        let here = eval.accumulate(&end);
        prop_assert_eq!(balance.unwrap_or(here), here);
    }

    #[test]
    fn exchanging_the_players_changes_nothing(params in any_params(), choices in any_choices()) {
        let position = walk(&choices, |_, _| {});
        let other = exchanged(&position);
        prop_assert_eq!(evaluated(&params, &position), evaluated(&params, &other));
        prop_assert_eq!(all_features(&position), all_features(&other));
    }

    /// Except for the tempo, the value for one side is the negative of the value for the other.
    #[test]
    fn the_turn_changes_the_sign(mut params in any_params(), choices in any_choices()) {
        params.set(TABLE.entry(TEMPO).unwrap(), 0);
        let mut position = walk(&choices, |_, _| {});
        let value = evaluated(&params, &position);
        if position.make_null().is_some() {
            prop_assert_eq!(value, -evaluated(&params, &position));
        }
    }

    #[test]
    fn the_value_is_the_sum_of_the_features(params in some_params(), choices in any_choices()) {
        let position = walk(&choices, |_, _| {});
        let features = all_features(&position);
        prop_assert!(features.is_sorted_by(|one, other| one.0 < other.0));
        let product = |&(index, coefficient): &(usize, i32)| {
            params.values()[index] as f64 * f64::from(coefficient)
        };
        let sum = features.iter().map(product).sum::<f64>() / f64::from(PHASES);
        let sum = sum.clamp(f64::from(-MAX_EVAL), f64::from(MAX_EVAL));
        let value = f64::from(evaluated(&params, &position));
        prop_assert!((value - sum).abs() < 1.0, "{} {}", value, sum);
    }

    /// A group without weights is not counted, which must not change the value.
    #[test]
    fn groups_without_weights_count_for_nothing(
        params in any_params(),
        choices in any_choices(),
        dropped in prop::collection::vec(any::<bool>(), GROUPS.len()),
    ) {
        let position = walk(&choices, |_, _| {});
        let weights = |group: &terms::Group| -> usize {
            group.terms.iter().map(terms::Term::weights).sum()
        };
        let gone: Vec<bool> = GROUPS.iter().zip(dropped)
            .flat_map(|(group, dropped)| vec![dropped; weights(group)])
            .collect();
        prop_assert_eq!(gone.len(), COUNT);
        let mut without = params;
        for place in (0..COUNT).filter(|&place| gone[place]) {
            for phase in 0..2 {
                without.set(TABLE.entry(first(phase) + term(place)).unwrap(), 0);
            }
        }
        let sum: i64 = all_features(&position)
            .into_iter()
            .map(|(index, n)| without.values()[index] * i64::from(n))
            .sum();
        let value = i64::from(evaluated(&without, &position));
        let most = i64::from(MAX_EVAL);
        let sum = (sum as f64 / f64::from(PHASES)).clamp(-most as f64, most as f64);
        prop_assert!((value as f64 - sum).abs() < 1.0);
    }
}

#[test]
fn the_parts_add_up_and_stay_in_bounds() {
    let mut params = EvalParams::defaults(&TABLE);
    let mut set = |path: &str, value: i64| {
        assert!(params.set(TABLE.find(path).unwrap(), value), "{path}");
        params.clone()
    };
    let evaluated =
        |params: &EvalParams, fen: &str| evaluated(params, &Chess::from_fen(fen).unwrap());
    set("tempo", 3);
    set("material.rook", 500);
    set("end.material.rook", 500);
    // a5 is in the fourth row from White's far side, and a4 from Black's.
    set("pst.rook[3][0]", 7);
    let rook = set("end.pst.rook[3][0]", 7);
    let white = "3k4/8/8/R7/8/8/8/5K2 w - - 0 1";
    assert_eq!(evaluated(&rook, white), 510);
    assert_eq!(evaluated(&rook, &white.replace('w', "b")), -504);
    let black = "3k4/8/8/8/r7/8/8/5K2 b - - 0 1";
    assert_eq!(evaluated(&rook, black), 510);
    // With one rook the phase is 2 of 24.
    let more = set("end.material.rook", 524);
    assert_eq!(evaluated(&more, white), 510 + 22);
    let term = set("pieces.rook_open_file", 120);
    assert_eq!(evaluated(&term, white), 510 + 22 + 10);
    set("material.queen", 9000);
    let queens = set("end.material.queen", 9000);
    let white = "7k/8/8/QQ6/8/8/8/5K2 w - - 0 1";
    assert_eq!(evaluated(&queens, white), MAX_EVAL);
    assert_eq!(evaluated(&queens, &white.replace('w', "b")), -MAX_EVAL);
}

#[test]
fn nothing_overflows() {
    for extreme in [1, -1] {
        let extremes = TABLE.entries().map(|entry| {
            let (least, most) = entry.range();
            if extreme > 0 { most } else { least }
        });
        let params = EvalParams::new(&TABLE, extremes);
        let white = Chess::from_fen("QQQQQQQQ/QQQQQQQ1/8/8/8/8/k7/7K b - - 0 1").unwrap();
        assert_eq!(evaluated(&params, &white), -extreme * MAX_EVAL);
    }
}

#[test]
fn prizes_are_captures_and_gains_of_promotions() {
    let params = eval_preset(&TABLE, "plain").unwrap();
    let eval = ChessEvaluation::of(&params).unwrap();
    let position = |fen: &str| Chess::from_fen(fen).unwrap();
    for (fen, mv, expected) in [
        ("3rk3/4P3/8/3pP3/8/8/8/3R1K2 w - d6 0 1", "e7d8q", 500 + 800),
        ("3rk3/4P3/8/3pP3/8/8/8/3R1K2 w - d6 0 1", "e7d8n", 500 + 200),
        ("3rk3/4P3/8/3pP3/8/8/8/3R1K2 w - d6 0 1", "e5d6", 100),
        ("3rk3/4P3/8/3pP3/8/8/8/3R1K2 w - d6 0 1", "d1d5", 100),
        ("3rk3/4P3/8/3pP3/8/8/8/3R1K2 w - d6 0 1", "d1d4", 0),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", 0),
    ] {
        let position = position(fen);
        let mv = position.parse_move(mv).unwrap();
        assert_eq!(eval.prize(&position, mv), expected, "{fen} {mv:?}");
    }
}
