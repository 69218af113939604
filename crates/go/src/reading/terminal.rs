//! Positions that need no search.

use super::kos::Kos;
use super::liberties::after_play;
use super::params::CaptureParams;
use crate::{Board, Point};

/// The reason why a target has escaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Escape {
    /// It has `escape_liberties` liberties: a convention.
    Liberties,
    /// The defender, to move, gives it that many by this move.
    Extension(Point),
    /// The attacker, to move, cannot meet all moves that would give it that many.
    Threats,
    /// It lives unconditionally: proved.
    Life,
    /// Its evaluation is above `escape_eval`: heuristic.
    Evaluation,
}

/// The status of a position without a search except ladders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terminal {
    /// The target is gone.
    Gone,
    /// The attacker, to move, takes the target at this point: proved.
    Taken(Point),
    /// A ladder takes the target: proved. Holds the attacker's first move; if the defender is to
    /// move, the move that takes the target after a pass.
    Ladder(Point),
    /// The target has escaped.
    Escaped(Escape),
    /// None of these.
    Open,
}

/// The defender's move onto a liberty of the target that gives it the most liberties, if these are
/// at least `escape_liberties`.
pub fn extension(board: &Board, target: Point, kos: Kos, params: &CaptureParams) -> Option<Point> {
    let enough = params.escape_liberties;
    if enough == 0 || !params.escape_ahead {
        return None;
    }
    let defender = board.at(target)?;
    let mut best = None;
    let mut most = enough - 1;
    let (own, now) = (board.block(target), board.liberty_count(target));
    // Each neighbour opens at most its own point or its own liberties.
    let at_most = |point: Point| -> u32 {
        let opens = |at: Point| match board.at(at) {
            None => u32::from(board.is_empty(at)),
            Some(colour) if colour != defender => match board.liberty_count(at) {
                1 => board.stone_count(at),
                _ => 0,
            },
            Some(_) if board.block(at) == own => 0,
            Some(_) => board.liberty_count(at) - 1,
        };
        now - 1 + point.neighbours().into_iter().map(opens).sum::<u32>()
    };
    for point in board.liberties(target) {
        if at_most(point) <= most {
            continue;
        }
        let count = after_play(board, point, defender).map_or(0, |first| first.len());
        if count > most && kos.may_play(board, point, defender, defender) {
            most = count;
            best = Some(point);
        }
    }
    best
}
