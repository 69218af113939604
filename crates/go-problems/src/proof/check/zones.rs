//! Follows only the plays that can matter.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::super::points::Points;
use super::super::refusal::{Reason, Refusal};
use super::claim::Answered;
use super::shape::Order;
use super::walk::Walk;

/// The known facts about a state.
#[derive(Clone, Default)]
struct Known {
    zone: Points,
    /// Points that always belong to the zone.
    held: Points,
    /// States that depend on the zone of this one.
    parents: Vec<u32>,
    is_expanded: bool,
    /// True if the state is in the queue.
    waits: bool,
}

/// The states to visit. States that others depend on come first.
type Queue = BinaryHeap<(Reverse<u32>, usize)>;

struct Zones<'w, 'a> {
    walk: &'w mut Walk<'a>,
    order: &'w Order,
    known: Vec<Known>,
    queue: Queue,
}

/// Finds consistent zones and follows every play inside them. A play inside a zone that still grows
/// is inside the final zone too.
pub(super) fn follow(walk: &mut Walk, order: &Order) -> Result<(), Refusal> {
    let mut zones = Zones {
        walk,
        order,
        known: Vec::new(),
        queue: Queue::new(),
    };
    zones.call_new();
    while let Some((_, number)) = zones.queue.pop() {
        zones.known[number].waits = false;
        let done = if zones.known[number].is_expanded {
            zones.settle(number)
        } else {
            zones.expand(number)
        };
        done.map_err(|reason| zones.walk.refusal(reason, number))?;
    }
    Ok(())
}

impl Zones<'_, '_> {
    /// Puts a state in the queue.
    fn call(&mut self, number: usize) {
        if std::mem::replace(&mut self.known[number].waits, true) {
            return;
        }
        let state = &self.walk.states[number];
        // A finite plan is settled from its ends, each state after all its successors; a plan that
        // may repeat only approximately so.
        let rank = if self.walk.question.must_end {
            self.order.place(state.node)
        } else {
            u32::MAX - state.plies
        };
        self.queue.push((Reverse(rank), number));
    }

    /// Puts new states in the queue.
    fn call_new(&mut self) {
        for number in self.known.len()..self.walk.states.len() {
            self.known.push(Known::default());
            self.call(number);
        }
    }

    /// Records that a state depends on its successors, from index `first` on.
    fn rest_on(&mut self, number: usize, first: usize) {
        self.call_new();
        for at in first..self.walk.states[number].children.len() {
            let (_, child) = self.walk.states[number].children[at];
            self.known[child as usize].parents.push(number as u32);
        }
        self.call(number);
    }

    fn expand(&mut self, number: usize) -> Result<(), Reason> {
        self.known[number].is_expanded = true;
        match self.walk.answered(number)? {
            Answered::Won(zone) => self.grow(number, zone),
            Answered::Open(board) => {
                self.known[number].held = self.walk.question.held(&board);
                self.walk.follow_listed(number, &board)?;
                self.rest_on(number, 0);
            }
        }
        Ok(())
    }

    /// Updates the zone of a state from the known zones of its successors.
    fn settle(&mut self, number: usize) -> Result<(), Reason> {
        let Answered::Open(board) = self.walk.answered(number)? else {
            return Ok(());
        };
        let question = self.walk.question;
        let mut zone = self.known[number].held;
        // Zones only grow: where the rules leave a choice, it may differ each time.
        zone.add(&self.known[number].zone);
        for &(_, child) in &self.walk.states[number].children {
            zone.add(&self.known[child as usize].zone);
        }
        let plays = question.before_replies(&board, &mut zone, self.walk.states[number].is_first);
        let followed = self.walk.followed(number);
        let before = self.walk.states[number].children.len();
        for spot in plays.iter().filter(|&spot| !followed.contains(spot)) {
            self.walk.follow(number, &board, spot)?;
        }
        if self.walk.states[number].children.len() > before {
            self.rest_on(number, before);
        }
        let state = &self.walk.states[number];
        if state.is_provers {
            let board = state.board(question.size);
            let is_first = state.is_first;
            question.before_answer(self.walk.node(number), &board, &mut zone, is_first);
        }
        self.grow(number, zone);
        Ok(())
    }

    /// Sets the zone of a state and puts the states that depend on it in the queue.
    fn grow(&mut self, number: usize, zone: Points) {
        if self.known[number].zone == zone {
            return;
        }
        self.known[number].zone = zone;
        for at in 0..self.known[number].parents.len() {
            self.call(self.known[number].parents[at] as usize);
        }
    }
}
