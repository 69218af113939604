use std::cmp::Ordering;

use proptest::prelude::*;

use super::*;
use crate::{Pentanomial, Trinomial};

fn close(got: Option<f64>, want: f64) {
    let got = got.expect("estimable");
    assert!(
        (got - want).abs() <= 1e-9 * want.abs().max(1.0),
        "{got} is not {want}"
    );
}

/// mpmath 1.3 with 40 digits, from the formulas of the module documentation: counts, [μ, elo, low,
/// high, nelo, half-width of nelo, LOS].
#[test]
fn customary_values() {
    let pairs = [
        (
            [10, 40, 100, 60, 15],
            [
                0.533_333_333_333_333_3,
                23.196_778_791_074_702,
                1.976_933_072_430_213_2,
                44.591_065_623_833_46,
                35.096_294_078_364_31,
                32.100_820_446_062_86,
                0.983_937_714_396_171_7,
            ],
        ),
        (
            [1187, 7410, 13475, 7378, 1164],
            [
                0.499_363_036_519_239_6,
                -0.442_607_799_223_712_8,
                -2.172_477_799_080_076_4,
                1.287_240_256_155_392_3,
                -0.704_141_208_229_853_4,
                2.751_993_175_274_149_4,
                0.308_013_879_122_686_3,
            ],
        ),
        (
            [7, 55, 133, 70, 11],
            [
                0.520_833_333_333_333_3,
                14.484_869_061_777_892,
                -2.753_897_012_759_838,
                31.795_268_536_304_55,
                24.351_320_215_611_78,
                28.983_634_906_142_85,
                0.950_191_411_462_077_2,
            ],
        ),
    ];
    for (counts, want) in pairs {
        check(&estimate(Pentanomial(counts)), want);
    }
    let games = Trinomial {
        losses: 310,
        draws: 520,
        wins: 402,
    };
    let want = [
        0.537_337_662_337_662_3,
        25.993_253_506_883_414,
        11.271_515_611_133_712,
        40.808_806_192_855_69,
        34.294_321_551_206_64,
        19.400_683_709_619_68,
        0.999_734_491_004_540_2,
    ];
    check(&estimate(games), want);
}

fn check(got: &Estimate, [score, elo, low, high, nelo, nelo_half, los]: [f64; 7]) {
    assert_eq!(got.basis, Basis::Customary);
    close(got.score.value, score);
    close(got.elo.value, elo);
    close(got.elo.low, low);
    close(got.elo.high, high);
    close(got.nelo.value, nelo);
    close(got.nelo.low, nelo - nelo_half);
    close(got.nelo.high, nelo + nelo_half);
    close(got.los, los);
    assert_eq!(got.los, got.los_cautious);
    let customary = got.customary.expect("has a spread");
    assert_eq!(
        (customary.elo_low, customary.elo_high),
        (got.elo.low, got.elo.high)
    );
    close(customary.elo_half_width, (high - low) / 2.0);
}

#[test]
fn scale_of_nelo() {
    // statistics.md section 1.
    assert!((nelo::NELO_SCALE - 347.435_585_522_601_46).abs() < 1e-12);
}

/// mpmath 1.3: the customary formulas on counts with z²/2 added at either end.
#[test]
fn pseudo_count_values() {
    let five_wins = estimate(Pentanomial([0, 0, 0, 0, 5]));
    assert_eq!(five_wins.basis, Basis::NoSpread);
    assert_eq!(five_wins.elo.bound, Bound::Lower);
    assert_eq!((five_wins.elo.value, five_wins.elo.high), (None, None));
    close(five_wins.elo.low, 7.606_677_659_863_029);
    assert_eq!((five_wins.nelo.value, five_wins.nelo.high), (None, None));
    close(five_wins.nelo.low, 6.520_719_770_976_629);
    close(five_wins.los, 0.979_269_297_062_211);
    assert_eq!(five_wins.customary, None);

    let level = estimate(Pentanomial([0, 0, 20, 0, 0]));
    assert_eq!(
        (level.basis, level.elo.bound),
        (Basis::NoSpread, Bound::Both)
    );
    assert_eq!(
        (level.elo.value, level.nelo.value, level.los),
        (Some(0.0), Some(0.0), Some(0.5))
    );
    close(level.elo.high, 56.472_746_001_748_14);
    close(level.nelo.low, -98.614_545_769_446_04);

    let two = estimate(Pentanomial([0, 0, 0, 1, 1]));
    assert_eq!(two.basis, Basis::FewResults);
    close(two.elo.low, -177.709_569_494_652_4);
    close(two.elo.high, 844.916_533_330_232_2);
    close(two.los_cautious, 0.755_354_377_134_647);
    assert!(
        two.los > Some(0.9999),
        "the customary formula is sure after two pairs"
    );
}

#[test]
fn bases() {
    let of = |counts| estimate(Pentanomial(counts)).basis;
    assert_eq!(of([0; 5]), Basis::NoResults);
    assert_eq!(of([0, 0, 0, 30, 0]), Basis::NoSpread);
    assert_eq!(of([1, 7, 13, 7, 1]), Basis::FewResults);
    assert_eq!(of([1, 7, 14, 7, 1]), Basis::Customary);
    assert_eq!(of([0, 0, 999, 1, 0]), Basis::Skewed);
    assert_eq!(of([0, 0, 0, 1, 60]), Basis::Skewed);
    assert_eq!(of([0, 10, 980, 10, 0]), Basis::Customary);
    for basis in [
        Basis::NoSpread,
        Basis::FewResults,
        Basis::Skewed,
        Basis::OneSided,
        Basis::NoResults,
    ] {
        assert!(!basis.note().is_empty());
    }
}

#[test]
fn serialises_without_nan() {
    let json = serde_json::to_value(estimate(Pentanomial([0, 0, 0, 0, 5]))).expect("total");
    assert_eq!(json["elo"]["value"], serde_json::Value::Null);
    assert_eq!(json["elo"]["bound"], "lower");
    assert_eq!(json["basis"], "no-spread");
    let none = estimate(Trinomial::default());
    let json = serde_json::to_string(&none).expect("total");
    assert_eq!(serde_json::from_str::<Estimate>(&json).expect("back"), none);
}

/// Asserts that score, Elo and both nElo are on the same side of level, and so are their limits.
fn same_signs(got: &Estimate) {
    let is_close = |los: Option<f64>| {
        los.is_some_and(|los| [0.025, 0.5, 0.975].iter().any(|x| (los - x).abs() < 1e-9))
    };
    if is_close(got.los_cautious) || is_close(got.los) || got.units >= 1 << 50 {
        return;
    }
    let sign = |x: Option<f64>, level: f64, open: Ordering| {
        let lead = x.and_then(|x| x.partial_cmp(&level));
        lead.unwrap_or(open)
    };
    // A missing value is infinite, with the sign of the score.
    let ahead = sign(got.score.value, 0.5, Ordering::Equal);
    let signs = |range: &Ranged, level: f64| {
        [
            sign(range.low, level, Ordering::Less),
            sign(range.value, level, ahead),
            sign(range.high, level, Ordering::Greater),
        ]
    };
    let elo = signs(&got.elo, 0.0);
    assert_eq!(elo, signs(&got.score, 0.5), "{got:?}");
    assert_eq!(elo, signs(&got.nelo, 0.0), "{got:?}");
    assert_eq!(elo, signs(&got.nelo_full, 0.0), "{got:?}");
}

#[test]
fn all_pairs_won_is_above_zero_on_every_scale() {
    let got = estimate(Pentanomial([0, 0, 0, 0, 7]));
    assert!(got.elo.low > Some(0.0) && got.nelo.low > Some(0.0));
    assert!(got.nelo_full.low > Some(0.0), "{:?}", got.nelo_full);
}

/// Asserts the properties that hold for any counts.
fn sane(counts: Multinomial) -> Estimate {
    let got = estimate(counts);
    for range in [got.score, got.elo, got.nelo, got.nelo_full] {
        let all = [range.low, range.value, range.high];
        let known: Vec<f64> = all.into_iter().flatten().collect();
        assert!(known.iter().all(|x| x.is_finite()), "{counts:?} {got:?}");
        assert!(known.is_sorted(), "{counts:?} {got:?}");
        // With more than 2^50 units a limit may round to a score of 0 or 1.
        if counts.units() < 1 << 50 {
            assert_eq!(
                range.bound == Bound::Nothing,
                counts.is_empty(),
                "{counts:?} {got:?}"
            );
        }
    }
    for los in [got.los, got.los_cautious] {
        assert!(los.is_none_or(|p| (0.0..=1.0).contains(&p)), "{counts:?}");
        assert_eq!(los.is_none(), counts.is_empty());
        if let (Some(los), Some(mean)) = (los, counts.mean()) {
            assert!(
                (los > 0.5) == (mean > 0.5) || (mean - 0.5).abs() < 1e-12,
                "{counts:?}"
            );
        }
    }
    if let Some(cautious) = got.los_cautious
        && (cautious - 0.975).abs() > 1e-9
        && counts.units() < 1 << 50
    {
        assert_eq!(cautious > 0.975, got.elo.low > Some(0.0), "{counts:?}");
        assert_eq!(cautious > 0.975, got.nelo.low > Some(0.0), "{counts:?}");
    }
    same_signs(&got);
    let other = estimate(counts.mirror());
    let opposite = |a: Option<f64>, b: Option<f64>| match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => (a + b).abs() <= 1e-9 * a.abs().max(1.0),
        _ => false,
    };
    for (one, two) in [(got.elo, other.elo), (got.nelo, other.nelo)] {
        assert!(opposite(one.value, two.value), "{counts:?} {one:?} {two:?}");
        assert!(opposite(one.low, two.high), "{counts:?} {one:?} {two:?}");
        assert!(opposite(one.high, two.low), "{counts:?} {one:?} {two:?}");
    }
    if let (Some(one), Some(two)) = (got.los, other.los) {
        assert!((one + two - 1.0).abs() < 1e-12, "{counts:?}");
    }
    got
}

fn sweep(most: u64, mut each: impl FnMut([u64; 5])) {
    for a in 0..=most {
        for b in 0..=most - a {
            for c in 0..=most - a - b {
                for d in 0..=most - a - b - c {
                    for e in 0..=most - a - b - c - d {
                        each([a, b, c, d, e]);
                    }
                }
            }
        }
    }
}

/// Limits closer to the value than the precision of doubles are kept.
#[test]
fn rounding_takes_no_limit_away() {
    let counts = [156_648, 109_616, 0, 17_318_063_743_758_220_288, 2_025];
    for counts in [Pentanomial(counts), Pentanomial(counts).mirror()] {
        let got = sane(counts.into());
        assert_eq!(got.elo.bound, Bound::Both);
    }
}

#[test]
fn all_counts_up_to_twelve_pairs() {
    sweep(12, |counts| {
        sane(Pentanomial(counts).into());
    });
}

#[test]
fn all_counts_up_to_sixty_games() {
    for losses in 0..=60 {
        for draws in 0..=60 - losses {
            for wins in 0..=60 - losses - draws {
                sane(
                    Trinomial {
                        losses,
                        draws,
                        wins,
                    }
                    .into(),
                );
            }
        }
    }
}

#[test]
fn corners_of_huge_counts() {
    let sizes = [0, 1, 30, 1 << 40, u64::MAX];
    for n in 0..5_usize.pow(5) {
        let digit = |k: u32| sizes[n / 5_usize.pow(k) % 5];
        sane(Pentanomial([digit(0), digit(1), digit(2), digit(3), digit(4)]).into());
    }
}

/// Elo increases with every improved pair. LOS need not: in the customary formula a better result
/// that increases the variance can lower it. It does increase when the improved pair moves towards
/// the mean.
#[test]
fn a_better_pair_never_lowers_elo() {
    let los = |counts| estimate(Pentanomial(counts)).los;
    assert!(
        los([0, 0, 1, 8, 1]) < los([0, 0, 1, 9, 0]),
        "the known exception"
    );
    sweep(9, |counts| {
        let before = estimate(Pentanomial(counts));
        for cell in 0..4 {
            if counts[cell] == 0 {
                continue;
            }
            let mut better = counts;
            better[cell] -= 1;
            better[cell + 1] += 1;
            let after = estimate(Pentanomial(better));
            assert!(after.score.value > before.score.value);
            // `None` at the top means an infinite Elo, at the bottom minus infinity.
            if let (Some(one), Some(two)) = (before.elo.value, after.elo.value) {
                assert!(two > one, "{counts:?} {cell}");
            }
            assert!(before.elo.value.is_some() || before.score.value == Some(0.0));
            assert!(after.elo.value.is_some() || after.score.value == Some(1.0));
            let mean = before.score.value.expect("pairs");
            let improved = (cell + 1) as f64 / 4.0;
            if mean >= 0.5
                && improved <= mean
                && before.customary.is_some()
                && after.customary.is_some()
            {
                assert!(after.los >= before.los, "{counts:?} {cell}");
            }
        }
    });
}

proptest! {
    #[test]
    fn sane_for_any_counts(counts in prop::array::uniform5(0_u64..5000)) {
        sane(Pentanomial(counts).into());
    }

    #[test]
    fn sane_for_any_sizes(counts in prop::array::uniform5((0_u32..64, any::<u64>()).prop_map(|(s, n)| n >> s))) {
        sane(Pentanomial(counts).into());
    }

    #[test]
    fn signs_agree_for_any_counts_and_clusters(
        counts in prop::array::uniform5((0_u32..20, 0_u64..1 << 20).prop_map(|(s, n)| n >> s)),
        interval in 0.2_f64..50.0,
    ) {
        let effect = Effect { design: interval, interval, shared: true, ..Effect::NONE };
        same_signs(&estimate_clustered(Pentanomial(counts), effect));
        let [losses, draws, wins, ..] = counts;
        let games = Trinomial { losses, draws, wins };
        same_signs(&estimate(games));
        same_signs(&estimate_clustered(games, effect));
    }

    #[test]
    fn repeating_the_data_keeps_elo_and_narrows_the_interval(
        counts in prop::array::uniform5(0_u64..500), times in 2_u64..50,
    ) {
        prop_assume!(counts.iter().sum::<u64>() > 0);
        let one = estimate(Pentanomial(counts));
        let many = estimate(Pentanomial(counts.map(|n| n * times)));
        if let (Some(a), Some(b)) = (one.elo.value, many.elo.value) {
            prop_assert!((a - b).abs() < 1e-9 * a.abs().max(1.0));
        }
        if one.basis == Basis::Customary {
            prop_assert_eq!(many.basis, Basis::Customary);
            prop_assert!(many.elo.low >= one.elo.low && many.elo.high <= one.elo.high);
        }
    }
}
