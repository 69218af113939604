//! Ko bans, and the threats that lift them.
//!
//! A problem may forbid one ko capture to a side, on its first move. Where no master settles the
//! kos ([`Kos::Both`]), each ko capture forbids immediate recapture. The side under a ban may pass
//! instead, the attacker too: the pass represents a play elsewhere that needs no answer.
//!
//! An external threat is a play elsewhere that needs an answer. Threat and answer change nothing
//! here except that the ban is lifted, so a play on a forbidden point costs a threat.

use super::super::Kos;
use super::state::{State, spread};
use crate::reading::zone::Replies;
use crate::{Colour, Point, PointSet, Problem, move_at, point_of};
use leitai_game::Move;

/// The number of external threats of each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ExternalThreats {
    /// The attacker's threats.
    pub attacker: u8,
    /// The defender's threats.
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

/// The state of bans and threats in a search.
#[derive(Clone, Debug, Default)]
pub(super) struct Bans {
    ban: Option<Ban>,
    /// The remaining threats, if they are counted.
    threats: Option<ExternalThreats>,
    /// The plies on which a threat was spent.
    spent: Vec<usize>,
}

impl Bans {
    /// The ban of a problem, unless the board keeps it.
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
    /// Returns whether a ban of the problem is, or may still be, in force.
    pub(super) fn has_ban_ahead(&self) -> bool {
        let ban = self.bans.ban.as_ref();
        ban.is_some_and(|ban| self.moves.len() <= ban.ply)
    }

    /// Returns whether threats are counted.
    pub(super) fn counts_threats(&self) -> bool {
        self.bans.threats.is_some()
    }

    /// Returns whether bans may matter here. (In games the board handles them.)
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

    /// The points that are forbidden because no threat is left to lift the ban.
    pub(super) fn closed(&self) -> PointSet {
        if !self.has_bans() || self.has_threat() {
            PointSet::EMPTY
        } else {
            self.forbidden()
        }
    }

    /// Returns whether the side to move may pass: the defender always may, the attacker under a
    /// ban. (In games the attacker never may.)
    pub(super) fn may_pass(&self) -> bool {
        !self.attacker_moves() || (self.has_bans() && !self.forbidden().is_empty())
    }

    /// Returns whether a ko has just captured the target and the defender may have a threat to
    /// retake it. Without a threat the target is captured.
    pub(super) fn may_be_retaken(&self) -> bool {
        self.counts_threats() && !self.attacker_moves() && self.board.ko() == Some(self.target)
    }

    /// Returns whether the attacker's play on a point takes a ko that the defender may retake with
    /// a threat.
    pub(super) fn is_in_dispute(&self, point: Point) -> bool {
        let threats = self.bans.threats;
        threats.is_some_and(|threats| threats.defender > 0)
            && self.board.is_ko_capture(point, self.to_move)
    }

    /// The restrictions on the replies of the side to move.
    pub(super) fn replies(&self) -> Replies {
        Replies {
            takes_ko: self.kos.may_take(self.attacker_moves()),
            closed: self.closed(),
        }
    }

    /// Removes forbidden points from the moves, or moves them to the front if a threat is left.
    pub(super) fn remove_banned(&self, moves: &mut Vec<Move>) {
        if !self.has_bans() {
            return;
        }
        let forbidden = self.forbidden();
        moves.retain(|&mv| point_of(mv).is_none_or(|point| !forbidden.contains(point)));
        if self.has_threat() {
            moves.splice(0..0, forbidden.iter().map(move_at));
        }
    }

    /// Spends a threat if the next move needs one.
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

    /// Returns the threat that the last move, which was just undone, has cost.
    pub(super) fn regain(&mut self) {
        if self.bans.spent.last() == Some(&self.moves.len()) {
            self.bans.spent.pop();
            let is_attacker = self.attacker_moves();
            if let Some(threats) = &mut self.bans.threats {
                *threats.of(is_attacker) += 1;
            }
        }
    }

    /// The part of the position key for bans and threats.
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
