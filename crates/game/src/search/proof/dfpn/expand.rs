//! Creation of a node's children.

use super::frame::Child;
use super::{AndOr, DfPn, Entry, Meter, Numbers, Searched, Tally};

/// A child, with its zone if it is decided.
type ChildResult<G> = (Child<<G as AndOr>::Move>, Option<<G as AndOr>::Zone>);

impl<G: AndOr> DfPn<G> {
    /// Generates the moves of the current node and adds its children.
    pub(super) fn expand(&mut self, game: &mut G, meter: &mut Meter) -> Searched<()> {
        meter.effort.expanded += 1;
        self.moves.clear();
        game.moves(&mut self.moves);
        self.add_children(game, meter)
    }

    /// Adds the further moves that must be searched after all others have failed; returns whether
    /// there are any.
    pub(super) fn widen(&mut self, game: &mut G, meter: &mut Meter) -> Searched<bool> {
        let Some(frame) = self.frames.last_mut() else {
            return Ok(false);
        };
        self.moves.clear();
        self.tried.clear();
        self.tried
            .extend(self.children[frame.first..].iter().map(|child| child.mv));
        game.widen(
            &self.tried,
            frame.passed.as_ref(),
            &mut frame.zone,
            &mut self.moves,
        );
        if self.moves.is_empty() {
            return Ok(false);
        }
        self.add_children(game, meter)?;
        Ok(true)
    }

    /// Adds the positions after `moves` as children, until one wins for the side to move.
    fn add_children(&mut self, game: &mut G, meter: &mut Meter) -> Searched<()> {
        let Some(frame) = self.frames.last_mut() else {
            return Ok(());
        };
        frame.is_complete = false;
        let first = frame.first;
        meter.effort.generated += self.moves.len() as u64;
        let (mut is_new, mut is_old) = (true, false);
        for at in 0..self.moves.len() {
            let place = self.children.len() - first;
            if self.fails_like_the_pass(game, self.moves[at]) {
                let mut child = Child::new(self.moves[at], 0, place as u32);
                child.numbers = Numbers::decided(self.frames.last().is_none_or(|frame| !frame.or));
                self.children.push(child);
                continue;
            }
            let (mut child, zone) = self.look_up(game, meter, self.moves[at], place)?;
            if child.work > 0 && !child.numbers.is_decided() {
                is_new = false;
                child.is_old = (child.plies as usize) < self.path.len();
                is_old |= child.is_old;
            }
            self.children.push(child);
            if let Some(zone) = zone {
                self.absorb(game, place, zone);
            }
            if self.frames.last().is_some_and(|frame| frame.won.is_some()) {
                break;
            }
        }
        if self.params.tca {
            self.raising = !is_new && (self.raising || is_old);
            if self.raising {
                self.raise_limits();
            }
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.is_complete = true;
        }
        Ok(())
    }

    /// Returns whether the pass has failed here, and the move is outside its zone.
    fn fails_like_the_pass(&self, game: &G, mv: G::Move) -> bool {
        let frame = self.frames.last();
        let passed = frame.and_then(|frame| frame.passed.as_ref());
        passed.is_some_and(|zone| game.is_elsewhere(mv, zone))
    }

    /// Looks up the position after a move; plays the move only if necessary.
    fn look_up(
        &mut self,
        game: &mut G,
        meter: &mut Meter,
        mv: G::Move,
        place: usize,
    ) -> Searched<ChildResult<G>> {
        meter.visit()?;
        meter.reach(self.path.len());
        let ahead = game.key_after(mv);
        if let Some(key) = ahead
            && self.path.find(key).is_none()
            && let Some(entry) = self.recall(key, meter)
        {
            let mut child = Child::new(mv, key, place as u32);
            child.learn(&entry);
            let is_decided = entry.numbers.is_decided();
            return Ok((child, is_decided.then(|| self.memory.zone(&entry))));
        }
        game.play(mv);
        let key = game.key();
        let mut child = Child::new(mv, key, place as u32);
        let zone = if let Some(at) = self.path.find(key) {
            child.numbers = Numbers::DISPROVED;
            child.rests_on = at;
            Some(game.everything())
        } else if ahead.is_none()
            && let Some(entry) = self.recall(key, meter)
        {
            child.learn(&entry);
            let is_decided = entry.numbers.is_decided();
            is_decided.then(|| self.memory.zone(&entry))
        } else {
            self.initialise(game, &mut child)
        };
        game.undo();
        Ok((child, zone))
    }

    /// Sets the initial numbers of a position.
    fn initialise(&mut self, game: &mut G, child: &mut Child<G::Move>) -> Option<G::Zone> {
        let (numbers, zone) = Numbers::first(game, self.with_values, self.params.balance);
        child.numbers = numbers;
        let entry = Entry::new(numbers);
        match &zone {
            Some(zone) => self.memory.put_decided(child.key, entry, zone.clone()),
            None => self.memory.put(child.key, entry),
        }
        zone
    }

    /// Updates the parent, which is the current position again, for a decided child.
    pub(super) fn absorb(&mut self, game: &mut G, place: usize, mut zone: G::Zone) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        let child = &self.children[frame.first + place];
        game.lift(child.mv, child.numbers.proof == 0, &mut zone);
        let (own, _) = child.numbers.seen_by(frame.or);
        if own == 0 {
            frame.won = Some(place);
            frame.zone = zone;
            frame.rests_on = child.rests_on;
            return;
        }
        G::merge(&mut frame.zone, &zone);
        frame.rests_on = frame.rests_on.min(child.rests_on);
        if game.pass() == Some(child.mv) {
            let numbers = child.numbers;
            for other in &mut self.children[frame.first..] {
                if !other.numbers.is_decided() && game.is_elsewhere(other.mv, &zone) {
                    other.numbers = numbers;
                }
            }
            frame.passed = Some(zone);
        }
    }

    /// The numbers of the current node.
    #[inline]
    pub(super) fn tally(&self) -> Tally {
        match self.frames.last() {
            Some(frame) => frame.tally(&self.children[frame.first..], self.params.counting),
            None => Tally::of(&std::iter::empty(), self.params.counting),
        }
    }

    /// The table entry of the current node, and its best move.
    pub(super) fn summary(&self, tally: &Tally) -> (Entry<G::Move>, Option<G::Move>) {
        let Some(frame) = self.frames.last() else {
            return (Entry::new(Numbers::NEW), None);
        };
        let children = &self.children[frame.first..];
        let mut entry = Entry::new(Numbers::from_view(frame.or, tally.own, tally.other));
        let mut best = children.get(tally.best);
        if tally.other == 0 {
            // The first of the longest losses.
            let longest = children.iter().map(|child| child.plies).max();
            best = children.iter().find(|child| Some(child.plies) == longest);
        }
        if entry.numbers.is_decided() {
            entry.plies = best.map_or(0, |child| child.plies.saturating_add(1));
            entry.rests_on = frame.rests_on;
        }
        (entry, best.map(|child| child.mv))
    }
}
