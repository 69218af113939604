//! Simulated results for tests: fixed seeds, own reduction of random words.

use crate::logistic::elo_from_score;
use crate::{Basis, Multinomial, Pentanomial, RandomNumbers, estimate};

impl RandomNumbers {
    /// Draws an outcome from a law.
    pub(crate) fn outcome(&mut self, law: &[f64]) -> usize {
        let mut left = self.uniform();
        for (i, p) in law.iter().enumerate() {
            left -= p;
            if left < 0.0 {
                return i;
            }
        }
        law.len() - 1
    }

    /// Draws `pairs` pairs from a law of pair results.
    pub(crate) fn match_of(&mut self, law: &[f64; 5], pairs: u64) -> Pentanomial {
        let mut counts = Pentanomial::default();
        for _ in 0..pairs {
            counts.0[self.outcome(law)] += 1;
        }
        counts
    }
}

/// Returns the law of a pair of independent games.
pub(crate) fn independent(win: f64, draw: f64) -> [f64; 5] {
    let loss = 1.0 - win - draw;
    [
        loss * loss,
        2.0 * loss * draw,
        2.0 * win * loss + draw * draw,
        2.0 * win * draw,
        win * win,
    ]
}

fn laws() -> Vec<(&'static str, [f64; 5])> {
    vec![
        ("draws .5, even", independent(0.25, 0.5)),
        ("draws .05, even", independent(0.475, 0.05)),
        ("draws .9, even", independent(0.05, 0.9)),
        ("draws .98, even", independent(0.01, 0.98)),
        ("score .9, draws .1", independent(0.85, 0.1)),
        ("score .9, no draws", independent(0.9, 0.0)),
        ("score .9, correlated", [0.02, 0.02, 0.06, 0.14, 0.76]),
        ("score .97", independent(0.95, 0.04)),
        ("score .99", independent(0.985, 0.01)),
        ("score .7, draws .2", independent(0.6, 0.2)),
        ("unbalanced openings", [0.02, 0.05, 0.86, 0.05, 0.02]),
        ("1 % WD, else level", [0.0, 0.0, 0.99, 0.01, 0.0]),
        ("3 % WW, else level", [0.0, 0.0, 0.97, 0.0, 0.03]),
    ]
}

/// Returns the shares of `runs` matches whose intervals cover the truth: Elo as reported, and by
/// the customary formula; then the share on the customary basis; then the shares for nElo, with σ
/// held fixed and not.
fn coverage(law: &[f64; 5], pairs: u64, runs: u32, seed: u64) -> [f64; 5] {
    let mean: f64 = law
        .iter()
        .enumerate()
        .map(|(i, p)| p * i as f64 / 4.0)
        .sum();
    let variance: f64 = law
        .iter()
        .enumerate()
        .map(|(i, p)| p * (i as f64 / 4.0 - mean).powi(2))
        .sum();
    let elo = elo_from_score(mean).expect("inside");
    let nelo = (mean - 0.5) / (2.0 * variance).sqrt() * 2.0 * crate::logistic::ELO_PER_LOGIT;
    let covers = |low: Option<f64>, high: Option<f64>, truth: f64| {
        low.is_none_or(|x| x <= truth + 1e-9) && high.is_none_or(|x| x >= truth - 1e-9)
    };
    let mut dice = RandomNumbers::new(seed, 0);
    let mut hits = [0_u32; 5];
    for _ in 0..runs {
        let got = estimate(dice.match_of(law, pairs));
        hits[0] += u32::from(covers(got.elo.low, got.elo.high, elo));
        hits[1] += u32::from(
            got.customary
                .is_some_and(|c| covers(c.elo_low, c.elo_high, elo)),
        );
        hits[2] += u32::from(got.basis == Basis::Customary);
        hits[3] += u32::from(covers(got.nelo.low, got.nelo.high, nelo));
        hits[4] += u32::from(covers(got.nelo_full.low, got.nelo_full.high, nelo));
    }
    hits.map(|n| f64::from(n) / f64::from(runs))
}

#[test]
fn intervals_cover() {
    for (name, law) in laws() {
        for pairs in [2, 5, 20, 200] {
            let [reported, ..] = coverage(&law, pairs, 1000, 20_261_121);
            // 0.93 minus three standard errors of the simulation.
            assert!(reported >= 0.906, "{name}, {pairs} pairs: {reported}");
        }
    }
}

#[test]
#[ignore = "prints the table of the docs; half a minute in release"]
fn coverage_table() {
    println!("law, pairs: reported, customary formula, share on customary basis, nElo, full");
    for (name, law) in laws() {
        for pairs in [1, 2, 5, 10, 20, 30, 50, 100, 500, 5000] {
            let runs = if pairs > 1000 { 4000 } else { 20_000 };
            let [reported, customary, share, nelo, full] = coverage(&law, pairs, runs, 1);
            println!(
                "{name:22} {pairs:5}  {reported:.3}  {customary:.3}  {share:.2}  {nelo:.3}  {full:.3}"
            );
        }
    }
}

/// Coverage for single games, where the unit is the game.
#[test]
fn intervals_of_single_games_cover() {
    for [loss, draw, win] in [[0.25, 0.5, 0.25], [0.475, 0.05, 0.475], [0.05, 0.1, 0.85]] {
        let elo = elo_from_score(win + draw / 2.0).expect("inside");
        for games in [5, 10, 20, 50, 500] {
            let mut dice = RandomNumbers::new(7, 0);
            let mut hits = 0;
            for _ in 0..4000 {
                let mut counts = [0; 3];
                for _ in 0..games {
                    counts[dice.outcome(&[loss, draw, win])] += 1;
                }
                let got = estimate(Multinomial::new(counts)).elo;
                hits += u32::from(
                    got.low.is_none_or(|x| x <= elo) && got.high.is_none_or(|x| x >= elo),
                );
            }
            assert!(hits > 3670, "draws {draw}, {games} games: {hits} of 4000");
        }
    }
}
