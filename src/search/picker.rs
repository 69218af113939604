//! Hands out the moves of one position in the configured order.
//!
//! Nothing is generated before it is needed: a table move or a killer is
//! checked alone, good captures are generated without the quiet moves, and the
//! best of a stage is looked for when it is asked for, because most nodes need
//! one move only. Equal moves come in the order of the generator, so the order
//! is a function of the position and of what the search has learnt.

use super::Tactics;
use super::history::History;
use super::ordering::{Claim, Ordering, Rest};
use super::ready::Ready;
use crate::game::{Move, MoveList};

/// The moves that a search has reason to try early.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Hints {
    /// The move of the transposition table.
    pub(super) table: Option<Move>,
    /// The killers of the ply.
    pub(super) killers: [Option<Move>; 2],
}

/// The moves of one position, in order.
pub(super) struct Picker {
    hints: Hints,
    /// Number of stages that have had their turn.
    turn: usize,
    ready: Ready,
    /// Moves handed out or made ready by the stages that claim some.
    claimed: MoveList,
    /// A bit for each of `claimed`, by [`bit`].
    claimed_bits: u64,
}

impl Picker {
    /// All legal moves.
    #[inline]
    pub(super) fn all(hints: Hints) -> Self {
        Self {
            hints,
            turn: 0,
            ready: Ready::default(),
            claimed: MoveList::new(),
            claimed_bits: 0,
        }
    }

    /// The legal captures: by static gain if the ordering has a stage for
    /// that, else as the ordering has moves that no other stage claims.
    #[inline]
    pub(super) fn captures<P: Tactics>(
        ordering: &Ordering,
        position: &P,
        history: &History,
    ) -> Self {
        let mut picker = Self::all(Hints::default());
        picker.turn = usize::MAX;
        let mut moves = MoveList::new();
        position.captures(&mut moves);
        for &mv in &moves {
            let rank = if ordering.captures_by_gain {
                gain_rank(position.static_gain(mv))
            } else {
                rank(ordering.rest, position, history, mv)
            };
            picker.ready.push(rank, mv);
        }
        picker
    }

    /// The next move.
    #[inline]
    pub(super) fn next<P: Tactics>(
        &mut self,
        ordering: &Ordering,
        position: &P,
        history: &History,
    ) -> Option<Move> {
        loop {
            if let Some(mv) = self.ready.pop() {
                return Some(mv);
            }
            if self.turn > ordering.first.len() {
                return None;
            }
            let claim = ordering.first.get(self.turn);
            self.turn += 1;
            match claim {
                Some(Claim::Tt) => self.offer(position, [self.hints.table, None]),
                Some(Claim::Killers) => self.offer(position, self.hints.killers),
                Some(Claim::GoodCaptures) => self.offer_good_captures(position),
                None => self.offer_rest(ordering.rest, position, history),
            }
        }
    }

    fn is_claimed(&self, mv: Move) -> bool {
        self.claimed_bits & bit(mv) != 0 && self.claimed.contains(&mv)
    }

    fn claim(&mut self, mv: Move) {
        self.claimed_bits |= bit(mv);
        // Never full: each claimed move is a different legal one.
        let _ = self.claimed.try_push(mv);
    }

    /// Claims those of two moves that are legal here.
    fn offer<P: Tactics>(&mut self, position: &P, moves: [Option<Move>; 2]) {
        self.ready.clear();
        for mv in moves.into_iter().flatten() {
            if !self.is_claimed(mv) && position.is_legal(mv) {
                self.claim(mv);
                self.ready.push(0, mv);
            }
        }
    }

    fn offer_good_captures<P: Tactics>(&mut self, position: &P) {
        let mut moves = MoveList::new();
        position.captures(&mut moves);
        self.ready.clear();
        for &mv in &moves {
            if self.is_claimed(mv) {
                continue;
            }
            let gain = position.static_gain(mv);
            if gain >= 0 {
                self.claim(mv);
                self.ready.push(gain_rank(gain), mv);
            }
        }
    }

    fn offer_rest<P: Tactics>(&mut self, rest: Rest, position: &P, history: &History) {
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        self.ready.clear();
        for &mv in &moves {
            if !self.is_claimed(mv) {
                self.ready.push(rank(rest, position, history, mv), mv);
            }
        }
    }
}

/// One of 64 bits that a move is told apart by.
#[inline]
fn bit(mv: Move) -> u64 {
    1 << ((mv.0 ^ mv.0 >> 7) & 63)
}

/// Higher is earlier.
#[inline]
fn rank<P: Tactics>(rest: Rest, position: &P, history: &History, mv: Move) -> u32 {
    match rest {
        Rest::History => history.score(position.history_slot(mv)),
        Rest::ByPiece => u32::from(u8::MAX - position.piece_rank(mv)),
        Rest::Generator => 0,
    }
}

/// Higher is earlier, for gains of either sign.
#[inline]
fn gain_rank(gain: i32) -> u32 {
    gain.wrapping_sub(i32::MIN) as u32
}
