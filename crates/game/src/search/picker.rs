//! Hands out the moves of one position in the configured order.
//!
//! Nothing is generated before it is needed: a table move or a killer is
//! checked alone, captures are generated without the quiet moves, and the best
//! of a stage is looked for when it is asked for, because most nodes need one
//! move only. Equal moves come in the order of the generator, so the order is a
//! function of the position and of what the search has learnt.

use super::memory::Memory;
use super::ordering::{Ordering, Plan, Rank, Source, Step, Test};
use super::ready::Ready;
use super::shuffle::shuffled;
use super::{Stage, Tactics};
use crate::{Move, MoveList};

/// The moves of one position, in order.
///
/// Between two calls of [`next`](Picker::next) the position must be the same
/// again, and so must be the path that the memory notes up to it.
pub struct Picker<'a> {
    plan: &'a Plan,
    /// The move of the transposition table.
    table: Option<Move>,
    /// Distance from the root, by which the memory knows the moves before.
    ply: u32,
    /// Number of steps that have had their turn.
    turn: usize,
    /// The test of the present step.
    test: Test,
    ready: Ready,
    /// The move that led to the position.
    last: Option<Move>,
    /// Whether the present step waits for values of its moves.
    waits: bool,
    /// Whether quiet moves that give no check are left out from now on.
    forcing_only: bool,
    /// Moves handed out by steps that others follow.
    claimed: MoveList,
    /// A bit for each of `claimed`, by [`bit`].
    claimed_bits: u64,
}

impl<'a> Picker<'a> {
    /// All legal moves; `table` is the move of the transposition table, `last` the
    /// one that led to the position.
    #[inline]
    pub fn all(ordering: &'a Ordering, table: Option<Move>, ply: u32, last: Option<Move>) -> Self {
        Self::new(&ordering.all, table, ply, last)
    }

    /// All legal moves of a position beyond the horizon, of which nothing is
    /// remembered.
    #[inline]
    pub fn evasions(ordering: &'a Ordering, ply: u32) -> Self {
        Self::new(&ordering.evasions, None, ply, None)
    }

    /// The legal captures: by the first stage for captures, else as those moves
    /// come that no other stage claims. Losing exchanges are left out if the
    /// parameters say so.
    #[inline]
    pub fn captures(ordering: &'a Ordering, ply: u32) -> Self {
        Self::new(&ordering.captures, None, ply, None)
    }

    /// The same, and after them the quiet moves that give check.
    #[inline]
    pub fn captures_and_checks(ordering: &'a Ordering, ply: u32) -> Self {
        Self::new(&ordering.captures_and_checks, None, ply, None)
    }

    #[inline]
    fn new(plan: &'a Plan, table: Option<Move>, ply: u32, last: Option<Move>) -> Self {
        Self {
            plan,
            table,
            ply,
            turn: 0,
            test: Test::None,
            ready: Ready::default(),
            last,
            waits: false,
            forcing_only: false,
            claimed: MoveList::new(),
            claimed_bits: 0,
        }
    }

    /// The next move; none also if the picker [waits](Picker::waits).
    #[inline]
    pub fn next<P: Tactics>(&mut self, position: &P, memory: &Memory) -> Option<Move> {
        loop {
            while let Some(mv) = self.ready.pop() {
                let passes = match self.test {
                    Test::None => true,
                    Test::Legal => !self.is_claimed(mv) && position.is_legal(mv),
                    Test::NoLoss => position.exchange_at_least(mv, 0),
                };
                if passes {
                    if self.turn < self.plan.len() {
                        self.claim(mv);
                    }
                    return Some(mv);
                }
            }
            let step = *self.plan.get(self.turn)?;
            self.turn += 1;
            if step.rank == Rank::Searched {
                self.waits = true;
                return None;
            }
            self.begin(step, position, memory);
        }
    }

    /// The next move, without the steps that would wait.
    pub(super) fn next_at_once<P: Tactics>(
        &mut self,
        position: &P,
        memory: &Memory,
    ) -> Option<Move> {
        loop {
            self.waits = false;
            let next = self.next(position, memory);
            if next.is_some() || !self.waits {
                return next;
            }
        }
    }

    /// Leaves out quiet moves that give no check from now on.
    pub fn leave_out_quiets<P: Tactics>(&mut self, position: &P) {
        self.forcing_only = true;
        let is_forcing = |mv| position.is_capture(mv) || position.gives_check(mv);
        let test = self.test;
        // What may be no legal move is seen to when its turn comes.
        self.ready
            .retain(|mv| test == Test::Legal || is_forcing(mv));
    }

    /// Whether quiet moves are left out.
    #[inline]
    pub(super) fn leaves_out_quiets(&self) -> bool {
        self.forcing_only
    }

    /// Whether it has to be [given](Picker::give) values before it goes on.
    #[inline]
    pub fn waits(&self) -> bool {
        self.waits
    }

    /// The moves whose values it waits for.
    pub fn awaited<P: Tactics>(&self, position: &P) -> MoveList {
        let mut moves = MoveList::new();
        let step = self.plan.get(self.turn.wrapping_sub(1));
        match step.map(|step| step.source) {
            Some(Source::Captures) => position.captures(&mut moves),
            Some(Source::Quiets) => position.quiets(&mut moves),
            _ => position.legal_moves(&mut moves),
        }
        moves.retain(|mv| !self.is_claimed(*mv));
        moves
    }

    /// Goes on with these moves, the highest value first; others are left to the
    /// steps that follow.
    pub fn give(&mut self, values: impl Iterator<Item = (Move, i32)>) {
        self.waits = false;
        self.test = Test::None;
        self.ready.clear();
        for (mv, value) in values {
            self.push(mv, value);
        }
    }

    /// The stage of the move that was handed out last; none if no stage claimed
    /// it.
    #[inline]
    pub fn stage(&self) -> Option<Stage> {
        self.plan.get(self.turn.wrapping_sub(1))?.stage
    }

    fn is_claimed(&self, mv: Move) -> bool {
        self.claimed_bits & bit(mv) != 0 && self.claimed.contains(&mv)
    }

    fn claim(&mut self, mv: Move) {
        self.claimed_bits |= bit(mv);
        // Never full: each claimed move is a different legal one.
        let _ = self.claimed.try_push(mv);
    }

    #[inline]
    fn begin<P: Tactics>(&mut self, step: Step, position: &P, memory: &Memory) {
        self.ready.clear();
        self.test = step.test;
        let mut moves = MoveList::new();
        match step.source {
            Source::Quiets if self.forcing_only => position.quiet_checks(&mut moves),
            Source::All if self.forcing_only => {
                position.captures(&mut moves);
                position.quiet_checks(&mut moves);
            }
            Source::Table => return self.offer([self.table, None]),
            Source::Killers => return self.offer(memory.killers(self.ply)),
            Source::CounterMove => return self.offer([memory.counter_move(self.ply), None]),
            Source::Response => {
                let response = self.last.and_then(|last| position.response(last));
                return self.offer([response, None]);
            }
            Source::Captures => position.captures(&mut moves),
            Source::Quiets => position.quiets(&mut moves),
            Source::QuietChecks => position.quiet_checks(&mut moves),
            Source::All => position.legal_moves(&mut moves),
        }
        match step.rank {
            // A search gives the values.
            Rank::Equal | Rank::Searched => self.fill(&moves, |_| Some(0)),
            Rank::Gain => self.fill(&moves, |mv| Some(position.static_gain(mv))),
            Rank::GainOnly => self.fill(&moves, |mv| {
                Some(position.static_gain(mv)).filter(|&gain| gain >= 0)
            }),
            Rank::VictimAttacker => match memory.captures() {
                None => self.fill(&moves, |mv| {
                    let (victim, attacker) = position.victim_and_attacker(mv);
                    Some(victim * VICTIM - attacker)
                }),
                Some(captures) => self.fill(&moves, |mv| Some(captures.rank(position, mv))),
            },
            Rank::Exchange => self.fill(&moves, |mv| Some(position.exchange(mv))),
            Rank::History => self.fill(&moves, |mv| Some(memory.history(position, mv))),
            Rank::Continuation => {
                let answers = memory.answers(self.ply);
                self.fill(&moves, |mv| {
                    let answers = answers.map_or(0, |all| all.score(position.history_slot(mv)));
                    Some(memory.history(position, mv) + answers)
                });
            }
            Rank::Static => {
                self.fill(&moves, |mv| Some(-i32::from(position.static_rank(mv))));
            }
            Rank::Replies => self.fill(&moves, |mv| {
                let replies = position.replies_after(mv) as i32;
                Some(-(replies << 8 | i32::from(position.static_rank(mv))))
            }),
            Rank::Piece => self.fill(&moves, |mv| Some(-i32::from(position.piece_rank(mv)))),
            Rank::Shuffled(seed) => {
                let key = position.key();
                self.fill(&moves, |mv| Some(shuffled(seed, key, mv) as i32));
            }
        }
    }

    /// Makes ready moves that may not be legal, in this order.
    fn offer(&mut self, moves: [Option<Move>; 2]) {
        for mv in moves.into_iter().flatten() {
            self.ready.push(0, mv);
        }
    }

    /// Makes ready those moves that are not claimed yet and have a rank.
    #[inline]
    fn fill(&mut self, moves: &[Move], rank: impl Fn(Move) -> Option<i32>) {
        for &mv in moves {
            if !self.is_claimed(mv)
                && let Some(rank) = rank(mv)
            {
                self.push(mv, rank);
            }
        }
    }

    #[inline]
    fn push(&mut self, mv: Move, rank: i32) {
        self.ready.push(rank.wrapping_sub(i32::MIN) as u32, mv);
    }
}

/// What a victim counts for against the attacker, whose value is less.
const VICTIM: i32 = 1 << 10;

/// One of 64 bits that a move is told apart by.
#[inline]
fn bit(mv: Move) -> u64 {
    1 << ((mv.0 ^ mv.0 >> 7) & 63)
}
