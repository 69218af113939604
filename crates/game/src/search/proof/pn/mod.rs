//! Proof-number search: keeps the tree, and always expands a leaf of both the smallest set whose
//! proof would prove the root and the smallest set whose disproof would disprove it (Allis 1994).
//!
//! It is a tree of lines, not of positions: a position met on two paths is two nodes. The nodes
//! below a decided node are freed; the decision itself goes into a table, from which a strategy can
//! be read but which the search does not use.

mod arena;

use self::arena::{Arena, NIL, Node, NodeIndex, ROOT};
use super::entry::{EVERYWHERE, Entry, Memory};
use super::meter::Meter;
use super::numbers::Numbers;
use super::path::Path;
use super::pool::{NONE, Pool};
use super::{AndOr, End, Outcome, Solution, SolverParams};

/// The search with its tree and the line to the current node.
pub(super) struct Pn<G: AndOr> {
    params: SolverParams,
    with_values: bool,
    pub(super) memory: Memory<G::Move, G::Zone>,
    arena: Arena<G::Move>,
    zones: Pool<G::Zone>,
    path: Path,
    moves: Vec<G::Move>,
    at: NodeIndex,
    best_of_root: Option<G::Move>,
}

impl<G: AndOr> Pn<G> {
    pub(super) fn new(params: &SolverParams, with_values: bool) -> Self {
        Self {
            params: params.clone(),
            with_values,
            memory: Memory::new(params.table),
            arena: Arena::new(params.table),
            zones: Pool::default(),
            path: Path::new(),
            moves: Vec::new(),
            at: ROOT,
            best_of_root: None,
        }
    }

    /// Searches until the root is decided or a limit is reached.
    pub(super) fn solve(&mut self, game: &mut G, meter: &mut Meter) -> Solution<G> {
        self.arena.clear();
        self.zones.clear();
        self.path.clear();
        self.path.push(game.key());
        self.at = self.arena.add(NIL, None, game.is_or(), Numbers::NEW);
        let ended = self.run(game, meter);
        while self.at != ROOT {
            game.undo();
            self.at = self.arena[self.at].parent;
        }
        let node = self.arena[ROOT];
        meter.report_numbers(node.numbers.proof, node.numbers.disproof);
        match ended {
            Ok(()) => {
                let zone = self.zones.get(node.zone);
                let verdict = Outcome::decided(node.numbers.proof == 0, zone);
                Solution::decided(verdict, self.best_of_root)
            }
            Err(end) => Solution::open(end, self.line()).with_numbers(node.numbers),
        }
    }

    /// Expands leaves until the root is decided.
    fn run(&mut self, game: &mut G, meter: &mut Meter) -> Result<(), End> {
        loop {
            if meter.is_due() {
                let Numbers { proof, disproof } = self.arena[ROOT].numbers;
                meter.report_numbers(proof, disproof);
            }
            self.select(game, meter)?;
            self.arena[self.at].is_expanded = true;
            meter.effort.expanded += 1;
            self.moves.clear();
            game.moves(&mut self.moves);
            self.add_children(game, meter)?;
            if self.update(game, meter)? {
                return Ok(());
            }
        }
    }

    /// Descends to the most proving leaf.
    fn select(&mut self, game: &mut G, meter: &mut Meter) -> Result<(), End> {
        while self.arena[self.at].is_expanded {
            let tally = self.arena.tally(self.at, self.params.counting);
            let Some(child) = self.arena.children(self.at).nth(tally.best) else {
                break;
            };
            let Some(mv) = self.arena[child].mv else {
                break;
            };
            meter.visit().map_err(|_| meter.end())?;
            game.play(mv);
            meter.reach(self.path.len());
            self.path.push(game.key());
            self.at = child;
        }
        Ok(())
    }

    /// Updates numbers towards the root until one stays the same; returns whether the root is
    /// decided.
    fn update(&mut self, game: &mut G, meter: &mut Meter) -> Result<bool, End> {
        loop {
            let tally = self.arena.tally(self.at, self.params.counting);
            if tally.other == 0 && self.widen(game, meter)? {
                continue;
            }
            let node = &mut self.arena[self.at];
            let numbers = Numbers::from_view(node.or, tally.own, tally.other);
            let is_changed = numbers != std::mem::replace(&mut node.numbers, numbers);
            let (child, parent) = (self.at, node.parent);
            if numbers.is_decided() {
                self.store_decision();
            }
            if parent == NIL {
                return Ok(numbers.is_decided());
            }
            if !is_changed {
                return Ok(false);
            }
            game.undo();
            self.path.pop();
            self.at = parent;
            if numbers.is_decided() {
                self.absorb(game, child);
            }
        }
    }

    /// Adds the further moves that must be searched after all others have failed; returns whether
    /// there are any.
    fn widen(&mut self, game: &mut G, meter: &mut Meter) -> Result<bool, End> {
        let arena = &self.arena;
        let tried: Vec<_> = arena
            .children(self.at)
            .filter_map(|child| arena[child].mv)
            .collect();
        let mut zone = self.zones.get(arena[self.at].zone);
        let passed = self.passed();
        self.moves.clear();
        game.widen(&tried, passed.as_ref(), &mut zone, &mut self.moves);
        self.set_zone(self.at, zone);
        if self.moves.is_empty() {
            return Ok(false);
        }
        self.add_children(game, meter)?;
        Ok(true)
    }

    /// Adds the positions after `moves` as children, until one wins for the side to move.
    fn add_children(&mut self, game: &mut G, meter: &mut Meter) -> Result<(), End> {
        meter.effort.generated += self.moves.len() as u64;
        if !self.arena.has_room(self.moves.len()) {
            return Err(End::Memory);
        }
        let parent = self.at;
        for at in 0..self.moves.len() {
            let mv = self.moves[at];
            if self
                .passed()
                .is_some_and(|zone| game.is_elsewhere(mv, &zone))
            {
                let or = self.arena[parent].or;
                self.arena.add(parent, Some(mv), or, Numbers::decided(!or));
                continue;
            }
            meter.visit().map_err(|_| meter.end())?;
            game.play(mv);
            meter.reach(self.path.len());
            let mut rests_on = EVERYWHERE;
            let (numbers, zone) = if let Some(place) = self.path.find(game.key()) {
                rests_on = place;
                (Numbers::DISPROVED, Some(game.everything()))
            } else {
                Numbers::first(game, self.with_values, self.params.balance)
            };
            let child = self.arena.add(parent, Some(mv), game.is_or(), numbers);
            game.undo();
            self.arena[child].rests_on = rests_on;
            if let Some(zone) = zone {
                self.set_zone(child, zone);
                self.absorb(game, child);
                if numbers.seen_by(self.arena[parent].or).0 == 0 {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Updates the parent, which is the current position again, for a decided child.
    fn absorb(&mut self, game: &mut G, child: NodeIndex) {
        let child = self.arena[child];
        let parent = self.arena[self.at];
        let mut zone = self.zones.get(child.zone);
        if let Some(mv) = child.mv {
            game.lift(mv, child.numbers.proof == 0, &mut zone);
        }
        if child.numbers.seen_by(parent.or).0 > 0 {
            let mut merged = self.zones.get(parent.zone);
            G::merge(&mut merged, &zone);
            self.set_zone(self.at, merged);
            if game.pass().is_some() && game.pass() == child.mv {
                self.record_pass(game, zone);
            }
        } else {
            self.set_zone(self.at, zone);
        }
    }

    /// The zone of the pass's failure at the current node.
    fn passed(&self) -> Option<G::Zone> {
        let node = self.arena[self.at];
        node.has_passed.then(|| self.zones.get(node.passed))
    }

    /// Records the failure of the pass, and with it of all moves outside its zone.
    fn record_pass(&mut self, game: &mut G, zone: G::Zone) {
        let or = self.arena[self.at].or;
        let children: Vec<NodeIndex> = self.arena.children(self.at).collect();
        for child in children {
            let node = self.arena[child];
            let is_elsewhere = node.mv.is_some_and(|mv| game.is_elsewhere(mv, &zone));
            if is_elsewhere && !node.numbers.is_decided() {
                let zones = &mut self.zones;
                self.arena.prune(child, &mut |lost| zones.drop(lost));
                self.arena[child].numbers = Numbers::decided(!or);
            }
        }
        self.arena[self.at].has_passed = true;
        self.arena[self.at].passed = self.zones.put(zone);
    }

    fn set_zone(&mut self, index: NodeIndex, zone: G::Zone) {
        let node = &mut self.arena[index];
        self.zones.drop(std::mem::replace(&mut node.zone, NONE));
        node.zone = self.zones.put(zone);
    }

    /// Stores the decision of the current node and frees the tree below it.
    fn store_decision(&mut self) {
        let node = self.arena[self.at];
        let is_won = node.numbers.seen_by(node.or).0 == 0;
        let children = self.arena.children(self.at).map(|child| self.arena[child]);
        // The first win, or the first of the longest losses.
        let mut best: Option<Node<G::Move>> = None;
        let mut rests_on = EVERYWHERE;
        for child in children {
            if is_won && child.numbers.seen_by(node.or).0 == 0 {
                rests_on = child.rests_on;
                best = Some(child);
                break;
            }
            rests_on = rests_on.min(child.rests_on);
            if best.is_none_or(|best| child.plies > best.plies) {
                best = Some(child);
            }
        }
        let place = self.path.len() as u32 - 1;
        if rests_on >= place {
            rests_on = EVERYWHERE;
        }
        let plies = best.map_or(0, |child| child.plies.saturating_add(1));
        let best = best.and_then(|child| child.mv);
        if self.at == ROOT {
            self.best_of_root = best;
        }
        if rests_on == EVERYWHERE {
            let mut entry = Entry::new(node.numbers);
            (entry.plies, entry.best) = (plies, best);
            // The size of the freed tree is not counted; a long proof means much work.
            entry.work = plies;
            let zone = self.zones.get(node.zone);
            self.memory.put_decided(self.path.last(), entry, zone);
        }
        let zones = &mut self.zones;
        self.arena.prune(self.at, &mut |lost| zones.drop(lost));
        self.arena[self.at].plies = plies;
        self.arena[self.at].rests_on = rests_on;
    }

    fn line(&self) -> Vec<G::Move> {
        let mut line = Vec::new();
        let mut at = ROOT;
        loop {
            let tally = self.arena.tally(at, self.params.counting);
            let Some(child) = self.arena.children(at).nth(tally.best) else {
                break;
            };
            line.extend(self.arena[child].mv);
            at = child;
        }
        if line.is_empty() {
            line.extend(self.moves.first());
        }
        line
    }
}
