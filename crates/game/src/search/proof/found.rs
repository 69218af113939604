//! Results of the algorithms for the root.

use super::entry::Memory;
use super::numbers::Numbers;
use super::{AndOr, End, Outcome};

/// The result of one algorithm.
pub(super) struct Found<G: AndOr> {
    pub(super) end: End,
    /// True if the goal can be reached; `None` if unknown.
    pub(super) proved: Option<bool>,
    /// The zone of a decision.
    pub(super) zone: G::Zone,
    /// The best line, as far as the algorithm itself knows it.
    pub(super) line: Vec<G::Move>,
    pub(super) numbers: Option<Numbers>,
    pub(super) value: Option<i32>,
}

impl<G: AndOr> Found<G> {
    /// A decided root.
    pub(super) fn decided(proved: bool, zone: G::Zone, best: Option<G::Move>) -> Self {
        let numbers = if proved {
            Numbers::PROVED
        } else {
            Numbers::DISPROVED
        };
        Self {
            end: End::Decided,
            proved: Some(proved),
            zone,
            line: best.into_iter().collect(),
            numbers: Some(numbers),
            value: None,
        }
    }

    /// An open root, with the reason for the end of the search.
    pub(super) fn open(end: End, line: Vec<G::Move>) -> Self {
        Self {
            end,
            proved: None,
            zone: G::Zone::default(),
            line,
            numbers: None,
            value: None,
        }
    }

    /// The result, if it is known without a search.
    pub(super) fn at_once(game: &mut G, memory: &Memory<G::Move, G::Zone>) -> Option<Self> {
        match game.outcome() {
            Outcome::Proved(zone) => return Some(Self::decided(true, zone, None)),
            Outcome::Disproved(zone) => return Some(Self::decided(false, zone, None)),
            Outcome::Open => {}
        }
        let entry = memory.get(game.key())?;
        entry.numbers.is_decided().then(|| {
            let proved = entry.numbers.proof == 0;
            Self::decided(proved, memory.zone(&entry), entry.best)
        })
    }
}
