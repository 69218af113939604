//! Pairs of searches in place of games: a tune with the objective `nodes`.

use std::sync::atomic::{AtomicBool, Ordering};

use super::Plan;
use leitai_config::Variant;
use leitai_game::card::AnyPosition;
use leitai_game::eval::MATE;
use leitai_game::search::{SearchLimits, SearchReport};
use leitai_game::{Cause, Side, Verdict};
use leitai_players::play::{EvidenceList, GameRecord, MoveTimes, PairRecord, Ply};
use leitai_players::schedule::PairSpec;

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
    let games = [game(0), game(1)];
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
    use super::*;

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
