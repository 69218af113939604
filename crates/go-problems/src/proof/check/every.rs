//! Follows every legal play.

use super::super::refusal::{Reason, Refusal};
use super::claim::Answered;
use super::walk::Walk;

/// Follows every play of the other side.
pub(super) fn follow(walk: &mut Walk) -> Result<(), Refusal> {
    let mut number = 0;
    while number < walk.states.len() {
        let followed = expand(walk, number);
        followed.map_err(|reason| walk.refusal(reason, number))?;
        number += 1;
    }
    Ok(())
}

fn expand(walk: &mut Walk, number: usize) -> Result<(), Reason> {
    let Answered::Open(board) = walk.answered(number)? else {
        return Ok(());
    };
    walk.follow_listed(number, &board)?;
    let followed = walk.followed(number);
    board
        .spots()
        .filter(|&spot| !followed.contains(spot))
        .try_for_each(|spot| walk.follow(number, &board, spot))
}
