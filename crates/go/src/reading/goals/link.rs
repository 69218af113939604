//! The candidates of a connection: points on the shortest paths between two blocks.
//!
//! The length of a path is the number of plays that its owner needs: one for each empty point, and
//! the liberties of each enemy block to take, if these are few.

use super::super::Kos;
use crate::{Board, Colour, Point, PointSet, move_at};
use leitai_game::Move;

/// Maximum number of liberties of an enemy block on a path.
const FEW: u32 = 3;

/// More than the greatest index of a point.
const INDICES: usize = 448;

/// A distance greater than any path.
const FAR: u32 = 1_000;

/// Maximum excess length of a path with candidates over the shortest path.
const DETOUR: u32 = 2;

/// A position of a connection.
pub(super) struct Link<'a> {
    pub(super) board: &'a Board,
    pub(super) ends: [Point; 2],
    /// The owner of the two blocks.
    pub(super) owner: Colour,
    pub(super) to_move: Colour,
    pub(super) kos: Kos,
    pub(super) last: Option<Point>,
    pub(super) most: usize,
}

impl Link<'_> {
    /// The points on short paths, and those where blocks on these paths are taken or saved;
    /// shortest path first, then those next to the last stone, then in the order of the points.
    pub(super) fn moves(&self, moves: &mut Vec<Move>) {
        let ways = self.ways();
        let least = ways.length;
        let mut found: Vec<(u32, bool, Point)> = Vec::new();
        let beside_last = |point: Point| {
            let mut beside = point.neighbours().into_iter().chain(point.diagonals());
            beside.any(|it| Some(it) == self.last)
        };
        let mut add = |point: Point, length: u32| {
            let known = found.iter_mut().find(|it| it.2 == point);
            match known {
                Some(known) => known.0 = known.0.min(length),
                None => found.push((length, !beside_last(point), point)),
            }
        };
        let longest = least.saturating_add(DETOUR).min(FAR - 1);
        for point in *self.board.empties() {
            if ways.at(point) <= longest {
                add(point, ways.at(point));
            }
        }
        // Blocks of either colour on or next to a path that are short of liberties.
        let stones = *self.board.all(Colour::Black) | *self.board.all(Colour::White);
        let mut left = stones;
        while let Some(stone) = left.first() {
            let block = self.board.stones(stone);
            left -= block;
            let liberties = self.board.liberty_count(stone);
            if liberties > FEW {
                continue;
            }
            let on_way = block.iter().map(|it| ways.at(it)).min().unwrap_or(FAR);
            let near = block.grown() & *self.board.empties();
            let beside = near.iter().map(|it| ways.at(it)).min().unwrap_or(FAR);
            let length = on_way.min(beside.saturating_add(1));
            if length <= longest {
                for point in self.board.liberties(stone) {
                    add(point, length + liberties / 2);
                }
            }
        }
        let defender = self.owner.other();
        let may_play = |point: Point| self.kos.may_play(self.board, point, self.to_move, defender);
        found.sort_unstable();
        let playable = found.into_iter().map(|it| it.2).filter(|&it| may_play(it));
        moves.extend(playable.take(self.most).map(move_at));
    }

    /// The value for the cutter: the number of plays that the connection needs.
    pub(super) fn evaluate(&self) -> i32 {
        let length = self.ways().length.min(20) as i32;
        2 * length + i32::from(self.to_move != self.owner)
    }

    /// The point where one play joins the blocks.
    pub(super) fn joining(&self) -> Option<Point> {
        let [one, other] = self.ends.map(|end| self.board.liberties(end));
        let defender = self.owner.other();
        let mut shared = (one & other).into_iter();
        shared.find(|&it| self.kos.may_play(self.board, it, self.owner, defender))
    }

    fn ways(&self) -> Ways {
        let far = self.ends.map(|end| self.distances(end));
        let [from, to] = &far;
        let length = to[usize::from(self.ends[0].0)];
        let mut through = [FAR; INDICES];
        for (index, slot) in through.iter_mut().enumerate() {
            // The point itself is counted from both sides.
            let point = Point(index as u16);
            *slot = (from[index] + to[index]).saturating_sub(self.price(point).unwrap_or(0));
        }
        Ways { length, through }
    }

    /// The cost of a path through a point; `None` if no path goes there.
    fn price(&self, point: Point) -> Option<u32> {
        match self.board.at(point) {
            Some(colour) if colour == self.owner => Some(0),
            Some(_) => {
                let liberties = self.board.liberty_count(point);
                (liberties <= FEW).then_some(liberties)
            }
            None => self.board.is_empty(point).then_some(1),
        }
    }

    /// The number of plays from a block to each point, including the play there.
    fn distances(&self, from: Point) -> [u32; INDICES] {
        let mut distances = [FAR; INDICES];
        let mut reached = self.board.stones(from);
        let mut rings: Vec<PointSet> = vec![reached];
        let mut distance = 0;
        while distance < rings.len() {
            let mut open = rings[distance];
            while let Some(point) = open.first() {
                open.remove(point);
                distances[usize::from(point.0)] = distance as u32;
                for next in point.neighbours() {
                    let Some(price) = self.price(next) else {
                        continue;
                    };
                    if reached.contains(next) {
                        continue;
                    }
                    let is_block = self.board.at(next).is_some();
                    let points = if is_block {
                        self.board.stones(next)
                    } else {
                        PointSet::from_iter([next])
                    };
                    if price == 0 {
                        reached |= points;
                        open |= points;
                        continue;
                    }
                    let place = distance + price as usize;
                    if rings.len() <= place {
                        rings.resize(place + 1, PointSet::EMPTY);
                    }
                    rings[place] |= points;
                }
            }
            distance += 1;
            if let Some(ring) = rings.get_mut(distance) {
                *ring -= reached;
                reached |= *ring;
            }
        }
        distances
    }
}

/// The lengths of paths.
struct Ways {
    /// The length of the shortest path.
    length: u32,
    /// The length of the shortest path through each point.
    through: [u32; INDICES],
}

impl Ways {
    fn at(&self, point: Point) -> u32 {
        self.through
            .get(usize::from(point.0))
            .copied()
            .unwrap_or(FAR)
    }
}
