//! The advantage of the first move, and whether the games determine it.

use serde::{Deserialize, Serialize};

use super::evidence::{Line, LineKey};

/// Treatment of the advantage of the first move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
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
                "the first move's advantage is not estimable: the results do not tell who moved \
                 first (in pairs with colours swapped it cancels); ratings are fitted without it"
            }
            Self::Confounded => {
                "the first move's advantage is not estimable: nobody met with both colours, \
                 directly or in a circle, so it cannot be told from the ratings; they are fitted \
                 without it"
            }
            Self::Boundless => {
                "the first move's advantage is not estimable: who moved first decided every game \
                 that could tell it, so no finite value fits; ratings are fitted without it"
            }
            Self::NoRatings => "the first move's advantage is not estimable: nothing is rated",
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
pub(super) fn basis(players: usize, lines: &[(LineKey, Line)]) -> FirstMoveBasis {
    if !lines.iter().any(|((.., moved_first), _)| *moved_first) {
        return FirstMoveBasis::Unknown;
    }
    match [1, -1].map(|sign| has_negative_circle(players, &edges(lines, sign))) {
        [true, true] => FirstMoveBasis::Estimated,
        [false, false] => FirstMoveBasis::Confounded,
        _ => FirstMoveBasis::Boundless,
    }
}

fn edges(lines: &[(LineKey, Line)], sign: i64) -> Vec<(usize, usize, i64)> {
    let mut edges = Vec::new();
    for &((first, second, moved_first), line) in lines {
        let length = if moved_first { sign } else { 0 };
        if line.won > 0 {
            edges.push((first, second, length));
        }
        if line.lost > 0 {
            edges.push((second, first, -length));
        }
    }
    edges
}

/// Searches with Bellman and Ford. After each round it checks whether the last edges used form a
/// cycle, which then has a negative length, so that an existing cycle is found in few rounds
/// (Cherkassky and Goldberg, Mathematical Programming 85, 1999).
fn has_negative_circle(players: usize, edges: &[(usize, usize, i64)]) -> bool {
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
        if has_circle(&before) {
            return true;
        }
    }
}

/// Returns whether the arrows contain a cycle.
fn has_circle(arrows: &[Option<usize>]) -> bool {
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
