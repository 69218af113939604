//! Checks that a certificate proves its statement.

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

/// The limits and the thoroughness of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Maximum number of visits to positions. Each costs about 300 bytes on the largest board.
    pub positions: u64,
    /// True to follow every legal play of the other side. Otherwise plays outside the zone of a
    /// position, which cannot matter, are skipped; the result is the same.
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

/// Statistics about the check of a valid certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Pairs of a node and a position.
    pub positions: u64,
    /// Nodes reachable from the root.
    pub nodes: u32,
    /// Plays, including passes, on the longest line of a capture. For an escape, which may go on
    /// for ever, the longest line on which a position was first found.
    pub depth: u32,
}

/// Checks a certificate with only the rules of Go.
///
/// # Errors
///
/// The certificate does not prove its statement, or the check needs more visits to positions than
/// `effort` allows. The error contains the reason, the place, and the plays that lead there.
pub fn check(certificate: &Certificate, effort: Effort) -> Result<Summary, Refusal> {
    check_until(certificate, effort, &|| false)
}

/// As [`check`], until `stop` returns true. It is polled every 64 visits to a position.
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
    // Measure successors before their predecessors.
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
