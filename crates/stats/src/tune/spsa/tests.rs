use super::*;
use crate::tune::{Dimension, Kind, standard_space};

fn proposal(plus: &[f64], minus: &[f64]) -> Proposal {
    Proposal {
        number: 0,
        trial: 0,
        plus: plus.to_vec(),
        minus: minus.to_vec(),
        pairs: 1,
    }
}

fn plan(pairs: u64) -> Plan {
    Plan::usual(pairs, 1)
}

#[test]
fn the_update_uses_played_values() {
    let space = standard_space(3).expect("a space");
    let gains = Gains::Averaged { rate: Some(0.01) };
    let mut spsa = Spsa::new(&space, &plan(100), &gains, 1.0);
    // Both games won: 2 points, times the half-difference, times the rate.
    let played = proposal(&[1.0, -0.5, 0.2], &[-1.0, 0.5, 0.2]);
    spsa.absorb(&space, &played, &Pentanomial([0, 0, 0, 0, 1]));
    let theta = spsa.estimate(&space);
    for (got, want) in theta.iter().zip([0.02, -0.01, 0.0]) {
        assert!((got - want).abs() < 1e-15, "{theta:?}");
    }
}

#[test]
fn the_second_half_is_averaged() {
    let space = standard_space(1).expect("a space");
    let gains = Gains::Averaged { rate: Some(0.1) };
    let mut spsa = Spsa::new(&space, &plan(4), &gains, 1.0);
    for number in 0..4 {
        let played = Proposal {
            number,
            ..proposal(&[1.0], &[-1.0])
        };
        spsa.absorb(&space, &played, &Pentanomial([0, 0, 0, 1, 0]));
    }
    // θ after each batch: 0.1, 0.2, 0.3, 0.4.
    assert!((spsa.estimate(&space)[0] - 0.35).abs() < 1e-12);
}

#[test]
fn fishtest_plays_its_schedule() {
    let dimension = Dimension {
        name: "x".to_owned(),
        min: 0.0,
        max: 200.0,
        start: 100.0,
        step: 25.0,
        kind: Kind::Real,
    };
    let space = Space::new(vec![dimension]).expect("a space");
    let gains = Gains::Fishtest {
        c_end: None,
        r_end: 0.002,
        decay: Decay::default(),
    };
    let mut spsa = Spsa::new(&space, &plan(30_000), &gains, 1.0);
    // c_end is 10 by default; the numbers are those of the schedule's test.
    let random = crate::tune::Purpose::Batch.random(1, 0);
    let (_, (plus, minus)) = spsa.propose(&space, 0, 99, random);
    let difference = 0.5 * (plus[0] - minus[0]).abs();
    assert!(
        (difference - 17.790_544_760_495_11).abs() < 1e-9,
        "{difference}"
    );
    let played = Proposal {
        number: 99,
        ..proposal(&[110.0], &[90.0])
    };
    spsa.absorb(&space, &played, &Pentanomial([0, 0, 0, 1, 0]));
    let want = 100.0 + 10.0 * 0.002_624_201_348_511_365;
    assert!((spsa.estimate(&space)[0] - want).abs() < 1e-9);
}

#[test]
fn a_parameter_at_its_bound_is_named() {
    let space = standard_space(2).expect("a space");
    let gains = Gains::Averaged { rate: Some(1.0) };
    let mut spsa = Spsa::new(&space, &plan(100), &gains, 1.0);
    let played = proposal(&[3.0, 0.0], &[-3.0, 0.0]);
    spsa.absorb(&space, &played, &Pentanomial([0, 0, 0, 0, 1]));
    let notes = spsa.notes(&space);
    assert_eq!(notes.len(), 1);
    assert!(
        notes[0].starts_with("x0: 3.0 lies within one perturbation"),
        "{notes:?}"
    );
}
