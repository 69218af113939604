//! Liberties of the first, second and third order.

use super::params::{CaptureParams, Second};
use crate::{Board, Colour, Point, PointSet};

/// The liberties of a block, or of several blocks together: each point once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Liberties {
    /// The empty neighbours of the stones.
    pub first: PointSet,
    /// The second liberties by the chosen definition, without first liberties.
    pub second: PointSet,
}

impl Liberties {
    /// The liberties of `stones` of `colour` whose first liberties are known.
    pub fn of_stones(
        board: &Board,
        colour: Colour,
        stones: &PointSet,
        first: PointSet,
        definition: Second,
    ) -> Liberties {
        let second = second(board, colour, stones, &first, board.empties(), definition);
        Liberties { first, second }
    }

    /// The empty neighbours of second liberties, without first and second liberties.
    pub fn third(&self, board: &Board) -> PointSet {
        (self.second.grown() & *board.empties()) - self.first - self.second
    }
}

/// The second liberties of `stones` with the liberties `first`; `empties` are the points without
/// stones. Only the augmented definition uses the stones.
fn second(
    board: &Board,
    colour: Colour,
    stones: &PointSet,
    first: &PointSet,
    empties: &PointSet,
    definition: Second,
) -> PointSet {
    let near = first.grown();
    let mut second = near & *empties;
    if definition == Second::Augmented {
        let mut touched = (near & *board.all(colour)) - *stones;
        while let Some(stone) = touched.first() {
            let block = board.stones(stone);
            second |= block.grown() & *empties;
            touched -= block;
        }
    }
    second - *first
}

/// The first liberties that the block of a stone of `colour` on `point` would have; `None` if the
/// play is impossible.
pub(super) fn after_play(board: &Board, point: Point, colour: Colour) -> Option<PointSet> {
    played(board, point, colour).map(|(first, _)| first)
}

/// The first liberties after a play, and the captured stones.
fn played(board: &Board, point: Point, colour: Colour) -> Option<(PointSet, PointSet)> {
    if !board.is_empty(point) {
        return None;
    }
    let mut first = PointSet::EMPTY;
    let mut taken = PointSet::EMPTY;
    for neighbour in point.neighbours() {
        match board.at(neighbour) {
            Some(at) if at == colour => first |= board.liberties(neighbour),
            Some(_) if board.liberty_count(neighbour) == 1 => taken |= board.stones(neighbour),
            None if board.on_board(neighbour) => {
                first.insert(neighbour);
            }
            _ => {}
        }
    }
    first.remove(point);
    if !taken.is_empty() {
        first |= stones_after(board, point, colour).grown() & taken;
    }
    (!first.is_empty()).then_some((first, taken))
}

/// The block of a stone of `colour` put on `point`.
fn stones_after(board: &Board, point: Point, colour: Colour) -> PointSet {
    let mut stones = PointSet::EMPTY;
    stones.insert(point);
    for neighbour in point.neighbours() {
        if board.at(neighbour) == Some(colour) && !stones.contains(neighbour) {
            stones |= board.stones(neighbour);
        }
    }
    stones
}

/// The value of a point for `colour`: the weighted liberties of the block that its stone there
/// would join (Zhang and Chen 2007, section 1.2); 0 if the play is impossible.
pub fn point_value(board: &Board, point: Point, colour: Colour, params: &CaptureParams) -> i32 {
    let Some((first, taken)) = played(board, point, colour) else {
        return 0;
    };
    let mut empties = *board.empties() | taken;
    empties.remove(point);
    let stones = match params.second {
        Second::Neighbours => PointSet::EMPTY,
        Second::Augmented => stones_after(board, point, colour),
    };
    let mut second = second(board, colour, &stones, &first, &empties, params.second);
    second.remove(point);
    value(&Liberties { first, second }, params)
}

/// The value of a point for related blocks of `colour`: the weighted liberties of all of them
/// together after a stone of that colour there; 0 if the play is impossible. `before` holds their
/// liberties without that stone.
pub(super) fn related_value(
    board: &Board,
    point: Point,
    colour: Colour,
    stones: &PointSet,
    before: &Liberties,
    params: &CaptureParams,
) -> i32 {
    let is_liberty = before.first.contains(point);
    if !is_liberty && params.second == Second::Neighbours && board.captures(point, colour) == 0 {
        // The only change: the point is no second liberty any more.
        let is_second = before.second.contains(point);
        let lost = if is_second { params.point_second } else { 0 };
        return if board.is_suicide(point, colour) {
            0
        } else {
            value(before, params) - lost
        };
    }
    let Some((gained, taken)) = played(board, point, colour) else {
        return 0;
    };
    let mut first = before.first;
    if first.remove(point) {
        first |= gained;
    }
    first |= stones.grown() & taken;
    let mut empties = *board.empties() | taken;
    empties.remove(point);
    let mut second = second(board, colour, stones, &first, &empties, params.second);
    if !is_liberty && params.second == Second::Augmented {
        // The new stone is not on the board yet, but may be part of the augmented block too.
        let own = stones_after(board, point, colour);
        if own.meets(&first.grown()) {
            second |= gained - first;
        }
    }
    second.remove(point);
    value(&Liberties { first, second }, params)
}

/// The weighted sum of liberties in the value of a point.
fn value(liberties: &Liberties, params: &CaptureParams) -> i32 {
    params.point_first * liberties.first.len() as i32
        + params.point_second * liberties.second.len() as i32
}
