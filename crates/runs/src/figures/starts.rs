//! Start plies of games, and checks that all pairs measure the same difference.

use std::fmt::{self, Display, Formatter};

use serde::Serialize;

use crate::tournament::{Standings, StartPlies};
use leitai_base::count::count;
use leitai_stats::{Effect, FEW_CLUSTERS, Ranged, estimate_clustered};

/// The start plies of games, counted from the usual start of the game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct StartPly {
    /// The earliest start ply.
    pub least: u32,
    /// Mean over pairs.
    pub mean: f64,
    /// The latest start ply.
    pub most: u32,
}

impl StartPly {
    /// Returns the start plies of a run, or `None` if they are unknown for all openings.
    pub(super) fn of(plies: &StartPlies) -> Option<Self> {
        let [least, most] = plies.range?;
        let mean = plies.sum as f64 / plies.pairs as f64;
        Some(Self { least, mean, most })
    }
}

/// `ply 8`, or `plies 6 to 10 (mean 8.2)`.
impl Display for StartPly {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { least, mean, most } = self;
        if least == most {
            write!(f, "ply {least}")
        } else {
            write!(f, "plies {least} to {most} (mean {mean:.1})")
        }
    }
}

/// The pairs of the first lap through a book, or of the later laps.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct LapSummary {
    /// Number of pairs.
    pub pairs: u64,
    /// Elo with a 95 % interval.
    pub elo: Ranged,
}

/// The first lap through a book and the later laps, separately.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct LapsSummary {
    /// Pairs of the first lap.
    pub first: LapSummary,
    /// Pairs that repeat an opening.
    pub later: LapSummary,
    /// The p-value of the hypothesis that both have the same strength; `None` for too few openings.
    pub p_value: Option<f64>,
    /// True if the laps differ: p < 0.01, divided by the number of pairings.
    pub differ: bool,
}

/// The share of runs whose laps seem to differ by chance alone.
const LEVEL: f64 = 0.01;

impl LapsSummary {
    /// Summarizes the laps of a pairing; `None` without later laps.
    pub(super) fn of(standings: &Standings, pairing: usize) -> Option<Self> {
        let laps = standings.laps(pairing)?;
        let lap = |pairs, effect| LapSummary {
            pairs: leitai_stats::Pentanomial::pairs(&pairs),
            elo: estimate_clustered(pairs, effect).elo,
        };
        let level = LEVEL / standings.tallies().count() as f64;
        Some(Self {
            first: lap(laps.first, Effect::NONE),
            later: lap(laps.later, laps.effect),
            p_value: laps.p_value,
            differ: laps.p_value.is_some_and(|p| p < level),
        })
    }
}

/// Returns the reasons why error rates and intervals may not hold for pairings with these laps.
pub(super) fn why_not<'l>(
    standings: &Standings,
    laps: impl IntoIterator<Item = &'l LapsSummary>,
) -> Option<String> {
    let mut laps = laps.into_iter();
    let differ = laps.find(|laps| laps.differ).map(|laps| {
        format!(
            "the first lap through the book and the later laps measure different strengths \
             (p {}): play a longer book",
            match laps.p_value.unwrap_or_default() {
                p if p < 1e-4 => "< 0.0001".to_owned(),
                p => format!("= {p:.4}"),
            }
        )
    });
    let reasons = [few_clusters(standings), deeper(standings), differ];
    let reasons: Vec<String> = reasons.into_iter().flatten().collect();
    (!reasons.is_empty()).then(|| reasons.join("; "))
}

fn deeper(standings: &Standings) -> Option<String> {
    let deeper = standings.deeper;
    (deeper > 0).then(|| {
        format!(
            "{deeper} of {} begin two plies deeper than their openings, which lack a line of two \
             moves or more from the usual start; the start ply changes the measured Elo: use a \
             longer book, or lines of moves",
            count(standings.played - standings.duplicates, "pair", "pairs")
        )
    })
}

/// A warning if the pairs belong to few clusters of openings.
fn few_clusters(standings: &Standings) -> Option<String> {
    let clusters = standings.clusters();
    let counted = standings.played - standings.duplicates;
    (clusters < counted.min(FEW_CLUSTERS)).then(|| {
        if standings.is_from_one_opening() {
            return format!(
                "all pairs start from one opening, and intervals hold for that opening only; \
                 play {FEW_CLUSTERS} unrelated openings or more (`leitai openings generate`)"
            );
        }
        format!(
            "pairs from the same opening, or from openings that lead into each other, are not \
             independent, and {} {} too few to estimate an error: play {FEW_CLUSTERS} unrelated \
             openings or more (`leitai openings generate`)",
            count(clusters, "cluster of them", "clusters of them"),
            if clusters == 1 { "is" } else { "are" },
        )
    })
}
