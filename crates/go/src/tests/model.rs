//! The rules in the plainest form: a grid of stones that finds blocks and liberties by flood fill,
//! without a memory, and copies itself at every play.

use crate::{Board, Colour, Point};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Model {
    pub(crate) size: i32,
    pub(crate) grid: Vec<Option<Colour>>,
    pub(crate) ko: Option<(i32, i32)>,
}

type Spot = (i32, i32);

impl Model {
    pub(crate) fn empty(size: u8) -> Model {
        Model {
            size: i32::from(size),
            grid: vec![None; usize::from(size) * usize::from(size)],
            ko: None,
        }
    }

    fn place(&self, (col, row): Spot) -> usize {
        (row * self.size + col) as usize
    }

    pub(crate) fn at(&self, spot: Spot) -> Option<Colour> {
        self.grid[self.place(spot)]
    }

    fn around(&self, (col, row): Spot) -> Vec<Spot> {
        [
            (col, row - 1),
            (col - 1, row),
            (col + 1, row),
            (col, row + 1),
        ]
        .into_iter()
        .filter(|&(col, row)| (0..self.size).contains(&col) && (0..self.size).contains(&row))
        .collect()
    }

    pub(crate) fn spots(&self) -> Vec<Spot> {
        (0..self.size)
            .flat_map(|row| (0..self.size).map(move |col| (col, row)))
            .collect()
    }

    /// Stones and liberties of a block, each sorted by row and column.
    pub(crate) fn block(&self, spot: Spot) -> (Vec<Spot>, Vec<Spot>) {
        let colour = self.at(spot);
        let mut stones = vec![spot];
        let mut liberties = Vec::new();
        let mut next = 0;
        while next < stones.len() {
            for neighbour in self.around(stones[next]) {
                if self.at(neighbour).is_none() {
                    liberties.push(neighbour);
                } else if self.at(neighbour) == colour && !stones.contains(&neighbour) {
                    stones.push(neighbour);
                }
            }
            next += 1;
        }
        let by_row = |&(col, row): &Spot| (row, col);
        stones.sort_unstable_by_key(by_row);
        liberties.sort_unstable_by_key(by_row);
        liberties.dedup();
        (stones, liberties)
    }

    /// The board after a play on an empty spot, regardless of ko, and the number of captured
    /// stones; `None` for suicide.
    pub(crate) fn play(&self, spot: Spot, colour: Colour) -> Option<(Model, u32)> {
        let mut after = self.clone();
        let place = after.place(spot);
        after.grid[place] = Some(colour);
        after.ko = None;
        let mut taken = Vec::new();
        for neighbour in after.around(spot) {
            if after.at(neighbour) == Some(colour.other()) {
                let (stones, liberties) = after.block(neighbour);
                if liberties.is_empty() {
                    for stone in stones {
                        let place = after.place(stone);
                        after.grid[place] = None;
                        taken.push(stone);
                    }
                }
            }
        }
        let (stones, liberties) = after.block(spot);
        if liberties.is_empty() {
            return None;
        }
        if taken.len() == 1 && stones.len() == 1 && liberties.len() == 1 {
            after.ko = Some(taken[0]);
        }
        Some((after, taken.len() as u32))
    }

    /// The enemy blocks that touch the block of a stone, each by its stones, in the order of
    /// contact.
    pub(crate) fn adjacent(&self, spot: Spot) -> Vec<Vec<Spot>> {
        let enemy = self.at(spot).map(Colour::other);
        let mut touching: Vec<Spot> = self
            .block(spot)
            .0
            .into_iter()
            .flat_map(|stone| self.around(stone))
            .filter(|&neighbour| self.at(neighbour) == enemy)
            .collect();
        touching.sort_unstable_by_key(|&(col, row)| (row, col));
        let mut blocks: Vec<Vec<Spot>> = Vec::new();
        for neighbour in touching {
            let stones = self.block(neighbour).0;
            if !blocks.contains(&stones) {
                blocks.push(stones);
            }
        }
        blocks
    }

    /// Compares all data of a board about a spot.
    pub(crate) fn compare_at(&self, board: &Board, spot: Spot) {
        let point = point(spot);
        let seen = |set: crate::PointSet| set.iter().map(spot_of).collect::<Vec<_>>();
        assert_eq!(board.at(point), self.at(spot));
        assert_eq!(board.is_empty(point), self.at(spot).is_none());
        if self.at(spot).is_some() {
            let (stones, liberties) = self.block(spot);
            assert_eq!(board.stone_count(point), stones.len() as u32);
            assert_eq!(board.liberty_count(point), liberties.len() as u32);
            assert_eq!(seen(board.stones(point)), stones);
            assert_eq!(seen(board.liberties(point)), liberties);
            let adjacent: Vec<Vec<Spot>> = board
                .adjacent_blocks(point)
                .into_iter()
                .map(|head| {
                    assert_eq!(board.block(head), head);
                    seen(board.stones(head))
                })
                .collect();
            assert_eq!(adjacent, self.adjacent(spot));
        }
        for colour in Colour::BOTH {
            let after = match self.at(spot) {
                None => self.play(spot, colour),
                Some(_) => None,
            };
            let takes = after.as_ref().map_or(0, |(_, taken)| *taken);
            let suicide = self.at(spot).is_none() && after.is_none();
            let ko = after.as_ref().is_some_and(|(after, _)| after.ko.is_some());
            let banned = self.ko == Some(spot);
            assert_eq!(board.captures(point, colour), takes, "{spot:?} {colour:?}");
            assert_eq!(board.is_suicide(point, colour), suicide);
            assert_eq!(board.is_ko_capture(point, colour), ko);
            assert_eq!(board.is_legal(point, colour), after.is_some() && !banned);
        }
    }

    /// Compares the stones and the ko.
    pub(crate) fn compare(&self, board: &Board) {
        let rows: Vec<String> = (0..self.size)
            .map(|row| {
                (0..self.size)
                    .map(|col| self.at((col, row)).map_or('.', Colour::letter))
                    .collect()
            })
            .collect();
        assert_eq!(board.to_rows(), rows);
        assert_eq!(board.ko().map(spot_of), self.ko);
        board.check_integrity().unwrap();
    }
}

pub(crate) fn point((col, row): Spot) -> Point {
    Point::new(col as u8, row as u8)
}

pub(crate) fn spot_of(point: Point) -> Spot {
    (i32::from(point.col()), i32::from(point.row()))
}
