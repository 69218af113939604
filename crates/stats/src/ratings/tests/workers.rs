//! Games that are correlated by worker.

use super::clusters::pair;
use super::*;

/// Returns the games of two workers, by player, and those of each from forty openings: the second
/// worker favours player 0.
fn two_workers() -> (Vec<Cluster>, Crossing) {
    let (mut openings, mut workers, mut both) = (Vec::new(), vec![Vec::new(); 2], Vec::new());
    for opening in 0..40_usize {
        let mut bouts = Vec::new();
        for (worker, played) in workers.iter_mut().enumerate() {
            let mut own = Vec::new();
            for (i, j) in [(0, 1), (0, 2), (1, 2)] {
                let draw = (opening + worker + i + j) % 3 == 0;
                let one = if draw { 1 } else { (2 * (opening % 2)) as u32 };
                let other = if worker == 1 && i == 0 && opening % 4 == 0 {
                    0
                } else {
                    2 - one
                };
                own.extend(pair(i, j, one, other, 1).bouts);
            }
            played.extend(own.clone());
            bouts.extend(own.clone());
            both.push(Cluster {
                bouts: own,
                copies: 1,
            });
        }
        openings.push(Cluster { bouts, copies: 1 });
    }
    let of = |bouts| Cluster { bouts, copies: 1 };
    let workers = workers.into_iter().map(of).collect();
    (openings, Crossing { workers, both })
}

fn with(crossing: &Crossing) -> RatingOptions<'_> {
    RatingOptions {
        crossing: Some(crossing),
        ..RatingOptions::default()
    }
}

#[test]
fn workers_widen_errors_and_move_no_rating() {
    let (openings, crossing) = two_workers();
    let options = RatingOptions::default();
    let alone = rate(3, &openings, &options).expect("valid");
    let crossed = rate(3, &openings, &with(&crossing)).expect("valid");
    let by_worker = rate(3, &crossing.workers, &options).expect("valid");
    assert_eq!(crossed.groups[0].basis, Basis::Clustered);
    for i in 0..3 {
        assert_eq!(crossed.players[i].elo.value, alone.players[i].elo.value);
        let [one, both] = [&alone, &crossed].map(|r| r.players[i].error.expect("rated"));
        assert!(both >= one, "{i}: {both} {one}");
    }
    // Two workers that differ in one player: Student's factor of one degree of freedom.
    let error = |of: &Ratings| of.players[0].error.expect("rated");
    assert!(error(&crossed) > 3.0 * error(&alone));
    assert!(error(&by_worker) > 3.0 * error(&alone));
    let gap = |of: &Ratings| of.difference_error(0, 1).expect("rated");
    assert!(gap(&crossed) > 3.0 * gap(&alone));
    assert_eq!(crossed.covariance(0, 1), alone.covariance(0, 1));
}

#[test]
fn one_worker_gives_no_spread_of_workers() {
    let (openings, crossing) = two_workers();
    let bouts = crossing.workers.iter().flat_map(|it| it.bouts.clone());
    let one = Crossing {
        workers: vec![Cluster {
            bouts: bouts.collect(),
            copies: 1,
        }],
        both: openings.clone(),
    };
    let options = RatingOptions::default();
    let alone = rate(3, &openings, &options).expect("valid");
    let crossed = rate(3, &openings, &with(&one)).expect("valid");
    assert_eq!(crossed, alone);
}
