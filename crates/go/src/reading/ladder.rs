//! Ladders: the attacker gives atari at every move.
//!
//! A working ladder is a proof of capture: in atari the defender can only run, take a block next to
//! the target, or, if the attacker may take no ko, make the capture a ko. A failing ladder proves
//! nothing.

use super::around::Around;
use super::kos::Kos;
use super::params::CaptureParams;
use super::zone::{self, Replies};
use crate::{Board, Colour, Point, PointSet};

/// The result of reading a ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LadderOutcome {
    /// The target is taken. Holds the attacker's first move; if the defender is to move, the move
    /// that takes the target after a pass.
    Captured(Point),
    /// The target is not taken, and a ko that the attacker may not take was involved.
    Ko,
    /// The target is not taken, as far as the reading went.
    Fails,
}

/// Reads the ladder of the block of `target` with `to_move` to move. `kos` is the side that may
/// take a ko. At the depth limit or the position limit of `params`, the ladder fails. Restores the
/// board.
pub fn ladder(
    board: &mut Board,
    target: Point,
    to_move: Colour,
    kos: Kos,
    params: &CaptureParams,
) -> LadderOutcome {
    Reader::new(board, target, kos, params).read(to_move).0
}

/// Returns whether a ladder takes the block of `target`, with `to_move` to move.
pub(super) fn falls(
    board: &mut Board,
    target: Point,
    to_move: Colour,
    kos: Kos,
    params: &CaptureParams,
) -> bool {
    let outcome = ladder(board, target, to_move, kos, params);
    matches!(outcome, LadderOutcome::Captured(_))
}

/// A memory of failed positions in the ladders of one target, so that a search that follows a
/// ladder need not read the rest again at each step.
#[derive(Clone, Debug)]
pub(super) struct Ladders(Vec<u64>);

/// The number of positions in the memory; a power of two.
const MEMORY: usize = 1 << 14;

impl Default for Ladders {
    fn default() -> Self {
        Self(vec![0; MEMORY])
    }
}

impl Ladders {
    /// As [`ladder`], always for the same target.
    pub(super) fn read(
        &mut self,
        board: &mut Board,
        target: Point,
        to_move: Colour,
        kos: Kos,
        params: &CaptureParams,
    ) -> LadderOutcome {
        let reader = Reader {
            memory: Some(self),
            ..Reader::new(board, target, kos, params)
        };
        reader.read(to_move).0
    }

    #[inline]
    fn slot(&mut self, key: u64) -> &mut u64 {
        &mut self.0[(key >> 32) as usize % MEMORY]
    }
}

/// The result of reading a ladder, and the zone on which a capture depends (see [`zone`]): every
/// defence inside it has been tried.
pub fn ladder_zone(
    board: &mut Board,
    target: Point,
    to_move: Colour,
    kos: Kos,
    params: &CaptureParams,
) -> (LadderOutcome, PointSet) {
    let reader = Reader {
        with_zone: true,
        ..Reader::new(board, target, kos, params)
    };
    reader.read(to_move)
}

/// The number of liberties with which the target escapes, attacker to move.
const ENOUGH: u32 = 3;

struct Reader<'a> {
    board: &'a mut Board,
    target: Point,
    defender: Colour,
    kos: Kos,
    /// The depth limit.
    depth: u32,
    /// The number of positions that may still be visited.
    nodes: u32,
    /// True if the depth limit cut off a line.
    is_cut: bool,
    /// True if the attacker was not allowed to take a ko.
    has_ko: bool,
    with_zone: bool,
    memory: Option<&'a mut Ladders>,
}

impl<'a> Reader<'a> {
    fn new(board: &'a mut Board, target: Point, kos: Kos, params: &CaptureParams) -> Self {
        Self {
            target,
            // Without a stone there is no liberty either, so nothing is read.
            defender: board.at(target).unwrap_or(Colour::White),
            kos,
            depth: params.ladder_depth,
            nodes: params.ladder_nodes,
            is_cut: false,
            has_ko: false,
            with_zone: false,
            memory: None,
            board,
        }
    }

    /// The outcome, and the zone of a capture.
    fn read(mut self, to_move: Colour) -> (LadderOutcome, PointSet) {
        let mut zone = PointSet::EMPTY;
        let captured = if to_move == self.defender {
            self.defend(self.depth, &mut zone)
        } else {
            self.attack(self.depth, &mut zone)
        };
        let outcome = match captured {
            Some(point) => LadderOutcome::Captured(point),
            None if self.has_ko => LadderOutcome::Ko,
            None => LadderOutcome::Fails,
        };
        (outcome, zone)
    }

    /// A hash of the position and of everything else that decides whether the target falls.
    #[inline]
    fn key(&self, attacks: bool) -> u64 {
        let ko = self.board.ko().filter(|_| self.kos == Kos::Both);
        let ko = u64::from(ko.map_or(0, |ko| ko.0));
        let rest = ko << 4 | (self.kos as u64) << 2 | u64::from(attacks) << 1 | 1;
        let key = self.board.key();
        // 0 marks an empty slot.
        ((key ^ (key >> 64)) as u64 ^ rest.wrapping_mul(0x9e37_79b9_7f4a_7c15)) | 1
    }

    /// Returns whether the memory knows that the ladder fails here.
    #[inline]
    fn is_known_to_fail(&mut self, attacks: bool) -> bool {
        let key = self.key(attacks);
        let memory = self.memory.as_mut();
        memory.is_some_and(|memory| *memory.slot(key) == key)
    }

    /// Remembers that the ladder fails here, unless that is due to the limits.
    #[inline]
    fn remember_failure(&mut self, attacks: bool) {
        let key = self.key(attacks);
        let is_limited = self.is_cut || self.nodes == 0;
        if let Some(memory) = self.memory.as_mut().filter(|_| !is_limited) {
            *memory.slot(key) = key;
        }
    }
}

impl Reader<'_> {
    /// The attacker's capturing move, and its zone; attacker to move.
    fn attack(&mut self, depth: u32, zone: &mut PointSet) -> Option<Point> {
        match self.board.liberty_count(self.target) {
            1 => self.take(zone),
            2 => self.atari(depth, zone),
            _ => None,
        }
    }

    /// Takes the target in one move.
    fn take(&mut self, zone: &mut PointSet) -> Option<Point> {
        let point = self.board.liberties(self.target).first()?;
        let attacker = self.defender.other();
        if !self
            .kos
            .may_play(self.board, point, attacker, self.defender)
        {
            self.has_ko = true;
            return None;
        }
        if self.with_zone {
            *zone = zone::taken(self.board, self.target, point);
        }
        Some(point)
    }

    /// Tries both ataris on a target with two liberties; first on the better of the defender's two
    /// exits.
    fn atari(&mut self, depth: u32, zone: &mut PointSet) -> Option<Point> {
        if self.is_known_to_fail(true) {
            return None;
        }
        let Some(depth) = depth.checked_sub(2) else {
            self.is_cut = true;
            return None;
        };
        let liberties = self.board.liberties(self.target);
        let mut points = liberties.iter();
        let (one, two) = (points.next()?, points.next()?);
        let mut ways = [(one, self.run(two)), (two, self.run(one))];
        if ways[0].1 < ways[1].1 {
            ways.swap(0, 1);
        }
        let attacker = self.defender.other();
        for (point, runs_to) in ways {
            if !self
                .kos
                .may_play(self.board, point, attacker, self.defender)
            {
                self.has_ko |= !self.board.is_suicide(point, attacker);
                continue;
            }
            if runs_to > ENOUGH && self.board.captures(point, attacker) == 0 {
                continue;
            }
            self.nodes = self.nodes.checked_sub(1)?;
            self.board.play(point, attacker);
            let falls = self.defend(depth, zone).is_some();
            self.board.undo();
            if falls {
                if self.with_zone {
                    zone::lift_own(self.board, point, zone, attacker);
                }
                return Some(point);
            }
        }
        self.remember_failure(true);
        None
    }

    /// The move that takes the target after a pass, if no reply of the defender saves it; defender
    /// to move, in atari.
    fn defend(&mut self, depth: u32, zone: &mut PointSet) -> Option<Point> {
        if self.board.liberty_count(self.target) != 1 {
            return None;
        }
        let mut all = PointSet::EMPTY;
        let taken_at = self.take(&mut all)?;
        // A quick test of the reply that saves most often.
        if self.run(taken_at) >= ENOUGH {
            return None;
        }
        if self.is_known_to_fail(false) {
            return None;
        }
        let mut replies = self.captures();
        replies.insert(taken_at);
        if !self.kos.may_take(true) {
            replies |= self.may_make_ko(taken_at);
        }
        if self.try_replies(&replies, depth, &mut all).is_none() {
            self.remember_failure(false);
            return None;
        }
        *zone = all;
        Some(taken_at)
    }

    /// Returns `Some` if the target falls after each of these replies and, with a zone, after all
    /// others.
    fn try_replies(&mut self, replies: &PointSet, depth: u32, all: &mut PointSet) -> Option<()> {
        for reply in replies {
            self.reply(reply, depth, all)?;
        }
        if self.with_zone {
            self.try_all(depth, replies, all)?;
        }
        Some(())
    }

    /// The number of liberties of the target after the defender's play there, as far as it matters.
    /// Captures count as one liberty.
    fn run(&self, point: Point) -> u32 {
        let around = Around::of(self.board, point);
        let takes = u32::from(around.takes(self.board, self.defender));
        around.liberties(self.board, self.defender, ENOUGH + 1) + takes
    }

    /// Returns `Some` if the target falls after a reply; `None` if the reply saves it.
    fn reply(&mut self, reply: Point, depth: u32, all: &mut PointSet) -> Option<()> {
        if !self
            .kos
            .may_play(self.board, reply, self.defender, self.defender)
        {
            return Some(());
        }
        self.nodes = self.nodes.checked_sub(1)?;
        self.board.play(reply, self.defender);
        let mut zone = PointSet::EMPTY;
        let falls = self.attack(depth, &mut zone);
        self.board.undo();
        *all |= zone;
        falls.map(|_| ())
    }

    /// Tries the other replies inside the zone of the tried ones. `all` begins with the zone of the
    /// immediate capture. A reply elsewhere that takes nothing does not prevent this capture
    /// (replies that make it a ko were tried before), so only capturing replies are played.
    fn try_all(&mut self, depth: u32, replies: &PointSet, all: &mut PointSet) -> Option<()> {
        let mut tried = *replies;
        let prover = self.defender.other();
        loop {
            // Simple ko bans do not count, as they expire.
            let replies = Replies::of(self.kos.may_take(false));
            zone::close_replies(self.board, all, prover, &replies);
            let open = (*all & *self.board.empties()) - tried;
            if open.is_empty() {
                return Some(());
            }
            tried |= open;
            for reply in open {
                if self.board.captures(reply, self.defender) > 0 {
                    self.reply(reply, depth, all)?;
                }
            }
        }
    }

    /// The points where the defender takes a block next to the target.
    fn captures(&self) -> PointSet {
        let board = &*self.board;
        let attacker = self.defender.other();
        let mut points = PointSet::EMPTY;
        board.for_each_stone(self.target, |stone| {
            for at in stone.neighbours() {
                if board.at(at) == Some(attacker) && board.liberty_count(at) == 1 {
                    points |= board.liberties(at);
                }
            }
        });
        points
    }

    /// The points where the defender may make the capture of a single stone at `point` a ko, so
    /// that only defending stones are next to that point. If one neighbour is open, the defender
    /// has to fill it. If none is, the capture takes more than the target, and the defender has to
    /// free the rest, anywhere.
    fn may_make_ko(&self, point: Point) -> PointSet {
        let mut open = PointSet::EMPTY;
        if self.board.stone_count(self.target) != 1 {
            return open;
        }
        for neighbour in point.neighbours() {
            if !self.board.on_board(neighbour) || self.board.at(neighbour) == Some(self.defender) {
                continue;
            }
            if !open.is_empty() || !self.board.is_empty(neighbour) {
                return PointSet::EMPTY;
            }
            open.insert(neighbour);
        }
        if open.is_empty() {
            *self.board.empties()
        } else {
            open
        }
    }
}
