//! Ends of games by repetition (千日手) and impasse (入玉).

use leitai_game::{Cause, Line, Scope, Side, Verdict};

use super::board::Shogi;
use super::generate::zone;
use super::piece::Kind;
use super::rules::ShogiRules;

/// The occurrences of a position that end a game.
const OCCURRENCES: usize = 4;

/// The cause of a win by the 27-point rule.
pub(crate) fn impasse_cause() -> Cause {
    Cause::own("impasse")
}

/// Judges a line by the rules that need its history, and by impasse.
pub(crate) fn judge(line: &Line<Shogi>, rules: ShogiRules, scope: Scope) -> Option<Verdict> {
    if rules.impasse && is_impasse(line.position()) {
        let winner = line.position().turn();
        return Some(Verdict::win(winner, impasse_cause()));
    }
    let first = repetition(line, scope)?;
    Some(match checking_side(line, first) {
        Some(side) => Verdict::win(side.other(), Cause::PerpetualCheck),
        None => Verdict::draw(Cause::Repetition),
    })
}

/// The first of the four occurrences of the current position, or in a search the last earlier one
/// after the root, as its number of moves.
fn repetition(line: &Line<Shogi>, scope: Scope) -> Option<usize> {
    let position = line.position();
    let (now, key) = (line.len(), position.stored_key());
    let reach = usize::from(position.reversible()).min(now);
    let mut earlier = 0;
    // No position comes back in two plies.
    for back in (4..=reach).step_by(2) {
        let index = now - back;
        if line.key_after(index) == key {
            earlier += 1;
            let is_inside = matches!(scope, Scope::Search { root } if index > root);
            if earlier == OCCURRENCES - 1 || is_inside {
                return Some(index);
            }
        }
    }
    None
}

/// The side that gave check with each of its moves since a position, if one did.
fn checking_side(line: &Line<Shogi>, first: usize) -> Option<Side> {
    let position = line.position();
    // Position `index` is before the move with this index.
    let is_check = |index: usize| {
        if index == line.len() {
            !position.checkers().is_empty()
        } else {
            line.step(index).1.was_in_check()
        }
    };
    let all_check = |last: usize| (first + 1..=last).rev().step_by(2).all(is_check);
    // The side that has just moved gave the check of the current position.
    if all_check(line.len()) {
        Some(position.turn().other())
    } else if all_check(line.len() - 1) {
        Some(position.turn())
    } else {
        None
    }
}

/// Returns whether the side to move wins by the 27-point rule.
fn is_impasse(position: &Shogi) -> bool {
    let side = position.turn();
    let zone = zone(side);
    let has_entered = position.king(side).is_some_and(|king| zone.has(king));
    if !has_entered || !position.checkers().is_empty() {
        return false;
    }
    let inside = position.of_side(side) & zone;
    let of = |kinds: &[Kind]| {
        let counts = kinds
            .iter()
            .map(|kind| (position.pieces(side, *kind) & zone).len());
        counts.sum::<u32>()
    };
    let large = of(&[Kind::Bishop, Kind::Rook, Kind::Horse, Kind::Dragon]);
    let hand = position.hand(side);
    let in_hand: u32 = hand.iter().map(|&count| u32::from(count)).sum();
    let large_in_hand = u32::from(hand[Kind::Bishop as usize] + hand[Kind::Rook as usize]);
    // The king has no points.
    let points = inside.len() - 1 + 4 * large + in_hand + 4 * large_in_hand;
    let needed = [28, 27][side.index()];
    inside.len() > 10 && points >= needed
}
