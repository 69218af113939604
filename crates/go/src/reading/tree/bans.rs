//! Points that ko forbids, and the threats that lift such a ban.
//!
//! A problem may forbid one ko capture to a side, on its first move. Where no master
//! settles the kos ([`Kos::Both`]), each ko capture forbids the next move to take back.
//! The side that a ban keeps from a play may pass instead, the attacker too: that stands
//! for a play elsewhere that need not be answered.
//!
//! An external threat is a play elsewhere that has to be answered. Threat and answer
//! change nothing here but that the ban is lifted, and so a play on a forbidden point is
//! one that costs a threat.

use super::super::Kos;
use super::state::{State, spread};
use crate::reading::zone::Replies;
use crate::{Colour, Point, PointSet, Problem, move_at, point_of};
use leitai_game::Move;

/// How many external threats each side has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ExternalThreats {
    /// The attacker's.
    pub attacker: u8,
    /// The defender's.
    pub defender: u8,
}

impl ExternalThreats {
    const fn of(&mut self, is_attacker: bool) -> &mut u8 {
        if is_attacker {
            &mut self.attacker
        } else {
            &mut self.defender
        }
    }
}

/// A ko capture that is forbidden on a side's first move.
#[derive(Clone, Copy, Debug)]
struct Ban {
    point: Point,
    colour: Colour,
    /// The ply of that move.
    ply: usize,
}

/// What a search knows of bans.
#[derive(Clone, Debug, Default)]
pub(super) struct Bans {
    ban: Option<Ban>,
    /// What is left of the threats, where they are counted.
    threats: Option<ExternalThreats>,
    /// The plies on which one was spent.
    spent: Vec<usize>,
}

impl Bans {
    /// The ban of a problem, as far as the board does not keep it.
    pub(super) fn of(problem: &Problem, kos: Kos, threats: Option<ExternalThreats>) -> Self {
        let ban = problem.ban().map(|(point, colour)| Ban {
            point,
            colour,
            ply: usize::from(colour != problem.to_move),
        });
        Self {
            ban: ban.filter(|ban| kos != Kos::Both || ban.ply > 0),
            threats,
            spent: Vec::new(),
        }
    }
}

impl State {
    /// Whether a ban of the problem is, or may yet be, in force.
    pub(super) fn has_ban_ahead(&self) -> bool {
        let ban = self.bans.ban.as_ref();
        ban.is_some_and(|ban| self.moves.len() <= ban.ply)
    }

    /// Whether threats are counted.
    pub(super) fn counts_threats(&self) -> bool {
        self.bans.threats.is_some()
    }

    /// Whether a ban has to be thought of here. (In games that of the board has been.)
    pub(super) fn has_bans(&self) -> bool {
        self.has_ban_ahead() || self.counts_threats()
    }

    /// The ko captures that are forbidden to the side to move.
    pub(super) fn forbidden(&self) -> PointSet {
        let mut points = PointSet::EMPTY;
        if self.kos == Kos::Both {
            points.extend(self.board.ko());
        }
        if let Some(ban) = &self.bans.ban
            && ban.ply == self.moves.len()
            && ban.colour == self.to_move
            && self.kos.may_take(self.attacker_moves())
            && self.board.is_ko_capture(ban.point, ban.colour)
        {
            points.insert(ban.point);
        }
        points
    }

    fn has_threat(&self) -> bool {
        let mut threats = self.bans.threats.unwrap_or_default();
        *threats.of(self.attacker_moves()) > 0
    }

    /// The points that are forbidden, no threat being left to lift the ban.
    pub(super) fn closed(&self) -> PointSet {
        if !self.has_bans() || self.has_threat() {
            PointSet::EMPTY
        } else {
            self.forbidden()
        }
    }

    /// Whether the side to move may pass: the defender always may, the attacker if a ban
    /// keeps him from a play. (In games he never may.)
    pub(super) fn may_pass(&self) -> bool {
        !self.attacker_moves() || (self.has_bans() && !self.forbidden().is_empty())
    }

    /// Whether the target has just been taken by a ko and the defender may have a threat to
    /// take it back. If he does not, it is taken.
    pub(super) fn may_be_retaken(&self) -> bool {
        self.counts_threats() && !self.attacker_moves() && self.board.ko() == Some(self.target)
    }

    /// Whether the attacker's play on a point takes a ko that the defender may take back
    /// by a threat.
    pub(super) fn is_in_dispute(&self, point: Point) -> bool {
        let threats = self.bans.threats;
        threats.is_some_and(|threats| threats.defender > 0)
            && self.board.is_ko_capture(point, self.to_move)
    }

    /// What the side to move may not play.
    pub(super) fn replies(&self) -> Replies {
        Replies {
            takes_ko: self.kos.may_take(self.attacker_moves()),
            closed: self.closed(),
        }
    }

    /// Leaves forbidden points out of moves, or puts them in front if a threat is left.
    pub(super) fn heed_bans(&self, moves: &mut Vec<Move>) {
        if !self.has_bans() {
            return;
        }
        let forbidden = self.forbidden();
        moves.retain(|&mv| point_of(mv).is_none_or(|point| !forbidden.contains(point)));
        if self.has_threat() {
            moves.splice(0..0, forbidden.iter().map(move_at));
        }
    }

    /// Spends a threat if the move, which is about to be played, needs one.
    pub(super) fn spend(&mut self, mv: Move) {
        let Some(point) = point_of(mv) else { return };
        if self.counts_threats() && self.forbidden().contains(point) {
            let is_attacker = self.attacker_moves();
            if let Some(threats) = &mut self.bans.threats {
                let left = threats.of(is_attacker);
                *left = left.saturating_sub(1);
                self.bans.spent.push(self.moves.len());
            }
        }
    }

    /// Gives back the threat that the last move, just taken back, has cost.
    pub(super) fn regain(&mut self) {
        if self.bans.spent.last() == Some(&self.moves.len()) {
            self.bans.spent.pop();
            let is_attacker = self.attacker_moves();
            if let Some(threats) = &mut self.bans.threats {
                *threats.of(is_attacker) += 1;
            }
        }
    }

    /// What the key of the position has of all this.
    pub(super) fn key_of_bans(&self) -> u128 {
        let mut key = 0;
        if let Some(ban) = self.bans.ban.filter(|_| self.has_ban_ahead()) {
            key ^= spread(1 << 32 | u64::from(ban.point.0) << 8 | ban.ply as u64);
        }
        if let Some(threats) = self.bans.threats {
            let count = u64::from(threats.attacker) << 8 | u64::from(threats.defender);
            key ^= spread(1 << 40 | count);
        }
        key
    }
}
