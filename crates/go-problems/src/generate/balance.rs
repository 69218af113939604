//! Keeps equally many problems of each verdict and difficulty, as far as they are found; or all in
//! order.

use std::collections::HashSet;

use super::{Difficulty, Keep, Made, VERDICTS};

/// The kinds of problems: verdicts by difficulties.
const KINDS: usize = VERDICTS.len() * Difficulty::ALL.len();

/// The kept problems, and spare ones that may fill gaps.
#[derive(Debug)]
pub(super) struct Balance {
    wanted: usize,
    /// The quota of each kind until all others have theirs; `None` if all are kept in order.
    share: Option<usize>,
    /// The number of kept problems of each kind.
    shares: [usize; KINDS],
    kept: Vec<(usize, Made)>,
    /// Problems beyond their quota.
    spare: Vec<(usize, Made)>,
    /// The canonical positions of kept and spare problems.
    seen: HashSet<String>,
    offered: usize,
}

impl Balance {
    pub(super) fn new(wanted: usize, keep: Keep) -> Self {
        let share = match keep {
            Keep::Proved => Some(wanted.div_ceil(KINDS)),
            Keep::Hard => Some(wanted.div_ceil(VERDICTS.len())),
            Keep::All => None,
        };
        Self {
            wanted,
            share,
            shares: [0; KINDS],
            kept: Vec::new(),
            spare: Vec::new(),
            seen: HashSet::new(),
            offered: 0,
        }
    }

    pub(super) fn kept(&self) -> usize {
        self.kept.len()
    }

    pub(super) fn is_full(&self) -> bool {
        self.kept.len() >= self.wanted
    }

    /// Offers a problem; returns whether it was kept. Drops a problem that differs from an earlier
    /// one only by symmetry and colours.
    pub(super) fn offer(&mut self, made: Made) -> bool {
        let number = self.offered;
        self.offered += 1;
        let kind = kind(&made);
        let is_none = self.share.is_some() && kind.is_none();
        if is_none || self.is_full() || !self.seen.insert(made.problem.canonical()) {
            return false;
        }
        let keeps = match (self.share, kind) {
            (Some(share), Some(kind)) => {
                let is_wanted = self.shares[kind] < share;
                self.shares[kind] += usize::from(is_wanted);
                is_wanted
            }
            _ => true,
        };
        if keeps {
            self.kept.push((number, made));
        } else if self.spare.len() < self.wanted {
            self.spare.push((number, made));
        }
        keeps
    }

    /// The problems in the order in which they were offered, with gaps filled from those beyond
    /// their quota.
    pub(super) fn problems(mut self) -> Vec<Made> {
        let missing = self.wanted.saturating_sub(self.kept.len());
        self.kept.extend(self.spare.into_iter().take(missing));
        self.kept.sort_by_key(|&(number, _)| number);
        self.kept.into_iter().map(|(_, made)| made).collect()
    }
}

/// The index of a problem's kind; `None` without a verdict.
fn kind(made: &Made) -> Option<usize> {
    let verdict = made.problem.expected?;
    let verdict = VERDICTS.iter().position(|&it| it == verdict)?;
    let difficulty = Difficulty::of(made.nodes);
    let difficulty = Difficulty::ALL.iter().position(|&it| it == difficulty)?;
    Some(verdict * Difficulty::ALL.len() + difficulty)
}
