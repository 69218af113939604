//! The advantage of the first move: whether the games tell it at all.

use serde::{Deserialize, Serialize};

use super::evidence::{Line, LineKey};

/// What to do about the advantage of the first move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum FirstMove {
    /// Fit it together with the ratings.
    #[default]
    Estimate,
    /// Take it as known, in Elo; 0 leaves it out.
    Fixed(f64),
}

/// How the advantage of the first move was treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FirstMoveBasis {
    /// Fitted together with the ratings.
    Estimated,
    /// Given.
    Fixed,
    /// Not fitted: no game within a group tells who moved first.
    Unknown,
    /// Not fitted: who moved first never changed in a way that would tell the
    /// advantage from the ratings, as when one player had it in all games.
    Confounded,
    /// Not fitted: the likelihood rises without end towards a huge advantage,
    /// as when the first mover won every game; or towards a huge disadvantage.
    Boundless,
    /// Not fitted: no group has ratings, or the numbers are beyond double
    /// precision.
    NoRatings,
}

impl FirstMoveBasis {
    /// One line for a reader; empty if it was fitted or given.
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

/// Whether ratings and advantage have a finite maximum together, given that
/// the ratings alone have one.
///
/// The likelihood rises without end along a direction (δ, η), η = ±1, if
/// δᵢ - δⱼ + η ≥ 0 wherever the first mover i scored against j, and ≤ 0
/// wherever j scored. Such a δ is a potential of the graph with an edge from
/// scorer to opponent of length η for the first mover and -η for the second;
/// it exists unless a circle has a negative length (Bellman and Ford). If
/// there is one for both signs, the likelihood is level along it.
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

/// By Bellman and Ford; whether the edges that were used last form a circle, which
/// has a negative length then, is looked at after each round, so that one that is
/// there costs few rounds (Cherkassky and Goldberg, Mathematical Programming 85,
/// 1999).
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

/// Whether following the arrows from somewhere comes back there.
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
