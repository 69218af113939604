//! A capture problem as an AND/OR tree: the attacker proves that the target is
//! taken, the defender that it is not.
//!
//! Kos are settled by masters, see [`Kos`], or fought with threats. Repetition and play
//! without end are the defender's. The defender may pass, the attacker always plays, but
//! where a ban keeps him from a ko: where he has no move he has failed.

mod bans;

use arrayvec::ArrayVec;

use super::ladder::falls;
use super::near::{MOST, Near, Question};
use super::terminal::{Escape, Terminal, extension, terminal};
use super::threats::{Threats, threats};
use super::{
    Candidates, CaptureParams, Context, Kos, candidates, evaluate, is_alive, life_zone, zone,
};
use super::{LadderOutcome, ladder_zone};
use crate::game::Move;
use crate::games::go::{Board, Colour, PASS, Point, PointSet, Problem, move_at, point_of};
use crate::search::proof::{AndOr, Outcome};
use bans::Bans;

pub use bans::ExternalThreats;

/// Whose moves are looked at without exception, by a search that is to prove
/// something; the other side plays candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Width {
    /// Every move of the attacker that could matter: what fails is an escape.
    pub attacker: bool,
    /// Every move of the defender that could matter: what succeeds is a capture.
    pub defender: bool,
}

impl Width {
    /// Proves captures.
    pub const CAPTURE: Self = Self {
        attacker: false,
        defender: true,
    };
    /// Proves escapes.
    pub const ESCAPE: Self = Self {
        attacker: true,
        defender: false,
    };
    /// Proves either.
    pub const FULL: Self = Self {
        attacker: true,
        defender: true,
    };
}

/// The state that both trees walk through.
#[derive(Clone, Debug)]
struct State {
    board: Board,
    target: Point,
    defender: Colour,
    to_move: Colour,
    kos: Kos,
    bans: Bans,
    params: CaptureParams,
    /// The moves from the root.
    moves: Vec<Move>,
    /// What tells the keys of steps apart.
    salt: u128,
    /// Memory for candidates.
    found: Vec<(Move, i32)>,
    near: Near,
}

impl State {
    fn new(
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
        }
    }

    fn attacker_moves(&self) -> bool {
        self.to_move != self.defender
    }

    fn is_taken(&self) -> bool {
        self.board.at(self.target) != Some(self.defender) && !self.may_be_retaken()
    }

    fn has_liberties_to_escape(&self) -> bool {
        let enough = self.params.escape_liberties;
        enough > 0 && self.board.liberty_count(self.target) >= enough
    }

    fn may_play(&self, point: Point) -> bool {
        if self.counts_threats() {
            return self.board.is_empty(point)
                && !self.board.is_suicide(point, self.to_move)
                && !self.closed().contains(point);
        }
        !self.closed().contains(point)
            && self
                .kos
                .may_play(&self.board, point, self.to_move, self.defender)
    }

    /// The move that takes the target at once.
    fn taking(&self) -> Option<Point> {
        let in_atari = self.attacker_moves() && self.board.liberty_count(self.target) == 1;
        let last = in_atari.then(|| self.board.liberties(self.target).first())??;
        (self.may_play(last) && !self.is_in_dispute(last)).then_some(last)
    }

    /// The defender's move, if it is his, that gives the target enough liberties.
    fn extension(&self) -> Option<Point> {
        if self.attacker_moves() {
            return None;
        }
        let point = extension(&self.board, self.target, self.kos, &self.params)?;
        self.may_play(point).then_some(point)
    }

    /// The zone of an escape by a move of the defender.
    fn escape_zone(&mut self, point: Point) -> PointSet {
        let defender = self.defender;
        self.board.play(point, defender);
        let mut zone = zone::escaped(&self.board, self.target);
        self.board.undo();
        zone::lift_own(&self.board, point, &mut zone, defender);
        zone
    }

    /// Who takes kos in ladders: where there are bans or threats the defender, so that a
    /// ladder that works does so whatever they are.
    fn kos_of_ladders(&self) -> Kos {
        if self.has_bans() {
            Kos::Defender
        } else {
            self.kos
        }
    }

    /// A ladder that takes the target: its first move, and the zone of the proof.
    fn ladder(&mut self) -> Option<(Point, PointSet)> {
        let liberties = self.board.liberty_count(self.target);
        let can_be = liberties == 1 || (liberties == 2 && self.attacker_moves());
        if !self.params.ladder || !can_be {
            return None;
        }
        let (target, to_move, kos) = (self.target, self.to_move, self.kos_of_ladders());
        // The zone takes time, and most ladders fail.
        if !falls(&mut self.board, target, to_move, kos, &self.params) {
            return None;
        }
        match ladder_zone(&mut self.board, target, to_move, kos, &self.params) {
            (LadderOutcome::Captured(point), zone) => Some((point, zone)),
            _ => None,
        }
    }

    fn key(&self) -> u128 {
        let ko = self.board.ko().filter(|_| self.kos == Kos::Both);
        let ko = ko.map_or(0, |ko| spread(ko.0.into()));
        let key = self.board.key() ^ ko ^ self.key_of_side(self.attacker_moves());
        key ^ self.key_of_bans()
    }

    /// The key after a move that takes no stones.
    fn key_after(&self, mv: Move) -> Option<u128> {
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
    fn candidates(&mut self, moves: &mut Vec<Move>) {
        if self.may_be_retaken() {
            // By a threat, or not at all.
        } else if self.params.candidates == Candidates::Near {
            moves.extend(self.near_moves());
        } else {
            let (mut context, params, found) = self.known();
            candidates(&mut context, params, found);
            moves.extend(found.iter().map(|&(mv, _)| mv));
        }
        self.heed_bans(moves);
    }

    /// The moves near the target, the best first.
    fn near_moves(&mut self) -> ArrayVec<Move, MOST> {
        let asked = Question {
            target: self.target,
            defender: self.defender,
            to_move: self.to_move,
            kos: self.kos,
            last: self.last(),
        };
        let most = if self.attacker_moves() {
            self.params.near_attack
        } else {
            self.params.near_defend
        };
        let threats = self.threats();
        let within = threats.as_ref().map(|threats| &threats.answers);
        let mut moves = self.near.moves(&self.board, &asked, most, within);
        if self.has_ban_ahead() {
            let closed = self.closed();
            moves.retain(|mv| point_of(*mv).is_none_or(|point| !closed.contains(point)));
        }
        moves
    }

    /// The defender's threats to escape, if the attacker is to move and no ban speaks
    /// against them.
    fn threats(&self) -> Option<Threats> {
        let is_asked = self.attacker_moves() && self.params.candidates == Candidates::Near;
        let is_asked = is_asked && !self.has_bans();
        is_asked.then(|| threats(&self.board, self.target, &self.params))?
    }

    /// What the threats rest on.
    fn threats_zone(&mut self, threats: &Threats) -> PointSet {
        let mut zone = PointSet::EMPTY;
        for point in threats.escapes {
            zone |= self.escape_zone(point);
        }
        zone
    }

    /// The threats of which the attacker, to move, cannot meet all.
    fn unmet(&self) -> Option<Threats> {
        let threats = self.threats();
        threats.filter(|threats| threats.answers.is_empty())
    }

    /// What is known of the position without a search but for ladders, and what of the
    /// board that rests on.
    fn outcome(&mut self) -> Outcome<PointSet> {
        if self.may_be_retaken() {
            return Outcome::Open;
        }
        if self.is_taken() {
            // What else matters is added where the move is taken back.
            let by_ko = self.counts_threats().then_some(self.target);
            return Outcome::Proved(by_ko.into_iter().collect());
        }
        if self.has_liberties_to_escape() {
            return Outcome::Disproved(zone::escaped(&self.board, self.target));
        }
        if let Some(point) = self.taking() {
            return Outcome::Proved(zone::taken(&self.board, self.target, point));
        }
        if let Some(point) = self.extension() {
            return Outcome::Disproved(self.escape_zone(point));
        }
        if let Some(threats) = self.unmet() {
            return Outcome::Disproved(self.threats_zone(&threats));
        }
        if let Some((_, zone)) = self.ladder() {
            return Outcome::Proved(zone);
        }
        let life = self.params.escape_life;
        match life.then(|| life_zone(&self.board, self.target)).flatten() {
            Some(zone) => Outcome::Disproved(zone),
            None => Outcome::Open,
        }
    }

    /// The winning move of the side to move where [`outcome`](State::outcome) knows who
    /// wins.
    fn sure_move(&mut self) -> Option<Move> {
        if !self.attacker_moves() {
            return self.extension().map(move_at);
        }
        let taken_at = self.taking();
        let first = taken_at.or_else(|| self.ladder().map(|(point, _)| point));
        first.map(move_at)
    }

    fn last(&self) -> Option<Point> {
        self.moves.last().copied().and_then(point_of)
    }

    /// What [`candidates`] and [`terminal`] ask for.
    fn known(&mut self) -> (Context<'_>, &CaptureParams, &mut Vec<(Move, i32)>) {
        let context = Context {
            target: self.target,
            defender: self.defender,
            last: self.last(),
            to_move: self.to_move,
            kos: self.kos,
            board: &mut self.board,
        };
        (context, &self.params, &mut self.found)
    }

    /// With moves near the target its liberties alone, which is as good and sooner known.
    fn evaluate(&mut self) -> i32 {
        if self.may_be_retaken() {
            return 1;
        }
        if self.params.candidates == Candidates::Near {
            let liberties = self.board.liberty_count(self.target);
            return liberties as i32 + if self.attacker_moves() { 3 } else { 4 };
        }
        evaluate(&mut self.board, self.target, &self.params)
    }

    fn play(&mut self, mv: Move) {
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

    fn undo(&mut self) {
        self.board.undo();
        self.moves.pop();
        self.to_move = self.to_move.other();
        self.regain();
    }
}

const ATTACKER_MOVES: u128 = 0x5bd1_e995_9e37_79b9_7f4a_7c15_f39c_c060;

/// A number spread over 128 bits: odd multiples of the golden ratio.
fn spread(number: u64) -> u128 {
    u128::from(2 * number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)
}

/// As many moves near the target are looked at before the others.
const FIRST_ATTACKS: usize = 4;
const FIRST_DEFENCES: usize = 3;

/// The tree of candidates on both sides: quick to search, and no proof.
#[derive(Clone, Debug)]
pub struct Quick(State);

impl Quick {
    /// The tree of a problem.
    pub fn new(problem: &Problem, params: &CaptureParams, kos: Kos) -> Self {
        Self(State::new(problem, params, kos, None))
    }

    /// The same problem with another master of the kos and other liberties to escape,
    /// at its root.
    pub(super) fn begin(&mut self, kos: Kos, escape_liberties: u32) {
        let state = &mut self.0;
        state.kos = kos;
        state.params.escape_liberties = escape_liberties;
        if state.params.steps {
            state.salt = spread(escape_liberties.into());
        }
        if kos != Kos::Both {
            state.board.set_ko(None);
        }
    }

    /// The attacker's move where the position needs no search: the one that takes the
    /// target, or begins the ladder that does.
    pub fn terminal_move(&mut self) -> Option<Move> {
        if self.0.has_ban_ahead() {
            return self.0.sure_move();
        }
        let (mut context, params, _) = self.0.known();
        match terminal(&mut context, params) {
            Terminal::Taken(point)
            | Terminal::Ladder(point)
            | Terminal::Escaped(Escape::Extension(point)) => Some(move_at(point)),
            Terminal::Gone | Terminal::Escaped(_) | Terminal::Open => None,
        }
    }
}

impl AndOr for Quick {
    type Move = Move;
    type Zone = ();

    fn key(&self) -> u128 {
        self.0.key()
    }

    fn is_or(&self) -> bool {
        self.0.attacker_moves()
    }

    fn outcome(&mut self) -> Outcome<()> {
        if self.0.has_ban_ahead() {
            return match self.0.outcome() {
                Outcome::Proved(_) => Outcome::Proved(()),
                Outcome::Disproved(_) => Outcome::Disproved(()),
                Outcome::Open => Outcome::Open,
            };
        }
        let (mut context, params, _) = self.0.known();
        match terminal(&mut context, params) {
            Terminal::Gone | Terminal::Taken(_) | Terminal::Ladder(_) => Outcome::Proved(()),
            Terminal::Escaped(_) => Outcome::Disproved(()),
            Terminal::Open => Outcome::Open,
        }
    }

    /// Of the moves near the target the first few: the others when these have failed.
    fn moves(&mut self, moves: &mut Vec<Move>) {
        if self.0.params.candidates == Candidates::Near {
            let first = if self.is_or() {
                FIRST_ATTACKS
            } else {
                FIRST_DEFENCES
            };
            moves.extend(self.0.near_moves().into_iter().take(first));
            if moves.is_empty() && self.0.may_pass() {
                moves.push(PASS);
            }
            return;
        }
        self.0.candidates(moves);
        if self.0.may_pass() {
            moves.push(PASS);
        }
    }

    fn widen(&mut self, tried: &[Move], _: Option<&()>, (): &mut (), moves: &mut Vec<Move>) {
        if self.0.params.candidates != Candidates::Near || tried.contains(&PASS) {
            return;
        }
        moves.extend(self.0.near_moves().into_iter().skip(tried.len()));
        if self.0.may_pass() {
            moves.push(PASS);
        }
    }

    fn play(&mut self, mv: Move) {
        self.0.play(mv);
    }

    fn undo(&mut self) {
        self.0.undo();
    }

    fn key_after(&self, mv: Move) -> Option<u128> {
        self.0.key_after(mv)
    }

    fn evaluate(&mut self) -> i32 {
        self.0.evaluate()
    }
}

/// The tree of a proof: one side plays candidates, the other every move that could
/// matter, found by the zones of what is already won against it.
#[derive(Clone, Debug)]
pub struct Proving {
    state: State,
    width: Width,
    candidates: Vec<Move>,
}

impl Proving {
    /// The tree of a problem whose kos are settled by a master ([`Kos::Both`] is taken for
    /// the attacker).
    pub fn new(problem: &Problem, params: &CaptureParams, kos: Kos, width: Width) -> Self {
        let kos = match kos {
            Kos::Both => Kos::Attacker,
            master => master,
        };
        Self::of(State::new(problem, params, kos, None), params, width)
    }

    /// The tree of a problem whose kos are fought: by simple ko, each side with so many
    /// external threats.
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
        // Nothing is proved where the winner's move is not among them.
        state.params.near_attack += params.near_attack / 2;
        state.params.near_defend += params.near_defend / 2;
        Self {
            state,
            width,
            candidates: Vec::new(),
        }
    }

    fn is_wide(&self) -> bool {
        if self.is_or() {
            self.width.attacker
        } else {
            self.width.defender
        }
    }

    /// Whether the target is gone.
    pub fn is_taken(&self) -> bool {
        self.state.is_taken()
    }

    /// Whether the target has escaped and nothing is left to play.
    pub fn is_saved(&self) -> bool {
        self.state.has_liberties_to_escape() || is_alive(&self.state.board, self.state.target)
    }

    /// The moves of [`widen`](AndOr::widen), those too that a threat of the defender
    /// answers.
    pub(super) fn widen_all(
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
            // Moves outside fail like the pass, whatever other replies rest on.
            let mut reasons = *passed;
            zone::close_replies(board, &mut reasons, to_move.other(), &replies);
            *zone |= reasons;
            zone::untried(board, passed, &tried, *to_move, &replies)
        } else {
            if !self.state.may_pass() {
                // When the attacker plays elsewhere the defender stands where he stood.
                *zone |= zone::escaped(board, *target);
            }
            zone::close_replies(board, zone, to_move.other(), &replies);
            zone::untried(board, zone, &tried, *to_move, &replies)
        };
        moves.extend(untried.iter().map(move_at));
    }

    /// The winning move of the side to move where the position is decided without a
    /// search: the attacker takes the target at once or begins a ladder that does, the
    /// defender runs to as many liberties as are an escape. In a ladder that works every
    /// position is decided so, after each reply of the defender inside the zone of the
    /// [`outcome`](AndOr::outcome).
    pub fn taking(&mut self) -> Option<Move> {
        self.state.sure_move()
    }

    /// Whether a move, of the side to move, takes a ko.
    pub fn takes_ko(&self, mv: Move) -> bool {
        let State { board, to_move, .. } = &self.state;
        point_of(mv).is_some_and(|point| board.is_ko_capture(point, *to_move))
    }
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
        self.state.outcome()
    }

    /// The side that is looked at in full begins with its candidates too: what else it
    /// must try is known when they have failed. (Beginning with the defender's pass
    /// alone makes every threat look like a proof.) The attacker's pass is not asked for
    /// where threats tell what he has to meet.
    fn moves(&mut self, moves: &mut Vec<Move>) {
        if self.pass().is_some() && self.is_wide() && self.state.threats().is_none() {
            moves.push(PASS);
        }
        self.state.candidates(moves);
    }

    /// The defender's, and that of an attacker who is looked at in full to prove an escape:
    /// though he may not pass, what fails then fails after every move elsewhere.
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
            // Last: after the attacker's pass it would only lead back.
            if self.state.may_pass() && !tried.contains(&PASS) {
                moves.push(PASS);
            }
            return;
        }
        let threats = self.state.threats();
        if let Some(threats) = &threats {
            *zone |= self.state.threats_zone(threats);
        }
        self.widen_all(tried, passed, zone, moves);
        if let Some(threats) = threats {
            let is_answer = |point| threats.answers.contains(point);
            moves.retain(|&mv| point_of(mv).is_some_and(is_answer));
        }
        if moves.len() > 1 {
            self.candidates.clear();
            let mut candidates = std::mem::take(&mut self.candidates);
            self.state.candidates(&mut candidates);
            let place = |mv: &Move| candidates.iter().position(|it| it == mv);
            moves.sort_by_key(|mv| place(mv).unwrap_or(usize::MAX));
            self.candidates = candidates;
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
                // The attacker may pass as long as the ko is there.
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
