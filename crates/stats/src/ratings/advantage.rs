//! The advantage of the first move, and whether the games determine it.

use serde::{Deserialize, Serialize};

use super::fit::Term;

/// Treatment of the advantage of the first move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum FirstMove {
    /// Fit it together with the ratings.
    #[default]
    Estimate,
    /// Use a known value in Elo; 0 leaves it out.
    Fixed(f64),
}

/// The source of the advantage of the first move, or the reason why it was not fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum FirstMoveBasis {
    /// Fitted together with the ratings.
    Estimated,
    /// Given as a known value.
    Fixed,
    /// Not fitted: the first mover is unknown in all games within a group.
    Unknown,
    /// Not fitted: the games do not separate the advantage from the ratings, for example because
    /// one player moved first in all of them.
    Confounded,
    /// Not fitted: the likelihood rises without limit towards a huge advantage or disadvantage, for
    /// example because the first mover won every game.
    Boundless,
    /// Not fitted: no group has ratings, or the numbers are beyond double precision.
    NoRatings,
}

impl FirstMoveBasis {
    /// A one-line note for a reader; empty if the advantage was fitted or given.
    pub fn note(self) -> &'static str {
        match self {
            Self::Estimated | Self::Fixed => "",
            Self::Unknown => {
                "the first move's advantage is not estimable: the results do not contain the first \
                 mover (in pairs with colours swapped the advantage cancels); ratings are fitted \
                 without it"
            }
            Self::Confounded => {
                "the first move's advantage is not estimable: no players met with both colours, \
                 directly or in a cycle, so the results do not separate it from the ratings; \
                 ratings are fitted without it"
            }
            Self::Boundless => {
                "the first move's advantage is not estimable: the first mover decided every game \
                 that could determine it, so no finite value fits; ratings are fitted without it"
            }
            Self::NoRatings => "the first move's advantage is not estimable: no player is rated",
        }
    }
}

/// Determines whether ratings and advantage have a finite maximum together, given that the ratings
/// alone have one.
///
/// The likelihood rises without limit along a direction (δ, η), η = ±1, if δᵢ - δⱼ + η ≥ 0 wherever
/// the first mover i scored against j, and ≤ 0 wherever j scored. Such a δ is a potential of the
/// graph with an edge from scorer to opponent of length η for the first mover and -η for the
/// second; it exists unless a cycle has a negative length (Bellman and Ford). If it exists for both
/// signs, the likelihood is constant along it.
pub(super) fn basis(players: usize, terms: &[Term]) -> FirstMoveBasis {
    if !terms.iter().any(|term| term.key.2) {
        return FirstMoveBasis::Unknown;
    }
    match [1, -1].map(|sign| has_negative_cycle(players, &edges(terms, sign))) {
        [true, true] => FirstMoveBasis::Estimated,
        [false, false] => FirstMoveBasis::Confounded,
        _ => FirstMoveBasis::Boundless,
    }
}

fn edges(terms: &[Term], sign: i64) -> Vec<(usize, usize, i64)> {
    let mut edges = Vec::new();
    for term in terms {
        let (first, second, moved_first) = term.key;
        let length = if moved_first { sign } else { 0 };
        if term.won > 0.0 {
            edges.push((first, second, length));
        }
        if term.lost > 0.0 {
            edges.push((second, first, -length));
        }
    }
    edges
}

/// Searches with Bellman and Ford. After each round it checks whether the last edges used form a
/// cycle, which then has a negative length, so that an existing cycle is found in few rounds
/// (Cherkassky and Goldberg, Mathematical Programming 85, 1999).
fn has_negative_cycle(players: usize, edges: &[(usize, usize, i64)]) -> bool {
    let mut distance = vec![0_i64; players];
    let mut before = vec![None; players];
    loop {
        let mut changed = false;
        for &(from, to, length) in edges {
            if distance[from] + length < distance[to] {
                distance[to] = distance[from] + length;
                before[to] = Some(from);
                changed = true;
            }
        }
        if !changed {
            return false;
        }
        if has_cycle(&before) {
            return true;
        }
    }
}

/// Returns whether the arrows contain a cycle.
fn has_cycle(arrows: &[Option<usize>]) -> bool {
    let mut walk = vec![usize::MAX; arrows.len()];
    (0..arrows.len()).any(|start| {
        let mut at = Some(start);
        while let Some(i) = at {
            if walk[i] != usize::MAX {
                return walk[i] == start;
            }
            walk[i] = start;
            at = arrows[i];
        }
        false
    })
}
