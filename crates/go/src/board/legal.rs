//! What a play would do, and whether it is legal.

use super::super::colour::Colour;
use super::super::point::Point;
use super::super::zobrist;
use super::{BORDER, Board, EMPTY};

impl Board {
    /// How many stones a play would take.
    pub fn captures(&self, point: Point, colour: Colour) -> u32 {
        let enemy = colour.other().index() as u8;
        let mut heads = [Point(0); 4];
        let mut taken = 0;
        for (place, neighbour) in point.neighbours().into_iter().enumerate() {
            if self.cell(neighbour) != enemy {
                continue;
            }
            let (head, group) = (self.block(neighbour), self.group(neighbour));
            if group.liberty_count == 1 && !heads.contains(&head) {
                heads[place] = head;
                taken += u32::from(group.stone_count);
            }
        }
        if self.is_empty(point) { taken } else { 0 }
    }

    /// The hash key after a play on an empty point that is no suicide; `None` if it takes
    /// stones.
    #[inline]
    pub fn key_after(&self, point: Point, colour: Colour) -> Option<u128> {
        let (own, enemy) = (colour.index() as u8, colour.other().index() as u8);
        let takes = |at| self.cell(at) == enemy && self.group(at).liberty_count == 1;
        let takes = point.neighbours().into_iter().any(takes);
        (!takes).then(|| self.key ^ zobrist::stone(own, point))
    }

    /// Whether a play on an empty point would leave its own block without
    /// liberties. False where there is a stone.
    #[inline]
    pub fn is_suicide(&self, point: Point, colour: Colour) -> bool {
        let own = colour.index() as u8;
        self.is_empty(point)
            && point
                .neighbours()
                .into_iter()
                .all(|neighbour| match self.cell(neighbour) {
                    EMPTY => false,
                    BORDER => true,
                    cell => (self.group(neighbour).liberty_count == 1) == (cell == own),
                })
    }

    /// Whether a play takes exactly one stone and the stone that takes it
    /// would stand alone with that point as its only liberty, so that it could
    /// be taken back at once.
    pub fn is_ko_capture(&self, point: Point, colour: Colour) -> bool {
        let enemy = colour.other().index() as u8;
        self.is_empty(point)
            && point.neighbours().into_iter().all(|neighbour| {
                let cell = self.cell(neighbour);
                cell == BORDER || cell == enemy
            })
            && self.captures(point, colour) == 1
    }

    /// Whether a play is legal: on an empty point, no suicide, and not on the
    /// point that ko forbids.
    #[inline]
    pub fn is_legal(&self, point: Point, colour: Colour) -> bool {
        self.is_empty(point) && self.ko != Some(point) && !self.is_suicide(point, colour)
    }
}
