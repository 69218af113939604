//! Compares the evaluation with a slow walk over the board.

mod board;

use proptest::prelude::*;

use super::numbers::{DISCS, NUMBERS, OF_STAGE, TABLE, term, tuple};
use super::params::disc_values;
use super::terms::EDGES;
use super::*;
use crate::tests::any_position;
use crate::{EmptySquares, Othello, OthelloRules, square_name};
use board::Board;
use leitai_base::settings::Settings;
use leitai_game::eval::{Evaluation, MATE, MAX_EVAL};
use leitai_game::numbers::EvalParams;
use leitai_game::{Position, Side};

impl OthelloParams {
    /// The values, in the order of the table.
    pub(super) fn values(&self) -> EvalParams {
        let values = Stage::ALL.into_iter().flat_map(|stage| self.stage(stage));
        EvalParams::new(&TABLE, values.map(|&value| value.into()))
    }
}

/// The paths and the meanings of all terms, in order.
pub(super) fn named_terms() -> Vec<(String, &'static str)> {
    let none = Terms::default();
    let alone = Settings::list(&none).iter();
    let alone = alone.map(|setting| (setting.name.to_owned(), setting.meaning));
    let edges = none.edges.list().iter();
    let edges = edges.map(|setting| (format!("edges.{}", setting.name), setting.meaning));
    alone.chain(edges).collect()
}

fn evaluation(params: &OthelloParams) -> OthelloEvaluation {
    OthelloEvaluation::new(params, OthelloRules::default())
}

fn with_other_side(position: &Othello) -> Othello {
    let [black, white] = Side::BOTH.map(|side| position.discs(side));
    Othello::new(black, white, position.side_to_move().other()).unwrap()
}

fn with_colours_exchanged(position: &Othello) -> Othello {
    let [black, white] = Side::BOTH.map(|side| position.discs(side));
    Othello::new(white, black, position.side_to_move().other()).unwrap()
}

/// Positions of games, from the start to the end, with any number of discs.
fn any_played() -> impl Strategy<Value = Othello> {
    prop::collection::vec(any::<usize>(), 0..60).prop_map(|choices| {
        let mut position = Othello::initial();
        for choice in choices {
            let mut moves = leitai_game::MoveList::new();
            position.legal_moves(&mut moves);
            let Some(&mv) = moves.get(choice % moves.len().max(1)) else {
                break;
            };
            position.make(mv);
        }
        position
    })
}

/// Played positions, and any placement of discs.
fn any_board() -> impl Strategy<Value = Othello> {
    prop_oneof![any_played(), any_position()]
}

/// The kinds of numbers that are not 0.
#[derive(Clone, Copy, Debug)]
struct Kinds {
    terms: bool,
    tuples: bool,
    stages: bool,
}

fn any_kinds() -> impl Strategy<Value = Kinds> {
    any::<[bool; 3]>().prop_map(|[terms, tuples, stages]| Kinds {
        terms,
        tuples,
        stages,
    })
}

/// Numbers of some kinds; a third of the terms and tuples have no weight.
fn any_params() -> impl Strategy<Value = OthelloParams> {
    (any_kinds(), any::<u64>()).prop_map(|(kinds, seed)| {
        let mut state = seed;
        let mut next = |most: i32| {
            state = state
                .wrapping_mul(0x5851_f42d_4c95_7f2d)
                .wrapping_add(0x1405);
            (state >> 33) as i32 % (2 * most + 1) - most
        };
        let mut values: Vec<i64> = Vec::new();
        for index in 0..NUMBERS {
            let in_stage = index % OF_STAGE;
            let (wanted, most) = match in_stage {
                ..DISCS => (true, 200),
                DISCS => (true, 50),
                place if place < term(Terms::COUNT) => (kinds.terms && next(2) != 0, 100),
                _ => (kinds.tuples && next(2) != 0, 40),
            };
            values.push(if !wanted {
                0
            } else if kinds.stages || index < OF_STAGE {
                next(most).into()
            } else {
                values[in_stage]
            });
        }
        OthelloParams::of(&EvalParams::new(&TABLE, values)).unwrap()
    })
}

/// The eight images of a square under the symmetries of the board.
fn images_of(square: u8) -> [u8; 8] {
    let (f, r) = (square % 8, square / 8);
    let (g, s) = (7 - f, 7 - r);
    [
        (f, r),
        (g, r),
        (f, s),
        (g, s),
        (r, f),
        (s, f),
        (r, g),
        (s, g),
    ]
    .map(|(file, row)| 8 * row + file)
}

/// The count of each pattern of a class: over the distinct images of the tuple that names it, each
/// read in the mapped order.
fn pattern_counts(position: &Othello, length: Length, class: usize) -> Vec<i32> {
    let side = position.side_to_move();
    let (own, enemy) = (position.discs(side), position.discs(side.other()));
    let name = length.shape().names[class];
    let squares = name[..length.squares()]
        .iter()
        .map(|&square| images_of(square));
    let squares: Vec<[u8; 8]> = squares.collect();
    let mut images: Vec<Vec<u8>> = (0..8)
        .map(|symmetry| squares.iter().map(|images| images[symmetry]).collect())
        .collect();
    images.sort();
    images.dedup();
    let mut counts = vec![0; length.patterns()];
    for image in images {
        let pattern = image.iter().fold(0, |pattern, square| {
            let digit = (own >> square & 1) + 2 * (enemy >> square & 1);
            3 * pattern + digit as usize
        });
        counts[pattern] += 1;
    }
    counts
}

/// The value in units of 1 / [`UNIT`], computed number by number.
fn slow_value(position: &Othello, params: &OthelloParams) -> i32 {
    let board = Board::of(position);
    let discs = 64 - position.empties();
    let mut sum = 0;
    for (stage, share) in Stage::ALL.into_iter().zip(Stage::shares(discs)) {
        let weights = params.stage(stage);
        let mut value = 0;
        for (file, row) in Board::squares() {
            let disc = board.at(file, row).unwrap();
            value += disc * disc_values(weights)[(8 * row + file) as usize];
        }
        for ((term, _), weight) in named_terms().iter().zip(&weights[term(0)..]) {
            if *weight != 0 {
                value += weight * board.term(term);
            }
        }
        for length in Length::ALL {
            let weights = &weights[tuple(length, 0, 0)..][..length.weights()];
            for (class, weights) in weights.chunks(length.patterns()).enumerate() {
                let counts = pattern_counts(position, length, class);
                let products = weights.iter().zip(counts);
                value += products.map(|(weight, count)| weight * count).sum::<i32>();
            }
        }
        sum += share * value;
    }
    sum
}

proptest! {
    // A walk over the board is slow.
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn terms_equal_counts_of_a_walk_over_the_board(position in any_board()) {
        let board = Board::of(&position);
        for (place, (term, _)) in named_terms().iter().enumerate() {
            let count = count::term(place, &position);
            prop_assert_eq!(count, board.term(term), "{}", term);
        }
    }

    #[test]
    fn the_value_is_the_sum_of_all_parts(position in any_board(), params in any_params()) {
        let exact = slow_value(&position, &params) / UNIT;
        let value = evaluation(&params).evaluate(&position, ());
        prop_assert_eq!(value, exact.clamp(-MAX_EVAL, MAX_EVAL));
    }

    /// Evaluations with special implementations, with and without edges and stages.
    #[test]
    fn simple_evaluations_are_the_sum_of_all_parts(
        position in any_board(), params in any_params(), mobility in -9..9, wedges in -1..=1,
    ) {
        let mut weights = params.stage(Stage::Opening).to_vec();
        weights[term(0)..].fill(0);
        weights[term(0)] = mobility;
        weights[term(EDGES + 2)] = wedges;
        let mut params = OthelloParams::constant(&weights);
        for stage in [None, Some(Stage::Late)] {
            if let Some(stage) = stage {
                params.stage_mut(stage)[DISCS] += 5;
            }
            let exact = slow_value(&position, &params) / UNIT;
            let value = evaluation(&params).evaluate(&position, ());
            prop_assert_eq!(value, exact.clamp(-MAX_EVAL, MAX_EVAL));
        }
    }

    #[test]
    fn features_are_the_gradient(position in any_board(), params in any_params()) {
        let features = features(&position);
        let indices: Vec<usize> = features.iter().map(|(it, _)| *it).collect();
        prop_assert!(indices.is_sorted_by(|one, other| one < other));
        let products = features.iter();
        let values = params.values();
        let sum: i32 = products.map(|&(index, count)| values.values()[index] as i32 * count).sum();
        prop_assert_eq!(sum, slow_value(&position, &params));
    }

    #[test]
    fn images_are_worth_the_same(position in any_board(), params in any_params()) {
        let evaluation = evaluation(&params);
        for image in position.images() {
            prop_assert_eq!(evaluation.evaluate(&image, ()), evaluation.evaluate(&position, ()));
        }
    }

    /// Tuples and the parity of regions are not differences between the sides.
    #[test]
    fn the_other_side_sees_the_opposite(position in any_board(), params in any_params()) {
        let mut params = params;
        for stage in Stage::ALL {
            params.stage_mut(stage)[term(8)] = 0;
            params.stage_mut(stage)[term(Terms::COUNT)..].fill(0);
        }
        let evaluation = evaluation(&params);
        let value = evaluation.evaluate(&position, ());
        let seen_by_other = with_other_side(&position);
        prop_assert_eq!(evaluation.evaluate(&seen_by_other, ()), -value);
    }

    #[test]
    fn colours_are_only_names(position in any_board(), params in any_params()) {
        let evaluation = evaluation(&params);
        let exchanged = with_colours_exchanged(&position);
        let values = [position, exchanged].map(|position| {
            (
                evaluation.evaluate(&position, ()),
                evaluation.evaluate_without_moves(&position, 3),
            )
        });
        prop_assert_eq!(values[0], values[1]);
        let end = evaluation.evaluate_without_moves(&with_other_side(&position), 3);
        prop_assert_eq!(end, -values[0].1);
    }

    #[test]
    fn an_end_lies_between_estimates_and_mates(position in any_position()) {
        let end = OthelloEvaluation::default().evaluate_without_moves(&position, 0);
        let winner = position.verdict_without_moves().winner;
        prop_assert_eq!(end > 0, winner == Some(position.side_to_move()));
        prop_assert_eq!(end == 0, winner.is_none());
        prop_assert!(end == 0 || (MAX_EVAL < end.abs() && end.abs() < MATE - 128));
    }
}

#[test]
fn a_larger_margin_is_worth_more() {
    let evaluation = OthelloEvaluation::default();
    let end = |black: u32| {
        let black = u64::MAX.checked_shr(64 - black).unwrap_or(0);
        let position = Othello::new(black, !black, Side::First).unwrap();
        evaluation.evaluate_without_moves(&position, 60)
    };
    assert_eq!(end(32), 0);
    assert_eq!(end(33), MAX_EVAL + 2);
    assert_eq!(end(64), MAX_EVAL + 64);
    assert_eq!(end(0), -MAX_EVAL - 64);
    assert!((33..64).all(|discs| end(discs) < end(discs + 1)));
}

#[test]
fn an_end_is_counted_by_the_rules_of_the_game() {
    // Three black discs and a white one that neither side can flip.
    let position = Othello::new(0b111, 1 << 63, Side::First).unwrap();
    assert_eq!(position.count_legal_moves(), 0);
    let end = |empties| {
        OthelloEvaluation::new(&OthelloParams::default(), OthelloRules { empties })
            .evaluate_without_moves(&position, 0)
    };
    assert_eq!(end(EmptySquares::Winner), MAX_EVAL + 62);
    assert_eq!(end(EmptySquares::Nobody), MAX_EVAL + 2);
}

#[test]
fn known_positions_have_their_value() {
    let evaluation = OthelloEvaluation::default();
    assert_eq!(evaluation.evaluate(&Othello::initial(), ()), 0);
    let corner_for_two_x_squares = Othello::new(1, 1 << 9 | 1 << 14, Side::First).unwrap();
    assert_eq!(evaluation.evaluate(&corner_for_two_x_squares, ()), 200);
}

#[test]
fn extreme_parameters_stay_in_bounds() {
    let mut weights = [OthelloParams::LIMIT; OF_STAGE];
    weights[term(Terms::COUNT)..].fill(-OthelloParams::LIMIT);
    let params = OthelloParams::constant(&weights);
    let full = Othello::new(u64::MAX, 0, Side::Second).unwrap();
    assert_eq!(evaluation(&params).evaluate(&full, ()), -MAX_EVAL);
    let params = OthelloParams::constant(&[OthelloParams::LIMIT; OF_STAGE]);
    let full = Othello::new(u64::MAX, 0, Side::First).unwrap();
    assert_eq!(evaluation(&params).evaluate(&full, ()), MAX_EVAL);
}

/// The terms of a position that a reader can check.
#[test]
fn terms_of_a_known_position() {
    let position = Othello::from_fen(
        "-OOOOO--
         -O------
         -----X--
         ---XX---
         ---XO---
         --------
         X-------
         XXX-X--- X",
    )
    .unwrap();
    let told: Vec<String> = named_terms()
        .iter()
        .enumerate()
        .map(|(place, (term, _))| format!("{term} {}", count::term(place, &position)))
        .collect();
    assert_eq!(
        told.join(", "),
        "mobility 0, potential_mobility -8, frontier 2, corners 1, x_squares -1, c_squares -1, \
         lines 2, stability 4, parity -1, edges.balanced 0, edges.unbalanced -1, edges.wedges -1"
    );
    assert_eq!(square_name(9), "b2", "on which white stands, with a1 empty");
}
