//! The tree of a proof: zones determine the moves to try.

use super::super::strategic::Strategic;
use super::super::terminal::{Escape, Terminal};
use super::super::threats::Threats;
use super::super::{CaptureParams, Kos, zone};
use super::state::State;
use super::{ExternalThreats, Sure, Width, sort_like};
use crate::{PASS, PointSet, Problem, is_alive, life_zone, move_at, point_of};
use leitai_game::Move;
use leitai_game::search::proof::{AndOr, Outcome};

/// The tree of a proof: one side plays candidates, the other every move that could matter,
/// according to the zones of positions that are already won against it.
#[derive(Clone, Debug)]
pub struct Proving {
    state: State,
    width: Width,
}

impl Proving {
    /// The tree of a problem with a master of the kos ([`Kos::Both`] is treated as
    /// [`Kos::Attacker`]).
    pub fn new(problem: &Problem, params: &CaptureParams, kos: Kos, width: Width) -> Self {
        let kos = match kos {
            Kos::Both => Kos::Attacker,
            master => master,
        };
        Self::of(State::new(problem, params, kos, None), params, width)
    }

    /// The tree of a problem with fought kos: by simple ko, and with a number of external threats
    /// for each side.
    pub fn fight(
        problem: &Problem,
        params: &CaptureParams,
        threats: ExternalThreats,
        width: Width,
    ) -> Self {
        let state = State::new(problem, params, Kos::Both, Some(threats));
        Self::of(state, params, width)
    }

    fn of(mut state: State, params: &CaptureParams, width: Width) -> Self {
        // A proof fails if the winner's move is not among the candidates.
        state.params.near_attack += params.near_attack / 2;
        state.params.near_defend += params.near_defend / 2;
        // This test is heuristic, so proofs must not use it.
        state.params.escape_eval = 0;
        Self { state, width }
    }

    fn is_wide(&self) -> bool {
        if self.is_or() {
            self.width.attacker
        } else {
            self.width.defender
        }
    }

    /// The zone of threats of the defender.
    fn threats_zone(&mut self, threats: &Threats) -> PointSet {
        let mut zone = PointSet::EMPTY;
        for point in threats.escapes {
            zone |= zone::extended(&mut self.state.board, self.state.target, point);
        }
        zone
    }

    /// Returns whether a move of the side to move takes a ko.
    pub fn takes_ko(&self, mv: Move) -> bool {
        let State { board, to_move, .. } = &self.state;
        point_of(mv).is_some_and(|point| board.is_ko_capture(point, *to_move))
    }
}

impl Sure for Proving {
    /// Prefers the ladder whose zone is known.
    fn sure_move(&mut self) -> Option<Move> {
        if !self.is_or() {
            return self.state.sure_move();
        }
        let taken_at = self.state.taking();
        let first = taken_at.or_else(|| self.state.ladder().map(|(point, _)| point));
        first.map(move_at)
    }
}

impl Strategic for Proving {
    fn is_reached(&self) -> bool {
        self.state.is_taken()
    }

    fn is_saved(&self) -> bool {
        self.state.has_liberties_to_escape() || is_alive(&self.state.board, self.state.target)
    }

    /// Includes the moves that a threat of the defender answers.
    fn widen_all(
        &mut self,
        tried: &[Move],
        passed: Option<&PointSet>,
        zone: &mut PointSet,
        moves: &mut Vec<Move>,
    ) {
        let replies = self.state.replies();
        let State {
            board,
            target,
            to_move,
            ..
        } = &self.state;
        let tried = tried.iter().copied().filter_map(point_of).collect();
        let untried = if let Some(passed) = passed {
            // Moves outside fail like the pass, independent of the zones of other replies.
            let mut reasons = *passed;
            zone::close_replies(board, &mut reasons, to_move.other(), &replies);
            *zone |= reasons;
            zone::untried(board, passed, &tried, *to_move, &replies)
        } else {
            if !self.state.may_pass() {
                // When the attacker plays elsewhere, the defender's position is unchanged.
                *zone |= zone::escaped(board, *target);
            }
            zone::close_replies(board, zone, to_move.other(), &replies);
            zone::untried(board, zone, &tried, *to_move, &replies)
        };
        moves.extend(untried.iter().map(move_at));
    }
}

fn proved(zone: Option<PointSet>) -> Outcome<PointSet> {
    zone.map_or(Outcome::Open, Outcome::Proved)
}

fn disproved(zone: Option<PointSet>) -> Outcome<PointSet> {
    zone.map_or(Outcome::Open, Outcome::Disproved)
}

impl AndOr for Proving {
    type Move = Move;
    type Zone = PointSet;

    fn key(&self) -> u128 {
        self.state.key()
    }

    fn is_or(&self) -> bool {
        self.state.attacker_moves()
    }

    fn outcome(&mut self) -> Outcome<PointSet> {
        let terminal = self.state.terminal();
        let State { board, target, .. } = &self.state;
        match terminal {
            // Other relevant points are added when the move is undone.
            Terminal::Gone if self.state.counts_threats() => {
                Outcome::Proved([*target].into_iter().collect())
            }
            Terminal::Gone => Outcome::Proved(PointSet::EMPTY),
            Terminal::Taken(point) => Outcome::Proved(zone::taken(board, *target, point)),
            Terminal::Ladder(_) => proved(self.state.ladder().map(|(_, zone)| zone)),
            Terminal::Escaped(Escape::Liberties) => {
                Outcome::Disproved(zone::escaped(board, *target))
            }
            Terminal::Escaped(Escape::Extension(point)) => Outcome::Disproved(zone::extended(
                &mut self.state.board,
                self.state.target,
                point,
            )),
            Terminal::Escaped(Escape::Threats) => {
                let threats = self.state.threats();
                disproved(threats.map(|threats| self.threats_zone(&threats)))
            }
            Terminal::Escaped(Escape::Life) => disproved(life_zone(board, *target)),
            Terminal::Escaped(Escape::Evaluation) | Terminal::Open => Outcome::Open,
        }
    }

    /// A side that is searched in full begins with its candidates too; the other moves that it must
    /// try are known after these have failed. (Beginning with only the defender's pass makes every
    /// threat look like a proof.) The attacker's pass is omitted where threats determine the moves.
    fn moves(&mut self, moves: &mut Vec<Move>) {
        if self.pass().is_some() && self.is_wide() && self.state.threats().is_none() {
            moves.push(PASS);
        }
        self.state.candidates(moves);
    }

    /// The defender's pass, and the attacker's in a full search for an escape: this attacker may
    /// not pass, but if the pass fails, every move elsewhere fails.
    fn pass(&self) -> Option<Move> {
        (self.state.may_pass() || self.width == Width::ESCAPE).then_some(PASS)
    }

    fn is_elsewhere(&self, mv: Move, zone: &PointSet) -> bool {
        point_of(mv).is_some_and(|point| !zone.contains(point))
    }

    fn widen(
        &mut self,
        tried: &[Move],
        passed: Option<&PointSet>,
        zone: &mut PointSet,
        moves: &mut Vec<Move>,
    ) {
        if !self.is_wide() {
            // Last, because after the attacker's pass it would only lead back.
            if self.state.may_pass() && !tried.contains(&PASS) {
                moves.push(PASS);
            }
            return;
        }
        let threats = self.state.threats();
        if let Some(threats) = &threats {
            *zone |= self.threats_zone(threats);
        }
        self.widen_all(tried, passed, zone, moves);
        if let Some(threats) = threats {
            let is_answer = |point| threats.answers.contains(point);
            moves.retain(|&mv| point_of(mv).is_some_and(is_answer));
        }
        if moves.len() > 1 {
            let mut candidates = Vec::new();
            self.state.candidates(&mut candidates);
            sort_like(&candidates, moves);
        }
    }

    fn lift(&mut self, mv: Move, proved: bool, zone: &mut PointSet) {
        let State { board, to_move, .. } = &self.state;
        match point_of(mv) {
            Some(point) if proved == self.is_or() => {
                zone::lift_own(board, point, zone, *to_move);
            }
            _ if proved == self.is_or() => {
                zone::close(board, zone, *to_move);
                // The attacker may pass while the ko is there.
                if self.is_or() {
                    for ko in self.state.forbidden() {
                        zone::lift_own(board, ko, zone, *to_move);
                    }
                }
            }
            _ => zone::close(board, zone, to_move.other()),
        }
    }

    fn merge(zone: &mut PointSet, other: &PointSet) {
        *zone |= *other;
    }

    fn everything(&self) -> PointSet {
        PointSet::board(self.state.board.size())
    }

    fn play(&mut self, mv: Move) {
        self.state.play(mv);
    }

    fn undo(&mut self) {
        self.state.undo();
    }

    fn key_after(&self, mv: Move) -> Option<u128> {
        self.state.key_after(mv)
    }

    fn evaluate(&mut self) -> i32 {
        self.state.evaluate()
    }
}
