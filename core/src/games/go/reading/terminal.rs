//! Positions that need no search.

use super::candidates::Context;
use super::evaluate::evaluate;
use super::kos::Kos;
use super::ladder::{LadderOutcome, ladder};
use super::liberties::after_play;
use super::params::{Candidates, CaptureParams};
use super::threats::threats;
use crate::games::go::is_alive;
use crate::games::go::{Board, Point};

/// Why a target has escaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Escape {
    /// It has as many liberties as `escape_liberties` says: a convention.
    Liberties,
    /// The defender, to move, gives it as many by this move.
    Extension(Point),
    /// The attacker, to move, cannot meet all moves that would give it as many.
    Threats,
    /// It lives unconditionally: proved.
    Life,
    /// Its evaluation is above `escape_eval`: a judgement.
    Evaluation,
}

/// What a position is without any search but ladders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terminal {
    /// The target is gone.
    Gone,
    /// The attacker, to move, takes the target at this point: proved.
    Taken(Point),
    /// The target falls to a ladder, of which this is the attacker's first move (or, if
    /// the defender is to move, how the target is taken if he passes): proved.
    Ladder(Point),
    /// The target has escaped.
    Escaped(Escape),
    /// None of these.
    Open,
}

/// The terminal tests of Zhang and Chen (2007, section 1.4) and the rigorous ones, those
/// that `params` turns on. The target is gone if no defender's stone is on its point; a
/// capture by a ko that the attacker may not take does not count.
pub fn terminal(context: &mut Context<'_>, params: &CaptureParams) -> Terminal {
    let Context { target, kos, .. } = *context;
    let (to_move, defender) = (context.to_move, context.defender);
    let board = &mut *context.board;
    if board.at(target) != Some(defender) {
        return Terminal::Gone;
    }
    let liberties = board.liberty_count(target);
    if params.escape_liberties > 0 && liberties >= params.escape_liberties {
        return Terminal::Escaped(Escape::Liberties);
    }
    if liberties == 1
        && to_move != defender
        && let Some(point) = board.liberties(target).first()
        && kos.may_play(board, point, to_move, defender)
    {
        return Terminal::Taken(point);
    }
    if to_move == defender
        && let Some(point) = extension(board, target, kos, params)
    {
        return Terminal::Escaped(Escape::Extension(point));
    }
    if to_move != defender
        && params.candidates == Candidates::Near
        && threats(board, target, params).is_some_and(|it| it.answers.is_empty())
    {
        return Terminal::Escaped(Escape::Threats);
    }
    if params.escape_life && is_alive(board, target) {
        return Terminal::Escaped(Escape::Life);
    }
    let can_be_ladder = liberties == 1 || (liberties == 2 && to_move != defender);
    if params.ladder
        && can_be_ladder
        && let LadderOutcome::Captured(point) = ladder(board, target, to_move, kos, params)
    {
        return Terminal::Ladder(point);
    }
    if params.escape_eval > 0 && evaluate(board, target, params) > params.escape_eval as i32 {
        return Terminal::Escaped(Escape::Evaluation);
    }
    Terminal::Open
}

/// The defender's move onto a liberty of the target that gives it the most liberties, if
/// that is as many as `escape_liberties`.
pub fn extension(board: &Board, target: Point, kos: Kos, params: &CaptureParams) -> Option<Point> {
    let enough = params.escape_liberties;
    if enough == 0 || !params.escape_ahead {
        return None;
    }
    let defender = board.at(target)?;
    let mut best = None;
    let mut most = enough - 1;
    let (own, now) = (board.block(target), board.liberty_count(target));
    // Each neighbour opens at most what it is or has itself.
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
