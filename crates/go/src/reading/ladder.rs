//! Ladders: the attacker gives atari at every move.
//!
//! A ladder that is read to work is a proof of capture: in atari the defender has only
//! to run, to take a block next to his own, or, where the attacker may take no ko, to
//! make the capture one. A ladder that fails proves nothing.

use super::around::Around;
use super::kos::Kos;
use super::params::CaptureParams;
use super::zone::{self, Replies};
use crate::{Board, Colour, Point, PointSet};

/// What the reading of a ladder came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LadderOutcome {
    /// The target is taken. The attacker's first move; if the defender is to move, the
    /// one that takes the target if he passes.
    Captured(Point),
    /// It is not, but a ko that the attacker may not take had to do with it.
    Ko,
    /// It is not, as far as was read.
    Fails,
}

/// Reads the ladder of the block of `target` with `to_move` to move. `kos` says who may
/// take a ko. Reading stops, and the ladder fails, at the depth and the number of
/// positions of `params`. The board is the same afterwards.
pub fn ladder(
    board: &mut Board,
    target: Point,
    to_move: Colour,
    kos: Kos,
    params: &CaptureParams,
) -> LadderOutcome {
    Reader::new(board, target, kos, params).read(to_move).0
}

/// Whether a ladder takes the block of `target`, with `to_move` to move.
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

/// A memory of positions in the ladders of one target: those in which it was read not to
/// fall. A search that follows a ladder need not read the rest of it at each step.
#[derive(Clone, Debug)]
pub(super) struct Ladders(Vec<u64>);

/// How many positions are kept in mind; a power of two.
const MEMORY: usize = 1 << 14;

impl Default for Ladders {
    fn default() -> Self {
        Self(vec![0; MEMORY])
    }
}

impl Ladders {
    /// As [`ladder`], of a target that is always the same one.
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

/// What the reading of a ladder came to, and where the target is taken the zone that this depends on (see
/// [`zone`]): every defence inside it has been tried.
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

/// With so many liberties, and the attacker to move, the target has escaped.
const ENOUGH: u32 = 3;

struct Reader<'a> {
    board: &'a mut Board,
    target: Point,
    defender: Colour,
    kos: Kos,
    /// The deepest that may be read.
    depth: u32,
    /// The positions that may still be reached.
    nodes: u32,
    /// Whether something was not read for want of depth.
    is_cut: bool,
    /// Whether the attacker was kept from taking a ko.
    has_ko: bool,
    with_zone: bool,
    memory: Option<&'a mut Ladders>,
}

impl<'a> Reader<'a> {
    fn new(board: &'a mut Board, target: Point, kos: Kos, params: &CaptureParams) -> Self {
        Self {
            target,
            // Without a stone there is no liberty either, and nothing to read.
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

    /// A hash of the position and what else decides whether the target falls in it.
    #[inline]
    fn key(&self, attacks: bool) -> u64 {
        let ko = self.board.ko().filter(|_| self.kos == Kos::Both);
        let ko = u64::from(ko.map_or(0, |ko| ko.0));
        let rest = ko << 4 | (self.kos as u64) << 2 | u64::from(attacks) << 1 | 1;
        let key = self.board.key();
        // 0 is no key.
        ((key ^ (key >> 64)) as u64 ^ rest.wrapping_mul(0x9e37_79b9_7f4a_7c15)) | 1
    }

    /// Whether the position was read before, and the target does not fall.
    #[inline]
    fn is_known_to_fail(&mut self, attacks: bool) -> bool {
        let key = self.key(attacks);
        let memory = self.memory.as_mut();
        memory.is_some_and(|memory| *memory.slot(key) == key)
    }

    /// Remembers that the target does not fall here, unless the limits say so.
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
    /// The attacker to move: how he takes the target, and the zone of that.
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

    /// Either atari on a target with two liberties. First the one on the better of the
    /// defender's two ways out.
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

    /// The defender to move, in atari: how the target is taken if he passes, if nothing
    /// else helps him either.
    fn defend(&mut self, depth: u32, zone: &mut PointSet) -> Option<Point> {
        if self.board.liberty_count(self.target) != 1 {
            return None;
        }
        let mut all = PointSet::EMPTY;
        let taken_at = self.take(&mut all)?;
        // Soon, the reply that most often saves it.
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

    /// Whether the target falls in spite of these replies and, with a zone, all others.
    fn try_replies(&mut self, replies: &PointSet, depth: u32, all: &mut PointSet) -> Option<()> {
        for reply in replies {
            self.reply(reply, depth, all)?;
        }
        if self.with_zone {
            self.try_all(depth, replies, all)?;
        }
        Some(())
    }

    /// How many liberties the target has after the defender has played there, as far as
    /// that matters. Of those that taking stones opens one is counted.
    fn run(&self, point: Point) -> u32 {
        let around = Around::of(self.board, point);
        let takes = u32::from(around.takes(self.board, self.defender));
        around.liberties(self.board, self.defender, ENOUGH + 1) + takes
    }

    /// Whether the target falls in spite of a reply; `None` if it is saved.
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

    /// Tries the other replies inside the zone of those that were tried. `all` begins with the
    /// zone of taking the target at once, which goes on to be one after a reply elsewhere that
    /// takes nothing (what makes it a ko has been tried): only the others are played.
    fn try_all(&mut self, depth: u32, replies: &PointSet, all: &mut PointSet) -> Option<()> {
        let mut tried = *replies;
        let prover = self.defender.other();
        loop {
            // Bans of simple ko do not count, as they pass.
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

    /// Where the defender takes a block that touches the target.
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

    /// Where the defender may make the capture of a single stone at `point` a ko, so that
    /// only he has neighbours there. If one is open he has to fill it; if none is, the
    /// capture takes more than the target, and he has to free the rest, anywhere.
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
