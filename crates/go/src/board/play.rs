//! Plays and their undoing.
//!
//! A play writes only the data that it changes, and leaves the rest for `undo`: a captured block
//! keeps its ring of stones and its heads; a block that joins a larger one keeps its ring except
//! for one link.
//!
//! The contents around a point are almost random, so that a branch on them is mispredicted half of
//! the time. So neighbours are treated alike if possible, with conditions as numbers.

use super::super::colour::Colour;
use super::super::point::Point;
use super::super::zobrist;
use super::step::Step;
use super::{Board, EMPTY, Group, index};

impl Board {
    /// The number of plays and passes that can be undone.
    #[inline]
    pub fn plies(&self) -> usize {
        self.steps.len()
    }

    /// Passes: lifts the ban of a ko.
    pub fn pass(&mut self) {
        let step = self.step(Point(0));
        self.steps.push(step);
        self.ko = None;
    }

    #[inline]
    fn step(&self, point: Point) -> Step {
        Step {
            key: self.key,
            joined: [0; 4],
            taken: [0; 4],
            stones: [0; 4],
            point: point.0,
            next: self.nexts[index(point)],
            head: self.heads[index(point)],
            ko: self.ko.map_or(0, |ko| ko.0),
            joined_count: 0,
            taken_count: 0,
            gained: 0,
        }
    }

    /// Plays a stone and returns the number of captured stones. Sets the ko. Does not check the
    /// previous ko; a play on a point that is not empty, or a suicide, becomes a pass.
    #[inline]
    pub fn play(&mut self, point: Point, colour: Colour) -> u32 {
        if !self.is_empty(point) {
            self.pass();
            return 0;
        }
        let own = colour.index() as u8;
        let mut step = self.step(point);
        self.ko = None;
        self.cells[index(point)] = own;
        self.sets[usize::from(EMPTY)].remove(point);
        self.sets[usize::from(own)].insert(point);
        self.key ^= zobrist::stone(own, point);

        let around = point.neighbours();
        let mut fresh = 0_u8;
        for (place, &neighbour) in around.iter().enumerate() {
            let cell = self.cell(neighbour);
            fresh |= u8::from(cell == EMPTY) << place;
            let head = self.heads[index(neighbour)];
            step.join_if(head, cell == own);
            let group = self.group_mut(neighbour);
            let dropped = group.drop_liberty_if(point, cell == 1 - own);
            if dropped && group.liberty_count == 0 {
                step.take(head, group.stone_count);
            }
        }
        match step.joined_count {
            0 => self.found(point, fresh),
            1 => step.gained = self.extend(point, step.joined[0], fresh),
            _ => self.join(point, &mut step, fresh),
        }
        let mut taken = 0;
        for place in 0..usize::from(step.taken_count) {
            taken += u32::from(step.stones[place % 4]);
            self.lift(Point(step.taken[place % 4]), own);
        }
        if taken == 1 && fresh == 0 && step.joined_count == 0 {
            self.ko = Some(Point(step.taken[0]));
        }
        self.steps.push(step);
        if taken == 0 && self.group(point).liberty_count == 0 {
            self.undo();
            self.pass();
        }
        taken
    }

    /// Makes a block of one stone.
    #[inline]
    fn found(&mut self, point: Point, fresh: u8) {
        let mut group = Group {
            stone_count: 1,
            ..Group::default()
        };
        for (place, neighbour) in point.neighbours().into_iter().enumerate() {
            group.add_liberty_if(neighbour, fresh & 1 << place != 0);
        }
        self.groups[index(point)] = group;
        self.heads[index(point)] = point.0;
        self.nexts[index(point)] = point.0;
    }

    /// Adds a stone to one block; returns the fresh liberties that are new to the block.
    #[inline]
    fn extend(&mut self, point: Point, head: u16, fresh: u8) -> u8 {
        let head = Point(head);
        self.heads[index(point)] = head.0;
        self.nexts[index(point)] = self.nexts[index(head)];
        self.nexts[index(head)] = point.0;
        let group = &mut self.groups[index(head)];
        group.drop_liberty_if(point, true);
        group.stone_count += 1;
        let mut gained = 0;
        for (place, neighbour) in point.neighbours().into_iter().enumerate() {
            let new = group.add_liberty_if(neighbour, fresh & 1 << place != 0);
            gained |= u8::from(new) << place;
        }
        gained
    }

    /// Joins several blocks by a stone: the largest absorbs the others.
    fn join(&mut self, point: Point, step: &mut Step, fresh: u8) {
        let count = usize::from(step.joined_count).min(4);
        let stones = |head: &u16| self.groups[index(Point(*head))].stone_count;
        let greatest = (0..count)
            .rev()
            .max_by_key(|&place| stones(&step.joined[place]))
            .unwrap_or(0);
        step.joined.swap(0, greatest);
        let joined = step.joined;
        let into = Point(joined[0]);
        let mut group = self.groups[index(into)];
        self.saved.push(group);
        for &other in &joined[1..count] {
            let other = Point(other);
            let added = self.groups[index(other)];
            self.saved.push(added);
            group.liberties |= added.liberties;
            group.stone_count += added.stone_count;
            self.relabel(other, into);
            self.swap_nexts(into, other);
        }
        group.liberty_count = group.liberties.len() as u16;
        self.groups[index(into)] = group;
        self.extend(point, into.0, fresh);
    }

    #[inline]
    fn swap_nexts(&mut self, a: Point, b: Point) {
        self.nexts.swap(index(a), index(b));
    }

    /// Sets the head of every stone in the ring of `point`.
    #[inline]
    fn relabel(&mut self, point: Point, head: Point) {
        let mut stone = point;
        loop {
            self.heads[index(stone)] = head.0;
            stone = Point(self.nexts[index(stone)]);
            if stone == point {
                break;
            }
        }
    }

    /// Removes a block from the board; the capturing side's blocks gain the liberties.
    fn lift(&mut self, head: Point, taker: u8) {
        let mut stone = head;
        loop {
            let cell = 1 - taker;
            self.cells[index(stone)] = EMPTY;
            self.sets[usize::from(cell)].remove(stone);
            self.sets[usize::from(EMPTY)].insert(stone);
            self.key ^= zobrist::stone(cell, stone);
            for neighbour in stone.neighbours() {
                let own = self.cell(neighbour) == taker;
                self.group_mut(neighbour).add_liberty_if(stone, own);
            }
            stone = Point(self.nexts[index(stone)]);
            if stone == head {
                break;
            }
        }
    }

    /// Restores a captured block.
    fn restore(&mut self, head: Point, stones: u16, taker: u8) {
        self.groups[index(head)] = Group {
            stone_count: stones,
            ..Group::default()
        };
        let mut stone = head;
        loop {
            let cell = 1 - taker;
            self.cells[index(stone)] = cell;
            self.sets[usize::from(EMPTY)].remove(stone);
            self.sets[usize::from(cell)].insert(stone);
            for neighbour in stone.neighbours() {
                let own = self.cell(neighbour) == taker;
                self.group_mut(neighbour).drop_liberty_if(stone, own);
            }
            stone = Point(self.nexts[index(stone)]);
            if stone == head {
                break;
            }
        }
    }

    /// Undoes the last play or pass, if any.
    #[inline]
    pub fn undo(&mut self) {
        let Some(step) = self.steps.pop() else {
            return;
        };
        self.key = step.key;
        self.ko = (step.ko != 0).then_some(Point(step.ko));
        if step.point == 0 {
            return;
        }
        let point = Point(step.point);
        let own = self.cell(point) & 1;
        for place in 0..usize::from(step.taken_count) {
            let (head, stones) = (step.taken[place % 4], step.stones[place % 4]);
            self.restore(Point(head), stones, own);
        }
        match step.joined_count {
            0 => {}
            1 => self.shorten(point, &step),
            _ => self.part(point, &step),
        }
        self.nexts[index(point)] = step.next;
        self.heads[index(point)] = step.head;
        self.cells[index(point)] = EMPTY;
        self.sets[usize::from(own)].remove(point);
        self.sets[usize::from(EMPTY)].insert(point);
        for neighbour in point.neighbours() {
            let enemy = self.cell(neighbour) == 1 - own;
            self.group_mut(neighbour).add_liberty_if(point, enemy);
        }
    }

    /// Removes a stone from the only block that it joined.
    #[inline]
    fn shorten(&mut self, point: Point, step: &Step) {
        let head = Point(step.joined[0]);
        self.nexts[index(head)] = self.nexts[index(point)];
        let group = &mut self.groups[index(head)];
        group.add_liberty_if(point, true);
        group.stone_count -= 1;
        for (place, neighbour) in point.neighbours().into_iter().enumerate() {
            group.drop_liberty_if(neighbour, step.gained & 1 << place != 0);
        }
    }

    /// Removes a stone that joined several blocks.
    fn part(&mut self, point: Point, step: &Step) {
        let into = Point(step.joined[0]);
        self.nexts[index(into)] = self.nexts[index(point)];
        let count = usize::from(step.joined_count).min(4);
        for &other in step.joined[..count].iter().rev() {
            let other = Point(other);
            if other != into {
                self.swap_nexts(into, other);
                self.relabel(other, other);
            }
            if let Some(group) = self.saved.pop() {
                self.groups[index(other)] = group;
            }
        }
    }
}
