//! Move statistics that a search has learnt.

use super::capture_history::Captures;
use super::continuation::{Continuation, DISTANCES, REACH, ReplyScores};
use super::correction::{Corrections, Places};
use super::history::{HistoryTable, bonus};
use super::killers::KillerTable;
use super::ordering::Ordering;
use super::{History, MAX_PLY, SearchParams, Stage, Tactics};
use crate::Move;
use crate::eval::{MATE_PLIES, Score};

/// The tables that the ordering or the late move reductions use; the others are not kept.
pub struct Memory {
    history: Option<HistoryTable>,
    continuation: Option<Continuation>,
    killers: Option<KillerTable>,
    /// The latest reply that cut off, by the history slot of the move before it.
    counters: Option<Vec<Option<Move>>>,
    captures: Option<Captures>,
    corrections: Option<Corrections>,
    path: Path,
    /// True if any table uses the preceding moves.
    records_path: bool,
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
    /// Whether there are a history, a continuation history, killers and counter moves.
    pub fn parts(&self) -> (bool, bool, bool, bool) {
        (
            self.history.is_some(),
            self.continuation.is_some(),
            self.killers.is_some(),
            self.counters.is_some(),
        )
    }

    /// An empty memory for a search with these parameters.
    pub fn new<P: Tactics>(params: &SearchParams, ordering: &Ordering) -> Self {
        let continuation = ordering.has_stage(Stage::ContinuationHistory);
        let reductions = params.late_move_reductions.as_ref();
        let captures = params.capture_history.as_ref();
        let history = continuation
            || params.history_pruning.is_some()
            || ordering.has_stage(Stage::History)
            || reductions.is_some_and(|reductions| reductions.history > 0);
        let killers = ordering.has_stage(Stage::Killers);
        let counters = ordering.has_stage(Stage::CounterMove);
        Self {
            history: history.then(|| HistoryTable::new::<P>(&params.history)),
            continuation: continuation
                .then(|| Continuation::new(P::HISTORY_SLOTS, params.history.far)),
            killers: killers.then(|| KillerTable::new(&params.killers, MAX_PLY as usize)),
            counters: counters.then(|| vec![None; P::HISTORY_SLOTS]),
            captures: captures.map(|captures| {
                Captures::new(P::HISTORY_SLOTS, captures.unit, ordering.values.clone())
            }),
            corrections: params.correction_history.as_ref().map(Corrections::new),
            path: Path([NO_SLOT; BEFORE + MATE_PLIES as usize]),
            records_path: counters
                || continuation
                || params.correction_history.is_some()
                || params.history.prior > 0,
            params: params.history.clone(),
        }
    }

    /// Forgets everything.
    pub fn new_game(&mut self) {
        self.history.iter_mut().for_each(HistoryTable::clear);
        self.continuation.iter_mut().for_each(Continuation::clear);
        self.killers.iter_mut().for_each(KillerTable::clear);
        self.counters
            .iter_mut()
            .for_each(|replies| replies.fill(None));
        self.captures.iter_mut().for_each(Captures::clear);
        self.corrections.iter_mut().for_each(Corrections::clear);
    }

    /// Starts another search of the same game: ages history scores, and clears killers because
    /// plies have shifted.
    pub fn new_search(&mut self) {
        self.history.iter_mut().for_each(HistoryTable::age);
        self.killers.iter_mut().for_each(KillerTable::clear);
    }

    /// Records that `mv` is about to be played in `position`, `ply` plies below the root.
    #[inline]
    pub fn enter<P: Tactics>(&mut self, position: &P, ply: u32, mv: Move) {
        if self.records_path {
            self.path.set(ply, position.history_slot(mv) as u16);
        }
    }

    /// Records a null move at `ply`.
    pub fn enter_null(&mut self, ply: u32) {
        self.path.set(ply, NO_SLOT);
    }

    /// The killers of a ply.
    #[inline]
    pub fn killers(&self, ply: u32) -> [Option<Move>; 2] {
        let killers = self.killers.as_ref();
        killers.map_or([None; 2], |killers| killers.at(ply as usize))
    }

    /// The latest reply that cut off after the move that led to `ply`.
    #[inline]
    pub fn counter_move(&self, ply: u32) -> Option<Move> {
        let [last, ..] = self.path.before(ply);
        *self.counters.as_ref()?.get(last?)?
    }

    /// The history score of a move, without continuation scores.
    #[inline]
    pub fn history<P: Tactics>(&self, position: &P, mv: Move) -> i32 {
        let history = self.history.as_ref();
        history.map_or(0, |history| history.score(position, mv))
    }

    /// The continuation scores of the moves at `ply`.
    #[inline]
    pub(super) fn reply_scores(&self, ply: u32) -> Option<ReplyScores<'_>> {
        let before = self.path.before(ply);
        self.continuation
            .as_ref()
            .map(|table| table.reply_scores(before))
    }

    /// The overall score of a move, `ply` plies below the root: its history score, plus the
    /// continuation scores if the ordering has a stage for them. Higher is better.
    #[inline]
    pub fn score<P: Tactics>(&self, position: &P, ply: u32, mv: Move) -> i32 {
        let reply_scores = self.reply_scores(ply);
        self.history(position, mv)
            + reply_scores.map_or(0, |reply_scores| {
                reply_scores.score(position.history_slot(mv))
            })
    }

    /// Returns whether [`learn`](Memory::learn) uses the moves that failed to cut off.
    #[inline]
    pub fn takes_penalties(&self) -> bool {
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
    pub fn learn<P: Tactics>(
        &mut self,
        position: &P,
        ply: u32,
        depth: u32,
        best: Move,
        cut: bool,
        tried: &[Move],
    ) {
        let is_capture = position.is_capture(best);
        let quiet_cut = cut && !is_capture;
        if quiet_cut {
            if let Some(killers) = &mut self.killers {
                killers.remember(ply as usize, best);
            }
            if let Some(counters) = &mut self.counters
                && let [Some(last), ..] = self.path.before(ply)
                && let Some(reply) = counters.get_mut(last)
            {
                *reply = Some(best);
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
        let mut credit = bonus;
        if !cut {
            credit = part(credit, self.params.best);
        }
        if is_capture {
            credit = part(credit, self.params.captures);
        }
        self.add(position, ply, best, credit);
        if self.params.penalty {
            let debit = part(bonus, self.params.debit);
            for &mv in tried {
                if !position.is_capture(mv) {
                    self.add(position, ply, mv, -debit);
                }
            }
        }
    }

    /// Credits the move that led to `ply`, after a search to `depth` found no reply above alpha.
    pub fn credit_prior(&mut self, ply: u32, depth: u32) {
        if self.params.prior == 0 {
            return;
        }
        let bonus = part(bonus(&self.params, depth), self.params.prior);
        if let Some(before) = ply.checked_sub(1)
            && let [Some(slot), ..] = self.path.before(ply)
        {
            if let Some(history) = &mut self.history {
                history.add_to(slot, bonus);
            }
            if let Some(continuation) = &mut self.continuation {
                let bonus = part(bonus, self.params.replies);
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
            let bonus = part(bonus, self.params.replies);
            continuation.add(before, position.history_slot(mv), bonus);
        }
    }
}

/// A part of a bonus, in hundredths, rounded towards 0.
#[inline]
fn part(bonus: i32, hundredths: u32) -> i32 {
    bonus * hundredths as i32 / 100
}
