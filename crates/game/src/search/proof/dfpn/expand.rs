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
                let or = self.frames.last().is_some_and(|frame| frame.or);
                let entry = Entry::new(Numbers::decided(!or));
                let child = Child::new(self.moves[at], 0, place as u32, entry);
                self.children.push(child);
                continue;
            }
            let (mut child, zone) = self.look_up(game, meter, self.moves[at], place)?;
            if child.entry.work > 0 && !child.entry.numbers.is_decided() {
                is_new = false;
                child.is_old = (child.entry.plies as usize) < self.path.len();
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
        let child = |key, entry| Child::new(mv, key, place as u32, entry);
        if let Some(key) = ahead
            && self.path.find(key).is_none()
            && let Some(entry) = self.recall(key, meter)
        {
            return Ok((child(key, entry), self.memory.decided_zone(&entry)));
        }
        game.play(mv);
        let key = game.key();
        let (entry, zone) = if let Some(at) = self.path.find(key) {
            let mut entry = Entry::new(Numbers::DISPROVED);
            entry.rests_on = at;
            (entry, Some(game.everything()))
        } else if ahead.is_none()
            && let Some(entry) = self.recall(key, meter)
        {
            (entry, self.memory.decided_zone(&entry))
        } else {
            self.initialise(game, key)
        };
        game.undo();
        Ok((child(key, entry), zone))
    }

    /// The stored initial entry of a position, and its zone if it is decided.
    fn initialise(&mut self, game: &mut G, key: u128) -> (Entry<G::Move>, Option<G::Zone>) {
        let (numbers, zone) = Numbers::first(game, self.with_values, self.params.balance);
        let entry = Entry::new(numbers);
        match &zone {
            Some(zone) => self.memory.put_decided(key, entry, zone.clone()),
            None => self.memory.put(key, entry),
        }
        (entry, zone)
    }

    /// Updates the parent, which is the current position again, for a decided child.
    pub(super) fn absorb(&mut self, game: &mut G, place: usize, mut zone: G::Zone) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        let child = &self.children[frame.first + place];
        game.lift(child.mv, child.entry.numbers.proof == 0, &mut zone);
        let (own, _) = child.entry.numbers.seen_by(frame.or);
        if own == 0 {
            frame.won = Some(place);
            frame.zone = zone;
            frame.rests_on = child.entry.rests_on;
            return;
        }
        G::merge(&mut frame.zone, &zone);
        frame.rests_on = frame.rests_on.min(child.entry.rests_on);
        if game.pass() == Some(child.mv) {
            let numbers = child.entry.numbers;
            for other in &mut self.children[frame.first..] {
                if !other.entry.numbers.is_decided() && game.is_elsewhere(other.mv, &zone) {
                    other.entry.numbers = numbers;
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
            let longest = children.iter().map(|child| child.entry.plies).max();
            best = children
                .iter()
                .find(|child| Some(child.entry.plies) == longest);
        }
        if entry.numbers.is_decided() {
            entry.plies = best.map_or(0, |child| child.entry.plies.saturating_add(1));
            entry.rests_on = frame.rests_on;
        }
        (entry, best.map(|child| child.mv))
    }
}
