//! Move statistics that a search has learnt.

use super::capture_history::Captures;
use super::continuation::{Answers, Continuation, DISTANCES, REACH};
use super::correction::{Corrections, Places};
use super::counter::CounterMoves;
use super::history::{HistoryTable, bonus};
use super::killers::KillerTable;
use super::ordering::Ordering;
use super::{History, MAX_PLY, SearchParams, Stage, Tactics};
use crate::eval::{MATE_PLIES, Score};
use crate::game::Move;

/// The tables that the ordering or the late move reductions use; the others are not kept.
pub(super) struct Memory {
    history: Option<HistoryTable>,
    continuation: Option<Continuation>,
    killers: Option<KillerTable>,
    counters: Option<CounterMoves>,
    captures: Option<Captures>,
    corrections: Option<Corrections>,
    path: Path,
    /// True if any table uses the preceding moves.
    notes_path: bool,
    params: History,
}

/// The history slots of the moves on the current path, at [`BEFORE`] plus their ply; there are none
/// before the root.
struct Path([u16; BEFORE + MATE_PLIES as usize]);

/// Largest distance to a preceding move.
const BEFORE: usize = DISTANCES[REACH - 1];

const NO_SLOT: u16 = u16::MAX;

impl Path {
    fn set(&mut self, ply: u32, slot: u16) {
        if let Some(at) = self.0.get_mut(BEFORE + ply as usize) {
            *at = slot;
        }
    }

    /// The slots of the moves that led to `ply`, the last one first.
    #[inline]
    fn before(&self, ply: u32) -> [Option<usize>; REACH] {
        std::array::from_fn(|distance| {
            let at = (BEFORE + ply as usize).checked_sub(DISTANCES[distance])?;
            let slot = self.0.get(at).copied()?;
            (slot != NO_SLOT).then_some(usize::from(slot))
        })
    }
}

impl Memory {
    /// An empty memory for a search with these parameters.
    pub(super) fn new<P: Tactics>(params: &SearchParams, ordering: &Ordering) -> Self {
        let continuation = ordering.asks(Stage::ContinuationHistory);
        let reductions = params.late_move_reductions.as_ref();
        let captures = params.capture_history.as_ref();
        let history = continuation
            || params.history_pruning.is_some()
            || ordering.asks(Stage::History)
            || reductions.is_some_and(|reductions| reductions.history > 0);
        let killers = ordering.asks(Stage::Killers);
        let counters = ordering.asks(Stage::CounterMove);
        Self {
            history: history.then(|| HistoryTable::new::<P>(&params.history)),
            continuation: continuation
                .then(|| Continuation::new(P::HISTORY_SLOTS, params.history.far)),
            killers: killers.then(|| KillerTable::new(&params.killers, MAX_PLY as usize)),
            counters: counters.then(|| CounterMoves::new(P::HISTORY_SLOTS)),
            captures: captures.map(|captures| Captures::new(P::HISTORY_SLOTS, captures.unit)),
            corrections: params.correction_history.as_ref().map(Corrections::new),
            path: Path([NO_SLOT; BEFORE + MATE_PLIES as usize]),
            notes_path: counters
                || continuation
                || params.correction_history.is_some()
                || params.history.prior > 0,
            params: params.history.clone(),
        }
    }

    /// Clears all tables.
    pub(super) fn new_game(&mut self) {
        self.history.iter_mut().for_each(HistoryTable::clear);
        self.continuation.iter_mut().for_each(Continuation::clear);
        self.killers.iter_mut().for_each(KillerTable::clear);
        self.counters.iter_mut().for_each(CounterMoves::clear);
        self.captures.iter_mut().for_each(Captures::clear);
        self.corrections.iter_mut().for_each(Corrections::clear);
    }

    /// Starts another search of the same game: ages history scores, and clears killers because
    /// plies have shifted.
    pub(super) fn new_search(&mut self) {
        self.history.iter_mut().for_each(HistoryTable::age);
        self.killers.iter_mut().for_each(KillerTable::clear);
    }

    /// Records that `mv` is about to be played in `position`, `ply` plies below the root.
    #[inline]
    pub(super) fn enter<P: Tactics>(&mut self, position: &P, ply: u32, mv: Move) {
        if self.notes_path {
            self.path.set(ply, position.history_slot(mv) as u16);
        }
    }

    /// Records a null move at `ply`.
    pub(super) fn enter_null(&mut self, ply: u32) {
        self.path.set(ply, NO_SLOT);
    }

    #[inline]
    pub(super) fn killers(&self, ply: u32) -> [Option<Move>; 2] {
        let killers = self.killers.as_ref();
        killers.map_or([None; 2], |killers| killers.at(ply as usize))
    }

    /// The latest reply that cut off after the move that led to `ply`.
    #[inline]
    pub(super) fn counter_move(&self, ply: u32) -> Option<Move> {
        let [last, ..] = self.path.before(ply);
        self.counters.as_ref()?.to(last?)
    }

    /// The history score of a move, without continuation scores.
    #[inline]
    pub(super) fn history<P: Tactics>(&self, position: &P, mv: Move) -> i32 {
        let history = self.history.as_ref();
        history.map_or(0, |history| history.score(position, mv))
    }

    /// The continuation scores of the moves at `ply`.
    #[inline]
    pub(super) fn answers(&self, ply: u32) -> Option<Answers<'_>> {
        let before = self.path.before(ply);
        self.continuation
            .as_ref()
            .map(|table| table.answers(before))
    }

    /// The overall score of a move, `ply` plies below the root: its history score, plus the
    /// continuation scores if the ordering has a stage for them. Higher is better.
    #[inline]
    pub(super) fn score<P: Tactics>(&self, position: &P, ply: u32, mv: Move) -> i32 {
        let answers = self.answers(ply);
        self.history(position, mv)
            + answers.map_or(0, |answers| answers.score(position.history_slot(mv)))
    }

    /// Returns whether [`learn`](Memory::learn) uses the moves that failed to cut off.
    #[inline]
    pub(super) fn takes_penalties(&self) -> bool {
        self.params.penalty && self.history.is_some()
    }

    /// The capture history; `None` if unused.
    #[inline]
    pub(super) fn captures(&self) -> Option<&Captures> {
        self.captures.as_ref()
    }

    /// The places in the correction tables of a position reached at `ply`; `None` without
    /// correction history.
    #[inline]
    pub(super) fn places<P: Tactics>(&self, position: &P, ply: u32) -> Option<Places> {
        self.corrections
            .as_ref()
            .map(|_| Corrections::places(position, self.path.before(ply)))
    }

    /// An evaluation corrected by its expected error.
    #[inline]
    pub(super) fn corrected<P: Tactics>(&self, position: &P, ply: u32, score: Score) -> Score {
        match (&self.corrections, self.places(position, ply)) {
            (Some(corrections), Some(places)) => corrections.corrected(&places, score),
            _ => score,
        }
    }

    /// Learns that the result of a search to `depth` was `error` above the evaluation.
    #[inline]
    pub(super) fn correct<P: Tactics>(&mut self, position: &P, ply: u32, depth: u32, error: Score) {
        let places = self.places(position, ply);
        if let (Some(corrections), Some(places)) = (&mut self.corrections, places) {
            corrections.learn(&places, depth, error);
        }
    }

    /// Learns from a search of `position` to `depth`, `ply` plies below the root, whose best move
    /// raised alpha or, if `cut`, cut off after the moves `tried` had not.
    ///
    /// A quiet move that cuts off becomes a killer and the counter move to the preceding move.
    /// History credits every best move, or with penalties only quiet moves that cut off, and debits
    /// the quiet moves tried.
    #[inline]
    pub(super) fn learn<P: Tactics>(
        &mut self,
        position: &P,
        ply: u32,
        depth: u32,
        best: Move,
        cut: bool,
        tried: &[Move],
    ) {
        let quiet_cut = cut && !position.is_capture(best);
        if quiet_cut {
            if let Some(killers) = &mut self.killers {
                killers.remember(ply as usize, best);
            }
            if let Some(counters) = &mut self.counters
                && let [Some(last), ..] = self.path.before(ply)
            {
                counters.remember(last, best);
            }
        }
        let bonus = bonus(&self.params, depth);
        if let Some(captures) = &mut self.captures
            && cut
        {
            if !quiet_cut {
                captures.add(position, best, bonus);
            }
            for &mv in tried {
                if position.is_capture(mv) {
                    captures.add(position, mv, -bonus);
                }
            }
        }
        if self.history.is_none() || (self.params.penalty && !quiet_cut) {
            return;
        }
        self.add(position, ply, best, bonus);
        if self.params.penalty {
            for &mv in tried {
                if !position.is_capture(mv) {
                    self.add(position, ply, mv, -bonus);
                }
            }
        }
    }

    /// Credits the move that led to `ply`, after a search to `depth` found no reply above alpha.
    pub(super) fn credit_prior(&mut self, ply: u32, depth: u32) {
        if self.params.prior == 0 {
            return;
        }
        let bonus = bonus(&self.params, depth) * self.params.prior as i32 / 100;
        if let Some(before) = ply.checked_sub(1)
            && let [Some(slot), ..] = self.path.before(ply)
        {
            if let Some(history) = &mut self.history {
                history.add_to(slot, bonus);
            }
            if let Some(continuation) = &mut self.continuation {
                continuation.add(self.path.before(before), slot, bonus);
            }
        }
    }

    fn add<P: Tactics>(&mut self, position: &P, ply: u32, mv: Move, bonus: i32) {
        if let Some(history) = &mut self.history {
            history.add(position, mv, bonus);
        }
        if let Some(continuation) = &mut self.continuation {
            let before = self.path.before(ply);
            continuation.add(before, position.history_slot(mv), bonus);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{History, LateMoveReductions};
    use super::*;
    use crate::game::Position;
    use crate::games::xiangqi::Xiangqi;

    fn memory(stages: &[Stage], penalty: bool) -> Memory {
        let params = SearchParams {
            ordering: stages.to_vec(),
            history: History {
                penalty,
                ..History::default()
            },
            ..SearchParams::default()
        };
        Memory::new::<Xiangqi>(&params, &Ordering::new(&params))
    }

    fn position() -> Xiangqi {
        Xiangqi::initial()
    }

    /// A capture and three quiet moves of the initial position.
    fn moves() -> [Move; 4] {
        ["b2b9", "h2e2", "a0a1", "c0e2"].map(|mv| position().parse_move(mv).unwrap())
    }

    #[test]
    fn without_penalties_every_best_move_earns() {
        let [capture, quiet, other, third] = moves();
        let mut memory = memory(&[Stage::Killers, Stage::History], false);
        assert!(!memory.takes_penalties());
        memory.learn(&position(), 1, 3, capture, true, &[other]);
        memory.learn(&position(), 1, 2, quiet, false, &[other]);
        memory.learn(&position(), 1, 1, third, true, &[other]);
        let scores = [capture, quiet, other, third].map(|mv| memory.score(&position(), 1, mv));
        assert_eq!(scores, [9, 4, 0, 1]);
        assert_eq!(
            memory.killers(1),
            [Some(third), None],
            "a quiet one that cut off"
        );
        assert_eq!(memory.killers(0), [None, None]);
    }

    #[test]
    fn with_penalties_quiet_cut_offs_earn_what_the_others_lose() {
        let [capture, quiet, other, third] = moves();
        let mut memory = memory(&[Stage::ContinuationHistory], true);
        assert!(memory.takes_penalties());
        memory.enter(&position(), 0, other);
        memory.learn(&position(), 1, 3, capture, true, &[other]);
        memory.learn(&position(), 1, 3, quiet, false, &[other]);
        let scores = |memory: &Memory| {
            [capture, quiet, other, third].map(|mv| memory.score(&position(), 1, mv))
        };
        assert_eq!(scores(&memory), [0; 4]);
        memory.learn(&position(), 1, 3, quiet, true, &[other, third]);
        // Once as a move, once as a reply.
        assert_eq!(scores(&memory), [0, 18, -18, -18]);
        assert_eq!(memory.history(&position(), quiet), 9);
    }

    #[test]
    fn answers_follow_the_last_two_moves_of_the_path() {
        let [_, first, second, best] = moves();
        let mut memory = memory(&[Stage::ContinuationHistory], false);
        let answers = |memory: &Memory, ply| {
            memory.score(&position(), ply, best) - memory.history(&position(), best)
        };
        memory.enter(&position(), 4, first);
        memory.enter(&position(), 5, second);
        memory.learn(&position(), 6, 2, best, false, &[]);
        assert_eq!(answers(&memory, 6), 8);
        // Later moves do not change the path above the node.
        memory.enter(&position(), 6, best);
        assert_eq!(answers(&memory, 6), 8);
        // The same moves at another ply, then one of them alone.
        memory.enter(&position(), 0, first);
        assert_eq!(answers(&memory, 1), 0, "it was two moves before");
        memory.enter(&position(), 1, second);
        assert_eq!(answers(&memory, 2), 8);
        memory.enter(&position(), 0, second);
        assert_eq!(answers(&memory, 2), 4);
        assert_eq!(answers(&memory, 1), 4);
        // A null move has no continuation scores.
        memory.enter_null(1);
        assert_eq!(answers(&memory, 2), 0);
        assert_eq!(answers(&memory, 0), 0);
        memory.enter(&position(), 0, first);
        assert_eq!(answers(&memory, 2), 4);
        assert_eq!(answers(&memory, 10_000), 0, "beyond the plies");
        memory.enter(&position(), 10_000, first);
    }

    #[test]
    fn a_move_that_nothing_answers_earns() {
        let [_, first, second, best] = moves();
        let params = SearchParams {
            ordering: vec![Stage::ContinuationHistory],
            history: History {
                prior: 50,
                ..History::default()
            },
            ..SearchParams::default()
        };
        let mut memory = Memory::new::<Xiangqi>(&params, &Ordering::new(&params));
        memory.enter(&position(), 0, first);
        memory.enter(&position(), 1, second);
        memory.credit_prior(2, 4);
        // Half of the bonus of depth 4: as a move, and as a reply to the move before.
        assert_eq!(memory.history(&position(), second), 8);
        assert_eq!(memory.score(&position(), 1, second), 16);
        assert_eq!(memory.score(&position(), 1, best), 0);
        memory.credit_prior(0, 4);
        memory.enter_null(1);
        memory.credit_prior(2, 4);
        assert_eq!(
            memory.score(&position(), 1, second),
            16,
            "no move, no credit"
        );
        assert_eq!(memory.score(&position(), 1, first), 0);
    }

    #[test]
    fn a_far_look_goes_four_plies_back() {
        let [capture, first, second, best] = moves();
        for far in [false, true] {
            let params = SearchParams {
                ordering: vec![Stage::ContinuationHistory],
                history: History {
                    far,
                    ..History::default()
                },
                ..SearchParams::default()
            };
            let mut memory = Memory::new::<Xiangqi>(&params, &Ordering::new(&params));
            for (ply, mv) in [first, capture, capture, second].into_iter().enumerate() {
                memory.enter(&position(), ply as u32, mv);
            }
            memory.learn(&position(), 4, 2, best, false, &[]);
            // Another path with the same move only four plies back.
            memory.enter(&position(), 2, second);
            memory.enter(&position(), 3, capture);
            let answers = memory.score(&position(), 4, best) - memory.history(&position(), best);
            assert_eq!(answers, if far { 4 } else { 0 });
        }
    }

    #[test]
    fn a_counter_move_answers_the_last_move() {
        let [capture, first, second, best] = moves();
        let mut memory = memory(&[Stage::CounterMove], false);
        memory.learn(&position(), 0, 1, best, true, &[]);
        assert_eq!(memory.counter_move(0), None, "nothing came before");
        memory.enter(&position(), 2, first);
        memory.learn(&position(), 3, 1, capture, true, &[]);
        memory.learn(&position(), 3, 1, second, false, &[]);
        assert_eq!(memory.counter_move(3), None, "no quiet cut-off");
        memory.learn(&position(), 3, 1, best, true, &[]);
        memory.enter(&position(), 6, first);
        assert_eq!(memory.counter_move(7), Some(best));
        memory.enter(&position(), 7, second);
        assert_eq!(memory.counter_move(8), None);
        memory.enter_null(6);
        assert_eq!(memory.counter_move(7), None);
    }

    #[test]
    fn a_new_search_ages_and_a_new_game_forgets() {
        let [_, first, second, best] = moves();
        let mut memory = memory(
            &[
                Stage::Killers,
                Stage::CounterMove,
                Stage::ContinuationHistory,
            ],
            false,
        );
        memory.enter(&position(), 0, first);
        memory.enter(&position(), 1, second);
        memory.learn(&position(), 2, 4, best, true, &[]);
        let known = |memory: &Memory| {
            let killer = memory.killers(2)[0].is_some();
            let counter = memory.counter_move(2).is_some();
            (killer, counter, memory.score(&position(), 2, best))
        };
        assert_eq!(known(&memory), (true, true, 48));
        memory.new_search();
        assert_eq!(known(&memory), (false, true, 40));
        memory.learn(&position(), 2, 4, best, true, &[]);
        memory.new_game();
        assert_eq!(known(&memory), (false, false, 0));
    }

    #[test]
    fn only_what_is_asked_for_is_kept() {
        let kept = |memory: &Memory| {
            (
                memory.history.is_some(),
                memory.continuation.is_some(),
                memory.killers.is_some(),
                memory.counters.is_some(),
            )
        };
        for (stages, expected) in [
            (
                &[Stage::ByPiece, Stage::History][..],
                (false, false, false, false),
            ),
            (&[Stage::History], (true, false, false, false)),
            (&[Stage::ContinuationHistory], (true, true, false, false)),
            (
                &[Stage::Killers, Stage::CounterMove],
                (false, false, true, true),
            ),
        ] {
            assert_eq!(kept(&memory(stages, true)), expected);
        }
        // Reductions may use history with any ordering.
        for (history, expected) in [(0, false), (1, true)] {
            let params = SearchParams {
                ordering: vec![],
                late_move_reductions: Some(LateMoveReductions {
                    history,
                    ..LateMoveReductions::default()
                }),
                ..SearchParams::default()
            };
            let memory = Memory::new::<Xiangqi>(&params, &Ordering::new(&params));
            assert_eq!(kept(&memory), (expected, false, false, false));
        }
    }
}
