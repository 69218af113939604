//! Fits to results with a known law.

use leitai_game::card::typed;

use super::pass::{Pass, Prediction};
use super::rows::{Entry, Rows};
use super::*;
use leitai_config::{Number, TunedDimension, Variant, parse};
use leitai_game::eval::Evaluation;
use leitai_game::{Move, MoveList, Position, Side};
use leitai_games as games;
use leitai_stats::RandomNumbers;
use leitai_stats::logistic::score_from_elo;
use leitai_xiangqi::eval::{XiangqiEvaluation, XiangqiParams};
use leitai_xiangqi::{Kind, Xiangqi};

/// A random win or loss with that expected score.
fn random_result(dice: &mut RandomNumbers, expected: f64) -> f32 {
    if dice.uniform() < expected { 1.0 } else { 0.0 }
}

/// The law behind the results, and the start that a fit has to improve on.
pub(super) struct Law {
    pub(super) truth: Vec<f64>,
    pub(super) start: Vec<f64>,
}

impl Law {
    /// Random values from -100 to 100, with a start at most 50 away from each.
    pub(super) fn random(dimensions: usize, seed: u64) -> Self {
        let mut dice = RandomNumbers::new(seed, 0);
        let truth: Vec<f64> = (0..dimensions)
            .map(|_| 200.0 * dice.uniform() - 100.0)
            .collect();
        let start = truth
            .iter()
            .map(|value| (value + 100.0 * dice.uniform() - 50.0).round())
            .collect();
        Self { truth, start }
    }
}

/// Random rows of some dozen entries with results by the law.
pub(super) fn random_rows(law: &Law, by: Prediction, count: usize, seed: u64) -> Rows {
    let mut dice = RandomNumbers::new(seed, 0);
    let mut rows = Rows::default();
    for _ in 0..count {
        let mut entries: Vec<Entry> = Vec::new();
        for _ in 0..6 + dice.below(12) {
            let dimension = dice.below(law.truth.len()) as u16;
            let coefficient = dice.below(64) as i16 - 32;
            if coefficient != 0 && entries.iter().all(|entry| entry.dimension != dimension) {
                entries.push(Entry {
                    dimension,
                    coefficient,
                });
            }
        }
        let constant = 100.0 * dice.uniform() - 50.0;
        let weights: Vec<f64> = law.truth.iter().map(|value| value / by.unit).collect();
        let row = super::rows::Row {
            entries: &entries,
            constant,
            result: 0.0,
        };
        let evaluation = super::pass::evaluation(&row, &weights);
        let result = random_result(&mut dice, score_from_elo(by.k * evaluation));
        rows.push(&entries, constant, result);
    }
    rows
}

fn dimension(start: f64, min: f64, max: f64) -> Dimension {
    Dimension {
        name: "any".to_owned(),
        start,
        min,
        max,
        scale: 50.0,
    }
}

/// A dataset of rows by a law, with a quarter as many for validation.
fn dataset(law: &Law, by: Prediction, positions: usize) -> Dataset {
    let start = law.start.iter();
    let layout = Layout::new(
        &law.start,
        (0..law.start.len() as u16).map(Some).collect(),
        start.map(|&it| dimension(it, -500.0, 500.0)).collect(),
    );
    let rows = [(positions, 11), (positions / 4, 12)];
    let rows = rows.map(|(count, seed)| random_rows(law, by, count, seed));
    Dataset::of_rows(layout.unwrap(), by.unit, rows)
}

/// The squared distance from the truth, relative to that of all zeros.
fn relative_error(values: &[f64], truth: &[f64]) -> f64 {
    let pairs = values.iter().zip(truth);
    let squares = pairs.map(|(value, truth)| (value - truth).powi(2));
    squares.sum::<f64>() / truth.iter().map(|truth| truth * truth).sum::<f64>()
}

const BY: Prediction = Prediction { k: 0.7, unit: 16.0 };

fn plan() -> FitPlan {
    FitPlan {
        k: Some(BY.k),
        epochs: 300,
        ..FitPlan::default()
    }
}

#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn the_law_of_the_results_is_found() {
    let law = Law::random(40, 1);
    let dataset = dataset(&law, BY, 20_000);
    assert!(relative_error(&law.start, &law.truth) > 0.15);
    for batch in [None, Some(5000)] {
        let fitted = fit(&dataset, &FitPlan { batch, ..plan() }).unwrap();
        let error = relative_error(&fitted.values, &law.truth);
        assert!(error < 0.03, "{error}");
        let best = &fitted.epochs[fitted.best as usize];
        assert!(best.validation < fitted.epochs[0].validation - 0.005);
        assert!(best.training < fitted.epochs[0].training - 0.005);
        assert_eq!(fitted.positions, [20_000, 5000]);
        assert!(fitted.unvisited.is_empty() && fitted.at_bounds.is_empty());
    }
}

#[test]
fn the_scale_is_fitted_once_and_then_holds_the_values() {
    let mut law = Law::random(40, 2);
    law.start = law.truth.iter().map(|value| value * 2.0).collect();
    let dataset = dataset(&law, BY, 20_000);
    let fitted = fit(&dataset, &FitPlan { k: None, ..plan() }).unwrap();
    assert!((fitted.k / 0.35 - 1.0).abs() < 0.05, "{}", fitted.k);
    let error = relative_error(&fitted.values, &law.start);
    assert!(error < 0.03, "{error}");
    // A start that predicts nothing.
    law.start.fill(0.0);
    let mut rows = [random_rows(&law, BY, 100, 1), random_rows(&law, BY, 100, 2)];
    for part in &mut rows {
        let mut without = Rows::default();
        for row in part.iter() {
            without.push(row.entries, 0.0, row.result as f32);
        }
        *part = without;
    }
    let dataset = Dataset::of_rows(dataset_layout(&law), 16.0, rows);
    let nothing = fit(&dataset, &FitPlan::default());
    let nothing = nothing.unwrap_err().to_string();
    assert!(nothing.starts_with("no K fits the start's values"));
}

fn dataset_layout(law: &Law) -> Layout {
    dataset(law, BY, 4).layout.clone()
}

#[test]
fn threads_change_nothing() {
    let law = Law::random(60, 3);
    let dataset = dataset(&law, BY, 6000);
    for batch in [None, Some(1000)] {
        let fitted = [1, 2, 4].map(|threads| {
            let plan = FitPlan {
                epochs: 12,
                batch,
                threads,
                ..plan()
            };
            fit(&dataset, &plan).unwrap()
        });
        let bits = |fitted: &Fitted| {
            let losses = fitted
                .epochs
                .iter()
                .flat_map(|epoch| [epoch.training, epoch.validation]);
            let numbers = fitted.values.iter().copied().chain(losses);
            numbers.map(f64::to_bits).collect::<Vec<_>>()
        };
        assert!(fitted.iter().all(|other| bits(other) == bits(&fitted[0])));
        assert!(fitted.iter().all(|other| *other == fitted[0]));
    }
}

#[test]
fn overfitting_is_detected() {
    // Fewer results than values: overfitting.
    let law = Law::random(300, 4);
    let dataset = dataset(&law, BY, 250);
    let plan = FitPlan {
        patience: 30,
        epochs: 1000,
        ..plan()
    };
    let fitted = fit(&dataset, &plan).unwrap();
    assert_eq!(fitted.stop, FitEnd::Patience);
    assert_eq!(fitted.epochs.len() as u32, fitted.best + 30 + 1);
    let (best, last) = (
        fitted.epochs[fitted.best as usize],
        fitted.epochs[fitted.epochs.len() - 1],
    );
    assert!(last.validation > best.validation);
    assert!(last.training < best.training);
    let again = Pass::new(300, 1).loss(dataset.rows(Part::Validation), &fitted.values, BY);
    assert_eq!(again.unwrap().to_bits(), best.validation.to_bits());
    // The pull to the start reduces overfitting.
    let held = FitPlan {
        pull: 10.0,
        ..plan.clone()
    };
    let held = fit(&dataset, &held).unwrap();
    let same = last.number.min(held.epochs.len() as u32 - 1) as usize;
    let learnt = |fitted: &Fitted| fitted.epochs[0].training - fitted.epochs[same].training;
    assert!(
        learnt(&held) < 0.8 * learnt(&fitted),
        "{} {}",
        learnt(&held),
        learnt(&fitted)
    );
    let moved = |fitted: &Fitted| relative_error(&fitted.values, &law.start);
    let fast = fit(&dataset, &FitPlan { pull: 1e9, ..plan }).unwrap();
    assert!(moved(&fast) < 1e-3, "{}", moved(&fast));
}

#[test]
fn unseen_dimensions_stay_and_bounds_hold() {
    let law = Law::random(10, 5);
    let rows = [(2000, 1), (500, 2)].map(|(count, seed)| random_rows(&law, BY, count, seed));
    let mut start = law.start.clone();
    start.extend([77.0, 3.0]);
    let mut dimensions: Vec<Dimension> = start
        .iter()
        .map(|&start| dimension(start, -500.0, 500.0))
        .collect();
    let (upper, lower) = (start[0] + 4.0, start[0] - 4.0);
    dimensions[0] = dimension(start[0], lower, upper);
    let layout = Layout::new(&start, (0..12).map(Some).collect(), dimensions).unwrap();
    let dataset = Dataset::of_rows(layout, BY.unit, rows);
    let fitted = fit(&dataset, &plan()).unwrap();
    assert_eq!(fitted.unvisited, [10, 11]);
    assert_eq!(fitted.at_bounds, [0]);
    assert!(fitted.values[0] >= lower && fitted.values[0] <= upper);
    assert_eq!(fitted.values[10..], [77.0, 3.0]);
    let least_visits = 1_000_000;
    let none = fit(
        &dataset,
        &FitPlan {
            least_visits,
            ..plan()
        },
    );
    let none = none.unwrap_err().to_string();
    assert!(none.starts_with("none of the 12 free parameters occurs"));
}

#[test]
fn a_fit_can_be_watched_and_ended() {
    let law = Law::random(10, 6);
    let dataset = dataset(&law, BY, 1000);
    let mut seen = Vec::new();
    let fitted = fit_watched(&dataset, &plan(), |epoch| {
        seen.push(*epoch);
        if epoch.number == 7 {
            std::ops::ControlFlow::Break(())
        } else {
            std::ops::ControlFlow::Continue(())
        }
    });
    let fitted = fitted.unwrap();
    assert_eq!((fitted.stop, fitted.epochs.len()), (FitEnd::Requested, 8));
    assert_eq!(seen, fitted.epochs);
    let limit = fit(
        &dataset,
        &FitPlan {
            epochs: 3,
            ..plan()
        },
    )
    .unwrap();
    assert_eq!((limit.stop, limit.epochs.len()), (FitEnd::Epochs, 4));
    assert_eq!(limit.epochs[..], fitted.epochs[..4]);
}

#[test]
fn invalid_plans_are_refused() {
    let law = Law::random(10, 7);
    let sound = dataset(&law, BY, 100);
    let refused = |change: fn(&mut FitPlan)| {
        let mut plan = plan();
        change(&mut plan);
        fit(&sound, &plan).unwrap_err().to_string()
    };
    for (message, expected) in [
        (refused(|plan| plan.k = Some(0.0)), "k (0) must be"),
        (refused(|plan| plan.rate = f64::NAN), "rate (NaN) must be"),
        (refused(|plan| plan.betas[1] = 1.0), "betas[1] (1) must be"),
        (refused(|plan| plan.epochs = 0), "epochs (0) must be"),
        (refused(|plan| plan.patience = 0), "patience (0) must be"),
        (refused(|plan| plan.batch = Some(0)), "batch (0) must be"),
        (refused(|plan| plan.pull = -1.0), "pull (-1) must be"),
        (refused(|plan| plan.threads = 0), "threads (0) must be"),
    ] {
        assert!(message.starts_with(expected), "{message}");
    }
    let rows = [random_rows(&law, BY, 10, 1), Rows::default()];
    let empty = Dataset::of_rows(sound.layout.clone(), 16.0, rows);
    let message = fit(&empty, &plan()).unwrap_err().to_string();
    assert!(message.contains("no validation positions"), "{message}");
}

/// A game of random moves with more captures than uniform choice gives.
pub(super) fn random_game(dice: &mut RandomNumbers, plies: usize) -> Game {
    let mut position = Xiangqi::initial();
    let mut moves: Vec<Move> = Vec::new();
    while moves.len() < plies {
        let mut list = MoveList::new();
        if dice.below(5) == 0 {
            position.legal_captures(&mut list);
        }
        if list.is_empty() {
            position.legal_moves(&mut list);
        }
        let Some(&mv) = list.get(dice.below(list.len().max(1))) else {
            break;
        };
        moves.push(mv);
        position.make(mv);
    }
    Game {
        start: Box::new(Xiangqi::initial()),
        moves,
        scores: Vec::new(),
        half_points: dice.below(3) as u8,
        cause: None,
    }
}

/// The path from games to values with the real evaluation: results by the values of `leitai`, and a
/// start with the same value for every piece except the rook.
#[test]
fn piece_values_come_back_from_positions_of_xiangqi() {
    let truth =
        leitai_config::eval_preset(<Xiangqi as leitai_game::card::Game>::numbers(), "leitai")
            .unwrap();
    let truth = XiangqiParams::of(&truth).unwrap();
    let eval = XiangqiEvaluation::new(&truth);
    let pieces = [
        Kind::Advisor,
        Kind::Elephant,
        Kind::Horse,
        Kind::Cannon,
        Kind::Pawn,
    ];
    let paths = pieces.map(|kind| format!("eval.material.{}", kind.name()));
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let (mut variant, mut tuned) = fitted_of("xiangqi", &paths);
    // All pieces start with the same value; the endgame differences stay.
    for dimension in &mut tuned {
        (dimension.start, dimension.min, dimension.max) = (250, 0, 2000);
        dimension.step = 50.0;
        for member in &dimension.members {
            assert!(member.number.set(&mut variant, 250 + member.offset));
        }
    }
    let layout = Layout::of(&variant, &tuned).unwrap();
    let selection = Selection::default();
    let mut builder = Dataset::builder(leitai_xiangqi::card(), layout.clone(), selection).unwrap();
    let mut dice = RandomNumbers::new(9, 0);
    let k = 0.5;
    let mut parts = [Rows::default(), Rows::default()];
    for number in 0..900 {
        let game = random_game(&mut dice, 120);
        let mut position = game.start.clone();
        for (ply, &mv) in game.moves.iter().enumerate() {
            if ply % 12 == 11 {
                let typed = typed::<Xiangqi>(&*position).unwrap();
                let own = eval.evaluate(typed, eval.accumulate(typed));
                let red = match position.side_to_move() {
                    Side::First => own,
                    Side::Second => -own,
                };
                let result = random_result(&mut dice, score_from_elo(k * f64::from(red)));
                builder.push_row(&mut parts[usize::from(number % 5 == 0)], &*position, result);
            }
            position.play(mv);
        }
    }
    let dataset = Dataset::of_rows(layout.clone(), 16.0, parts);
    let plan = FitPlan {
        k: Some(k),
        rate: 0.1,
        epochs: 200,
        ..FitPlan::default()
    };
    let fitted = fit(&dataset, &plan).unwrap();
    for (dimension, found) in tuned.iter().zip(&fitted.values) {
        let expected = truth_of(&truth, &dimension.members[0].number);
        assert!(
            (found - expected).abs() < 30.0,
            "{}: {found} {expected}",
            dimension.name
        );
    }
}

fn truth_of(truth: &XiangqiParams, number: &Number) -> f64 {
    let value = number.of_eval().and_then(|entry| truth.values().get(entry));
    value.map_or(f64::NAN, |value| value as f64)
}

/// The usual variant of a game, and the numbers that a config with these paths fits.
pub(super) fn fitted_of(game: &str, paths: &[&str]) -> (Variant, Vec<TunedDimension>) {
    let entries: Vec<String> = paths
        .iter()
        .map(|path| format!("[[tune.texel.parameter]]\npath = \"{path}\"\n"))
        .collect();
    let text = format!(
        "game = \"{game}\"\nlimits = {{ depth = 1 }}\nopenings = {{ file = \"b.epd\" }}\n\
         [[variant]]\nname = \"a\"\n[tune.texel]\ngames = 2\n{}",
        entries.concat()
    );
    let config = parse(&text, "t.toml", &games::all()).unwrap().config;
    let texel = config.tune.unwrap().texel.unwrap();
    let variant = config.variants.into_iter().next();
    (variant.unwrap(), texel.dimensions)
}
