//! Counts the occurrences of each term. Each side is counted separately; the evaluation takes the
//! difference.

mod army;
mod king;
mod passed;
mod pawns;
mod pieces;
mod reach;
mod threats;

#[cfg(test)]
mod tests;

use cozy_chess::{Board, Color};

use super::terms::{TermGroups, group};
use army::Army;
use reach::Reach;

/// A receiver of counts.
pub(super) trait Sink {
    /// Adds `count` occurrences of the term whose weight has this index in the list.
    fn add(&mut self, place: usize, count: i32);
}

/// A position from one side's view.
struct View<'a> {
    us: &'a Army,
    them: &'a Army,
    /// The squares attacked by `us`, and by `them`.
    reach: &'a Reach,
    enemy_reach: &'a Reach,
}

/// Counts the terms of the wanted groups, White's into the first sink and Black's into the second.
#[inline]
pub(super) fn count<S: Sink>(board: &Board, wanted: TermGroups, sinks: &mut [S; 2]) {
    const MOBILITY: usize = group("mobility");
    const PIECES: usize = group("pieces");
    const KING: usize = group("king");
    const PAWNS: usize = group("pawns");
    const PASSED: usize = group("passed");
    const THREATS: usize = group("threats");

    let TermGroups(wanted) = wanted;
    let white = Army::of(board, Color::White);
    let black = Army::of(board, Color::Black);
    let sides = [(&white, &black), (&black, &white)];
    for ((us, them), sink) in sides.into_iter().zip(&mut *sinks) {
        if wanted[PAWNS] {
            pawns::count(us, sink);
        }
        if wanted[PIECES] {
            pieces::count(us, them, board, sink);
        }
    }
    if !(wanted[MOBILITY] || wanted[KING] || wanted[PASSED] || wanted[THREATS]) {
        return;
    }
    let [to_white, to_black] = sinks;
    let of_white = Reach::count(&white, &black, to_white);
    let of_black = Reach::count(&black, &white, to_black);
    let view = |us, them, reach, enemy_reach| View {
        us,
        them,
        reach,
        enemy_reach,
    };
    let views = [
        view(&white, &black, &of_white, &of_black),
        view(&black, &white, &of_black, &of_white),
    ];
    for (view, sink) in views.iter().zip(sinks) {
        if wanted[KING] {
            king::count(view, sink);
        }
        if wanted[PASSED] {
            passed::count(view, sink);
        }
        if wanted[THREATS] {
            threats::count(view, sink);
        }
    }
}
