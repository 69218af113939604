//! Whether later laps through a book measure what the first lap measures.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// Pairs, and the sum of their outcomes (0 lost both to 4 won both).
pub type PairSum = (u64, u64);

/// The two-sided p-value of the hypothesis that pairs of the first lap and pairs of later
/// laps have one mean score; `None` with fewer than two clusters, without pairs in one of
/// the two, or where all pairs are equal.
///
/// Each item is a cluster of openings: its pairs in the first lap, and those in later laps.
/// With the means m and numbers N of the two, a cluster adds `ψ = (S₂ - n₂·m₂)/N₂ -
/// (S₁ - n₁·m₁)/N₁` to their difference; its variance is `Σψ² · G/(G-1)` over G clusters
/// (Liang and Zeger, Biometrika 73, 1986), and the difference over its error follows
/// Student's t with G - 1 degrees of freedom. Pairs of one cluster may hang together in any
/// way.
pub fn lap_difference(clusters: impl IntoIterator<Item = [PairSum; 2]> + Clone) -> Option<f64> {
    let mut totals = [(0, 0); 2];
    let mut number = 0_u64;
    for cluster in clusters.clone() {
        number += 1;
        for (total, part) in totals.iter_mut().zip(cluster) {
            total.0 += part.0;
            total.1 += part.1;
        }
    }
    if number < 2 || totals.iter().any(|&(pairs, _)| pairs == 0) {
        return None;
    }
    let mean = |(pairs, sum): PairSum| sum as f64 / pairs as f64;
    let means = totals.map(mean);
    let part = |lap: usize, (pairs, sum): PairSum| {
        (sum as f64 - pairs as f64 * means[lap]) / totals[lap].0 as f64
    };
    let squares: f64 = clusters
        .into_iter()
        .map(|[first, later]| (part(1, later) - part(0, first)).powi(2))
        .sum();
    let freedom = (number - 1) as f64;
    let error = (squares * number as f64 / freedom).sqrt();
    if error <= 0.0 {
        return None;
    }
    let student = StudentsT::new(0.0, 1.0, freedom).ok()?;
    Some(2.0 * student.cdf(-((means[1] - means[0]) / error).abs()))
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// By hand: two clusters.
    #[test]
    fn the_difference_of_two_clusters_is_students() {
        let clusters = [[(1, 4), (1, 2)], [(1, 2), (1, 4)]];
        // Means 3 and 3: no difference at all.
        assert_eq!(lap_difference(clusters), Some(1.0));
        let clusters = [[(1, 2), (1, 4)], [(1, 2), (1, 3)]];
        // Means 2 and 3.5, ψ = ±1/4, error sqrt(1/8 · 2) = 1/2, t = 3 with one degree of
        // freedom: p = 2 · (1/2 - atan(3)/π).
        let wanted = 1.0 - 2.0 * 3.0_f64.atan() / std::f64::consts::PI;
        assert!((lap_difference(clusters).unwrap() - wanted).abs() < 1e-12);
    }

    #[test]
    fn too_little_is_no_difference() {
        assert_eq!(lap_difference([]), None);
        assert_eq!(lap_difference([[(3, 6), (3, 9)]]), None, "one cluster");
        assert_eq!(lap_difference([[(3, 6), (0, 0)], [(3, 6), (0, 0)]]), None);
        assert_eq!(lap_difference([[(1, 2), (1, 2)], [(1, 2), (1, 2)]]), None);
    }

    /// Openings that differ, some laps of each: false alarms at 1 %, and a difference of 25
    /// Elo over 300 openings and five laps is seen.
    #[test]
    fn false_alarms_are_rare_and_a_difference_is_seen() {
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let mut share = |openings: usize, laps: u64, loss: f64| {
            let alarms = (0..400).filter(|_| {
                let clusters: Vec<[PairSum; 2]> = (0..openings)
                    .map(|_| {
                        let lean: f64 = random.random_range(-0.15..0.15);
                        let mut sum = |pairs: u64, mean: f64| {
                            let games = (0..4 * pairs)
                                .filter(|_| random.random_bool((mean + lean).clamp(0.0, 1.0)));
                            (pairs, games.count() as u64)
                        };
                        [sum(1, 0.55), sum(laps, 0.55 - loss)]
                    })
                    .collect();
                lap_difference(clusters).is_some_and(|p| p < 0.01)
            });
            alarms.count() as f64 / 400.0
        };
        assert!(share(300, 5, 0.0) < 0.03);
        assert!(share(25, 40, 0.0) < 0.04);
        assert!(share(300, 5, 0.036) > 0.3);
    }
}
