//! Tests of the conversion of games to rows.

use leitai_game::card::typed;
use proptest::prelude::*;

use super::super::Dimension;
use super::super::tests::{fitted_of, random_game};
use super::*;
use leitai_config::{DimensionMember, Number};
use leitai_game::eval::Evaluation;
use leitai_game::numbers::EvalParams;
use leitai_game::{Cause, Move};
use leitai_stats::RandomNumbers;
use leitai_xiangqi::Xiangqi;
use leitai_xiangqi::eval::numbers::{NUMBERS, TABLE};
use leitai_xiangqi::eval::{XiangqiEvaluation, XiangqiParams};

/// A layout of a variant with these parameters, with all numbers that can be fitted and that
/// `choose` selects; mirror squares are tied, phases together or apart.
fn layout(params: &XiangqiParams, apart: bool, choose: impl Fn(&Number) -> bool) -> Layout {
    let (mut variant, mut tuned) = fitted_of("xiangqi", if apart { APART } else { TOGETHER });
    variant.eval = params.values();
    tuned.retain(|dimension| choose(&dimension.members[0].number));
    for dimension in &mut tuned {
        let value = |member: &DimensionMember| member.number.get(&variant).unwrap();
        dimension.start = value(&dimension.members[0]);
        (dimension.min, dimension.max) = (-9000, 9000);
        for member in &mut dimension.members {
            member.offset = value(member) - dimension.start;
        }
    }
    Layout::of(&variant, &tuned).unwrap()
}

const TOGETHER: &[&str] = &["eval.*.*", "eval.pst.*[*][*]", "eval.tempo"];
const APART: &[&str] = &[
    "eval.*.*",
    "eval.end.*.*",
    "eval.pst.*[*][*]",
    "eval.end.pst.*[*][*]",
    "eval.tempo",
];

fn builder(selection: Selection) -> DatasetBuilder {
    let layout = layout(&XiangqiParams::default(), false, |_| true);
    Dataset::builder(leitai_xiangqi::card(), layout, selection).unwrap()
}

fn games(seed: u64, count: usize) -> Vec<Game> {
    let mut dice = RandomNumbers::new(seed, 0);
    (0..count).map(|_| random_game(&mut dice, 90)).collect()
}

fn built(games: &[Game], selection: Selection) -> Dataset {
    let mut builder = builder(selection);
    for game in games {
        builder.add(game);
    }
    builder.build(0.0).unwrap()
}

/// Arbitrary parameters, with different values for the two phases and for mirror squares.
fn any_params() -> impl Strategy<Value = XiangqiParams> {
    let values = prop::collection::vec(-200_i64..=200, NUMBERS);
    values.prop_map(|values| XiangqiParams::of(&EvalParams::new(&TABLE, values)).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// For any choice of free parameters, a row yields the evaluation of the search.
    #[test]
    fn rows_are_the_evaluation(
        params in any_params(),
        apart: bool,
        seed: u64,
        plies in 0_usize..140,
        free in 0_u32..4,
    ) {
        let chosen = |number: &Number| {
            let Number::Eval(entry) = number else { return false };
            (entry.index() as u32 * 7 + 3) % 4 <= free
        };
        let layout = layout(&params, apart, chosen);
        let weights: Vec<f64> = layout.start().iter().map(|value| value / 16.0).collect();
        let mut builder = Dataset::builder(leitai_xiangqi::card(), layout, Selection::default()).unwrap();
        let game = random_game(&mut RandomNumbers::new(seed, 0), plies);
        let mut position = game.start.clone();
        for &mv in &game.moves {
            position.play(mv);
        }
        let mut rows = Rows::default();
        prop_assert!(builder.push_row(&mut rows, &*position, 0.5));
        prop_assert_eq!(rows.len(), 1);
        prop_assert!(builder.coefficients.iter().all(|&sum| sum == 0));
        let row = rows.iter().next().unwrap();
        prop_assert!(row.entries.is_sorted_by(|one, other| one.dimension < other.dimension));
        let eval = XiangqiEvaluation::new(&params);
        let typed = typed::<Xiangqi>(&*position).unwrap();
        let own = f64::from(eval.evaluate(typed, eval.accumulate(typed)));
        let red = if position.side_to_move() == Side::First { own } else { -own };
        let value = super::super::pass::evaluation(&row, &weights).clamp(-9000.0, 9000.0);
        prop_assert!((value - red).abs() < 1.0 + 1e-6, "{} {}", value, red);
    }
}

#[test]
fn a_game_gives_few_positions_and_none_of_the_first() {
    let games = games(1, 40);
    let few = Selection {
        most: 3,
        ..Selection::default()
    };
    let mut builder = builder(few);
    for game in &games {
        assert_eq!(builder.add(game), AddedGame::Positions(3));
    }
    let tally = builder.tally;
    assert_eq!((tally.games, tally.positions, tally.early), (40, 120, 400));
    let plies: usize = games.iter().map(|game| game.moves.len()).sum();
    let counted = tally.early + tally.in_check + tally.captures + tally.mates;
    assert_eq!(counted + tally.surplus + tally.positions, plies as u64);
    assert!(tally.in_check > 0 && tally.captures > 0 && tally.surplus > 0);
    let dataset = builder.build(0.0).unwrap();
    let parts = [Part::Training, Part::Validation];
    assert_eq!(
        parts
            .map(|part| dataset.games[part as usize])
            .iter()
            .sum::<u64>(),
        40
    );
    for part in parts {
        assert_eq!(
            dataset.positions(part) as u64,
            3 * dataset.games[part as usize]
        );
    }
    // The draw depends on the seed.
    let other = built(&games, Selection { seed: 2, ..few });
    assert_ne!(other.rows(Part::Training), dataset.rows(Part::Training));
}

#[test]
fn the_order_of_the_games_has_no_effect() {
    let mut games = games(2, 60);
    let one = built(&games, Selection::default());
    games.reverse();
    let other = built(&games, Selection::default());
    assert_eq!(one.rows(Part::Training), other.rows(Part::Training));
    assert_eq!(one.rows(Part::Validation), other.rows(Part::Validation));
    assert_eq!(one.tally, other.tally);
}

#[test]
fn games_stay_in_their_part_when_others_are_added() {
    let games = games(3, 80);
    let validation = |game: &&Game| Part::of(game.hash()) == Part::Validation;
    let for_validation = games.iter().filter(validation).count();
    assert!((2..=20).contains(&for_validation), "{for_validation}");
    let (some, all) = (
        built(&games[..40], Selection::default()),
        built(&games, Selection::default()),
    );
    for part in [Part::Training, Part::Validation] {
        let of = |dataset: &Dataset| {
            let rows = dataset.rows(part).iter();
            let row = rows.map(|row| format!("{:?} {}", row.entries, row.result));
            row.collect::<HashSet<_>>()
        };
        assert!(of(&some).is_subset(&of(&all)));
        assert!(of(&some).len() < of(&all).len());
    }
}

#[test]
fn games_without_information_are_left_out() {
    let games = games(4, 20);
    let mut builder = builder(Selection::default());
    let game = &games[0];
    let ended = |cause| Game {
        cause: Some(cause),
        ..game.clone()
    };
    for (cause, reason) in [
        (Cause::Repetition, LeftOutReason::Repetition),
        (Cause::PerpetualCheck, LeftOutReason::Repetition),
        (Cause::PerpetualChase, LeftOutReason::Repetition),
        (Cause::TimeForfeit, LeftOutReason::Failure),
        (Cause::Crash, LeftOutReason::Failure),
    ] {
        assert_eq!(
            builder.add(&ended(cause)),
            AddedGame::Not(reason),
            "{cause}"
        );
    }
    let mut damaged = game.clone();
    damaged.moves[20] = Move::NULL;
    assert_eq!(
        builder.add(&damaged),
        AddedGame::Not(LeftOutReason::Damaged)
    );
    let odd = Game {
        half_points: 3,
        ..game.clone()
    };
    assert_eq!(builder.add(&odd), AddedGame::Not(LeftOutReason::Damaged));
    let mut short = game.clone();
    short.moves.truncate(10);
    assert_eq!(builder.add(&short), AddedGame::Not(LeftOutReason::Nothing));
    assert_eq!(
        builder.add(&ended(Cause::Checkmate)),
        AddedGame::Positions(10)
    );
    assert_eq!(builder.add(game), AddedGame::Not(LeftOutReason::Duplicate));
    let tally = &builder.tally;
    let left_out = (
        tally.repetitions,
        tally.failures,
        tally.damaged,
        tally.empty,
    );
    assert_eq!(left_out, (3, 2, 2, 1));
    assert_eq!((tally.duplicates, tally.games), (1, 1));
}

#[test]
fn results_are_those_of_the_side_that_moves_first() {
    for (half_points, expected) in [(0, 0.0), (1, 0.5), (2, 1.0)] {
        let games: Vec<_> = games(5, 12)
            .into_iter()
            .map(|game| Game {
                half_points,
                ..game
            })
            .collect();
        let dataset = built(&games, Selection::default());
        assert!(dataset.rows(Part::Training).len() > 0);
        let mut rows = dataset
            .rows(Part::Training)
            .iter()
            .chain(dataset.rows(Part::Validation).iter());
        assert!(rows.all(|row| (row.result - expected).abs() < 1e-12));
    }
}

#[test]
fn a_share_of_each_result_is_the_score_of_the_search() {
    let mut games = games(5, 60);
    for (number, game) in games.iter_mut().enumerate() {
        // The winner is ahead by 100 to 200, in every fifth game behind; every fourth has no scores.
        let ahead = 100 + 10 * (number as i16 % 11);
        let ahead = if number % 5 == 0 { -ahead } else { ahead };
        let red = ahead * (i16::from(game.half_points) - 1);
        let scores = (0..game.moves.len()).map(|ply| Some(if ply % 2 == 0 { red } else { -red }));
        game.scores = scores.take_while(|_| number % 4 > 0).collect();
    }
    let results = |share| {
        let mut builder = builder(Selection::default());
        for game in &games {
            builder.add(game);
        }
        let dataset = builder.build(share).unwrap();
        assert_eq!(dataset.score_k.is_some(), share > 0.0);
        let rows = Part::ALL.iter().flat_map(|&part| dataset.rows(part).iter());
        rows.map(|row| row.result).collect::<Vec<_>>()
    };
    let [games, mixed, scores] = [0.0, 0.25, 1.0].map(results);
    let mut scored = [0; 2];
    for ((game, mixed), score) in games.into_iter().zip(mixed).zip(scores) {
        assert!((0.75 * game + 0.25 * score - mixed).abs() < 1e-6);
        if (score - game).abs() > 1e-9 {
            let is_wrong = score.total_cmp(&0.5) != game.total_cmp(&0.5);
            scored[usize::from(is_wrong)] += 1;
        }
    }
    let [right, wrong] = scored;
    assert!(wrong > 10 && right > 2 * wrong, "{scored:?}");
}

#[test]
fn scores_that_predict_nothing_are_refused() {
    let built = |share| {
        let mut builder = builder(Selection::default());
        for game in &games(5, 20) {
            builder.add(game);
        }
        builder.build(share)
    };
    assert!(built(0.0).is_ok());
    let error = built(0.5).unwrap_err().to_string();
    assert!(error.contains("remove `score_share`"), "{error}");
}

#[test]
fn visits_count_positions() {
    let dataset = built(&games(6, 30), Selection::default());
    let visits = dataset.visits().unwrap();
    let total: u64 = visits.iter().sum();
    assert_eq!(total, dataset.nonzeros(Part::Training) as u64);
    let layout = &dataset.layout;
    let visits_of = |name: &str| {
        let number = TABLE.find(name).unwrap();
        visits[usize::from(layout.dimension_of(number.index()).unwrap())]
    };
    let positions = dataset.positions(Part::Training) as u64;
    assert_eq!(visits_of("tempo"), positions);
    assert!(visits_of("pst.king[9][4]") > 0);
    // A pawn that has not crossed the river stays on its file.
    assert!(visits_of("pst.pawn[6][0]") > visits_of("pst.pawn[0][0]"));
}

#[test]
fn a_layout_of_another_evaluation_is_refused() {
    let dimension = Dimension {
        name: "a".to_owned(),
        start: 0.0,
        min: 0.0,
        max: 1.0,
        scale: 1.0,
    };
    let layout = Layout::new(&[0.0], vec![Some(0)], vec![dimension]).unwrap();
    let refused =
        Dataset::builder(leitai_xiangqi::card(), layout, Selection::default()).unwrap_err();
    let message = refused.to_string();
    assert!(message.contains("were given for 1"), "{message}");
}
