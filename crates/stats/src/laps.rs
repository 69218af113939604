//! A test for a difference between the first and later laps through a book.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// Number of pairs, and the sum of their outcomes (0 lost both to 4 won both).
pub type PairSum = (u64, u64);

/// Smallest number of clusters that determines the scatter of results.
const MIN: f64 = 5.0;

/// Returns the two-sided p-value of the hypothesis that pairs of the first lap and of later laps
/// have the same mean score; `None` with fewer than [`MIN`] clusters in one of the two, or if
/// all pairs are equal.
///
/// Each item is a cluster of openings: its pairs in the first lap, and those in later laps. With
/// the means m and numbers N of the two, a cluster adds `ψ = (S₂ - n₂·m₂)/N₂ - (S₁ - n₁·m₁)/N₁` to
/// their difference; its variance is `Σψ² · G/(G-1)` over G clusters (Liang and Zeger, Biometrika
/// 73, 1986), and the difference divided by its error follows Student's t with G - 1 degrees of
/// freedom. G is the smaller of `N²/Σn²` over the clusters of the first lap and over those of later
/// laps, because a lap with pairs from few clusters determines its scatter poorly, even if the
/// other lap has many. Pairs of one cluster may be correlated in any way.
pub fn lap_difference(clusters: impl IntoIterator<Item = [PairSum; 2]> + Clone) -> Option<f64> {
    let mut totals = [(0, 0); 2];
    let mut squares = [0.0; 2];
    for cluster in clusters.clone() {
        for (lap, (pairs, sum)) in cluster.into_iter().enumerate() {
            totals[lap].0 += pairs;
            totals[lap].1 += sum;
            squares[lap] += (pairs as f64).powi(2);
        }
    }
    let number = |lap: usize| (totals[lap].0 as f64).powi(2) / squares[lap];
    let number = number(0).min(number(1));
    // `number` is NaN without pairs.
    if number.is_nan() || number < MIN {
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
    let freedom = number - 1.0;
    let error = (squares * number / freedom).sqrt();
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

    /// By hand: five clusters of one pair in each lap.
    #[test]
    fn the_difference_of_few_clusters_is_students() {
        let clusters = |later: [u64; 5]| later.map(|sum| [(1, 2), (1, sum)]);
        // Means 2 and 2: no difference.
        assert_eq!(lap_difference(clusters([1, 3, 1, 3, 2])), Some(1.0));
        // Means 2 and 2.6, Σψ² = 1.2/25, error sqrt(1.2/25 · 5/4) = 0.2449, t = 2.4495 with four
        // degrees of freedom. The distribution is 1/2 + t/(2·√(t² + 4)) · (1 + 2/(t² + 4)).
        let t = 0.6 / (1.2_f64 / 25.0 * 1.25).sqrt();
        let sum = t * t + 4.0;
        let wanted = 1.0 - t / sum.sqrt() * (1.0 + 2.0 / sum);
        let found = lap_difference(clusters([2, 2, 3, 3, 3])).unwrap();
        assert!((found - wanted).abs() < 1e-12, "{found} and not {wanted}");
    }

    #[test]
    fn too_little_is_no_difference() {
        assert_eq!(lap_difference([]), None);
        assert_eq!(lap_difference([[(3, 6), (3, 9)]]), None, "one cluster");
        assert_eq!(lap_difference([[(3, 6), (0, 0)], [(3, 6), (0, 0)]]), None);
        assert_eq!(lap_difference([[(1, 2), (1, 2)]; 9]), None, "all equal");
        // All or nearly all pairs of the later lap come from one opening.
        let mut clusters = [[(1, 2), (0, 0)]; 30];
        clusters[0][1] = (1, 4);
        assert_eq!(lap_difference(clusters), None);
        clusters[0][1] = (60, 140);
        clusters[1][1] = (1, 4);
        assert_eq!(lap_difference(clusters), None);
    }

    /// Different openings in several laps: false alarms occur at 1 %, and a difference of 25 Elo
    /// over 300 openings and five laps is detected.
    #[test]
    fn false_alarms_are_rare_and_a_difference_is_seen() {
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let mut share = |openings: usize, again: usize, laps: u64, loss: f64| {
            let alarms = (0..400).filter(|_| {
                let clusters: Vec<[PairSum; 2]> = (0..openings)
                    .map(|opening| {
                        let lean: f64 = random.random_range(-0.15..0.15);
                        let mut sum = |pairs: u64, mean: f64| {
                            let games = (0..4 * pairs)
                                .filter(|_| random.random_bool((mean + lean).clamp(0.0, 1.0)));
                            (pairs, games.count() as u64)
                        };
                        let laps = if opening < again { laps } else { 0 };
                        [sum(1, 0.55), sum(laps, 0.55 - loss)]
                    })
                    .collect();
                lap_difference(clusters).is_some_and(|p| p < 0.01)
            });
            alarms.count() as f64 / 400.0
        };
        assert!(share(300, 300, 5, 0.0) < 0.03);
        assert!(share(25, 25, 40, 0.0) < 0.03);
        // The last lap has just begun.
        for again in [1, 2, 3, 5, 10, 20] {
            assert!(share(300, again, 1, 0.0) < 0.04, "{again}");
            assert!(share(24, again, 1, 0.0) < 0.03, "{again}");
        }
        assert!(share(300, 300, 5, 0.036) > 0.3);
    }
}
