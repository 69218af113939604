//! Costs of two solvers on the same problems. Problems may share a position, and a solver may give
//! up.

use std::collections::BTreeMap;

use leitai_stats::Ranged;
use leitai_stats::bootstrap::bootstrap;

/// The costs of one problem for two solvers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CostPair {
    /// Number of the cluster: problems with the same number, such as those on one position, may be
    /// correlated.
    pub cluster: usize,
    /// The first solver's cost, above 0.
    pub first: f64,
    /// The second solver's cost, in the same unit.
    pub second: f64,
}

/// The geometric mean of second divided by first, with equal weight for each problem, and its 95 %
/// interval from samples of whole clusters.
///
/// A cluster adds the sum of its logarithms and its number of problems to a sample. The interval is
/// that of [`bootstrap`], which needs at least six clusters. There is no value if a cost is not
/// above 0.
pub fn geometric_ratio_clustered(
    pairs: &[CostPair],
    resamples: u32,
    draw: impl FnMut(u64) -> u64,
) -> Ranged {
    let log = |pair: &CostPair| [libm::log(pair.second / pair.first), 1.0];
    bootstrap(&sums(pairs, log), resamples, draw, |units| {
        let [logs, problems] = total(units);
        libm::exp(logs / problems)
    })
}

/// The mean of second divided by the mean of first, in which large costs count most, with its 95 %
/// interval from samples of whole clusters.
pub fn ratio_of_means_clustered(
    pairs: &[CostPair],
    resamples: u32,
    draw: impl FnMut(u64) -> u64,
) -> Ranged {
    let both = |pair: &CostPair| [pair.first, pair.second];
    bootstrap(&sums(pairs, both), resamples, draw, |units| {
        let [first, second] = total(units);
        second / first
    })
}

/// Adds up the values of `of` by cluster.
fn sums(pairs: &[CostPair], of: impl Fn(&CostPair) -> [f64; 2]) -> Vec<[f64; 2]> {
    let mut sums = BTreeMap::<usize, [f64; 2]>::new();
    for pair in pairs {
        let sum = sums.entry(pair.cluster).or_default();
        *sum = total(&[*sum, of(pair)]);
    }
    sums.into_values().collect()
}

fn total(units: &[[f64; 2]]) -> [f64; 2] {
    let add = |sum: [f64; 2], unit: &[f64; 2]| [sum[0] + unit[0], sum[1] + unit[1]];
    units.iter().fold([0.0; 2], add)
}

/// The penalised average of costs under a cap: a problem that was not solved within the cap counts
/// `factor` times the cap. With factor 2 it is the PAR2 of the SAT competitions, with 10 PAR10.
/// `None` without problems, or with a number that is not finite.
pub fn penalised_mean(costs: &[Option<f64>], cap: f64, factor: f64) -> Option<f64> {
    let costs = costs.iter().map(|cost| penalised(*cost, cap, factor));
    let (sum, count) = costs.fold((0.0, 0_u32), |(sum, count), cost| (sum + cost, count + 1));
    let mean = sum / f64::from(count);
    mean.is_finite().then_some(mean)
}

/// One cost of the penalised average.
pub fn penalised(cost: Option<f64>, cap: f64, factor: f64) -> f64 {
    cost.filter(|cost| *cost <= cap).unwrap_or(factor * cap)
}

#[cfg(test)]
mod tests {
    use leitai_stats::RandomNumbers;
    use leitai_stats::bootstrap::geometric_ratio;

    use super::*;

    fn drawn(random: &mut RandomNumbers) -> impl FnMut(u64) -> u64 {
        |bound| (random.uniform() * bound as f64) as u64
    }

    fn normal_number(random: &mut RandomNumbers) -> f64 {
        (0..12).map(|_| random.uniform()).sum::<f64>() - 6.0
    }

    fn pair(cluster: usize, first: f64, second: f64) -> CostPair {
        CostPair {
            cluster,
            first,
            second,
        }
    }

    #[test]
    fn single_problems_give_the_plain_bootstrap() {
        let costs: Vec<[f64; 2]> = (1..=20)
            .map(|i| [f64::from(i), f64::from(i * i % 17 + 1)])
            .collect();
        let pairs: Vec<CostPair> = (0..)
            .zip(&costs)
            .map(|(i, [a, b])| pair(i, *a, *b))
            .collect();
        let clustered =
            geometric_ratio_clustered(&pairs, 500, drawn(&mut RandomNumbers::new(3, 0)));
        let usual = bootstrap(
            &costs,
            500,
            drawn(&mut RandomNumbers::new(3, 0)),
            geometric_ratio,
        );
        for (got, want) in [
            (clustered.value, usual.value),
            (clustered.low, usual.low),
            (clustered.high, usual.high),
        ] {
            assert!((got.unwrap() - want.unwrap()).abs() < 1e-12);
        }
        let means = ratio_of_means_clustered(&pairs, 500, drawn(&mut RandomNumbers::new(3, 0)));
        let sum = |which: usize| costs.iter().map(|cost| cost[which]).sum::<f64>();
        assert!((means.value.unwrap() - sum(1) / sum(0)).abs() < 1e-12);
    }

    #[test]
    fn every_problem_weighs_alike() {
        // Logarithms of 4, 4 and 1: the third root of 16.
        let pairs = [pair(7, 1.0, 4.0), pair(7, 2.0, 8.0), pair(1, 3.0, 3.0)];
        let got = geometric_ratio_clustered(&pairs, 100, |bound| bound - 1);
        assert!((got.value.unwrap() - libm::cbrt(16.0)).abs() < 1e-12);
        assert_eq!(
            (got.low, got.high),
            (None, None),
            "two clusters are too few"
        );
        let nothing = geometric_ratio_clustered(&[pair(0, 0.0, 1.0)], 100, |_| 0);
        assert_eq!(nothing, Ranged::NOTHING);
        assert_eq!(ratio_of_means_clustered(&[], 100, |_| 0), Ranged::NOTHING);
    }

    /// Returns the share of intervals that cover 1, for `clusters` positions with three problems
    /// each. Half of a problem's random variation is its position's.
    fn coverage(clusters: usize, together: bool) -> f64 {
        let mut random = RandomNumbers::new(11, 0);
        let runs = 600;
        let mut hits = 0;
        for _ in 0..runs {
            let mut pairs = Vec::new();
            for cluster in 0..clusters {
                let shared = normal_number(&mut random);
                for problem in 0..3 {
                    let size = libm::exp(5.0 + normal_number(&mut random));
                    let ratio = libm::exp(0.35 * (shared + normal_number(&mut random)));
                    let number = if together {
                        cluster
                    } else {
                        3 * cluster + problem
                    };
                    pairs.push(pair(number, size, size * ratio));
                }
            }
            let got = geometric_ratio_clustered(&pairs, 300, drawn(&mut random));
            hits += u32::from(got.low.unwrap() <= 1.0 && 1.0 <= got.high.unwrap());
        }
        f64::from(hits) / f64::from(runs)
    }

    #[test]
    fn intervals_of_clusters_cover() {
        // 0.95 minus three standard errors of the simulation.
        let clustered = coverage(25, true);
        assert!(clustered > 0.92, "{clustered}");
        let alone = coverage(25, false);
        assert!(alone < 0.90, "{alone}");
    }

    #[test]
    fn unsolved_problems_are_penalised() {
        let costs = [Some(1.0), Some(3.0), None, Some(11.0)];
        let mean = |factor| penalised_mean(&costs, 10.0, factor).unwrap();
        assert!((mean(2.0) - 11.0).abs() < 1e-12);
        assert!((mean(10.0) - 51.0).abs() < 1e-12);
        assert_eq!(penalised_mean(&[], 10.0, 2.0), None);
        assert_eq!(penalised_mean(&costs, f64::INFINITY, 2.0), None);
    }
}
