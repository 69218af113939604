//! The position in both trees.

use arrayvec::ArrayVec;

use super::super::ladder::{Ladders, ladder_zone};
use super::super::near::{MAX, Near, Question};
use super::super::terminal::{Escape, Terminal, extension};
use super::super::threats::{Threats, threats};
use super::super::{
    Candidates, CaptureParams, Context, ExternalThreats, Kos, LadderOutcome, candidates, evaluate,
};
use super::bans::Bans;
use crate::{Board, Colour, Point, PointSet, Problem, is_alive, move_at, point_of};
use leitai_game::Move;

/// The state that both trees share.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) board: Board,
    pub(super) target: Point,
    pub(super) defender: Colour,
    pub(super) to_move: Colour,
    pub(super) kos: Kos,
    pub(super) bans: Bans,
    pub(super) params: CaptureParams,
    /// The moves from the root.
    pub(super) moves: Vec<Move>,
    /// Distinguishes the keys of steps.
    pub(super) salt: u128,
    /// Reused buffer for candidates.
    found: Vec<(Move, i32)>,
    near: Near,
    ladders: Ladders,
}

impl State {
    pub(super) fn new(
        problem: &Problem,
        params: &CaptureParams,
        kos: Kos,
        threats: Option<ExternalThreats>,
    ) -> Self {
        let mut board = problem.board.clone();
        if kos != Kos::Both {
            board.set_ko(None);
        }
        let mut params = params.clone();
        params.escape_liberties = params.escape_liberties_of(problem);
        Self {
            board,
            target: problem.target,
            defender: problem.defender(),
            to_move: problem.to_move,
            kos,
            bans: Bans::of(problem, kos, threats),
            params,
            moves: Vec::new(),
            salt: 0,
            found: Vec::new(),
            near: Near::default(),
            ladders: Ladders::default(),
        }
    }

    pub(super) fn attacker_moves(&self) -> bool {
        self.to_move != self.defender
    }

    pub(super) fn is_taken(&self) -> bool {
        self.board.at(self.target) != Some(self.defender) && !self.may_be_retaken()
    }

    pub(super) fn has_liberties_to_escape(&self) -> bool {
        let enough = self.params.escape_liberties;
        enough > 0 && self.board.liberty_count(self.target) >= enough
    }

    fn may_play(&self, point: Point) -> bool {
        if self.has_bans() && self.closed().contains(point) {
            return false;
        }
        if self.counts_threats() {
            return self.board.is_empty(point) && !self.board.is_suicide(point, self.to_move);
        }
        let (board, to_move) = (&self.board, self.to_move);
        self.kos.may_play(board, point, to_move, self.defender)
    }

    /// The status of the position without a search except ladders: the terminal tests of Zhang and
    /// Chen (2007, section 1.4) and the rigorous ones, if the parameters enable them. A capture by
    /// a ko that the attacker may not take does not count.
    pub(super) fn terminal(&mut self) -> Terminal {
        if self.may_be_retaken() {
            return Terminal::Open;
        }
        if self.is_taken() {
            return Terminal::Gone;
        }
        if self.has_liberties_to_escape() {
            return Terminal::Escaped(Escape::Liberties);
        }
        if let Some(point) = self.taking() {
            return Terminal::Taken(point);
        }
        if let Some(point) = self.extension() {
            return Terminal::Escaped(Escape::Extension(point));
        }
        if self.threats().is_some_and(|it| it.answers.is_empty()) {
            return Terminal::Escaped(Escape::Threats);
        }
        if self.params.escape_life && is_alive(&self.board, self.target) {
            return Terminal::Escaped(Escape::Life);
        }
        if let Some(point) = self.falls_to() {
            return Terminal::Ladder(point);
        }
        let enough = self.params.escape_eval;
        if enough > 0 && evaluate(&mut self.board, self.target, &self.params) > enough as i32 {
            return Terminal::Escaped(Escape::Evaluation);
        }
        Terminal::Open
    }

    /// The winning move of the side to move if [`terminal`](State::terminal) knows the winner;
    /// never the pass.
    pub(super) fn sure_move(&mut self) -> Option<Move> {
        if !self.attacker_moves() {
            return self.extension().map(move_at);
        }
        let taken_at = self.taking();
        let first = taken_at.or_else(|| self.falls_to());
        first.map(move_at)
    }

    /// The move that takes the target at once.
    pub(super) fn taking(&self) -> Option<Point> {
        let in_atari = self.attacker_moves() && self.board.liberty_count(self.target) == 1;
        let last = in_atari.then(|| self.board.liberties(self.target).first())??;
        (self.may_play(last) && !self.is_in_dispute(last)).then_some(last)
    }

    /// The defender's move that gives the target enough liberties, with the defender to move.
    fn extension(&self) -> Option<Point> {
        if self.attacker_moves() {
            return None;
        }
        let point = extension(&self.board, self.target, self.kos, &self.params)?;
        self.may_play(point).then_some(point)
    }

    /// The side that takes kos in ladders: under bans or threats the defender, so that a working
    /// ladder works in any case.
    fn kos_of_ladders(&self) -> Kos {
        if self.has_bans() {
            Kos::Defender
        } else {
            self.kos
        }
    }

    fn can_be_in_ladder(&self) -> bool {
        let liberties = self.board.liberty_count(self.target);
        self.params.ladder && (liberties == 1 || (liberties == 2 && self.attacker_moves()))
    }

    /// The first move of a ladder that takes the target.
    fn falls_to(&mut self) -> Option<Point> {
        if !self.can_be_in_ladder() {
            return None;
        }
        let kos = self.kos_of_ladders();
        let (board, target, to_move) = (&mut self.board, self.target, self.to_move);
        match (self.ladders).read(board, target, to_move, kos, &self.params) {
            LadderOutcome::Captured(point) => Some(point),
            LadderOutcome::Ko | LadderOutcome::Fails => None,
        }
    }

    /// The same, with the zone of the proof, which needs more reading.
    pub(super) fn ladder(&mut self) -> Option<(Point, PointSet)> {
        if !self.can_be_in_ladder() {
            return None;
        }
        let kos = self.kos_of_ladders();
        let (board, target, to_move) = (&mut self.board, self.target, self.to_move);
        match ladder_zone(board, target, to_move, kos, &self.params) {
            (LadderOutcome::Captured(point), zone) => Some((point, zone)),
            _ => None,
        }
    }

    pub(super) fn key(&self) -> u128 {
        let ko = self.board.ko().filter(|_| self.kos == Kos::Both);
        let ko = ko.map_or(0, |ko| spread(ko.0.into()));
        let key = self.board.key() ^ ko ^ self.key_of_side(self.attacker_moves());
        key ^ self.key_of_bans()
    }

    /// The key after a move that takes no stones.
    pub(super) fn key_after(&self, mv: Move) -> Option<u128> {
        if self.has_bans() {
            return None;
        }
        let stones = match point_of(mv) {
            Some(point) => self.board.key_after(point, self.to_move)?,
            None => self.board.key(),
        };
        Some(stones ^ self.key_of_side(!self.attacker_moves()))
    }

    fn key_of_side(&self, attacker_moves: bool) -> u128 {
        self.salt ^ if attacker_moves { ATTACKER_MOVES } else { 0 }
    }

    /// The candidates of the side to move, the best first.
    pub(super) fn candidates(&mut self, moves: &mut Vec<Move>) {
        if self.may_be_retaken() {
            // The defender retakes with a threat or not at all.
        } else if self.params.candidates == Candidates::Near {
            moves.extend(self.near_moves());
        } else {
            let mut context = Context {
                target: self.target,
                defender: self.defender,
                last: self.last(),
                to_move: self.to_move,
                kos: self.kos,
                board: &mut self.board,
            };
            candidates(&mut context, &self.params, &mut self.found);
            moves.extend(self.found.iter().map(|&(mv, _)| mv));
        }
        self.remove_banned(moves);
    }

    /// The moves near the target, the best first. If the defender threatens to escape, only the
    /// moves that meet all threats.
    pub(super) fn near_moves(&mut self) -> ArrayVec<Move, MAX> {
        let most = if self.attacker_moves() {
            self.params.near_attack
        } else {
            self.params.near_defend
        };
        let asked = Question {
            target: self.target,
            defender: self.defender,
            to_move: self.to_move,
            kos: self.kos,
            last: self.last(),
            escape_liberties: self.threatened_liberties(),
            most,
        };
        let mut moves = self.near.moves(&self.board, &asked);
        if self.has_ban_ahead() {
            let closed = self.closed();
            moves.retain(|mv| point_of(*mv).is_none_or(|point| !closed.contains(point)));
        }
        moves
    }

    /// The number of liberties with which the defender threatens to escape; 0 if threats do not
    /// count. They count with the attacker to move and without an opposing ban.
    fn threatened_liberties(&self) -> u32 {
        let count = self.attacker_moves()
            && self.params.escape_ahead
            && self.params.candidates == Candidates::Near
            && !self.has_bans();
        if count {
            self.params.escape_liberties
        } else {
            0
        }
    }

    /// The defender's threats to escape, if they count.
    pub(super) fn threats(&self) -> Option<Threats> {
        threats(&self.board, self.target, self.threatened_liberties())
    }

    pub(super) fn last(&self) -> Option<Point> {
        self.moves.last().copied().and_then(point_of)
    }

    /// The evaluation; with moves near the target only its liberties, which are as good and faster.
    pub(super) fn evaluate(&mut self) -> i32 {
        if self.may_be_retaken() {
            return 1;
        }
        if self.params.candidates == Candidates::Near {
            let liberties = self.board.liberty_count(self.target);
            return liberties as i32 + if self.attacker_moves() { 3 } else { 4 };
        }
        evaluate(&mut self.board, self.target, &self.params)
    }

    pub(super) fn play(&mut self, mv: Move) {
        self.spend(mv);
        match point_of(mv) {
            Some(point) => {
                self.board.play(point, self.to_move);
            }
            None => self.board.pass(),
        }
        if self.kos != Kos::Both {
            self.board.set_ko(None);
        }
        self.moves.push(mv);
        self.to_move = self.to_move.other();
    }

    pub(super) fn undo(&mut self) {
        self.board.undo();
        self.moves.pop();
        self.to_move = self.to_move.other();
        self.regain();
    }
}

const ATTACKER_MOVES: u128 = 0x5bd1_e995_9e37_79b9_7f4a_7c15_f39c_c060;

/// Spreads a number over 128 bits: odd multiples of the golden ratio.
pub(super) fn spread(number: u64) -> u128 {
    u128::from(2 * number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)
}
