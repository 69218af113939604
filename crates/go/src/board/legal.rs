//! The effects of a play, and its legality.

use super::super::colour::Colour;
use super::super::point::Point;
use super::super::zobrist;
use super::{BORDER, Board, EMPTY};

impl Board {
    /// The number of stones that a play captures.
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

    /// The hash key after a play on an empty point that is no suicide; `None` if the play captures.
    #[inline]
    pub fn key_after(&self, point: Point, colour: Colour) -> Option<u128> {
        let (own, enemy) = (colour.index() as u8, colour.other().index() as u8);
        let takes = |at| self.cell(at) == enemy && self.group(at).liberty_count == 1;
        let takes = point.neighbours().into_iter().any(takes);
        (!takes).then(|| self.key ^ zobrist::stone(own, point))
    }

    /// Returns whether a play on an empty point would leave its own block without liberties. False
    /// if there is a stone.
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

    /// Returns whether a play captures exactly one stone and the new stone is alone with that point
    /// as its only liberty, so that it could be recaptured at once.
    pub fn is_ko_capture(&self, point: Point, colour: Colour) -> bool {
        let enemy = colour.other().index() as u8;
        self.is_empty(point)
            && point.neighbours().into_iter().all(|neighbour| {
                let cell = self.cell(neighbour);
                cell == BORDER || cell == enemy
            })
            && self.captures(point, colour) == 1
    }

    /// Returns whether a play is legal: on an empty point, no suicide, and not on the point
    /// forbidden by ko.
    #[inline]
    pub fn is_legal(&self, point: Point, colour: Colour) -> bool {
        self.is_empty(point) && self.ko != Some(point) && !self.is_suicide(point, colour)
    }
}
