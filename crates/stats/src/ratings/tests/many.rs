//! Very many players.

use super::clusters::pair;
use super::*;
use crate::ratings::errors::contrast;
use crate::ratings::group::{Field, FitErrors, fit};
use crate::ratings::many::fit_many;

/// Players in a circle of strengths. Each meets `meetings` others in pairs. If there are
/// `openings`, the pairs begin from them, and each opening suits players by some 100 Elo.
struct Crowd {
    players: usize,
    meetings: usize,
    openings: usize,
}

impl Crowd {
    /// Returns the strengths and the games.
    fn play(&self, seed: u64) -> (Vec<f64>, Vec<Cluster>) {
        let mut dice = RandomNumbers::new(seed, 0);
        let mut normals = |by: f64| -> Vec<f64> {
            let mut normal = || (0..12).map(|_| dice.uniform()).sum::<f64>() - 6.0;
            (0..self.players).map(|_| by * normal()).collect()
        };
        let strength = normals(150.0);
        let suits: Vec<Vec<f64>> = (0..self.openings).map(|_| normals(100.0)).collect();
        let below = |dice: &mut RandomNumbers, most: usize| (dice.uniform() * most as f64) as usize;
        let mut clusters = vec![Vec::new(); self.openings];
        for first in 0..self.players {
            for _ in 0..self.meetings {
                let second = (first + 1 + below(&mut dice, self.players - 1)) % self.players;
                let opening = below(&mut dice, self.openings.max(1));
                let suit = suits.get(opening).map_or(0.0, |it| it[first] - it[second]);
                let win = score_from_elo(strength[first] - strength[second] + suit);
                // Draws take 0.6 of the smaller probability from each side.
                let drawn = 0.6 * win.min(1.0 - win);
                let law = [1.0 - win - drawn / 2.0, drawn, win - drawn / 2.0];
                let both = [0, 1].map(|_| dice.outcome(&law) as u32);
                let Cluster { bouts, .. } = pair(first, second, both[0], 2 - both[1], 1);
                if self.openings > 0 {
                    clusters[opening].extend(bouts);
                } else {
                    clusters.push(bouts);
                }
            }
        }
        let cluster = |bouts| Cluster { bouts, copies: 1 };
        (strength, clusters.into_iter().map(cluster).collect())
    }

    fn field(&self, clusters: &[Cluster]) -> Field {
        let meetings = evidence::meetings(self.players, clusters).expect("valid");
        let components = Scored::of(self.players, &meetings).components();
        let large: Vec<_> = components.iter().filter(|it| it.len() > 1).collect();
        Field::new(self.players, &large, &meetings, clusters, None)
    }
}

/// The graph gives the same results as the matrices: the same ratings and, except for random
/// variation, the same errors.
#[test]
fn the_same_as_by_matrices() {
    for (meetings, openings, most) in [(300, 0, 0.15), (60, 60, 0.25)] {
        let crowd = Crowd {
            players: 60,
            meetings,
            openings,
        };
        let (_, clusters) = crowd.play(3);
        let field = crowd.field(&clusters);
        let (model, _) = field.model(FirstMove::Estimate);
        let many = fit_many(&field, model.clone()).expect("rated");
        let dense = fit(&field, model).expect("rated");
        for (one, two) in many.logits.iter().zip(&dense.logits) {
            assert!((one - two).abs() < 1e-7, "{one} {two}");
        }
        let (FitErrors::Many(errors), FitErrors::Dense { by_model, .. }) =
            (&many.errors, &dense.errors)
        else {
            panic!("the errors of both methods");
        };
        let ratio = |i: usize, j: usize| {
            let (claimed, approximate) = errors.variances(i, j);
            assert!((approximate / contrast(by_model, i, j)).sqrt() - 1.0 < most);
            (claimed / dense.errors.claimed(i, j)).sqrt()
        };
        let alone = (0..61).map(|i| ratio(i, i));
        let ratios: Vec<f64> = alone.chain((1..60).map(|i| ratio(i, 0))).collect();
        let off = ratios.iter().map(|it| (it - 1.0).abs()).fold(0.0, f64::max);
        assert!(off < most, "{off}");
        let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
        assert!((mean - 1.0).abs() < 0.03, "{mean}");
    }
}

/// `cargo test --release --lib coverage_of_many -- --ignored --nocapture`: docs/rating.md.
#[test]
#[ignore = "prints the table of the docs; minutes"]
fn coverage_of_many() {
    for (meetings, openings) in [
        (2, 0),
        (4, 0),
        (15, 0),
        (60, 0),
        (10, 20),
        (10, 40),
        (40, 80),
    ] {
        let crowd = Crowd {
            players: 600,
            meetings,
            openings,
        };
        // The more the openings differ, the less the score depends on strength.
        let by_suit = |at: u32| {
            let suit = crate::normal::quantile((f64::from(at) + 0.5) / 1000.0);
            score_from_elo(
                100.0
                    + if openings > 0 {
                        2_f64.sqrt() * 100.0 * suit
                    } else {
                        0.0
                    },
            )
        };
        let shown = elo_from_score((0..1000).map(by_suit).sum::<f64>() / 1000.0);
        let slope = shown.expect("finite") / 100.0;
        let (mut hits, mut all) = ([0_u32; 2], [0_u32; 2]);
        for seed in 0..20 {
            let (strength, clusters) = crowd.play(seed);
            let ratings = rate(600, &clusters, &RatingOptions::default()).expect("valid");
            let members = &ratings.groups[0].members;
            let mean = members.iter().map(|&i| strength[i]).sum::<f64>() / members.len() as f64;
            let mut count = |which: usize, range: Ranged, truth: f64| {
                let (Some(low), Some(high)) = (range.low, range.high) else {
                    return;
                };
                all[which] += 1;
                hits[which] += u32::from((low..=high).contains(&truth));
            };
            for (&i, &j) in members.iter().zip(members.iter().skip(1)) {
                count(0, ratings.players[i].elo, slope * (strength[i] - mean));
                count(
                    1,
                    ratings.difference(i, j),
                    slope * (strength[i] - strength[j]),
                );
            }
        }
        let [alone, apart] = [0, 1].map(|at| 100.0 * f64::from(hits[at]) / f64::from(all[at]));
        println!("{meetings:>3} meetings, {openings:>3} openings: {alone:.1} {apart:.1} %");
        assert!((90.0..99.0).contains(&alone) && (90.0..99.0).contains(&apart));
    }
}

/// A chain of thousands of players, each slightly stronger than the next.
#[test]
fn a_long_chain_is_rated() {
    let links: Vec<_> = (1..3_000).map(|i| (i - 1, i, [0, 2, 4, 4, 1])).collect();
    let clusters = of_pairs(&links);
    let ratings = rate(3_000, &clusters, &RatingOptions::default()).expect("valid");
    let gap = elo_from_score(26.0 / 44.0).expect("finite");
    for i in 1..3_000 {
        let apart = ratings.difference(i - 1, i);
        assert!((apart.value.expect("rated") - gap).abs() < 1e-6);
        assert!(apart.low < Some(gap) && apart.high > Some(gap));
    }
    assert_eq!(ratings.covariance(0, 1), None);
    assert!(ratings.los(0, 1) > Some(0.5) && ratings.los(0, 1) < Some(0.95));
}

/// Players that only won or lost, several groups, and an anchor.
#[test]
fn unrated_players_among_many() {
    let mut links: Vec<_> = (1..500).map(|i| (i - 1, i, [1, 2, 4, 4, 1])).collect();
    links.push((500, 0, [0, 0, 0, 0, 3]));
    links.push((501, 502, [1, 0, 1, 1, 1]));
    let options = RatingOptions {
        anchors: &[(7, 2500.0)],
        ..RatingOptions::default()
    };
    let ratings = rate(504, &of_pairs(&links), &options).expect("valid");
    assert_eq!(ratings.groups[0].members.len(), 500);
    let (anchor, next) = (&ratings.players[7], &ratings.players[8]);
    assert_eq!((anchor.elo.value, anchor.error), (Some(2500.0), Some(0.0)));
    let apart = ratings.difference_error(7, 8).expect("rated");
    assert!((next.error.expect("rated") - apart).abs() < 1e-9);
    assert_eq!(ratings.players[500].standing, Standing::WonAll);
    assert!(ratings.players[500].elo.low > Some(2500.0));
    assert_eq!(ratings.players[501].group, 1);
    assert_eq!(ratings.players[501].standing, Standing::Apart);
    assert!(ratings.players[501].elo.value.is_some());
    assert_eq!(ratings.difference_error(7, 501), None);
    assert_eq!(ratings.players[503].standing, Standing::NoGames);
    let unrated = RatingOptions {
        anchors: &[(500, 0.0)],
        ..options
    };
    let refused = rate(504, &of_pairs(&links), &unrated);
    assert_eq!(refused, Err(RatingsError::AnchorNotRated(500)));
}
