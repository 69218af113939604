//! Counts pairs in schedule order, in whichever order they finish.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::driver::RunError;
use super::parallel_rows::for_each_row;
use super::transpositions::passed;
use super::{CountedPairs, FirstPvWarning, Goal, Plan, Replay};
use crate::store::{PairNumbers, PairRow, RunHandle, Store, StoreError};
use leitai_game::{Cause, Side};
use leitai_players::play::{PairRecord, Sequencer, UNREPORTED};
use leitai_players::schedule::PairSpec;

/// The number of pairs in which the next ones are searched.
const LOOKAHEAD: u64 = 10_000;

/// The state of `goal` after the pairs of a recorded run in schedule order, up to the first wanted
/// pair that is missing; and which recorded pairs count.
///
/// # Errors
/// The record cannot be read.
pub fn replay_record<G: Goal>(
    goal: G,
    plan: &Plan,
    store: &Store,
    run: &RunHandle,
) -> Result<(G, CountedPairs), RunError> {
    let fold = Fold::of_record(goal, plan, store, run, |_, _| {})?;
    fold.into_goal(store, run)
}

/// Passes pairs to a goal in schedule order, and only those that it wants.
pub struct Fold<'a, G> {
    replays: Arc<Replays<'a>>,
    /// Pairs that wait for earlier ones.
    sequencer: Sequencer<(PairRecord, Replay)>,
    taken: PairNumbers,
    /// True if the first pair with a warned player is the last one taken; then that pair.
    is_strict: bool,
    pub(super) warned: Option<FirstPvWarning>,
    pub(super) goal: G,
}

impl<'a, G: Goal> Fold<'a, G> {
    fn new(goal: G, plan: &'a Plan) -> Self {
        Self {
            replays: Arc::new(Replays::new(plan)),
            sequencer: Sequencer::from(0),
            taken: PairNumbers::default(),
            is_strict: plan.execution_options.strict,
            warned: None,
            goal,
        }
    }

    /// The fold over the recorded pairs; `counted` is called after each pair that counts.
    ///
    /// # Errors
    /// The record cannot be read.
    pub fn of_record(
        goal: G,
        plan: &'a Plan,
        store: &Store,
        run: &RunHandle,
        mut counted: impl FnMut(&G, &PairRecord),
    ) -> Result<Self, RunError> {
        let mut fold = Self::new(goal, plan);
        let _snapshot = plan.recall(store, run)?;
        let carried = plan.earlier.as_ref().filter(|carried| carried.run == *run);
        let rows: Box<dyn Iterator<Item = _>> = match carried {
            Some(carried) => Box::new(carried.rows(plan, store)),
            None => Box::new(store.pairs(run)),
        };
        let seen = |row: &PairRow| plan.terms.spare.use_up(row.record.pauses());
        fold.take_all(rows, seen, &mut counted)?;
        Ok(fold)
    }

    /// Takes in the pairs recorded since, with the same result as [`of_record`](Self::of_record).
    ///
    /// # Errors
    /// The record cannot be read.
    pub fn catch_up(
        &mut self,
        store: &Store,
        run: &RunHandle,
        mut counted: impl FnMut(&G, &PairRecord),
    ) -> Result<(), RunError> {
        let _snapshot = self.plan().recall(store, run)?;
        let rows = store.pairs_from(run, self.sequencer.next_number());
        self.take_all(rows, |_| {}, &mut counted)
    }

    fn take_all(
        &mut self,
        rows: impl Iterator<Item = Result<PairRow, StoreError>>,
        mut seen: impl FnMut(&PairRow),
        counted: &mut impl FnMut(&G, &PairRecord),
    ) -> Result<(), RunError> {
        if self.is_complete() {
            return Ok(());
        }
        let replays = Arc::clone(&self.replays);
        for_each_row(
            rows,
            |row| replays.of(row),
            |row, replay| {
                seen(&row);
                self.put(row, replay?, &mut *counted);
                Ok(if self.is_complete() {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                })
            },
        )
    }

    /// The goal after the pairs so far.
    pub fn goal(&self) -> &G {
        &self.goal
    }

    /// The goal, and which recorded pairs it has taken.
    ///
    /// # Errors
    /// The record cannot be read.
    pub fn into_goal(self, store: &Store, run: &RunHandle) -> Result<(G, CountedPairs), RunError> {
        let reach = self.reach(&store.recorded_indices(run)?);
        Ok((self.goal, reach))
    }

    /// The recorded pairs that the goal has taken, and the reasons for the others.
    fn reach(&self, recorded: &PairNumbers) -> CountedPairs {
        let schedule = &self.plan().schedule;
        let mut reach = CountedPairs::default();
        for index in recorded.numbers() {
            if self.taken.contains(index) {
                continue;
            }
            let is_ahead = !self.is_complete() && index >= self.sequencer.next_number();
            if is_ahead && self.goal.wants(schedule.pair(index).pairing) {
                reach.missing = Some(self.sequencer.next_number());
                reach.beyond_gap.push(index);
            } else {
                reach.beyond_verdict.push(index);
            }
        }
        reach
    }

    /// The first `count` wanted pairs that are not recorded, in schedule order.
    pub fn next_pairs(&self, count: usize) -> Vec<PairSpec> {
        if self.is_complete() {
            return Vec::new();
        }
        let schedule = &self.plan().schedule;
        let from = self.sequencer.next_number();
        // Few of the next pairs are recorded or unwanted.
        let until = schedule.len().min(from + LOOKAHEAD);
        let missing = (from..until).filter(|number| !self.sequencer.is_waiting(*number));
        let missing = missing.map(|number| schedule.pair(number));
        let wanted = missing.filter(|pair| self.goal.wants(pair.pairing));
        wanted.take(count).collect()
    }

    /// Replays a pair.
    ///
    /// # Errors
    /// The plan has another pair at its number.
    pub(super) fn replay(&self, row: &PairRow) -> Result<Replay, RunError> {
        self.replays.of(row)
    }

    fn plan(&self) -> &'a Plan {
        self.replays.plan
    }

    /// Returns whether the goal wants no more, or has every pair that it wanted.
    pub fn is_complete(&self) -> bool {
        let schedule = &self.plan().schedule;
        let all = 0..schedule.pairings().len();
        self.warned.is_some()
            || self.sequencer.next_number() >= schedule.len()
            || !all.into_iter().any(|pairing| self.goal.wants(pairing))
    }

    /// Takes in a pair and its replay, and calls `counted` after each pair that is now in order.
    /// Returns whether the goal wants less than before.
    pub(super) fn put(
        &mut self,
        row: PairRow,
        replay: Replay,
        counted: &mut impl FnMut(&G, &PairRecord),
    ) -> bool {
        let record = row.record;
        self.sequencer.put(record.index, (record, replay));
        let mut changed = false;
        while !self.is_complete() {
            let spec = self.plan().schedule.pair(self.sequencer.next_number());
            if !self.goal.wants(spec.pairing) {
                self.sequencer.skip();
                continue;
            }
            let Some((record, replay)) = self.sequencer.take() else {
                break;
            };
            self.taken.push(spec.index);
            changed |= self.goal.take(&spec, &record, &replay);
            if self.is_strict {
                self.warned = FirstPvWarning::of(&record);
                changed |= self.warned.is_some();
            }
            counted(&self.goal, &record);
        }
        changed
    }
}

/// Replays the pairs of a plan.
pub(super) struct Replays<'a> {
    plan: &'a Plan,
    /// True if a clock limits play.
    by_the_clock: bool,
}

impl<'a> Replays<'a> {
    pub(super) fn new(plan: &'a Plan) -> Self {
        Self {
            plan,
            by_the_clock: plan.config.is_timed(),
        }
    }

    /// Replays a recorded pair.
    ///
    /// # Errors
    /// The plan has another pair at its number.
    pub(super) fn of(&self, row: &PairRow) -> Result<Replay, RunError> {
        let spec = self.plan.spec_of(row)?;
        Ok(Replay {
            worker: row.worker.0.clone(),
            elapsed_us: row.elapsed_us,
            by_the_clock: self.by_the_clock,
            ..self.replay(&spec, &row.record)
        })
    }

    /// Replays the games of a pair, which takes some ten microseconds: finds the positions that
    /// they passed, and the margins of games that were counted out.
    fn replay(&self, spec: &PairSpec, record: &PairRecord) -> Replay {
        let Some(start) = self.plan.start(spec) else {
            return Replay::default();
        };
        let margins = [0, 1].map(|number| {
            let game = record.games.get(number)?;
            if game.verdict.cause != Cause::Counted {
                return None;
            }
            let mut position = start.clone();
            for ply in &game.plies {
                if !position.is_legal(ply.mv) {
                    return None;
                }
                position.play(ply.mv);
            }
            position.margin(Side::First, &self.plan.terms.rules)
        });
        let known = self.plan.schedule.known_openings(spec);
        let (mut latencies, mut delays) = (Vec::new(), Vec::new());
        let book = &self.plan.book;
        let (passed, openings) = passed(book, &*start, record, known, |game, ply, mover| {
            let (times, variant) = (&game.times, game.variant(mover));
            let Some(&micros) = times.micros.get(ply) else {
                return;
            };
            latencies.push((variant, micros));
            let reported = times.reported.get(ply).filter(|&&it| it != UNREPORTED);
            delays.extend(reported.map(|it| (variant, micros.saturating_sub(*it))));
        });
        Replay {
            latencies,
            delays,
            margins,
            start: start.key(),
            start_ply: self.plan.start_ply(spec),
            deeper: self.plan.added_plies(spec) > 0,
            passed,
            openings,
            ..Replay::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tournament::counted_pairs::Part;
    use crate::tournament::{Exclusion, Gap};
    use leitai_config::parse;
    use leitai_game::Verdict;
    use leitai_games as games;
    use leitai_players::play::GameRecord;
    use leitai_players::schedule::Book;

    /// Wants each pairing until it has won this number of pairs.
    #[derive(Clone, Debug, PartialEq)]
    struct Wins {
        left: [u64; 3],
        seen: Vec<u64>,
    }

    impl Goal for Wins {
        fn wants(&self, pairing: usize) -> bool {
            self.left[pairing] > 0
        }

        fn take(&mut self, spec: &PairSpec, record: &PairRecord, _: &Replay) -> bool {
            self.seen.push(spec.index);
            self.left[spec.pairing] -= u64::from(record.cell(spec.variants[0]) == 4);
            !self.wants(spec.pairing)
        }
    }

    fn plan() -> Plan {
        let text = "game = \"othello\"\nlimits = { depth = 1 }\n\
                    openings = { file = \"b.epd\" }\ntournament = { pairs = 20 }\n\
                    variant = [{ name = \"a\" }, { name = \"b\" }, { name = \"c\" }]";
        let config = parse(text, "test.toml", &games::all()).unwrap().config;
        let book = include_str!("../../../../openings/othello.txt");
        let book = Book::parse(config.game.card, book, "book").unwrap();
        Plan::new(config, book).unwrap()
    }

    fn row(plan: &Plan, index: u64, won: bool) -> PairRow {
        let spec = plan.schedule.pair(index);
        let [a, b] = spec.variants;
        let game = |first, second, winner| GameRecord {
            first,
            second,
            plies: Vec::new(),
            verdict: Verdict {
                winner: Some(winner),
                cause: Cause::Counted,
            },
            drawn_by: None,
            times: leitai_players::play::MoveTimes::default(),
            pv_warnings: Vec::new(),
        };
        let other = if won { Side::Second } else { Side::First };
        PairRow {
            record: PairRecord {
                index,
                games: [game(a, b, Side::First), game(b, a, other)].into(),
                hashes: [2 * index, 2 * index + 1].into(),
                spoilt: Vec::new(),
                evidence: leitai_players::play::EvidenceList::default(),
            },
            pairing: spec.pairing,
            variants: spec.variants,
            opening: spec.opening,
            elapsed_us: 0,
            finished: crate::store::FinishedAt::default(),
            worker: crate::store::PlayedBy::default(),
        }
    }

    fn put(fold: &mut Fold<'_, Wins>, row: PairRow) {
        let replay = fold.replay(&row).unwrap();
        fold.put(row, replay, &mut |_, _| {});
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// The goal takes the same pairs in the same order, regardless of the order in which pairs
        /// finish and of pairs recorded beyond the end.
        #[test]
        fn counted_pairs_of_a_goal_do_not_depend_on_timing(
            won in proptest::collection::vec(any::<bool>(), 60),
            order in Just((0..60_u64).collect::<Vec<_>>()).prop_shuffle(),
            left in proptest::array::uniform3(0_u64..12),
        ) {
            let plan = plan();
            let goal = Wins { left, seen: Vec::new() };
            let play = |order: &mut dyn Iterator<Item = u64>| {
                let mut fold = Fold::new(goal.clone(), &plan);
                for index in order {
                    put(&mut fold, row(&plan, index, won[index as usize]));
                }
                assert!(fold.is_complete());
                fold.goal
            };
            let in_order = play(&mut (0..60));
            prop_assert_eq!(&play(&mut order.into_iter()), &in_order);
            // Recorded pairs that the goal has not taken are beyond its end.
            let mut fold = Fold::new(goal.clone(), &plan);
            let mut recorded = PairNumbers::default();
            for index in 0..60 {
                put(&mut fold, row(&plan, index, won[index as usize]));
                recorded.push(index);
            }
            let reach = fold.reach(&recorded);
            let beyond = |index: u64| (!in_order.seen.contains(&index)).then_some(Exclusion::Verdict);
            prop_assert!((0..60).all(|index| reach.of_pair(index) == beyond(index)));
            prop_assert_eq!(reach.gap(), None);
            prop_assert!(in_order.seen.is_sorted());
            // Without the fold: each pairing up to the pair that satisfies it.
            for (pairing, &wanted) in left.iter().enumerate() {
                let mut wins = 0;
                let taken: Vec<u64> = (pairing as u64..60)
                    .step_by(3)
                    .take_while(|&index| {
                        let more = wins < wanted;
                        wins += u64::from(more && won[index as usize]);
                        more
                    })
                    .collect();
                let seen = in_order.seen.iter().copied();
                let seen: Vec<u64> = seen.filter(|index| index % 3 == pairing as u64).collect();
                prop_assert_eq!(seen, taken);
            }
        }
    }

    #[test]
    fn needed_pairs_beyond_a_gap_and_others_beyond_the_end() {
        let plan = plan();
        // The first pairing is satisfied after its first pair.
        let left = [1, 99, 99];
        let goal = Wins {
            left,
            seen: Vec::new(),
        };
        let mut fold = Fold::new(goal, &plan);
        let mut recorded = PairNumbers::default();
        for index in [0, 1, 2, 3, 4, 6, 7, 9, 10] {
            put(&mut fold, row(&plan, index, true));
            recorded.push(index);
        }
        assert_eq!(fold.goal.seen, [0, 1, 2, 4]);
        // Pairs 7 and 10 are recorded, and the first pairing is satisfied.
        let next: Vec<u64> = fold.next_pairs(3).iter().map(|pair| pair.index).collect();
        assert_eq!(next, [5, 8, 11]);
        let reach = fold.reach(&recorded);
        let of = |index| reach.of_pair(index);
        assert_eq!([0, 1, 2, 4].map(of), [None; 4]);
        assert_eq!([3, 6, 9].map(of), [Some(Exclusion::Verdict); 3]);
        assert_eq!([7, 10].map(of), [Some(Exclusion::Gap); 2]);
        let gap = Gap {
            part: Part::Pair,
            missing: 5,
            beyond: 2,
        };
        assert_eq!(reach.gap(), Some(gap));
        assert_eq!(
            reach.note(true).unwrap(),
            "3 uncounted pairs beyond the verdict, 2 uncounted pairs beyond the gap; included, as \
             requested"
        );
    }
}
