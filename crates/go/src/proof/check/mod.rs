//! Whether a certificate shows what it states.

mod claim;
mod every;
mod shape;
mod walk;
mod zones;

use super::certificate::Certificate;
use super::refusal::Refusal;
#[cfg(not(test))]
use claim::Question;
#[cfg(test)]
pub(super) use claim::Question;
use walk::Walk;

/// How a check goes about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Positions that are looked at, at most. Each costs about 300 bytes on the largest
    /// board.
    pub positions: u64,
    /// Whether every legal play of the other side is followed. If not, plays outside
    /// the zone of a position, which cannot matter, are not; the answer is the same.
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
    /// Plays, passes among them, on the longest line of a capture; in an escape, which may
    /// go on for ever, on the longest way on which a position was first met.
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
    check_until(certificate, effort, &|| false)
}

/// As [`check`], until `stop` says so: it is asked each 64 times that a
/// position is looked at.
///
/// # Errors
///
/// The same, and [`Reason::Stopped`](super::Reason::Stopped).
pub fn check_until(
    certificate: &Certificate,
    effort: Effort,
    stop: &dyn Fn() -> bool,
) -> Result<Summary, Refusal> {
    let question = Question::of(&certificate.statement)?;
    let order = shape::order(certificate, &question)?;
    let mut walk = Walk::new(certificate, &question, effort, stop)?;
    if effort.exhaustive {
        every::follow(&mut walk)?;
    } else {
        zones::follow(&mut walk, &order)?;
    }
    Ok(Summary {
        positions: walk.states.len() as u64,
        nodes: order.len() as u32,
        depth: depth(&walk, &order),
    })
}

/// The depth as in [`Summary`].
fn depth(walk: &Walk, order: &shape::Order) -> u32 {
    let states = &walk.states;
    let ends = |number: usize| u32::from(states[number].ends_by_play);
    if !walk.question.must_end {
        let plies = (0..states.len()).map(|number| states[number].plies + ends(number));
        return plies.max().unwrap_or(0);
    }
    // What follows a position is measured before it.
    let mut numbers: Vec<usize> = (0..states.len()).collect();
    numbers.sort_by_key(|&number| order.place(states[number].node));
    let mut heights = vec![0; states.len()];
    for number in numbers {
        let state = &states[number];
        let children = state.children.iter();
        let below = children.map(|&(_, child)| heights[child as usize] + state.plays());
        heights[number] = below.max().unwrap_or(ends(number));
    }
    heights.first().copied().unwrap_or(0)
}
