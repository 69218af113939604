//! Pairs of searches in place of games: a tune with the objective `nodes`.

use arrayvec::ArrayVec;

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use serde::Serialize;

use super::{Plan, TunePlan};
use crate::study::draws;
use leitai_base::threads::pool;
use leitai_config::Variant;
use leitai_game::card::AnyPosition;
use leitai_game::eval::MATE;
use leitai_game::search::{SearchLimits, SearchReport};
use leitai_game::{Cause, Side, Verdict};
use leitai_players::play::{EvidenceList, GameRecord, MoveTimes, PairRecord, Ply};
use leitai_players::schedule::PairSpec;
use leitai_stats::Ranged;
use leitai_stats::bootstrap::{bootstrap, geometric_ratio};

/// Most openings of a [`NodeComparison`].
const MAX_OPENINGS: usize = 200;
/// Resamples for the interval of its ratio.
const RESAMPLES: u32 = 2000;

/// The nodes of two variants in searches of the same openings to the same depth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NodeComparison {
    /// Depth of the searches in plies.
    pub depth: u32,
    /// Number of openings, evenly spread over the book.
    pub openings: usize,
    /// Geometric mean of the second variant's nodes divided by the first's, with its 95 %
    /// interval, a bootstrap over openings.
    pub ratio: Ranged,
    /// Number of openings for which the two scores differ.
    pub other_scores: usize,
}

impl NodeComparison {
    /// Searches at most 200 openings of a tune by nodes with both variants. Depends only on the
    /// plan and the variants. Returns `None` for another tune, or if cancelled.
    pub fn new(
        plan: TunePlan<'_>,
        variants: [&Variant; 2],
        threads: NonZeroUsize,
        cancel: &AtomicBool,
    ) -> Option<Self> {
        let depth = plan.tune.depth?;
        let book = &plan.book;
        let openings = book.len().min(MAX_OPENINGS);
        let compare = |place: usize| {
            let start = book.get(place * book.len() / openings)?.position();
            let search = |variant| search(plan.plan, &*start, variant, depth, cancel);
            let [first, second] = [search(variants[0])?, search(variants[1])?];
            let nodes = [first.nodes as f64, second.nodes as f64];
            Some((nodes, first.score != second.score))
        };
        let pool = pool(threads);
        let searches = || (0..openings).into_par_iter().map(compare).collect();
        let searched: Option<Vec<_>> = pool.install(searches);
        let (nodes, differ): (Vec<_>, Vec<bool>) = searched?.into_iter().unzip();
        Some(Self {
            depth,
            openings,
            ratio: bootstrap(&nodes, RESAMPLES, draws(plan.config.seed), geometric_ratio),
            other_scores: differ.into_iter().filter(|differs| *differs).count(),
        })
    }

    /// Describes the comparison of a tuned variant with its start.
    pub fn sentence(&self) -> String {
        let [value, low, high] = [self.ratio.value, self.ratio.low, self.ratio.high]
            .map(|value| value.map_or("-".to_owned(), |value| format!("{value:.3}")));
        format!(
            "tuned / start: {value} of the nodes ({low} .. {high}) over {} openings to depth {}; \
             other scores: {}",
            self.openings, self.depth, self.other_scores
        )
    }
}

/// Searches `start` to `depth` with both variants, each with an empty hash table, and records the
/// searches as two games of at most one move. The variant with fewer nodes wins one game and draws
/// the other; with at least 5 % fewer nodes it wins both. Returns `None` if cancelled.
pub(super) fn search_pair(
    plan: &Plan,
    spec: &PairSpec,
    start: &dyn AnyPosition,
    variants: &[Variant; 2],
    depth: u32,
    cancel: &AtomicBool,
) -> Option<PairRecord> {
    let search = |variant| search(plan, start, variant, depth, cancel);
    let reports = [search(&variants[0])?, search(&variants[1])?];
    let cell = pentanomial_cell(reports.each_ref().map(|report| report.nodes));
    let game = |number: usize| {
        // The variants by side, and the side of the first variant.
        let (sides, own) = ([[0, 1], [1, 0]][number], Side::BOTH[number]);
        let report = &reports[sides[start.side_to_move().index()]];
        let ply = |mv| Ply {
            mv,
            score: Some(report.score.clamp(-MATE, MATE) as i16),
            depth: report.depth.min(255) as u8,
            nodes: u32::try_from(report.nodes).unwrap_or(u32::MAX),
        };
        let winner = match [cell.div_ceil(2), cell / 2][number] {
            0 => Some(own.other()),
            2 => Some(own),
            _ => None,
        };
        GameRecord {
            first: spec.variants[sides[0]],
            second: spec.variants[sides[1]],
            plies: report.best.map(ply).into_iter().collect(),
            verdict: Verdict {
                winner,
                cause: Cause::NodeCount,
            },
            drawn_by: None,
            times: MoveTimes::default(),
            pv_warnings: Vec::new(),
        }
    };
    let games = ArrayVec::from([game(0), game(1)]);
    let evidence = EvidenceList::default();
    Some(PairRecord::new(
        spec.index,
        games,
        Vec::new(),
        evidence,
        start,
    ))
}

/// The pentanomial cell of two searches with these nodes, from the first one's point of view.
fn pentanomial_cell([own, other]: [u64; 2]) -> usize {
    let is_clear = |less: u64, more: u64| u128::from(less) * 20 <= u128::from(more) * 19;
    match own.cmp(&other) {
        std::cmp::Ordering::Equal => 2,
        std::cmp::Ordering::Less => 3 + usize::from(is_clear(own, other)),
        std::cmp::Ordering::Greater => 1 - usize::from(is_clear(other, own)),
    }
}

/// The search of one variant; `None` if it was cancelled.
fn search(
    plan: &Plan,
    start: &dyn AnyPosition,
    variant: &Variant,
    depth: u32,
    cancel: &AtomicBool,
) -> Option<SearchReport> {
    let game = &plan.config.game;
    let mut thinker = game
        .card
        .thinker(&variant.search, &variant.eval, &game.rules)?;
    let limits = SearchLimits {
        nodes: None,
        depth: Some(depth),
    };
    let stop = || cancel.load(Ordering::Relaxed);
    let report = thinker.run(&*game.card.line(start), &limits, &stop, None);
    (!stop()).then_some(report)
}

#[cfg(test)]
mod tests {
    use leitai_config::parse;
    use leitai_players::schedule::Book;

    use super::*;

    #[test]
    fn the_nodes_of_two_orders_are_compared_over_the_book() {
        let text = "game = \"xiangqi\"\nlimits = { nodes = 9 }\nopenings = { file = \"b.epd\" }\n\
            [tune]\nobjective = \"nodes\"\ndepth = 2\ngames = 100\n\
            [[tune.parameter]]\npath = \"search.quiet_order.horse\"\n\
            [[variant]]\nname = \"a\"\n\
            search = { ordering = [\"tt\", \"good-captures\", \"static-quiets\"], table_mb = 1 }\n";
        let loaded = parse(text, "t.toml", &leitai_games::all()).unwrap();
        let lines = include_str!("../../../../openings/xiangqi.epd");
        let book = Book::parse(leitai_xiangqi::card(), lines, "b.epd").unwrap();
        let plan = Plan::new(loaded.config, book).unwrap();
        let tune = plan.tune().unwrap();
        let start = tune.start_variant();
        let of = |variant: &Variant, threads| {
            let threads = NonZeroUsize::new(threads).unwrap();
            NodeComparison::new(tune, [start, variant], threads, &AtomicBool::new(false)).unwrap()
        };
        let same = of(start, 1);
        assert_eq!((same.depth, same.openings, same.other_scores), (2, 200, 0));
        assert_eq!(same.ratio.value, Some(1.0));
        let other = of(&tune.with_values(start, &[100.0]), 2);
        assert_eq!(other, of(&tune.with_values(start, &[100.0]), 1));
        assert_ne!(other.ratio.value, Some(1.0));
        assert_eq!(other.other_scores, 0);
        let said = same.sentence();
        let expected = "tuned / start: 1.000 of the nodes (1.000 .. 1.000) over 200 openings to depth 2; other scores: 0";
        assert_eq!(said, expected);
        let stopped = AtomicBool::new(true);
        let one = NonZeroUsize::MIN;
        assert_eq!(NodeComparison::new(tune, [start; 2], one, &stopped), None);
    }

    #[test]
    fn fewer_nodes_win_and_five_percent_fewer_win_clearly() {
        for (nodes, expected) in [
            ([100, 100], 2),
            ([99, 100], 3),
            ([96, 100], 3),
            ([95, 100], 4),
            ([100, 95], 0),
            ([100, 96], 1),
            ([0, 0], 2),
            ([0, 1], 4),
            ([u64::MAX, u64::MAX - 1], 1),
        ] {
            assert_eq!(pentanomial_cell(nodes), expected, "{nodes:?}");
        }
    }
}
