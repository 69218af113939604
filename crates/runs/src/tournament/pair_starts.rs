//! The start positions of a recorded run's pairs, and the dependence between them.

use leitai_game::card::AnyPosition;
use std::collections::BTreeMap;

use super::{Plan, Standings};

/// The start of a pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairStart {
    /// The position: a FEN, or `start`.
    pub position: String,
    /// The opening that represents the pair's cluster, in the same notation; `None` if pairs from
    /// other positions are independent of this one.
    pub cluster: Option<String>,
}

/// The starts of all pairs of a run.
///
/// Pairs are dependent if they are from the same opening of the book, with any random plies after
/// it, or from openings that lead into each other; in a run from a single opening, if they began
/// from the same position.
#[derive(Debug)]
pub struct PairStarts<'a> {
    plan: &'a Plan,
    related: BTreeMap<usize, usize>,
    from_one_opening: bool,
}

impl<'a> PairStarts<'a> {
    /// The places of the pairs of `plan` that `standings` contain.
    pub fn of(plan: &'a Plan, standings: &Standings) -> Self {
        Self {
            plan,
            related: standings.related_openings(),
            from_one_opening: standings.is_from_one_opening(),
        }
    }

    /// The start of pair number `index`; `None` if the book has no such opening.
    pub fn of_pair(&self, index: u64) -> Option<PairStart> {
        let spec = self.plan.schedule.pair(index);
        let first = self.related.get(&spec.opening);
        let hangs = !self.from_one_opening && (first.is_some() || self.plan.schedule.varies());
        let first = self.plan.book.get(*first.unwrap_or(&spec.opening))?;
        Some(PairStart {
            position: name(&*self.plan.start(&spec)?),
            cluster: hangs.then(|| name(&*first.position())),
        })
    }
}

fn name(position: &dyn AnyPosition) -> String {
    if *position == *position.card().initial() {
        "start".to_owned()
    } else {
        position.to_fen()
    }
}
