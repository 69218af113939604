//! Tables by hand, and false alarms with equal workers.

use super::*;
use crate::PairLaw;
use crate::RandomNumbers;

#[test]
fn a_table_by_hand() {
    // Expected 20, 20, 20 in each row: χ² = 4·100/20, and with two degrees of freedom the
    // tail is e^(-χ²/2).
    let rows = [[10, 0, 20, 0, 30], [30, 0, 20, 0, 10]].map(Pentanomial);
    let test = same_cells(&rows).unwrap();
    assert_eq!((test.chi_square, test.freedom), (20.0, 2));
    assert!((test.p / libm::exp(-10.0) - 1.0).abs() < 1e-9);
    // The 5 % point with one degree of freedom.
    let one = Homogeneity::of(3.841_458_820_694_124, 1);
    assert!((one.p - 0.05).abs() < 1e-9);
    let sum = Homogeneity::sum([test, one, one]).unwrap();
    assert_eq!(sum.freedom, 4);
    assert!((sum.chi_square - 20.0 - 2.0 * one.chi_square).abs() < 1e-12);
    assert_eq!(Homogeneity::sum([]), None);
}

#[test]
fn means_by_hand() {
    // Forty pairs around ½ in each row, all won by one side except four: means 0.1 and 0.9.
    let rows = [[36, 0, 0, 0, 4], [4, 0, 0, 0, 36]].map(Pentanomial);
    let test = same_means(&rows).unwrap();
    let within = 2.0 * 40.0 * 0.09 / 78.0;
    assert!((test.chi_square - 2.0 * 40.0 * 0.16 / within).abs() < 1e-12);
    assert_eq!(test.freedom, 1);
    assert!((test.ratio() - test.chi_square).abs() < 1e-12);
    let constant = [[90, 0, 0, 0, 0], [0, 0, 90, 0, 0]].map(Pentanomial);
    assert_eq!(same_means(&constant), None);
    assert_eq!(same_means(&rows[..1]), None);
    assert_eq!(same_means(&[]), None);
}

#[test]
fn cells_are_joined_until_enough_is_expected() {
    // A row with all of one hundred pairs needs 5 % of them in each group.
    assert_eq!(
        columns(&Pentanomial([5, 5, 80, 5, 5]), 1.0),
        [1, 2, 3, 4, 5]
    );
    assert_eq!(columns(&Pentanomial([4, 5, 82, 5, 4]), 1.0), [2, 3, 5]);
    // A row with half of the pairs needs 10 %; of two equally fine divisions, the one with the
    // larger smallest group.
    assert_eq!(columns(&Pentanomial([4, 5, 71, 11, 9]), 0.5), [3, 5]);
    assert!(columns(&Pentanomial([1, 1, 96, 1, 1]), 1.0).len() < 2);
}

#[test]
fn workers_of_few_pairs_are_one() {
    let large = Pentanomial([10, 10, 20, 10, 10]);
    let small = Pentanomial([2, 2, 4, 2, 2]);
    let test = same_cells(&[small, large, small, large, small]).unwrap();
    assert_eq!(
        (test.freedom, test.chi_square),
        (8, 0.0),
        "three rows of five"
    );
    assert_eq!(same_cells(&[large, small]), None, "nobody to join");
    assert_eq!(same_cells(&[large]), None);
    assert_eq!(same_cells(&[]), None);
    let level = Pentanomial([0, 0, 60, 0, 0]);
    assert_eq!(same_cells(&[level, level]), None, "one cell");
    // A single unusual pair does not raise an alarm.
    let [drawn, other, odd] = [[1, 0, 98, 0, 1], [1, 0, 48, 0, 1], [0, 0, 0, 0, 1]];
    let [drawn, other, odd] = [drawn, other, odd].map(Pentanomial);
    let test = same_means(&[odd, drawn, other]).unwrap();
    assert!(test.freedom == 1 && test.p > 0.1, "{test:?}");
}

/// Returns the shares of `runs` fleets of equal workers with p below 5 %: for cells, for means.
fn false_alarms(workers: usize, pairs: u64, elo: f64, runs: u32, seed: u64) -> [f64; 2] {
    let law = PairLaw::from_rates(0.5, 60.0, elo).expect("rates that are usual");
    let mut dice = RandomNumbers::new(seed, 0);
    let mut alarms = [0_u32; 2];
    for _ in 0..runs {
        // Worker speeds differ by a factor of up to three.
        let of = |worker: usize| pairs * (1 + 2 * worker as u64 / workers as u64);
        let rows: Vec<_> = (0..workers)
            .map(|worker| dice.match_of(law.probabilities(), of(worker)))
            .collect();
        let tests = [same_cells(&rows), same_means(&rows)];
        for (alarms, test) in alarms.iter_mut().zip(tests) {
            *alarms += u32::from(test.is_some_and(|test| test.p < 0.05));
        }
    }
    alarms.map(|alarms| f64::from(alarms) / f64::from(runs))
}

#[test]
fn equal_workers_raise_few_alarms() {
    for (workers, pairs) in [(3, 60), (10, 40), (50, 20)] {
        for (which, share) in false_alarms(workers, pairs, 10.0, 2000, 7)
            .iter()
            .enumerate()
        {
            // Three standard errors.
            let near = (share - 0.05).abs() < 0.015;
            assert!(near, "{workers} workers, test {which}: {share}");
        }
    }
}

#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn false_alarms_of_equal_workers() {
    println!("workers, pairs of the slowest, Elo: alarms of cells, of means");
    for workers in [3, 10, 50] {
        for (pairs, elo) in [(20, 0.0), (100, 0.0), (1000, 0.0), (100, 100.0)] {
            let [cells, means] = false_alarms(workers, pairs, elo, 20_000, 1);
            println!("{workers:3} {pairs:5} {elo:4}  {cells:.4}  {means:.4}");
            assert!((cells - 0.05).abs() < 0.01 && (means - 0.05).abs() < 0.01);
        }
    }
}
