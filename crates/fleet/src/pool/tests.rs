//! Late, early, repeated, reordered and dishonest answers, without a server.

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::replays::MAX_REPLAYS;
use super::*;
use leitai_game::{Cause, Move, Side, Verdict};
use leitai_players::play::{GameRecord, MoveTimes, PairRecord, Ply};
use leitai_runs::store::PairRow;
use leitai_runs::tournament::reply_message;

const RUN: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
const BUILD: &str = "1a2b3c4d5e";
const AT_ONCE: Duration = Duration::ZERO;

/// A [`FleetPool`] with this share of replays, and the receiver of its tasks.
fn pool(replays: f64, held: &[u64]) -> (FleetPool, UnboundedReceiver<Task>) {
    let (tasks, to_do) = unbounded_channel();
    let terms = RunTerms {
        run: RUN.to_owned(),
        reproducible: true,
        replays,
        lease: Duration::from_secs(30),
        build: BUILD,
        other_builds: true,
    };
    let held = held.iter().copied().collect();
    let earlier = (held, BTreeSet::new());
    (
        FleetPool::new(terms, 7, earlier, tasks, Box::new(|_| {})),
        to_do,
    )
}

/// The answer to a pair whose first move has this number of nodes.
fn answer(pair: u64, nodes: u32) -> String {
    let game = |first: usize| GameRecord {
        first,
        second: 1 - first,
        plies: vec![Ply {
            mv: Move(3),
            score: Some(1),
            depth: 1,
            nodes,
        }],
        verdict: Verdict::win(Side::First, Cause::Counted),
        drawn_by: None,
        times: MoveTimes {
            // Times are not part of an answer's fingerprint.
            micros: vec![nodes.wrapping_mul(pair as u32 + 1)],
            ..MoveTimes::default()
        },
        pv_warnings: Vec::new(),
    };
    let row = PairRow {
        record: PairRecord {
            index: pair,
            games: [game(0), game(1)].into(),
            hashes: [pair, pair + 1].into(),
            spoilt: Vec::new(),
            evidence: leitai_players::play::EvidenceList::default(),
        },
        pairing: 0,
        variants: [0, 1],
        opening: 0,
        elapsed_us: 1_000 + u64::from(nodes),
        finished: leitai_runs::store::FinishedAt::default(),
        worker: leitai_runs::store::PlayedBy::default(),
    };
    reply_message(RUN, &Ok(row)).unwrap()
}

fn key(pair: u64) -> String {
    key_of(&unit_message(RUN, &Unit::of(pair)).unwrap())
}

/// Delivers an answer to a pair.
fn arrive(pool: &FleetPool, worker: &str, pair: u64, nodes: u32, sequence: u64) {
    pool.arrive(&Arrived {
        worker,
        unit: &key(pair),
        build: BUILD,
        message: &answer(pair, nodes),
        sequence,
    });
}

fn collected(pool: &FleetPool) -> Vec<(u64, Option<String>)> {
    let next = || pool.collect(AT_ONCE);
    std::iter::from_fn(next)
        .map(|it| (it.unit.pair, it.worker))
        .collect()
}

fn pairs(all: &[u64]) -> Vec<(u64, Option<String>)> {
    all.iter()
        .map(|&pair| (pair, Some("a".to_owned())))
        .collect()
}

/// The offers among the tasks: pair, attempt, and whether it is a replay.
fn offers(to_do: &mut UnboundedReceiver<Task>) -> Vec<(u64, u32, bool)> {
    let mut offers = Vec::new();
    while let Ok(task) = to_do.try_recv() {
        if let Task::Offer {
            pair,
            attempt,
            is_replay,
            ..
        } = task
        {
            offers.push((pair, attempt, is_replay));
        }
    }
    offers
}

#[test]
fn the_coordinator_repeats_the_first_pairs_of_another_build() {
    let (pool, _to_do) = pool(0.0, &[]);
    (0..9).for_each(|pair| pool.offer(Unit::of(pair)));
    let play = |pair: u64, build: &str| {
        pool.arrive(&Arrived {
            worker: "a",
            unit: &key(pair),
            build,
            message: &answer(pair, 10),
            sequence: pair + 1,
        });
        pool.dispute().map(|dispute| dispute.unit.pair)
    };
    assert_eq!(play(0, BUILD), None);
    let repeated: Vec<_> = (1..5).map(|pair| play(pair, "other")).collect();
    assert_eq!(repeated, [Some(1), Some(2), Some(3), None]);
    // A new build under the same name.
    assert_eq!(play(5, "new"), Some(5));
    // A name of a build that is none.
    assert_eq!(play(6, &"x".repeat(65)), None);
    assert_eq!(collected(&pool).len(), 6);
}

#[test]
fn units_and_positions_that_the_server_has_lost_are_new() {
    let (pool, mut to_do) = pool(1.0, &[1]);
    pool.heartbeat("b", "1", Heartbeat::default());
    (0..3).for_each(|pair| pool.offer(Unit::of(pair)));
    arrive(&pool, "a", 0, 10, 9);
    assert_eq!(collected(&pool), pairs(&[0]));
    assert_eq!(
        offers(&mut to_do),
        [(0, 0, false), (2, 0, false), (0, 1, true)]
    );
    // The unit from an earlier process, the other one, and the replay.
    pool.offer_again();
    let again = [(1, 1, false), (2, 1, false), (0, 2, true)];
    assert_eq!(offers(&mut to_do), again);
    // The new stream counts from 1.
    pool.forget_positions();
    arrive(&pool, "a", 1, 10, 1);
    arrive(&pool, "b", 0, 10, 2);
    assert_eq!(collected(&pool), pairs(&[1]));
    let state = lock(&pool.state);
    assert_eq!((state.collected, state.recorded), (1, 0));
    assert!(state.replayed.values().all(|it| it.unit.pair == 1));
}

#[test]
fn each_answer_is_collected_once_in_whatever_order_they_come() {
    let (pool, mut to_do) = pool(0.0, &[2]);
    // Before the offer: as after the death of the previous coordinator.
    arrive(&pool, "a", 1, 10, 1);
    (0..4).for_each(|pair| pool.offer(Unit::of(pair)));
    // One is answered already, one is on the server from before.
    assert_eq!(offers(&mut to_do), [(0, 0, false), (3, 0, false)]);
    for (sequence, pair) in [(2, 3), (3, 3), (4, 0), (5, 1), (6, 2), (7, 0)] {
        arrive(&pool, "a", pair, 10, sequence);
    }
    assert_eq!(collected(&pool), pairs(&[1, 3, 0, 2]));
    assert!(pool.dispute().is_none());
    assert!(!pool.is_checking());
}

#[test]
fn an_answer_to_another_unit_of_the_same_number_is_none() {
    let (pool, _to_do) = pool(0.0, &[]);
    let values = Some([vec![1.0], vec![2.0]]);
    pool.offer(Unit { pair: 0, values });
    arrive(&pool, "a", 0, 10, 1);
    assert_eq!(collected(&pool), []);
}

#[test]
fn a_differing_worker_is_reported_and_then_ignored() {
    let (pool, _to_do) = pool(0.0, &[]);
    pool.offer(Unit::of(0));
    arrive(&pool, "a", 0, 10, 1);
    arrive(&pool, "b", 0, 11, 2);
    let dispute = pool.dispute().unwrap();
    let names: Vec<&str> = dispute
        .answers
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!((dispute.unit.pair, names), (0, vec!["a", "b"]));
    assert_ne!(dispute.answers[0].1, dispute.answers[1].1);
    pool.reject("b");
    assert_eq!(pool.newly_rejected(), ["b"]);
    pool.offer(Unit::of(1));
    arrive(&pool, "b", 1, 10, 3);
    assert_eq!(collected(&pool), pairs(&[0]));
    // An invalid message is ignored, and no worker is rejected for it.
    pool.arrive(&Arrived {
        worker: "c",
        unit: &key(1),
        build: BUILD,
        message: "{\"version\": 1}",
        sequence: 4,
    });
    assert_eq!(pool.newly_rejected(), ["b"]);
}

/// A worker cannot prevent a check by holding the replay for ever.
#[test]
fn unanswered_replays_are_played_by_the_coordinator() {
    let (pool, mut to_do) = pool(1.0, &[]);
    for name in ["a", "b"] {
        pool.heartbeat(name, "1", Heartbeat::default());
    }
    pool.offer(Unit::of(0));
    pool.offer(Unit::of(1));
    arrive(&pool, "a", 0, 10, 1);
    arrive(&pool, "a", 1, 10, 2);
    assert_eq!(offers(&mut to_do).len(), 4);
    // The unit is held by the server, and not late yet.
    let held = BTreeSet::from([0, 1]);
    pool.look_after(&BTreeSet::new(), &held);
    assert!(pool.dispute().is_none() && pool.unchecked() == 2);
    pool.backdate_replays(Duration::from_hours(1));
    pool.look_after(&BTreeSet::new(), &held);
    let dispute = pool.dispute().unwrap();
    assert_eq!((dispute.unit.pair, dispute.answers.len()), (0, 1));
    assert_eq!(pool.dispute().unwrap().unit.pair, 1);
    assert!(!pool.is_checking());
    // Nor at the end, even if it is new.
    pool.offer(Unit::of(2));
    arrive(&pool, "a", 2, 10, 3);
    pool.end_checks();
    assert_eq!(pool.dispute().unwrap().unit.pair, 2);
    assert_eq!(pool.unchecked(), 0);
}

#[test]
fn replays_go_to_another_worker() {
    let (pool, mut to_do) = pool(1.0, &[]);
    pool.heartbeat("a", "1", Heartbeat::default());
    pool.offer(Unit::of(0));
    arrive(&pool, "a", 0, 10, 1);
    assert_eq!(offers(&mut to_do), [(0, 0, false)]);
    assert!(!pool.is_checking());
    pool.heartbeat("b", "1", Heartbeat::default());
    assert_eq!(offers(&mut to_do), [(0, 1, true)]);
    assert!(pool.is_checking());
    // The same worker gets it: it is offered again.
    arrive(&pool, "a", 0, 10, 2);
    assert_eq!(offers(&mut to_do), [(0, 2, true)]);
    arrive(&pool, "b", 0, 10, 3);
    assert!(!pool.is_checking());
    pool.offer(Unit::of(1));
    arrive(&pool, "a", 1, 10, 4);
    arrive(&pool, "b", 1, 12, 5);
    assert!(pool.is_checking());
    assert_eq!(pool.dispute().unwrap().unit.pair, 1);
    assert_eq!(collected(&pool), pairs(&[0, 1]));
    // The same worker gets it every time: the coordinator plays it.
    pool.offer(Unit::of(2));
    arrive(&pool, "a", 2, 10, 6);
    for sequence in 7..7 + u64::from(MAX_REPLAYS) {
        assert!(pool.dispute().is_none());
        arrive(&pool, "a", 2, 10, sequence);
    }
    assert_eq!(pool.dispute().unwrap().answers.len(), 1);
    // There is no other worker: it waits.
    let leaving = Heartbeat {
        leaving: true,
        ..Heartbeat::default()
    };
    pool.heartbeat("b", "1", leaving);
    offers(&mut to_do);
    pool.offer(Unit::of(3));
    arrive(&pool, "a", 3, 10, 20);
    assert_eq!(offers(&mut to_do), [(3, 0, false)]);
}

#[test]
fn retracted_units_are_removed_from_the_server() {
    let (pool, mut to_do) = pool(0.0, &[]);
    (0..4).for_each(|pair| pool.offer(Unit::of(pair)));
    offers(&mut to_do);
    let taken = pool.retract(&mut |unit| unit.pair < 2);
    assert_eq!(taken, [2, 3].map(Unit::of));
    assert_eq!(to_do.try_recv().unwrap(), Task::TakeBack(2));
    assert_eq!(to_do.try_recv().unwrap(), Task::TakeBack(3));
    pool.retract(&mut |_| false);
    assert_eq!(to_do.try_recv().unwrap(), Task::TakeAllBack);
}

#[test]
fn there_are_as_many_seats_as_workers_that_take_part_have() {
    let (pool, _to_do) = pool(0.0, &[]);
    let threads = NonZeroUsize::MIN;
    let seats = |pool: &FleetPool| {
        lock(&pool.state).seats = None;
        pool.window(threads, None).seats
    };
    assert_eq!(seats(&pool), FIRST);
    let of = |threads| Heartbeat {
        threads,
        ..Heartbeat::default()
    };
    pool.heartbeat("a", "1", of(100));
    pool.heartbeat("a", "2", of(30));
    pool.heartbeat("b", "1", of(u64::MAX));
    assert_eq!(seats(&pool), 130 + MAX_SEATS as usize);
    let refused = Heartbeat {
        refused: vec![(RUN[..32].to_owned(), "another build".to_owned())],
        ..of(100)
    };
    pool.heartbeat("a", "1", refused);
    pool.reject("b");
    assert_eq!(seats(&pool), 30);
    let seen: Vec<bool> = pool.workers().iter().map(|it| it.takes_part).collect();
    assert_eq!(seen.iter().filter(|&&takes_part| takes_part).count(), 1);
}
