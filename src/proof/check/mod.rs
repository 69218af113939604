//! Whether a certificate shows what it states.

mod claim;
mod explore;
mod shape;
mod zones;

use super::certificate::Certificate;
use super::refusal::Refusal;
use claim::Question;
use explore::{State, explore};

/// How a check goes about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Positions that are looked at, at most. Each costs about 300 bytes on the largest
    /// board.
    pub positions: u64,
    /// Whether every legal play of the other side is followed. If not, plays outside
    /// the zone of a position, which cannot matter, are not.
    pub exhaustive: bool,
}

impl Default for Effort {
    fn default() -> Self {
        Self {
            positions: 5_000_000,
            exhaustive: false,
        }
    }
}

/// What was looked at in a certificate that is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Pairs of a node and a position.
    pub positions: u64,
    /// Nodes that the root leads to.
    pub nodes: u32,
    /// Plays, passes among them, on the longest line of a capture; in an escape, on the
    /// way to the position that is farthest from the root.
    pub depth: u32,
}

/// Checks a certificate by the rules of Go and nothing else.
///
/// # Errors
///
/// Says what is wrong, where, and after which plays, if the certificate does not show
/// what it states, or if more positions would have to be looked at than `effort`
/// allows.
pub fn check(certificate: &Certificate, effort: Effort) -> Result<Summary, Refusal> {
    let question = Question::of(&certificate.statement)?;
    let order = shape::order(certificate, &question)?;
    let mut states = explore(certificate, &question, effort)?;
    if !effort.exhaustive {
        zones::settle(certificate, &question, &order, &mut states)?;
    }
    Ok(Summary {
        positions: states.len() as u64,
        nodes: order.len() as u32,
        depth: depth(&question, &order, &states),
    })
}

/// The depth as in [`Summary`].
fn depth(question: &Question, order: &shape::Order, states: &[State]) -> u32 {
    if !question.must_end {
        return states.iter().map(|state| state.plies).max().unwrap_or(0);
    }
    // What follows a position has been measured before it.
    let mut heights = vec![0; states.len()];
    for index in order.of(states) {
        let state = &states[index];
        let below = state.children.iter().map(|&(child, plays)| {
            let height: u32 = heights.get(child as usize).copied().unwrap_or(0);
            height + plays
        });
        heights[index] = below.max().unwrap_or(state.last);
    }
    heights.first().copied().unwrap_or(0)
}
