//! Compares all incremental data with the stones alone.

use super::super::point::Point;
use super::super::set::PointSet;
use super::super::zobrist;
use super::{BORDER, Board, EMPTY, index};

impl Board {
    /// Compares sets, key, blocks and liberties with the stones.
    ///
    /// # Errors
    ///
    /// The message describes the first difference.
    pub fn check_integrity(&self) -> Result<(), String> {
        let mut sets = [PointSet::EMPTY; 3];
        let mut key = 0;
        for at in 0..self.cells.len() as u16 {
            let point = Point(at);
            let cell = self.cell(point);
            let inside = at < 420 && point.is_on(self.size);
            if (cell == BORDER) == inside {
                return Err(format!("index {at} is {cell} at size {}", self.size));
            }
            if let Some(set) = sets.get_mut(usize::from(cell)) {
                set.insert(point);
                if cell < EMPTY {
                    key ^= zobrist::stone(cell, point);
                }
            }
        }
        if sets != self.sets {
            return Err("the sets of points are not those of the stones".to_owned());
        }
        if key != self.key {
            return Err("the key is not that of the stones".to_owned());
        }
        if let Some(ko) = self.ko.filter(|&ko| !self.is_empty(ko)) {
            return Err(format!("ko at {}, which is not empty", ko.name(self.size)));
        }
        for point in sets[0] | sets[1] {
            self.check_block(point)?;
        }
        Ok(())
    }

    fn check_block(&self, point: Point) -> Result<(), String> {
        let (stones, liberties) = self.flood(point);
        let name = point.name(self.size);
        let head = self.block(point);
        if !stones.contains(head) {
            return Err(format!("the head of the block at {name} is not of it"));
        }
        if stones
            .iter()
            .any(|stone| self.heads[index(stone)] != head.0)
        {
            return Err(format!("the block at {name} has several heads"));
        }
        let mut ring = PointSet::EMPTY;
        let mut stone = point;
        while ring.insert(stone) {
            stone = Point(self.nexts[index(stone)]);
        }
        if stone != point || ring != stones {
            return Err(format!("the ring of the block at {name} is not its stones"));
        }
        let group = self.group(point);
        if group.liberties != liberties || u32::from(group.liberty_count) != liberties.len() {
            return Err(format!("the liberties of the block at {name} are wrong"));
        }
        if u32::from(group.stone_count) != stones.len() {
            return Err(format!("the stones of the block at {name} are miscounted"));
        }
        if liberties.is_empty() {
            return Err(format!("the block at {name} has no liberty"));
        }
        Ok(())
    }
}
