use crate::Bound;
use proptest::prelude::*;

use super::super::logistic::score_from_elo;
use super::super::normal::Z95;
use super::super::simulation::independent;
use super::*;
use crate::RandomNumbers;

fn capital(counts: &Pentanomial, mean: f64) -> f64 {
    ln_half_capital(counts.0.map(|count| count as f64), mean)
}

/// Share of runs in which the interval misses the mean at any time.
fn ever_missed(law: &[f64; 5], runs: u32, pairs: u32, seed: u64) -> f64 {
    let mean: f64 = (0..5).map(|i| law[i] * i as f64 / 4.0).sum();
    let mut dice = RandomNumbers::new(seed, 0);
    let mut missed = 0;
    for _ in 0..runs {
        let mut sequence = ConfidenceSequence::of(Pentanomial::default(), 0.05);
        let out = (1..=pairs).any(|_| {
            sequence.counts.0[dice.outcome(law)] += 1;
            // Equivalent to computing the interval, but much faster.
            let above = capital(&sequence.counts, mean);
            let below = capital(&sequence.counts.mirror(), 1.0 - mean);
            above.max(below) >= sequence.threshold
        });
        missed += u32::from(out);
    }
    f64::from(missed) / f64::from(runs)
}

#[test]
fn covers_at_all_times_at_once() {
    for law in [
        independent(0.25, 0.5),
        independent(0.475, 0.05),
        independent(0.9, 0.1),
        [0.005, 0.02, 0.95, 0.02, 0.005],
        [0.0, 0.0, 0.99, 0.0, 0.01],
    ] {
        let missed = ever_missed(&law, 200, 600, 4);
        // Five per cent and three standard errors.
        assert!(missed <= 0.096, "{law:?}: {missed}");
    }
}

/// The effect of watching on the customary interval: the reason for confidence sequences.
#[test]
fn the_customary_interval_does_not() {
    let law = independent(0.25, 0.5);
    let mut dice = RandomNumbers::new(4, 0);
    let mut missed = 0;
    for _ in 0..300 {
        let mut counts = Pentanomial::default();
        missed += u32::from((1..=1500).any(|pair| {
            counts.0[dice.outcome(&law)] += 1;
            let (mean, variance) = (counts.mean().expect("some"), counts.variance());
            let error = (variance.expect("some") / f64::from(pair)).sqrt();
            pair >= 30 && (mean - 0.5).abs() > Z95 * error
        }));
    }
    assert!(missed > 90, "{missed} of 300");
}

#[test]
fn the_ends_are_where_the_capital_reaches_the_threshold() {
    let sequence = ConfidenceSequence::of(Pentanomial([10, 40, 100, 60, 15]), 0.05);
    let got = sequence.interval().score;
    let (low, high) = (got.low.expect("some"), got.high.expect("some"));
    let above = capital(&sequence.counts, low);
    let below = capital(&sequence.counts.mirror(), 1.0 - high);
    assert!((above - libm::log(20.0)).abs() < 1e-5, "{above}");
    assert!((below - libm::log(20.0)).abs() < 1e-5, "{below}");
    // Wider than the customary ±0.0305, and not by more than a factor of two.
    assert!(
        ((high - low) / 2.0 / 0.0305 - 1.7).abs() < 0.3,
        "{low} {high}"
    );
}

#[test]
fn one_sided_results_leave_one_side_open() {
    let none = ConfidenceSequence::of(Pentanomial::default(), 0.05).interval();
    assert_eq!(none.elo, Ranged::NOTHING);
    assert_eq!((none.score.low, none.score.high), (Some(0.0), Some(1.0)));
    let won = ConfidenceSequence::of(Pentanomial([0, 0, 0, 0, 20]), 0.05).interval();
    assert_eq!((won.elo.value, won.elo.high), (None, None));
    assert_eq!(won.elo.bound, Bound::Lower);
    assert!(won.elo.low.expect("some") > 100.0);
    let level = ConfidenceSequence::of(Pentanomial([0, 0, 1000, 0, 0]), 0.05).interval();
    assert_eq!(level.elo.value, Some(0.0));
    assert!(level.elo.high.expect("some") < 15.0);
}

/// By hand, for one won pair: K⁺ = Σ (1 - c + c/m)/12 with Σc = ¾ (2 - 2⁻¹¹).
#[test]
fn capital_by_hand() {
    let won = Pentanomial([0, 0, 0, 0, 1]);
    let stakes = 0.75 * (2.0 - 0.5_f64.powi(11));
    for (m, gain) in [(0.5, 1.0), (0.25, 3.0), (1.0, 0.0)] {
        let by_hand = libm::log(0.5 * (1.0 + gain * stakes / 12.0));
        assert!((capital(&won, m) - by_hand).abs() < 1e-14, "{m}");
    }
}

#[test]
#[ignore = "prints the widths of the docs"]
fn width_table() {
    for (name, law) in [
        ("draws .5", independent(0.25, 0.5)),
        ("draws .05", independent(0.475, 0.05)),
        ("unbalanced openings", [0.02, 0.05, 0.86, 0.05, 0.02]),
    ] {
        for pairs in [30_u32, 100, 1000, 10_000, 100_000, 1_000_000] {
            let counts = Pentanomial(law.map(|p| (p * f64::from(pairs)).round() as u64));
            let got = ConfidenceSequence::of(counts, 0.05).interval().score;
            let half = (got.high.expect("some") - got.low.expect("some")) / 2.0;
            let customary = Z95 * (counts.variance().expect("some") / f64::from(pairs)).sqrt();
            println!("{name:20} {pairs:8} {:.3}", half / customary);
        }
    }
}

proptest! {
    #[test]
    fn total_and_mirrored(
        counts in [0..u64::MAX / 4, 0..1000_u64, 0..10_u64, 0..1000_u64, 0..3_u64],
        shift in 0..63_u32,
        alpha in -1.0..2.0_f64,
    ) {
        let counts = Pentanomial(counts.map(|n| n >> shift));
        let got = ConfidenceSequence::of(counts, alpha).interval();
        let other = ConfidenceSequence::of(counts.mirror(), alpha).interval();
        let (low, high) = (got.score.low.expect("some"), got.score.high.expect("some"));
        prop_assert!(0.0 <= low && low <= high && high <= 1.0);
        prop_assert!((other.score.high.expect("some") - (1.0 - low)).abs() < 1e-9);
        if let Some(elo) = got.elo.low {
            prop_assert!((score_from_elo(elo) - low).abs() < 1e-9);
        }
    }
}

/// Regression test: counts were divided and truncated, which changed the score.
#[test]
fn pairs_that_hang_together_keep_their_score() {
    let counts = Pentanomial([2, 16, 22, 0, 20]);
    let effect = |interval| Effect {
        interval,
        shared: true,
        clusters: 9,
        ..Effect::NONE
    };
    let score = |effect| {
        let sequence = ConfidenceSequence::of_clustered(counts, effect, 0.05);
        sequence.interval().score
    };
    let alone = score(Effect::NONE);
    assert_eq!(score(effect(0.5)), alone);
    let wide = score(effect(17.7));
    assert_eq!(wide.value, alone.value);
    assert!(wide.low < alone.low && wide.high > alone.high, "{wide:?}");
    // Ten times the pairs with an effect of 10 carry the same information.
    let tenth = ConfidenceSequence::of_clustered(
        Pentanomial(counts.0.map(|count| 10 * count)),
        effect(10.0),
        0.05,
    );
    let low = tenth.interval().score.low;
    assert!(
        low.zip(alone.low)
            .is_some_and(|(one, other)| (one - other).abs() < 1e-9)
    );
    let unknown = Effect {
        shared: true,
        clusters: 0,
        ..Effect::NONE
    };
    let nothing = ConfidenceSequence::of_clustered(counts, unknown, 0.05).interval();
    assert_eq!(
        (nothing.elo.bound, nothing.score.value),
        (Bound::Nothing, alone.value)
    );
}
