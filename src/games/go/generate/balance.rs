//! As many problems of each verdict and difficulty as of the others, as far as
//! they can be found; or all as they come.

use std::collections::HashSet;

use super::{Difficulty, Keep, Made, VERDICTS};

/// The kinds of problems: verdicts by difficulties.
const KINDS: usize = VERDICTS.len() * Difficulty::ALL.len();

/// The problems that were kept, and others that may replace what is missing.
#[derive(Debug)]
pub(super) struct Balance {
    wanted: usize,
    /// The most problems of a kind that are kept before all others have theirs; none
    /// where they are kept as they come.
    share: Option<usize>,
    /// Problems of each kind that were kept.
    shares: [usize; KINDS],
    kept: Vec<(usize, Made)>,
    /// Problems above their share.
    spare: Vec<(usize, Made)>,
    /// The canonical positions of both.
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

    /// Offers a problem; whether it was kept. One that is the same as an earlier
    /// one but for symmetry and colours is forgotten.
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

    /// The problems in the order in which they were offered, what is missing
    /// filled up from those above their share.
    pub(super) fn problems(mut self) -> Vec<Made> {
        let missing = self.wanted.saturating_sub(self.kept.len());
        self.kept.extend(self.spare.into_iter().take(missing));
        self.kept.sort_by_key(|&(number, _)| number);
        self.kept.into_iter().map(|(_, made)| made).collect()
    }
}

/// The place of a problem among the kinds; none without a verdict.
fn kind(made: &Made) -> Option<usize> {
    let verdict = made.problem.expected?;
    let verdict = VERDICTS.iter().position(|&it| it == verdict)?;
    let difficulty = Difficulty::of(made.nodes);
    let difficulty = Difficulty::ALL.iter().position(|&it| it == difficulty)?;
    Some(verdict * Difficulty::ALL.len() + difficulty)
}
