//! Depth-first proof-number search: finds the most proving node with thresholds instead of a tree
//! in memory (Nagai 2002).
//!
//! The current line is a stack of frames, not of calls, so the depth of a game is independent of
//! the thread's stack size. A frame keeps the numbers of all its children: a table that is too
//! small costs time but cannot stop progress, because each return to a frame brings a larger
//! number.

mod expand;
mod frame;
mod sources;

use self::frame::{Child, Frame};
use super::entry::{EVERYWHERE, Entry, Memory};
use super::meter::Meter;
use super::numbers::{INFINITE, Numbers};
use super::path::{Path, half};
use super::tally::Tally;
use super::{AndOr, Counting, Outcome, Solution, SolverParams};
use crate::search::limits::Searched;

/// The search with its memory and line.
pub(super) struct DfPn<G: AndOr> {
    params: SolverParams,
    with_values: bool,
    pub(super) memory: Memory<G::Move, G::Zone>,
    path: Path,
    frames: Vec<Frame<G::Zone>>,
    /// The children of all frames; those of the last frame come last.
    children: Vec<Child<G::Move>>,
    moves: Vec<G::Move>,
    tried: Vec<G::Move>,
    /// True while thresholds are raised until the search reaches a new node.
    raising: bool,
    /// Number of positions searched for the first time, plus decisions that hold on every line.
    discoveries: u64,
}

impl<G: AndOr> DfPn<G> {
    pub(super) fn new(params: &SolverParams, with_values: bool) -> Self {
        Self {
            params: params.clone(),
            with_values,
            memory: Memory::new(params.table),
            path: Path::new(),
            frames: Vec::new(),
            children: Vec::new(),
            moves: Vec::new(),
            tried: Vec::new(),
            raising: false,
            discoveries: 0,
        }
    }

    /// Searches until the root is decided or a limit is reached.
    pub(super) fn solve(&mut self, game: &mut G, meter: &mut Meter) -> Solution<G> {
        self.path.clear();
        self.frames.clear();
        self.children.clear();
        self.raising = false;
        self.path.push(game.key());
        let root = Frame::new(game.is_or(), (INFINITE, INFINITE));
        self.frames.push(root);
        let ended = self.run(game, meter);
        self.finish(game, meter, ended.is_ok())
    }

    fn run(&mut self, game: &mut G, meter: &mut Meter) -> Searched<()> {
        self.expand(game, meter)?;
        loop {
            if meter.is_due() {
                let numbers = self.root_numbers();
                meter.report_numbers(numbers.proof, numbers.disproof);
            }
            let tally = self.tally();
            let is_decided = tally.own == 0 || tally.other == 0;
            if tally.other == 0 && self.widen(game, meter)? {
                continue;
            }
            if is_decided || self.is_beyond_limits(&tally) {
                if self.frames.len() == 1 {
                    return Ok(());
                }
                self.leave(game, meter);
            } else {
                self.descend(game, meter, &tally)?;
            }
        }
    }

    /// Returns whether the current node has reached a threshold.
    fn is_beyond_limits(&self, tally: &Tally) -> bool {
        self.frames
            .last()
            .is_none_or(|frame| tally.own >= frame.own_limit || tally.other >= frame.other_limit)
    }

    /// Raises the thresholds of a node that may be part of a cycle: it may have got its numbers
    /// from nodes nearer to the root, and they theirs from it. The search then continues below it
    /// until it meets a new position.
    fn raise_limits(&mut self) {
        let tally = self.tally();
        if let Some(frame) = self.frames.last_mut() {
            frame.own_limit = frame.own_limit.max(tally.own.saturating_add(1));
            frame.other_limit = frame.other_limit.max(tally.other.saturating_add(1));
        }
    }

    /// Descends to the most promising child.
    fn descend(&mut self, game: &mut G, meter: &mut Meter, tally: &Tally) -> Searched<()> {
        let Some(frame) = self.frames.last_mut() else {
            return Ok(());
        };
        frame.current = tally.best;
        let first = frame.first;
        let own_limit = frame
            .own_limit
            .min(self.params.above(tally.second, frame.idle));
        let other_limit = match (frame.other_limit, tally.rest) {
            (INFINITE, _) | (_, None) => INFINITE,
            (limit, Some(rest)) => u64::from(limit).saturating_sub(rest) as u32,
        };
        let limits = Numbers::from_view(frame.or, own_limit, other_limit);
        if self.params.counting == Counting::Sources {
            self.find_source(first + tally.best);
        }
        let &Child { mv, key, entry, .. } = &self.children[first + tally.best];
        meter.visit()?;
        game.play(mv);
        meter.reach(self.path.len());
        if let Some(entry) = self.recall(key, meter)
            && entry.numbers.is_decided()
        {
            // Another path has decided it in the meantime.
            game.undo();
            let zone = self.memory.zone(&entry);
            self.children[first + tally.best].entry = entry;
            self.absorb(game, tally.best, zone);
            return Ok(());
        }
        self.path.push(key);
        let or = game.is_or();
        let mut frame = Frame::new(or, limits.seen_by(or));
        frame.first = self.children.len();
        frame.visited = meter.effort.visited;
        frame.was_raising = self.raising;
        frame.discoveries = self.discoveries;
        if entry.work == 0 {
            self.discoveries += 1;
        }
        self.frames.push(frame);
        self.expand(game, meter)
    }

    /// Returns to the parent with the results.
    fn leave(&mut self, game: &mut G, meter: &mut Meter) {
        let tally = self.tally();
        let place = self.frames.len() - 1;
        let (mut entry, winner) = self.summary(&tally);
        let Some(frame) = self.frames.pop() else {
            return;
        };
        self.children.truncate(frame.first);
        self.raising &= frame.was_raising;
        self.path.pop();
        game.undo();
        let is_idle = self.memory.has_forgotten() || self.discoveries == frame.discoveries;
        let Some(parent) = self.frames.last_mut() else {
            return;
        };
        parent.idle = parent.idle.saturating_add(u32::from(is_idle));
        let current = parent.current;
        let child = &mut self.children[parent.first + current];
        let spent = (meter.effort.visited - frame.visited + 1).min(u64::from(u32::MAX)) as u32;
        entry.work = child.entry.work.saturating_add(spent);
        entry.parent = half(self.path.last());
        entry.best = winner;
        let key = child.key;
        if entry.numbers.is_decided() {
            if entry.rests_on >= place as u32 {
                entry.rests_on = EVERYWHERE;
                self.discoveries += 1;
                child.entry = entry;
                self.memory.put_decided(key, entry, frame.zone.clone());
            } else {
                self.put_twin(key, entry, frame.zone.clone());
            }
            self.absorb(game, current, frame.zone);
        } else {
            entry.plies = if child.entry.work == 0 {
                place as u32
            } else {
                child.entry.plies.min(place as u32)
            };
            entry.has_twin = self.memory.get(key).is_some_and(|old| old.has_twin);
            child.entry = entry;
            self.memory.put(key, entry);
        }
    }

    /// Stores a result that holds only at the end of this line, under a key of its own; the
    /// position itself remains open.
    fn put_twin(&mut self, key: u128, entry: Entry<G::Move>, zone: G::Zone) {
        let Some(parent) = self.frames.last() else {
            return;
        };
        let child = &mut self.children[parent.first + parent.current];
        let known = self.memory.get(key);
        let mut open = known.unwrap_or(Entry::new(child.entry.numbers));
        if !open.numbers.is_decided() {
            open.has_twin = true;
            open.work = entry.work;
            self.memory.put(key, open);
        }
        child.entry = entry;
        let twin = self.path.twin(key);
        self.memory.put_decided(twin, entry, zone);
    }

    /// The stored entry of a position at the end of the current line.
    #[inline]
    fn recall(&self, key: u128, meter: &mut Meter) -> Option<Entry<G::Move>> {
        let entry = self.memory.get(key);
        meter.count_lookup(entry.is_some());
        let entry = entry?;
        if entry.has_twin
            && !entry.numbers.is_decided()
            && let Some(twin) = self.memory.get(self.path.twin(key))
        {
            return Some(twin);
        }
        Some(entry)
    }

    /// The numbers of the root, as if the search left all nodes of the line now.
    fn root_numbers(&mut self) -> Numbers {
        let mut end = self.children.len();
        let mut below: Option<Numbers> = None;
        for frame in self.frames.iter().rev() {
            let children = &mut self.children[frame.first..end];
            let before = children.get(frame.current).map(|child| child.entry.numbers);
            if let Some(numbers) = below {
                children[frame.current].entry.numbers = numbers;
            }
            let tally = frame.tally(children, self.params.counting);
            if let (Some(before), Some(_)) = (before, below) {
                // This function must not change the children.
                children[frame.current].entry.numbers = before;
            }
            below = Some(Numbers::from_view(frame.or, tally.own, tally.other));
            end = frame.first;
        }
        below.unwrap_or(Numbers::NEW)
    }

    /// Undoes all moves and returns the result.
    fn finish(&mut self, game: &mut G, meter: &mut Meter, is_over: bool) -> Solution<G> {
        if !is_over && self.frames.last().is_some_and(|frame| !frame.is_complete) {
            self.abandon(game);
        }
        while self.frames.len() > 1 {
            self.leave(game, meter);
        }
        let key = self.path.last();
        let Some(frame) = self.frames.last() else {
            let line = self.moves.first().copied().into_iter().collect();
            return Solution::open(meter.end(), line);
        };
        let zone = frame.zone.clone();
        let (mut entry, best) = self.summary(&self.tally());
        entry.best = best;
        entry.work = meter.effort.visited.min(u64::from(u32::MAX)) as u32;
        entry.rests_on = EVERYWHERE;
        let Numbers { proof, disproof } = entry.numbers;
        meter.report_numbers(proof, disproof);
        if is_over {
            self.memory.put_decided(key, entry, zone.clone());
            return Solution::decided(Outcome::decided(proof == 0, zone), best);
        }
        self.memory.put(key, entry);
        let line = best.into_iter().collect();
        Solution::open(meter.end(), line).with_numbers(entry.numbers)
    }

    /// Removes a node whose children are incomplete.
    fn abandon(&mut self, game: &mut G) {
        if let Some(frame) = self.frames.pop() {
            self.children.truncate(frame.first);
            self.path.pop();
            if !self.frames.is_empty() {
                game.undo();
            }
        }
    }
}
