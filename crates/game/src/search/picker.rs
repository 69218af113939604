//! Returns the moves of one position in the configured order.
//!
//! Nothing is generated before it is needed: a table move or a killer is checked alone, captures
//! are generated without the quiet moves, and the best move of a stage is selected on request,
//! because most nodes need only one move. Equal moves come in the order of the generator, so the
//! order is a function of the position and the memory.

use super::memory::Memory;
use super::ordering::{Ordering, Plan, Rank, Source, Step, Test};
use super::ready::Ready;
use super::shuffle::shuffled;
use super::{OrderValues, Stage, Tactics};
use crate::{Move, MoveBuffer as _};

/// An ordered iterator over the moves of one position.
///
/// Each call of [`next`](Picker::next) needs the same position, and the same path in the memory, as
/// the first.
pub struct Picker<'a, P: Tactics> {
    plan: &'a Plan,
    values: &'a OrderValues,
    /// The move from the transposition table.
    table: Option<Move>,
    /// Distance from the root, for the preceding moves in the memory.
    ply: u32,
    /// Number of started steps.
    turn: usize,
    /// The test of the current step.
    test: Test,
    ready: Ready<P::Moves>,
    /// The move that led to the position.
    last: Option<Move>,
    /// True if the current step waits for values of its moves.
    waits: bool,
    /// True if quiet moves without check are left out from now on.
    pub(super) forcing_only: bool,
    /// Moves returned by all steps except the last.
    claimed: P::Moves,
    /// A bit for each of `claimed`, by [`bit`].
    claimed_bits: u64,
}

impl<'a, P: Tactics> Picker<'a, P> {
    /// All legal moves; `table` is the move from the transposition table, `last` the move that led
    /// to the position.
    #[inline]
    pub fn all(ordering: &'a Ordering, table: Option<Move>, ply: u32, last: Option<Move>) -> Self {
        Self::new(ordering, &ordering.all, table, ply, last)
    }

    /// All legal moves of a position beyond the horizon, without table or memory.
    #[inline]
    pub fn evasions(ordering: &'a Ordering, ply: u32) -> Self {
        Self::new(ordering, &ordering.evasions, None, ply, None)
    }

    /// The legal captures, in the order of the first stage for captures or, if there is none, of
    /// the generator. Omits losing exchanges if the parameters exclude them.
    #[inline]
    pub fn captures(ordering: &'a Ordering, ply: u32) -> Self {
        Self::new(ordering, &ordering.captures, None, ply, None)
    }

    /// The same, followed by the quiet moves that give check.
    #[inline]
    pub fn captures_and_checks(ordering: &'a Ordering, ply: u32) -> Self {
        Self::new(ordering, &ordering.captures_and_checks, None, ply, None)
    }

    #[inline]
    fn new(
        ordering: &'a Ordering,
        plan: &'a Plan,
        table: Option<Move>,
        ply: u32,
        last: Option<Move>,
    ) -> Self {
        Self {
            plan,
            values: &ordering.values,
            table,
            ply,
            turn: 0,
            test: Test::None,
            ready: Ready::default(),
            last,
            waits: false,
            forcing_only: false,
            claimed: P::Moves::default(),
            claimed_bits: 0,
        }
    }

    /// The next move; also `None` if the picker [waits](Picker::waits).
    #[inline]
    pub fn next(&mut self, position: &P, memory: &Memory) -> Option<Move> {
        loop {
            while let Some(mv) = self.ready.pop() {
                let passes = match self.test {
                    Test::None => true,
                    Test::Legal => !self.is_claimed(mv) && position.is_legal(mv),
                    Test::NoLoss => position.exchange_at_least(mv, 0, self.values),
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

    /// The next move, skipping the steps that would wait.
    pub(super) fn next_at_once(&mut self, position: &P, memory: &Memory) -> Option<Move> {
        loop {
            self.waits = false;
            let next = self.next(position, memory);
            if next.is_some() || !self.waits {
                return next;
            }
        }
    }

    /// Leaves out quiet moves without check from now on.
    pub fn prune_quiets(&mut self, position: &P) {
        self.forcing_only = true;
        let is_forcing = |mv| position.is_capture(mv) || position.gives_check(mv);
        let test = self.test;
        // Moves that may be illegal are tested when their turn comes.
        self.ready
            .retain(|mv| test == Test::Legal || is_forcing(mv));
    }

    /// Returns whether it needs [values](Picker::set_values) to continue.
    #[inline]
    pub fn waits(&self) -> bool {
        self.waits
    }

    /// The moves that need values.
    pub fn awaited(&self, position: &P) -> P::Moves {
        let mut moves = P::Moves::default();
        let step = self.plan.get(self.turn.wrapping_sub(1));
        match step.map(|step| step.source) {
            Some(Source::Captures) => position.captures(&mut moves),
            Some(Source::Quiets) => position.quiets(&mut moves),
            _ => position.legal_moves(&mut moves),
        }
        moves.retain(|mv| !self.is_claimed(*mv));
        moves
    }

    /// Continues with these moves, the highest value first; leaves others to the following steps.
    pub fn set_values(&mut self, values: impl Iterator<Item = (Move, i32)>) {
        self.waits = false;
        self.test = Test::None;
        self.ready.clear();
        for (mv, value) in values {
            self.push(mv, value);
        }
    }

    /// The stage of the last returned move; `None` if no stage claimed it.
    #[inline]
    pub fn stage(&self) -> Option<Stage> {
        self.plan.get(self.turn.wrapping_sub(1))?.stage
    }

    fn is_claimed(&self, mv: Move) -> bool {
        self.claimed_bits & bit(mv) != 0 && self.claimed.contains(&mv)
    }

    fn claim(&mut self, mv: Move) {
        self.claimed_bits |= bit(mv);
        // Cannot fail: each claimed move is a different legal one.
        self.claimed.add(mv);
    }

    #[inline]
    fn begin(&mut self, step: Step, position: &P, memory: &Memory) {
        self.ready.clear();
        self.test = step.test;
        let values = self.values;
        let mut moves = P::Moves::default();
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
            // For `Searched`, `set_values` replaces the ranks.
            Rank::Equal | Rank::Searched => self.fill(&moves, |_| Some(0)),
            Rank::Gain => self.fill(&moves, |mv| Some(position.static_gain(mv, values))),
            Rank::GainOnly => self.fill(&moves, |mv| {
                Some(position.static_gain(mv, values)).filter(|&gain| gain >= 0)
            }),
            Rank::VictimAttacker => match memory.captures() {
                None => self.fill(&moves, |mv| {
                    let (victim, attacker) = position.victim_and_attacker(mv, values);
                    Some(victim * VICTIM - attacker)
                }),
                Some(captures) => self.fill(&moves, |mv| Some(captures.rank(position, mv))),
            },
            Rank::Exchange => self.fill(&moves, |mv| Some(position.exchange(mv, values))),
            Rank::History => self.fill(&moves, |mv| Some(memory.history(position, mv))),
            Rank::Continuation => {
                let reply_scores = memory.reply_scores(self.ply);
                self.fill(&moves, |mv| {
                    let reply_scores =
                        reply_scores.map_or(0, |all| all.score(position.history_slot(mv)));
                    Some(memory.history(position, mv) + reply_scores)
                });
            }
            Rank::Static => {
                self.fill(&moves, |mv| {
                    Some(-i32::from(position.static_rank(mv, values)))
                });
            }
            Rank::Replies => self.fill(&moves, |mv| {
                let replies = position.replies_after(mv) as i32;
                Some(-(replies << 8 | i32::from(position.static_rank(mv, values))))
            }),
            Rank::Piece => self.fill(&moves, |mv| {
                Some(-i32::from(position.piece_rank(mv, values)))
            }),
            Rank::Shuffled(seed) => {
                let key = position.key();
                self.fill(&moves, |mv| Some(shuffled(seed, key, mv) as i32));
            }
        }
    }

    /// Queues moves that may be illegal, in this order.
    fn offer(&mut self, moves: [Option<Move>; 2]) {
        for mv in moves.into_iter().flatten() {
            self.ready.push(0, mv);
        }
    }

    /// Queues the unclaimed moves that have a rank.
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

/// Weight of the victim relative to the attacker, whose value is below it.
const VICTIM: i32 = 1 << 10;

/// One of 64 bits, as a hash of the move.
#[inline]
fn bit(mv: Move) -> u64 {
    1 << ((mv.0 ^ mv.0 >> 7) & 63)
}
