//! From cells to figures: means, ratios and quality by variant and depth.

use super::compare::compare;
use super::figures::{DepthFigures, Difference, Figures, Quality, SearchEffort, VariantFigures};
use super::{Cells, Iteration, Task};
use leitai_config::Variant;
use leitai_game::search::Counters;

/// The leaves of a uniform tree of `branching` moves per position that
/// alpha-beta visits with the best order of moves: b^⌈d/2⌉ + b^⌊d/2⌋ - 1 (Knuth
/// and Moore, Artificial Intelligence 6, 1975).
fn knuth_moore(branching: f64, depth: u32) -> f64 {
    branching.powi(depth.div_ceil(2) as i32) + branching.powi((depth / 2) as i32) - 1.0
}

impl Figures {
    /// Computes the figures of `cells` with the seed and number of the resamples; reports times if
    /// `times` is true.
    pub fn new(task: &Task<'_>, cells: &Cells, (seed, resamples): (u64, u32), times: bool) -> Self {
        let openings = task.suite;
        let moves = openings
            .iter()
            .map(|opening| opening.position().count_legal_moves() as f64);
        let mean_moves = moves.sum::<f64>() / openings.len() as f64;
        let fold = Fold {
            cells,
            seed,
            resamples,
            times,
            positions: openings.len(),
        };
        let figures = |(index, variant): (usize, &Variant)| VariantFigures {
            name: variant.name.clone(),
            deepening: variant.search.deepening,
            depths: (1..=task.depth)
                .map(|depth| fold.at(index, depth))
                .collect(),
        };
        Self {
            game: task.game.name(),
            positions: openings.len(),
            mean_moves,
            depth: task.depth,
            node_limit: task.nodes,
            seed,
            resamples,
            minimum_leaves: (1..=task.depth)
                .map(|depth| knuth_moore(mean_moves, depth))
                .collect(),
            variants: task.variants.iter().enumerate().map(figures).collect(),
            games: Vec::new(),
        }
    }
}

struct Fold<'a> {
    cells: &'a Cells,
    seed: u64,
    resamples: u32,
    times: bool,
    positions: usize,
}

impl Fold<'_> {
    fn at(&self, variant: usize, depth: u32) -> DepthFigures {
        let used = self.cells.finished(depth);
        let own: Vec<&Iteration> = self.iterations(variant, depth, &used);
        let first: Vec<&Iteration> = self.iterations(0, depth, &used);
        let reached = (0..self.positions)
            .filter(|&position| self.cells.iterations(variant, position).len() >= depth as usize);
        let spending = |of: fn(&Iteration) -> f64| {
            let pairs = first.iter().zip(&own);
            let pairs: Vec<_> = pairs.map(|(first, own)| [of(first), of(own)]).collect();
            self.spending(variant, &pairs)
        };
        let timed = |of: fn(&Iteration) -> f64| self.times.then(|| spending(of));
        let before = self.iterations(variant, depth - 1, &used);
        let growth = own.iter().zip(&before);
        let growth = growth.map(|(own, before)| own.nodes as f64 / before.nodes as f64);
        let root = f64::from(depth).recip();
        DepthFigures {
            depth,
            positions: used.len(),
            given_up: self.positions - reached.count(),
            nodes: spending(|iteration| iteration.nodes as f64),
            total_nodes: spending(|iteration| iteration.total_nodes as f64),
            seconds: timed(|iteration| iteration.time.as_secs_f64()),
            total_seconds: timed(|iteration| iteration.total_time.as_secs_f64()),
            differs: difference(&first, &own),
            quality: quality(&own),
            branching: geometric_mean(growth),
            nodes_root: geometric_mean(own.iter().map(|own| libm::pow(own.nodes as f64, root))),
        }
    }

    /// The iterations to `depth` on the `used` positions; none at depth 0.
    fn iterations(&self, variant: usize, depth: u32, used: &[usize]) -> Vec<&Iteration> {
        used.iter()
            .filter_map(|&position| {
                self.cells
                    .iterations(variant, position)
                    .get(depth.checked_sub(1)? as usize)
            })
            .collect()
    }

    fn spending(&self, variant: usize, pairs: &[[f64; 2]]) -> SearchEffort {
        let own = pairs.iter().map(|[_, own]| *own);
        SearchEffort {
            mean: (!pairs.is_empty()).then(|| own.clone().sum::<f64>() / pairs.len() as f64),
            geometric_mean: geometric_mean(own),
            versus_first: (variant > 0).then(|| compare(pairs, self.seed, self.resamples)),
        }
    }
}

/// The geometric mean; `None` without values, or if a value is not above 0.
fn geometric_mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), value| {
        (sum + libm::log(value), count + 1)
    });
    let mean = libm::exp(sum / f64::from(count));
    (mean.is_finite() && mean > 0.0).then_some(mean)
}

fn difference(first: &[&Iteration], own: &[&Iteration]) -> Difference {
    let pairs = || first.iter().zip(own);
    Difference {
        scores: pairs().filter(|(a, b)| a.score != b.score).count(),
        moves: pairs().filter(|(a, b)| a.best != b.best).count(),
    }
}

fn quality(own: &[&Iteration]) -> Quality {
    let nodes: u64 = own.iter().map(|iteration| iteration.nodes).sum();
    let sum = |of: fn(&Counters) -> u64| -> u64 {
        own.iter().map(|iteration| of(&iteration.counters)).sum()
    };
    let share = |part: u64, whole: u64| (whole > 0).then(|| part as f64 / whole as f64);
    let cutoffs = sum(|counters| counters.cutoffs);
    let probes = sum(|counters| counters.table_probes);
    Quality {
        first_move: share(sum(|counters| counters.first_move_cutoffs), cutoffs),
        cutoff_number: share(sum(|counters| counters.cutoff_numbers), cutoffs),
        table_hits: share(sum(|counters| counters.table_hits), probes),
        table_cutoffs: share(sum(|counters| counters.table_cutoffs), probes),
        quiescence: share(sum(|counters| counters.quiescence_nodes), nodes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_minimum_is_that_of_knuth_and_moore() {
        let minimum = |depth| knuth_moore(42.0, depth) as u64;
        // b = 42, by the formulas of Yue & Feng (2009) for even and odd depths.
        let known = [42, 83, 1_805, 3_527, 75_851, 148_175];
        assert_eq!([1, 2, 3, 4, 5, 6].map(minimum), known);
    }

    fn iteration(nodes: u64, score: i32) -> Iteration {
        Iteration {
            nodes,
            total_nodes: nodes + 7,
            score,
            best: None,
            counters: Counters {
                quiescence_nodes: nodes / 4,
                table_probes: 10,
                table_hits: 5,
                table_cutoffs: 1,
                cutoffs: 8,
                first_move_cutoffs: 6,
                cutoff_numbers: 12,
            },
            time: std::time::Duration::ZERO,
            total_time: std::time::Duration::ZERO,
        }
    }

    fn fold(cells: &Cells, positions: usize) -> Fold<'_> {
        Fold {
            cells,
            seed: 1,
            resamples: 200,
            times: false,
            positions,
        }
    }

    /// Two variants on eight positions. The second needs a quarter of the first's nodes, but gives
    /// up the last position at depth 2.
    fn example() -> Cells {
        let mut cells = Vec::new();
        for position in 1..=8 {
            let base = 100 * position;
            cells.push(Some(vec![iteration(40, 0), iteration(4 * base, 5)]));
            let mut other = vec![
                iteration(40, 0),
                iteration(base, 5 + i32::from(position == 3)),
            ];
            other.truncate(if position == 8 { 1 } else { 2 });
            cells.push(Some(other));
        }
        Cells::new(2, cells)
    }

    fn near(value: Option<f64>, expected: f64) -> bool {
        value.is_some_and(|value| (value - expected).abs() < 1e-9)
    }

    #[test]
    fn positions_that_one_variant_gives_up_count_for_none() {
        let cells = example();
        let fold = fold(&cells, 8);
        let [first, second] = [0, 1].map(|variant| fold.at(variant, 2));
        assert_eq!([first.positions, second.positions], [7, 7]);
        assert_eq!([first.given_up, second.given_up], [0, 1]);
        // The mean of 1 to 7 is 4. The eighth position would make it 4.5.
        assert!(near(first.nodes.mean, 1600.0) && near(second.nodes.mean, 400.0));
        assert!(near(second.total_nodes.mean, 407.0));
    }

    #[test]
    fn the_figures_are_those_of_their_definitions() {
        let cells = example();
        let fold = fold(&cells, 8);
        let at = fold.at(1, 2);
        let versus = at.nodes.versus_first.unwrap();
        for range in [versus.ratio, versus.ratio_of_means] {
            assert!(near(range.value, 0.25) && near(range.low, 0.25) && near(range.high, 0.25));
        }
        assert_eq!((at.differs.scores, at.differs.moves), (1, 0));
        let quality = at.quality;
        assert!(near(quality.first_move, 0.75) && near(quality.cutoff_number, 1.5));
        assert!(near(quality.table_hits, 0.5) && near(quality.table_cutoffs, 0.1));
        assert!(near(quality.quiescence, 0.25));
        // The geometric mean of 100 to 700, which is 100 times the root of 7!.
        let geometric = 100.0 * libm::pow(5040.0, 1.0 / 7.0);
        assert!(near(at.nodes.geometric_mean, geometric));
        assert!(near(at.branching, geometric / 40.0));
        assert!(near(at.nodes_root, geometric.sqrt()));
        let one = fold.at(0, 1);
        assert_eq!((one.branching, one.nodes.versus_first), (None, None));
        assert!(one.seconds.is_none());
    }

    #[test]
    fn a_depth_without_results_is_left_out() {
        let cells = example();
        let at = fold(&cells, 8).at(1, 3);
        assert_eq!((at.positions, at.given_up), (0, 8));
        assert_eq!(
            (at.nodes.mean, at.branching, at.quality.first_move),
            (None, None, None)
        );
        assert_eq!(
            at.nodes.versus_first.unwrap().ratio,
            leitai_stats::Ranged::NOTHING
        );
    }
}
