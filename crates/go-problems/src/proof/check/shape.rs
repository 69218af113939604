//! Checks that the links between the nodes of a certificate are valid.

use super::super::certificate::{Certificate, Play};
use super::super::refusal::{Reason, Refusal};
use super::claim::Question;

/// The nodes reachable from the root. In a plan that must be finite, each comes after all its
/// successors.
pub(super) struct Order {
    /// By node: its place, if reachable.
    places: Vec<Option<u32>>,
    count: usize,
}

impl Order {
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// The place of a node; the last place for unreachable nodes.
    pub(super) fn place(&self, node: u32) -> u32 {
        let place = self.places.get(node as usize).copied().flatten();
        place.unwrap_or(u32::MAX)
    }
}

/// Visits every reachable node.
pub(super) fn order(certificate: &Certificate, question: &Question) -> Result<Order, Refusal> {
    let nodes = &certificate.nodes;
    let refuse = |node: u32, reason| Refusal::new(reason, Some(node), question.size);
    if nodes.is_empty() {
        return Err(Refusal::new(Reason::Empty, None, question.size));
    }
    let mut order = Order {
        places: vec![None; nodes.len()],
        count: 0,
    };
    let mut seen = vec![false; nodes.len()];
    // The nodes in progress, each with its remaining successors.
    let mut open = vec![(
        0,
        follow(certificate, question, 0).map_err(|it| refuse(0, it))?,
    )];
    seen[0] = true;
    while let Some((node, following)) = open.last_mut() {
        let Some(next) = following.pop() else {
            order.places[*node as usize] = Some(order.count as u32);
            order.count += 1;
            open.pop();
            continue;
        };
        let place = next as usize;
        if seen[place] {
            if question.must_end && order.places[place].is_none() {
                return Err(refuse(next, Reason::Cycle));
            }
            continue;
        }
        seen[place] = true;
        let following = follow(certificate, question, next).map_err(|it| refuse(next, it))?;
        open.push((next, following));
    }
    Ok(order)
}

/// The successors of a node, if the node itself is valid.
fn follow(certificate: &Certificate, question: &Question, node: u32) -> Result<Vec<u32>, Reason> {
    let entry = &certificate.nodes[node as usize];
    let on_board = |play| match play {
        Play::At(spot) if !question.board.has(spot) => Err(Reason::Outside(spot)),
        Play::At(_) | Play::Pass => Ok(()),
    };
    entry.answer.map_or(Ok(()), on_board)?;
    let mut plays: Vec<Play> = entry.replies.iter().map(|&(play, _)| play).collect();
    plays.iter().try_for_each(|&play| on_board(play))?;
    plays.sort_unstable();
    if let Some(pair) = plays.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(Reason::Twice(pair[0]));
    }
    // The attacker of an escape never passes.
    if !question.must_end && plays.contains(&Play::Pass) {
        return Err(Reason::AttackerPasses);
    }
    let replies = entry.replies.iter().map(|&(_, to)| to);
    let following: Vec<u32> = replies.chain(entry.otherwise).collect();
    let dangling = following
        .iter()
        .find(|&&to| to as usize >= certificate.nodes.len());
    match dangling {
        Some(&to) => Err(Reason::Dangling(to)),
        None => Ok(following),
    }
}
