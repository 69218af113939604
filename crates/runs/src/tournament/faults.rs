//! Counts of the players' failures, and the pairs affected by them.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::store::BatchFailure;
use leitai_game::Cause;
use leitai_players::play::{Evidence, EvidenceList, Fault, PairRecord};

/// The number of failures of a variant with one cause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Games lost by the failure.
    pub lost: u64,
    /// Games drawn despite the failure, because the opponent could not have won.
    #[serde(skip_serializing_if = "is_zero")]
    pub drawn: u64,
    /// Games played again instead.
    pub replayed: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// The failures of a run: a fold over its pairs in schedule order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    counts: BTreeMap<(usize, Cause), Counts>,
    /// Restarts of each variant's player.
    restarts: BTreeMap<usize, u64>,
    /// The largest delay of a move that lost a game, in microseconds, by variant; replayed games
    /// are left out.
    latest: BTreeMap<usize, u32>,
    /// The first failure with evidence of each variant and cause.
    first: BTreeMap<(usize, Cause), FirstFault>,
    /// The numbers of the first ten spoilt pairs.
    pub first_spoilt: Vec<u64>,
    /// Pairs that count although a failure lost one of their games.
    pub spoilt_pairs: u64,
    /// Pairs that were played again at least once.
    pub pairs_replayed: u64,
    /// Replays of pairs.
    pub replays: u64,
    /// Replays of pairs because the machine paused, in addition to the replays after failures.
    pub pauses: u64,
}

/// The first failure of its kind with evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstFault {
    /// The pair's number in the schedule.
    pub pair: u64,
    /// The evidence.
    pub evidence: Evidence,
}

/// The number of spoilt pairs that are listed by number.
const LISTED: usize = 10;

impl Faults {
    /// Counts the next pair in schedule order; `counts` is whether its result counts.
    pub fn take(&mut self, record: &PairRecord, counts: bool) {
        let Some(one) = record.games.first() else {
            return;
        };
        let lost: Vec<Fault> = record.faults().collect();
        let both = [one.first, one.second];
        for fault in &lost {
            if let Some(late) = record.games[fault.game].times.late {
                let latest = self.latest.entry(fault.variant).or_default();
                *latest = late.max(*latest);
            }
        }
        for fault in record.spoilt.iter().chain(&lost) {
            self.note(fault.variant, fault, record.index, &record.evidence);
        }
        self.take_pair(record.index, both, &record.spoilt, &lost, counts);
        for fault in &lost {
            if record.games[fault.game].verdict.winner.is_none() {
                let counts = self.of(fault);
                counts.lost -= 1;
                counts.drawn += 1;
            }
        }
    }

    /// Counts the failures of the next batch of a tune of that variant, which is both players.
    pub fn take_batch(&mut self, failures: &[BatchFailure], variant: usize) {
        for pair in failures.chunk_by(|one, next| one.pair == next.pair) {
            let of = |counts| {
                let those = pair.iter().filter(move |failure| failure.counts == counts);
                let faults = those.map(|failure| Fault {
                    variant,
                    ..failure.fault
                });
                faults.collect::<Vec<_>>()
            };
            for failure in pair {
                self.note(variant, &failure.fault, failure.pair, &failure.evidence);
            }
            let number = pair.first().map_or(0, |failure| failure.pair);
            self.take_pair(number, [variant; 2], &of(false), &of(true), true);
        }
    }

    /// Counts a pair of these two players: failures in attempts that do not count, and those that
    /// lost counted games.
    fn take_pair(
        &mut self,
        index: u64,
        both: [usize; 2],
        spoilt: &[Fault],
        lost: &[Fault],
        counts: bool,
    ) {
        let is_pause = |fault: &Fault| fault.cause == Cause::Pause;
        let pauses = spoilt.iter().filter(|&fault| is_pause(fault)).count() as u64;
        self.pauses += pauses;
        for (number, fault) in spoilt.iter().enumerate() {
            if is_pause(fault) {
                continue;
            }
            self.of(fault).replayed += 1;
            // A game lost before the attempt was given up.
            let next = spoilt.get(number + 1);
            if next.is_some_and(|next| next.attempt == fault.attempt) {
                self.restart(fault);
            }
        }
        // Each attempt that did not count ended by a failure or by a pause.
        let replays = spoilt.last().map_or(0, |fault| u64::from(fault.attempt)) - pauses;
        if replays > 0 {
            self.pairs_replayed += 1;
            self.replays += replays;
            for variant in both {
                *self.restarts.entry(variant).or_default() += replays;
            }
        }
        for fault in lost {
            self.of(fault).lost += 1;
            self.restart(fault);
        }
        if !lost.is_empty() && counts {
            self.spoilt_pairs += 1;
            if self.first_spoilt.len() < LISTED {
                self.first_spoilt.push(index);
            }
        }
    }

    /// Keeps the first evidence of each kind.
    fn note(&mut self, variant: usize, fault: &Fault, pair: u64, evidence: &EvidenceList) {
        let Some(evidence) = evidence.of(fault.attempt, fault.game) else {
            return;
        };
        let first = || FirstFault {
            pair,
            evidence: evidence.clone(),
        };
        let entry = self.first.entry((variant, fault.cause));
        entry.or_insert_with(first);
    }

    /// The first failure of that variant and cause with evidence.
    pub fn first(&self, variant: usize, cause: Cause) -> Option<&FirstFault> {
        self.first.get(&(variant, cause))
    }

    fn of(&mut self, fault: &Fault) -> &mut Counts {
        self.counts.entry((fault.variant, fault.cause)).or_default()
    }

    /// Counts a restart: after a failure in a counted game the player starts again for the next
    /// one, unless it was only late.
    fn restart(&mut self, fault: &Fault) {
        if fault.cause != Cause::TimeForfeit {
            *self.restarts.entry(fault.variant).or_default() += 1;
        }
    }

    /// The restarts of that variant's player if it is an external program: after each of its own
    /// failures except losses on time, and of both players for each replay.
    pub fn restarts(&self, variant: usize) -> u64 {
        self.restarts.get(&variant).copied().unwrap_or_default()
    }

    /// The largest delay, in microseconds, of a move of that variant that lost a game; `None` if
    /// unknown.
    pub fn latest(&self, variant: usize) -> Option<u32> {
        self.latest.get(&variant).copied()
    }

    /// Returns whether no player failed and nothing was replayed.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty() && self.pauses == 0
    }

    /// The failures of a variant by cause.
    pub fn of_variant(&self, variant: usize) -> impl Iterator<Item = (Cause, Counts)> {
        let all = self.counts.iter();
        all.filter(move |((failed, _), _)| *failed == variant)
            .map(|(&(_, cause), &counts)| (cause, counts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use leitai_game::{Side, Verdict};
    use leitai_players::play::GameRecord;

    /// A pair of variants 0 and 1 whose games end by these causes; the first mover loses.
    fn pair(index: u64, causes: [Cause; 2], spoilt: Vec<Fault>) -> PairRecord {
        let game = |first: usize, cause| GameRecord {
            first,
            second: 1 - first,
            plies: Vec::new(),
            verdict: Verdict::win(Side::Second, cause),
            drawn_by: None,
            times: leitai_players::play::MoveTimes::default(),
            pv_warnings: Vec::new(),
        };
        PairRecord {
            index,
            games: [game(0, causes[0]), game(1, causes[1])].into(),
            hashes: [2 * index, 2 * index + 1].into(),
            spoilt,
            evidence: EvidenceList::default(),
        }
    }

    fn fault(attempt: u32, game: usize, cause: Cause) -> Fault {
        Fault {
            attempt,
            game,
            variant: game,
            cause,
        }
    }

    #[test]
    fn without_a_failure_there_is_nothing() {
        let mut faults = Faults::default();
        faults.take(
            &pair(0, [Cause::Checkmate, Cause::Resignation], vec![]),
            true,
        );
        assert_eq!(faults, Faults::default());
        assert!(faults.is_empty());
    }

    #[test]
    fn failures_are_counted_by_the_result_of_the_game() {
        let mut faults = Faults::default();
        let spoilt = vec![
            fault(1, 0, Cause::Crash),
            fault(2, 0, Cause::TimeForfeit),
            fault(2, 1, Cause::Stall),
        ];
        faults.take(&pair(0, [Cause::Crash, Cause::Checkmate], spoilt), true);
        faults.take(&pair(1, [Cause::TimeForfeit, Cause::Crash], vec![]), false);
        let of = |variant| faults.of_variant(variant).collect::<Vec<_>>();
        let counts = |lost, replayed| Counts {
            lost,
            replayed,
            ..Counts::default()
        };
        assert_eq!(
            of(0),
            [
                (Cause::TimeForfeit, counts(1, 1)),
                (Cause::Crash, counts(1, 1))
            ]
        );
        assert_eq!(
            of(1),
            [(Cause::Crash, counts(1, 0)), (Cause::Stall, counts(0, 1))]
        );
        assert_eq!((faults.pairs_replayed, faults.replays), (1, 2));
        assert_eq!(
            (faults.spoilt_pairs, &faults.first_spoilt[..]),
            (1, &[0][..])
        );
        // Two replays for both players, and one counted crash for each.
        assert_eq!((faults.restarts(0), faults.restarts(1)), (3, 3));
    }

    #[test]
    fn a_pause_is_no_failure() {
        let mut faults = Faults::default();
        let spoilt = vec![
            fault(1, 1, Cause::Pause),
            fault(2, 0, Cause::Crash),
            fault(3, 0, Cause::Stall),
            fault(3, 1, Cause::Pause),
        ];
        faults.take(&pair(0, [Cause::Checkmate; 2], spoilt), true);
        assert_eq!(
            (faults.pauses, faults.replays, faults.pairs_replayed),
            (2, 1, 1)
        );
        let of = |variant| faults.of_variant(variant).map(|(cause, _)| cause);
        assert_eq!((of(0).count(), of(1).count()), (2, 0));
        // The replay after the crash, and the stall in an attempt that was void anyway.
        assert_eq!((faults.restarts(0), faults.restarts(1)), (2, 1));
        let mut quiet = Faults::default();
        quiet.take(
            &pair(1, [Cause::Checkmate; 2], vec![fault(1, 0, Cause::Pause)]),
            true,
        );
        assert!(!quiet.is_empty() && quiet.pairs_replayed == 0);
    }

    #[test]
    fn ten_spoilt_pairs_are_known_by_number() {
        let mut faults = Faults::default();
        for index in 5..30 {
            faults.take(&pair(index, [Cause::Checkmate, Cause::Stall], vec![]), true);
        }
        assert_eq!(faults.spoilt_pairs, 25);
        assert!(faults.first_spoilt.iter().copied().eq(5..15));
    }

    #[test]
    fn failures_in_batches_count_as_those_in_pairs() {
        let spoilt = vec![fault(1, 0, Cause::Stall), fault(2, 1, Cause::Crash)];
        let one = pair(7, [Cause::Checkmate, Cause::Crash], spoilt);
        let other = pair(9, [Cause::TimeForfeit, Cause::Stall], vec![]);
        let mut failures: Vec<BatchFailure> = BatchFailure::of(&one).collect();
        failures.extend(BatchFailure::of(&other));
        let mut batches = Faults::default();
        batches.take_batch(&failures, 5);
        let counts = |lost, replayed| Counts {
            lost,
            replayed,
            ..Counts::default()
        };
        assert_eq!(
            batches.of_variant(5).collect::<Vec<_>>(),
            [
                (Cause::TimeForfeit, counts(1, 0)),
                (Cause::Crash, counts(1, 1)),
                (Cause::Stall, counts(1, 1)),
            ]
        );
        let mut pairs = Faults::default();
        pairs.take(&one, true);
        pairs.take(&other, true);
        assert_eq!(batches.restarts(5), pairs.restarts(0) + pairs.restarts(1));
        assert_eq!(batches.first_spoilt, [7, 9]);
        assert_eq!((batches.pairs_replayed, batches.replays), (1, 2));
    }
}
