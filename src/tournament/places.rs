//! Where the pairs of a recorded run began, and which of them hang together.

use crate::card::AnyPosition;
use std::collections::BTreeMap;

use super::{Plan, Standings};

/// Where a pair began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its position: the FEN, or `start`.
    pub position: String,
    /// The opening that stands for those that it hangs together with, in the same words;
    /// `None` where pairs from another position are independent of it.
    pub cluster: Option<String>,
}

/// Where all pairs of a run began.
///
/// Pairs hang together if they are from the same opening of the book, whatever random
/// plies follow it, or from openings that lead into each other; in a run from a single
/// opening, if they began from the same position.
#[derive(Debug)]
pub struct Places<'a> {
    plan: &'a Plan,
    related: BTreeMap<usize, usize>,
    from_one_opening: bool,
}

impl<'a> Places<'a> {
    /// Those of the pairs of `plan` that make up `standings`.
    pub fn of(plan: &'a Plan, standings: &Standings) -> Self {
        Self {
            plan,
            related: standings.related_openings(),
            from_one_opening: standings.is_from_one_opening(),
        }
    }

    /// Where pair number `index` began; `None` if the book has no such opening.
    pub fn of_pair(&self, index: u64) -> Option<Place> {
        let spec = self.plan.schedule.pair(index);
        let first = self.related.get(&spec.opening);
        let hangs = !self.from_one_opening && (first.is_some() || self.plan.schedule.varies());
        let first = &self
            .plan
            .book
            .openings
            .get(*first.unwrap_or(&spec.opening))?;
        Some(Place {
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
