//! Properties of the evaluation as a whole.

use proptest::prelude::*;

use super::numbers::{NUMBERS, TABLE, term};
use super::*;
use crate::{Kind, Xiangqi};
use leitai_base::settings::Settings;
use leitai_game::eval::{Evaluation, MAX_EVAL, Score};
use leitai_game::numbers::EvalParams;
use leitai_game::{Move, MoveList, Position};

impl XiangqiParams {
    fn phase_mut(&mut self, phase: Phase) -> &mut Weights {
        match phase {
            Phase::Middle => &mut self.middle,
            Phase::End => &mut self.end,
        }
    }
}

/// The paths and the meanings of all terms, in order.
pub(super) fn named_terms() -> Vec<(String, &'static str)> {
    let none = Terms::default();
    let terms = |(group, settings): (&'static str, &dyn Settings)| {
        let list = settings.list().iter();
        list.map(move |setting| (format!("{group}.{}", setting.name), setting.meaning))
    };
    none.groups().into_iter().flat_map(terms).collect()
}

/// Parameters with independent random values.
fn any_params() -> impl Strategy<Value = XiangqiParams> {
    prop::collection::vec(-200_i64..=200, NUMBERS)
        .prop_map(|values| XiangqiParams::of(&EvalParams::new(&TABLE, values)).unwrap())
}

/// The same with tables that are their own mirror image.
fn any_symmetric_params() -> impl Strategy<Value = XiangqiParams> {
    any_params().prop_map(|mut params| {
        for phase in Phase::BOTH {
            for row in params.phase_mut(phase).pst.as_flattened_mut() {
                let left: [i32; 4] = std::array::from_fn(|file| row[file]);
                for (file, value) in left.into_iter().enumerate() {
                    row[8 - file] = value;
                }
            }
        }
        params
    })
}

fn any_choices() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..160)
}

/// The position after the moves that `choices` selects: a capture if the number is odd and there is
/// one, so that games reach endgames.
fn walk(choices: &[u8], mut visit: impl FnMut(&Xiangqi, Move)) -> Xiangqi {
    let mut position = Xiangqi::initial();
    for &choice in choices {
        let mut moves = MoveList::new();
        if choice % 2 == 1 {
            position.legal_captures(&mut moves);
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

/// The position with the text of its board transformed by `board`.
fn with_board(position: &Xiangqi, board: impl Fn(&str) -> String, swap: bool) -> Xiangqi {
    let fen = position.to_fen();
    let (old, rest) = fen.split_once(' ').unwrap();
    let (turn, rest) = rest.split_at(1);
    let turn = match (turn, swap) {
        ("w", true) | ("b", false) => "b",
        _ => "w",
    };
    Xiangqi::from_fen(&format!("{} {turn}{rest}", board(old))).unwrap()
}

/// The same position with the players exchanged: the board rotated, the colours and the turn
/// swapped.
pub(super) fn exchanged(position: &Xiangqi) -> Xiangqi {
    let swap = |c: char| {
        if c.is_ascii_uppercase() {
            c.to_ascii_lowercase()
        } else {
            c.to_ascii_uppercase()
        }
    };
    with_board(
        position,
        |board| board.chars().rev().map(swap).collect(),
        true,
    )
}

/// The mirrored position: left and right exchanged.
pub(super) fn mirrored(position: &Xiangqi) -> Xiangqi {
    let mirror = |row: &str| row.chars().rev().collect::<String>();
    let board = |board: &str| board.split('/').map(mirror).collect::<Vec<_>>().join("/");
    with_board(position, board, false)
}

fn evaluated(params: &XiangqiParams, position: &Xiangqi) -> Score {
    let eval = XiangqiEvaluation::new(params);
    eval.evaluate(position, eval.accumulate(position))
}

proptest! {
    #[test]
    fn the_balance_kept_up_is_that_of_the_board(params in any_params(), choices in any_choices()) {
        let eval = XiangqiEvaluation::new(&params);
        let mut balance = eval.accumulate(&Xiangqi::initial());
        let end = walk(&choices, |before, mv| {
            assert_eq!(balance, eval.accumulate(before));
            balance = eval.advance(balance, before, mv);
        });
        prop_assert_eq!(balance, eval.accumulate(&end));
    }

    #[test]
    fn exchanging_the_players_changes_nothing(params in any_params(), choices in any_choices()) {
        let position = walk(&choices, |_, _| {});
        let other = exchanged(&position);
        prop_assert_eq!(evaluated(&params, &position), evaluated(&params, &other));
        prop_assert_eq!(features(&position), features(&other));
    }

    /// Without the tempo bonus, the value for one side is the opposite of that for the other.
    #[test]
    fn the_turn_changes_the_sign(mut params in any_params(), choices in any_choices()) {
        params.tempo = 0;
        let position = walk(&choices, |_, _| {});
        if position.in_check() {
            // The other side cannot be to move: it would take the king.
            return Ok(());
        }
        let other = with_board(&position, str::to_owned, true);
        prop_assert_eq!(evaluated(&params, &position), -evaluated(&params, &other));
    }

    #[test]
    fn left_and_right_are_the_same(
        params in any_symmetric_params(),
        choices in any_choices(),
    ) {
        let position = walk(&choices, |_, _| {});
        prop_assert_eq!(
            evaluated(&params, &position),
            evaluated(&params, &mirrored(&position))
        );
    }

    #[test]
    fn the_value_is_the_sum_of_the_features(params in any_params(), choices in any_choices()) {
        let position = walk(&choices, |_, _| {});
        let features = features(&position);
        prop_assert!(features.is_sorted_by(|one, other| one.0 < other.0));
        let values = params.values();
        let product = |&(index, coefficient): &(usize, i32)| {
            values.values()[index] as f64 * f64::from(coefficient)
        };
        let sum = features.iter().map(product).sum::<f64>() / f64::from(PHASES);
        let sum = sum.clamp(f64::from(-MAX_EVAL), f64::from(MAX_EVAL));
        let value = f64::from(evaluated(&params, &position));
        prop_assert!((value - sum).abs() < 1.0, "{} {}", value, sum);
    }

    /// A group without weights is not counted, which must make no difference.
    #[test]
    fn groups_without_weights_count_for_nothing(
        params in any_params(),
        choices in any_choices(),
        dropped in prop::collection::vec(any::<bool>(), Terms::GROUPS),
    ) {
        let position = walk(&choices, |_, _| {});
        let mut without = params.values();
        let mut place = 0;
        let mut gone = [false; Terms::COUNT];
        for ((_, group), dropped) in Terms::default().groups().into_iter().zip(dropped) {
            gone[place..place + group.list().len()].fill(dropped);
            place += group.list().len();
        }
        for phase in Phase::BOTH {
            for place in (0..Terms::COUNT).filter(|&place| gone[place]) {
                without.set(TABLE.entry(term(phase, place)).unwrap(), 0);
            }
        }
        let sum: i64 = features(&position)
            .into_iter()
            .map(|(index, n)| without.values()[index] * i64::from(n))
            .sum();
        let without = XiangqiParams::of(&without).unwrap();
        let value = i64::from(evaluated(&without, &position));
        prop_assert!((value * i64::from(PHASES) - sum).abs() < i64::from(PHASES));
    }
}

#[test]
fn the_parts_add_up_and_stay_in_bounds() {
    let mut params = XiangqiParams {
        tempo: 3,
        ..XiangqiParams::default()
    };
    for phase in Phase::BOTH {
        let weights = params.phase_mut(phase);
        weights.material[Kind::Rook.index()] = 200;
        // For Red a5 is in the fifth row from the far side, for Black i4.
        weights.pst[Kind::Rook.index()][4][0] = 7;
    }
    let evaluated =
        |params: &XiangqiParams, fen: &str| evaluated(params, &Xiangqi::from_fen(fen).unwrap());
    let red = "3k5/9/9/9/R8/9/9/9/9/5K3 w - - 0 1";
    assert_eq!(evaluated(&params, red), 210);
    assert_eq!(evaluated(&params, &red.replace('w', "b")), -204);
    let black = "3k5/9/9/9/9/8r/9/9/9/5K3 b - - 0 1";
    assert_eq!(evaluated(&params, black), 210);
    // With one rook of four the phase is 2 of 16.
    params.end.material[Kind::Rook.index()] = 216;
    assert_eq!(evaluated(&params, red), 210 + 14);
    params.middle.terms.rooks.open_file = 80;
    assert_eq!(evaluated(&params, red), 210 + 14 + 10);
    params.end.terms.rooks.open_file = -32;
    assert_eq!(evaluated(&params, red), 210 + 14 + 10 - 28);
    params.middle.material[Kind::Rook.index()] = i32::MAX;
    assert_eq!(evaluated(&params, red), MAX_EVAL);
    assert_eq!(evaluated(&params, &red.replace('w', "b")), -MAX_EVAL);
}

#[test]
fn nothing_overflows() {
    for extreme in [i32::MAX, i32::MIN] {
        let extremes = vec![i64::from(extreme); NUMBERS];
        let mut params = XiangqiParams::of(&EvalParams::new(&TABLE, extremes)).unwrap();
        for phase in Phase::BOTH {
            let terms = &mut params.phase_mut(phase).terms;
            terms.mobility.rook = extreme;
            terms.threats.rook = extreme;
        }
        let value = evaluated(&params, &Xiangqi::initial());
        assert_eq!(value, extreme.clamp(-MAX_EVAL, MAX_EVAL));
    }
}
