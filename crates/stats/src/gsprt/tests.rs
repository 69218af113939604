mod rates;
mod sweep;

use std::num::NonZeroU64;

use super::*;
use crate::RandomNumbers;
use crate::simulation::independent;
use crate::{
    Decision, ErrorRates, Hypotheses, Model, Multinomial, Pentanomial, SequentialTest, Trinomial,
};

fn hypotheses(elo0: f64, elo1: f64, model: Model) -> Hypotheses {
    Hypotheses::new(elo0, elo1, model).expect("a test")
}

fn five_percent() -> ErrorRates {
    ErrorRates::new(0.05, 0.05).expect("rates")
}

/// statistics.md section 1; the last one also in fishtest's own tests.
#[test]
fn published_values() {
    let logistic = |counts, elo0, elo1| {
        llr(
            Pentanomial(counts),
            &hypotheses(elo0, elo1, Model::Logistic),
        )
    };
    let normalized = |counts, elo0, elo1| {
        llr(
            Pentanomial(counts),
            &hypotheses(elo0, elo1, Model::Normalized),
        )
    };
    let cells = [10, 40, 100, 60, 15];
    assert!((logistic([0, 0, 0, 0, 5], 0.0, 5.0) - 0.071_466_4).abs() < 5e-8);
    assert!((logistic(cells, 0.0, 5.0) - 0.860_539_0).abs() < 5e-8);
    assert!((normalized(cells, 0.0, 5.0) - 0.597_679_0).abs() < 5e-8);
    let long = [1187, 7410, 13475, 7378, 1164];
    assert!((logistic(long, -3.0, 1.0) - 2.86).abs() < 5e-3);
}

/// One row of the reference table.
struct Reference {
    hypotheses: Hypotheses,
    counts: Multinomial,
    llr: f64,
}

fn reference() -> Vec<Reference> {
    let table = include_str!("../../../../tests/data/gsprt/reference.csv");
    table
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            let number = |i: usize| fields[i].parse::<f64>().expect("a number");
            let model = match fields[0] {
                "logistic" => Model::Logistic,
                _ => Model::Normalized,
            };
            let cells: Vec<u64> = fields[3]
                .split(' ')
                .map(|cell| cell.parse().expect("a count"))
                .collect();
            let counts = match cells[..] {
                [losses, draws, wins] => Trinomial {
                    losses,
                    draws,
                    wins,
                }
                .into(),
                _ => Pentanomial(cells.try_into().expect("five")).into(),
            };
            Reference {
                hypotheses: hypotheses(number(1), number(2), model),
                counts,
                llr: number(4),
            }
        })
        .collect()
}

#[test]
fn agrees_with_the_reference_table() {
    let rows = reference();
    assert!(rows.len() == 1080, "{}", rows.len());
    let mut worst = [0.0_f64; 2];
    for row in rows {
        let got = llr(row.counts, &row.hypotheses);
        let error = (got - row.llr).abs() / row.llr.abs().max(1e-12);
        let of = &mut worst[usize::from(row.hypotheses.model() == Model::Normalized)];
        *of = of.max(error);
        if error >= 1e-12 {
            println!(
                "{:?} {:?}: {got:e} is not {:e}: {error:e}",
                row.hypotheses,
                row.counts.counts(),
                row.llr
            );
        }
    }
    println!(
        "worst relative errors: logistic {:e}, normalized {:e}",
        worst[0], worst[1]
    );
    assert!(worst[0] < 1e-12 && worst[1] < 1e-12, "{worst:?}");
}

#[test]
fn no_results_are_no_evidence() {
    for model in [Model::Logistic, Model::Normalized] {
        let hypotheses = hypotheses(0.0, 5.0, model);
        assert!(llr(Pentanomial::default(), &hypotheses).abs() < f64::MIN_POSITIVE);
        assert!(llr(Trinomial::default(), &hypotheses).abs() < f64::MIN_POSITIVE);
    }
}

/// Exchanging the players and the signs of the hypotheses changes the sign of the LLR, bit for bit.
#[test]
fn mirrored_results() {
    for row in reference().iter().step_by(3) {
        let h = &row.hypotheses;
        let mirrored = hypotheses(-h.elo1(), -h.elo0(), h.model());
        let (one, other) = (llr(row.counts, h), llr(row.counts.mirror(), &mirrored));
        assert_eq!(
            one.to_bits(),
            (-other).to_bits(),
            "{h:?} {:?}",
            row.counts.counts()
        );
    }
}

#[test]
fn huge_counts_and_far_hypotheses() {
    let cells = [0, 1, 1000, u64::MAX / 5, u64::MAX];
    for elo in [
        (-1000.0, 1000.0),
        (999.0, 1000.0),
        (-1e-9, 1e-9),
        (0.0, 1e-300),
    ] {
        for model in [Model::Logistic, Model::Normalized] {
            let hypotheses = hypotheses(elo.0, elo.1, model);
            // Every eleventh of all combinations.
            for number in (0..5_usize.pow(5)).step_by(11) {
                let counts = std::array::from_fn(|i| cells[number / 5_usize.pow(i as u32) % 5]);
                let got = llr(Pentanomial(counts), &hypotheses);
                assert!(got.is_finite(), "{hypotheses:?} {counts:?}: {got}");
            }
        }
    }
}

/// Counts recorded one by one give the same LLR as all at once.
#[test]
fn warm_and_cold_agree() {
    for (elo0, elo1, model, law) in [
        (0.0, 5.0, Model::Logistic, independent(0.25, 0.5)),
        (0.0, 5.0, Model::Normalized, independent(0.25, 0.5)),
        (-3.0, 1.0, Model::Normalized, independent(0.01, 0.98)),
        (200.0, 900.0, Model::Normalized, independent(0.9, 0.0)),
    ] {
        let hypotheses = hypotheses(elo0, elo1, model);
        let mut test = Gsprt::new(hypotheses, five_percent());
        let mut dice = RandomNumbers::new(11, 0);
        for pair in 0..2000 {
            test.record(dice.outcome(&law)).expect("a cell");
            let (warm, cold) = (test.level().value, llr(*test.counts(), &hypotheses));
            assert!(
                (warm - cold).abs() <= 1e-9 * cold.abs().max(1e-3),
                "pair {pair} {hypotheses:?} {:?}: {warm} is not {cold}",
                test.counts()
            );
        }
    }
}

/// Checks the rule by hand: strict comparison with the corrected bounds.
#[test]
fn the_first_crossing_decides() {
    let hypotheses = hypotheses(0.0, 30.0, Model::Normalized);
    let mut test = Gsprt::new(hypotheses, five_percent());
    let mut overshoot = Overshoot::default();
    let (lower, upper) = five_percent().wald_bounds();
    let mut expected = None;
    let mut counts = Pentanomial::default();
    let mut dice = RandomNumbers::new(3, 0);
    let law = independent(0.35, 0.4);
    for _ in 0..3000 {
        let cell = dice.outcome(&law);
        counts.record(cell).expect("a cell");
        test.record(cell).expect("a cell");
        let value = llr(counts, &hypotheses);
        overshoot.record(value);
        if value < lower + overshoot.below() {
            expected = expected.or(Some(Decision::Rejected));
        } else if value > upper - overshoot.above() {
            expected = expected.or(Some(Decision::Accepted));
        }
        assert_eq!(test.decision(), expected);
        assert!((test.level().upper - (upper - overshoot.above())).abs() < 1e-9);
        assert!((test.level().lower - (lower + overshoot.below())).abs() < 1e-9);
    }
    assert_eq!(expected, Some(Decision::Accepted));
}

#[test]
fn batches_and_plain_bounds() {
    let hypotheses = hypotheses(0.0, 5.0, Model::Logistic);
    let batch = NonZeroU64::new(32).expect("not 0");
    let mut test = Gsprt::new(hypotheses, five_percent())
        .without_overshoot_correction()
        .in_batches_of(batch);
    assert_eq!(test.overshoot(), None);
    for pair in 1..=70 {
        test.record(3).expect("a cell");
        let looked = pair / 32 * 32;
        let want = llr(Pentanomial([0, 0, 0, looked, 0]), &hypotheses);
        assert!((test.level().value - want).abs() <= 1e-12 * want.abs());
        let level = test.level();
        assert_eq!((level.lower, level.upper), five_percent().wald_bounds());
    }
}
