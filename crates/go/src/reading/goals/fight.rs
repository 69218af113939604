//! A semeai or a connection as an AND/OR tree.
//!
//! As in the tree of a capture, one side is the master of all kos. Repetition and endless play
//! count for the defender, who may pass; the attacker always plays.

use std::ops::BitOr;

use super::apart::{separate, wall};
use super::link::Link;
use super::race::Race;
use crate::reading::near::Near;
use crate::reading::strategic::Strategic;
use crate::reading::tree::{Sure, sort_like};
use crate::reading::zone::Replies;
use crate::reading::{CaptureParams, Kos, Width, life_zone, zone};
use crate::{Board, Colour, Goal, PASS, Point, PointSet, Problem, move_at, point_of};
use leitai_game::Move;
use leitai_game::search::proof::{AndOr, Outcome};

/// Maximum number of points on paths between two blocks that either side tries.
const MAX_ON_WAYS: usize = 8;

/// The tree of a problem with another goal than capture. With a width it proves: one side plays
/// candidates, the other every move that could matter, according to the zones of positions that are
/// already won against it. Without a width, both sides play candidates.
#[derive(Clone, Debug)]
pub struct Fight {
    board: Board,
    target: Point,
    /// The block at stake, or the block to join with the target.
    other: Point,
    is_race: bool,
    defender: Colour,
    to_move: Colour,
    kos: Kos,
    width: Option<Width>,
    params: CaptureParams,
    moves: Vec<Move>,
    near: Near,
}

impl Fight {
    /// The tree of a problem. A capture problem is treated as a race with the target itself and is
    /// of no use. [`Kos::Both`] is treated as [`Kos::Attacker`].
    pub fn new(problem: &Problem, params: &CaptureParams, kos: Kos, width: Option<Width>) -> Self {
        let mut board = problem.board.clone();
        board.set_ko(None);
        let mut params = params.clone();
        params.escape_liberties = params.escape_liberties_of(problem);
        if width.is_some() {
            // A proof fails if the winner's move is not among the candidates.
            params.near_attack += params.near_attack / 2;
            params.near_defend += params.near_defend / 2;
        }
        Self {
            board,
            target: problem.target,
            other: problem.goal.other().unwrap_or(problem.target),
            is_race: !matches!(problem.goal, Goal::Connect(_)),
            defender: problem.defender(),
            to_move: problem.to_move,
            kos: if kos == Kos::Both { Kos::Attacker } else { kos },
            width,
            params,
            moves: Vec::new(),
            near: Near::default(),
        }
    }

    fn stands(&self, block: Point, colour: Colour) -> bool {
        self.board.at(block) == Some(colour)
    }

    /// Returns whether a move of the defender has refuted the attacker for good.
    fn is_lost(&self) -> bool {
        let owner = self.defender.other();
        !self.stands(self.other, owner) || (!self.is_race && !self.stands(self.target, owner))
    }

    /// The blocks that the defender wins by taking.
    fn prey(&self) -> impl Iterator<Item = Point> + use<> {
        let target = (!self.is_race).then_some(self.target);
        target.into_iter().chain([self.other])
    }

    /// The move that takes a block in atari.
    fn taking_of(&self, block: Point) -> Option<Point> {
        let in_atari = self.board.liberty_count(block) == 1;
        let last = in_atari.then(|| self.board.liberties(block).first())??;
        let may = self
            .kos
            .may_play(&self.board, last, self.to_move, self.defender);
        may.then_some(last)
    }

    /// The move that decides at once, and the block that it takes, if any.
    fn deciding(&self) -> Option<(Point, Option<Point>)> {
        if !self.is_or() {
            let taking = |block| Some((self.taking_of(block)?, Some(block)));
            return self.prey().find_map(taking);
        }
        if self.is_race {
            return Some((self.taking_of(self.target)?, Some(self.target)));
        }
        Some((self.link().joining()?, None))
    }

    fn race(&self) -> Race<'_> {
        Race {
            board: &self.board,
            blocks: [self.target, self.other],
            to_move: self.to_move,
            kos: self.kos,
            last: self.last(),
            most: [self.params.near_attack, self.params.near_defend],
        }
    }

    fn link(&self) -> Link<'_> {
        Link {
            board: &self.board,
            ends: [self.target, self.other],
            owner: self.defender.other(),
            to_move: self.to_move,
            kos: self.kos,
            last: self.last(),
            most: MAX_ON_WAYS,
        }
    }

    fn last(&self) -> Option<Point> {
        self.moves.last().copied().and_then(point_of)
    }

    fn candidates(&mut self, moves: &mut Vec<Move>) {
        if self.is_race {
            let mut near = std::mem::take(&mut self.near);
            self.race().moves(&mut near, moves);
            self.near = near;
        } else {
            self.link().moves(moves);
        }
    }

    fn is_wide(&self) -> bool {
        self.width.is_some_and(|width| {
            if self.is_or() {
                width.attacker
            } else {
                width.defender
            }
        })
    }

    /// The points that the winner must guard against every reply, after its own move: the blocks
    /// that the side to move would win by taking, or the points that keep two blocks apart.
    fn held(&self) -> PointSet {
        if self.is_or() {
            if self.is_race {
                return zone::escaped(&self.board, self.target);
            }
            let mut barrier = PointSet::EMPTY;
            self.keep_apart(&mut barrier);
            return barrier;
        }
        let blocks = self.prey().map(|block| zone::escaped(&self.board, block));
        blocks.fold(PointSet::EMPTY, PointSet::bitor)
    }

    /// Adds to the zone of a cut the points that keep the blocks apart with any stones outside.
    fn keep_apart(&self, zone: &mut PointSet) {
        if !self.is_race {
            separate(&self.board, [self.target, self.other], zone);
        }
    }
}

impl Sure for Fight {
    fn sure_move(&mut self) -> Option<Move> {
        self.deciding().map(|(point, _)| move_at(point))
    }
}

impl Strategic for Fight {
    fn is_reached(&self) -> bool {
        if self.is_race {
            return !self.stands(self.target, self.defender);
        }
        let owner = self.defender.other();
        let stand = self.stands(self.target, owner) && self.stands(self.other, owner);
        stand && self.board.block(self.target) == self.board.block(self.other)
    }

    fn is_saved(&self) -> bool {
        true
    }

    fn widen_all(
        &mut self,
        tried: &[Move],
        passed: Option<&PointSet>,
        zone: &mut PointSet,
        moves: &mut Vec<Move>,
    ) {
        self.widen(tried, passed, zone, moves);
    }
}

impl AndOr for Fight {
    type Move = Move;
    type Zone = PointSet;

    fn key(&self) -> u128 {
        let key = self.board.key();
        if self.is_or() {
            key ^ ATTACKER_MOVES
        } else {
            key
        }
    }

    fn is_or(&self) -> bool {
        self.to_move != self.defender
    }

    fn outcome(&mut self) -> Outcome<PointSet> {
        // The points that matter to a capture are added when the move is undone.
        if self.is_lost() {
            return Outcome::Disproved(PointSet::EMPTY);
        }
        if self.is_reached() {
            return Outcome::Proved(if self.is_race {
                PointSet::EMPTY
            } else {
                zone::escaped(&self.board, self.target)
            });
        }
        let enough = self.params.escape_liberties;
        if self.is_race && enough > 0 && self.board.liberty_count(self.target) >= enough {
            return Outcome::Disproved(zone::escaped(&self.board, self.target));
        }
        if let Some((point, taken)) = self.deciding() {
            let mut zone = match taken {
                Some(block) => zone::taken(&self.board, block, point),
                None => self.board.stones(self.target) | self.board.stones(self.other),
            };
            if !self.is_or() {
                self.keep_apart(&mut zone);
            }
            zone::lift_own(&self.board, point, &mut zone, self.to_move);
            return if self.is_or() {
                Outcome::Proved(zone)
            } else {
                Outcome::Disproved(zone)
            };
        }
        let safe = if self.is_race {
            life_zone(&self.board, self.target)
        } else {
            wall(&self.board, [self.target, self.other])
        };
        safe.map_or(Outcome::Open, Outcome::Disproved)
    }

    fn moves(&mut self, moves: &mut Vec<Move>) {
        let passes_first = !self.is_or() && self.is_wide();
        if passes_first {
            moves.push(PASS);
        }
        self.candidates(moves);
        if !self.is_or() && !passes_first {
            moves.push(PASS);
        }
    }

    fn pass(&self) -> Option<Move> {
        (!self.is_or()).then_some(PASS)
    }

    fn is_elsewhere(&self, mv: Move, zone: &PointSet) -> bool {
        let held = self.held();
        point_of(mv).is_some_and(|point| !zone.contains(point) && !held.contains(point))
    }

    fn widen(
        &mut self,
        tried: &[Move],
        passed: Option<&PointSet>,
        zone: &mut PointSet,
        moves: &mut Vec<Move>,
    ) {
        if !self.is_wide() {
            return;
        }
        let to_move = self.to_move;
        let winner = to_move.other();
        let replies = Replies::of(self.kos.may_take(self.is_or()));
        let held = self.held();
        // Moves outside fail like the pass, independent of the zones of other replies.
        let mut inside = *passed.unwrap_or(zone) | held;
        zone::close(&self.board, &mut inside, winner);
        let mut reasons = inside;
        zone::close_replies(&self.board, &mut reasons, winner, &replies);
        if passed.is_none() {
            inside = reasons;
        }
        *zone |= reasons;
        let tried = tried.iter().copied().filter_map(point_of).collect();
        let untried = zone::untried(&self.board, &inside, &tried, to_move, &replies);
        moves.extend(untried.iter().map(move_at));
        if moves.len() > 1 {
            let mut candidates = Vec::new();
            self.candidates(&mut candidates);
            sort_like(&candidates, moves);
        }
    }

    fn lift(&mut self, mv: Move, proved: bool, zone: &mut PointSet) {
        let is_winners = proved == self.is_or();
        if is_winners && !proved {
            self.keep_apart(zone);
        }
        match point_of(mv) {
            Some(point) if is_winners => zone::lift_own(&self.board, point, zone, self.to_move),
            _ if is_winners => zone::close(&self.board, zone, self.to_move),
            _ => zone::close(&self.board, zone, self.to_move.other()),
        }
    }

    fn merge(zone: &mut PointSet, other: &PointSet) {
        *zone |= *other;
    }

    fn everything(&self) -> PointSet {
        PointSet::board(self.board.size())
    }

    fn play(&mut self, mv: Move) {
        match point_of(mv) {
            Some(point) => {
                self.board.play(point, self.to_move);
            }
            None => self.board.pass(),
        }
        self.board.set_ko(None);
        self.moves.push(mv);
        self.to_move = self.to_move.other();
    }

    fn undo(&mut self) {
        self.board.undo();
        self.moves.pop();
        self.to_move = self.to_move.other();
    }

    fn evaluate(&mut self) -> i32 {
        if self.is_race {
            self.race().evaluate()
        } else {
            self.link().evaluate()
        }
    }
}

const ATTACKER_MOVES: u128 = 0x5bd1_e995_9e37_79b9_7f4a_7c15_f39c_c060;
