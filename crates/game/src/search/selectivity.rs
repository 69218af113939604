//! Pruning, reductions and extensions.
//!
//! All arithmetic is in integers: floating-point logarithms differ between machines.

use super::moves::{CurrentMove, MoveSearch};
use super::{
    ExchangePruning, LateMovePruning, LateMoveReductions, NullMove, ReverseFutility, SearchParams,
};
use crate::eval::{MAX_EVAL, Score};

impl SearchParams {
    /// Returns whether any pruning needs the static evaluation of a position.
    pub(super) fn uses_evaluation(&self) -> bool {
        self.null_move.is_some()
            || self.futility.is_some()
            || self.reverse_futility.is_some()
            || self.razoring.is_some()
            || self.late_move_pruning.is_some()
            || self.prob_cut.is_some()
            || self.multi_prob_cut.is_some()
            || self.correction_history.is_some()
            || self.late_move_reductions.is_some()
    }
}

/// The margin at this depth, with `base` at depth 0 and `slope` for each ply.
#[inline]
pub(super) fn margin(base: u32, slope: u32, depth: u32) -> Score {
    (base + slope * depth) as Score
}

/// Half of `depth`, or a ply less, so that the same side makes the last move.
#[inline]
pub fn half_depth(depth: u32) -> u32 {
    let half = depth / 2;
    half - (depth - half) % 2
}

impl NullMove {
    /// Reduction in plies of the null-move search from `depth`, in a position whose evaluation is
    /// `above` beta.
    pub(super) fn reduction(&self, depth: u32, above: Score) -> u32 {
        let by_depth = depth.checked_div(self.depth_divisor).unwrap_or(0);
        let by_margin = (above.max(0) as u32)
            .checked_div(self.margin_divisor)
            .unwrap_or(0);
        1 + self.reduction + by_depth + by_margin.min(3)
    }
}

impl LateMovePruning {
    /// Number of quiet moves to search at this depth.
    #[inline]
    pub(super) fn quiets(&self, depth: u32, improving: bool) -> u32 {
        let most = self.base + self.slope * depth * depth / 100;
        if improving { most } else { most.div_ceil(2) }
    }
}

impl ReverseFutility {
    #[inline]
    pub(super) fn margin(&self, depth: u32, improving: bool) -> Score {
        let margin = self.slope * depth;
        let bonus = if improving {
            self.slope.min(margin) / 2
        } else {
            0
        };
        (margin - bonus) as Score
    }
}

impl ExchangePruning {
    /// The loss by exchange allowed at this depth, as a negative number.
    #[inline]
    pub(super) fn threshold(&self, depth: u32, is_capture: bool) -> i32 {
        let each = if is_capture { self.capture } else { self.quiet };
        -((each * depth) as i32)
    }
}

/// Late move reductions by depth and move number.
pub(super) struct Reductions {
    params: LateMoveReductions,
    /// Reductions in hundredths of a ply.
    hundredths: Vec<[i32; SIZE]>,
}

const SIZE: usize = 64;

impl Reductions {
    pub(super) fn new(params: &LateMoveReductions) -> Self {
        let row = |depth: usize| {
            std::array::from_fn(|number| {
                let product = u64::from(log2(depth as u32)) * u64::from(log2(number as u32));
                (u64::from(params.base) + ((u64::from(params.slope) * product) >> 16)) as i32
            })
        };
        Self {
            params: params.clone(),
            hundredths: (0..SIZE).map(row).collect(),
        }
    }

    /// The depth for searching a move again after a reduced search with the score `score` above
    /// alpha; `best` is the best score so far, `depth` the usual depth.
    #[inline]
    pub(super) fn depth_after(&self, depth: u32, score: Score, best: Score) -> u32 {
        let params = &self.params;
        let above = score.saturating_sub(best);
        let deeper = params.deeper > 0 && above > params.deeper as Score;
        let shallower = params.shallower > 0 && above < params.shallower as Score;
        (depth + u32::from(deeper)).saturating_sub(u32::from(shallower && depth > 1))
    }

    /// Reduction in hundredths of a ply for the move with this number, 1 for the first.
    #[inline]
    fn hundredths(&self, depth: u32, number: u32) -> i32 {
        self.hundredths[(depth as usize).min(SIZE - 1)][(number as usize).min(SIZE - 1)]
    }

    /// Plies by which the current move is reduced at first; `score` is its history score.
    #[inline]
    pub(super) fn plies(
        &self,
        present: CurrentMove,
        search: &MoveSearch,
        score: impl FnOnce() -> i32,
    ) -> u32 {
        let params = &self.params;
        let MoveSearch {
            node,
            standing,
            number,
            ..
        } = search;
        if *number <= params.full_moves
            || node.depth < params.min_depth
            || (present.is_capture && params.captures == 0)
            || standing.in_check
        {
            return 0;
        }
        let mut hundredths = self.hundredths(node.depth, *number);
        if standing.is_pv {
            hundredths -= params.pv as i32;
        }
        if !standing.improving {
            hundredths += params.worsening as i32;
        }
        if node.cuts {
            hundredths += params.cut as i32;
        }
        if present.is_capture {
            hundredths -= params.captures as i32;
        } else if present.is_hint {
            hundredths -= params.hint as i32;
        } else if params.history > 0 {
            let plies = i64::from(score()) * 100 / i64::from(params.history);
            hundredths -= plies.clamp(-200, 200) as i32;
        }
        // At least one ply remains before the quiescence search.
        ((hundredths / 100).max(0) as u32).min(node.depth.saturating_sub(2))
    }
}

/// The logarithm to base 2 with eight bits after the point; 0 for 0.
fn log2(number: u32) -> u32 {
    let Some(whole) = number.checked_ilog2() else {
        return 0;
    };
    // In [1, 2) with 31 fractional bits; squaring doubles the logarithm.
    let mut rest = u64::from(number) << (31 - whole);
    let mut bits = whole;
    for _ in 0..8 {
        rest = (rest * rest) >> 31;
        let carry = (rest >> 32) as u32;
        rest >>= carry;
        bits = bits << 1 | carry;
    }
    bits
}

/// Returns whether a score is within the range of evaluations, where margins are meaningful.
#[inline]
pub(super) fn is_ordinary(score: Score) -> bool {
    (-MAX_EVAL..=MAX_EVAL).contains(&score)
}

#[cfg(test)]
mod tests {
    use super::super::tree::{INFINITY, Node, NodeData};
    use super::*;
    use crate::Move;

    #[test]
    fn logarithms_are_those_of_mathematics() {
        assert_eq!([0, 1, 2, 4, 64].map(log2), [0, 0, 256, 512, 1536]);
        for number in 1..=10_000_u32 {
            let exact = libm::log2(f64::from(number)) * 256.0;
            let error = exact - f64::from(log2(number));
            assert!((0.0..1.001).contains(&error), "{number}: {error}");
        }
    }

    #[test]
    fn reductions_grow_with_depth_and_number() {
        let params = LateMoveReductions::default();
        let reductions = Reductions::new(&params);
        assert_eq!(reductions.hundredths(1, 10), params.base as i32);
        // log2(8) * log2(16) = 12.
        let expected = params.base + 12 * params.slope;
        assert_eq!(reductions.hundredths(8, 16), expected as i32);
        for depth in 1..100 {
            for number in 1..100 {
                let here = reductions.hundredths(depth, number);
                assert!(reductions.hundredths(depth + 1, number) >= here);
                assert!(reductions.hundredths(depth, number + 1) >= here);
            }
        }
    }

    #[test]
    fn a_reduction_depends_on_the_node_and_the_move() {
        let reductions = Reductions::new(&LateMoveReductions {
            base: 250,
            slope: 0,
            history: 1000,
            pv: 110,
            worsening: 120,
            hint: 130,
            cut: 200,
            captures: 90,
            ..LateMoveReductions::default()
        });
        let node = Node {
            depth: 12,
            ply: 3,
            alpha: 0,
            beta: 1,
            extensions: 0,
            may_pass: true,
            cuts: false,
            without: None,
        };
        let standing = NodeData {
            in_check: false,
            evaluation: 0,
            own: 0,
            improving: true,
            is_pv: false,
        };
        let search = MoveSearch {
            node,
            key: 0,
            standing,
            number: 9,
            quiets: 9,
        };
        let quiet = CurrentMove {
            mv: Move(0),
            is_capture: false,
            is_hint: false,
            extension: 0,
        };
        let plies =
            |search: &MoveSearch, present, score| reductions.plies(present, search, || score);
        let of_node = |node, standing| {
            let changed = MoveSearch {
                node,
                standing,
                ..search
            };
            plies(&changed, quiet, 0)
        };
        assert_eq!(of_node(node, standing), 2);
        let checked = NodeData {
            in_check: true,
            ..standing
        };
        assert_eq!(of_node(node, checked), 0);
        let may_be_principal = NodeData {
            is_pv: true,
            ..standing
        };
        assert_eq!(of_node(node, may_be_principal), 1);
        let worse = NodeData {
            improving: false,
            ..standing
        };
        assert_eq!(of_node(node, worse), 3);
        assert_eq!(of_node(Node { cuts: true, ..node }, standing), 4);
        assert_eq!(
            of_node(Node { depth: 3, ..node }, standing),
            1,
            "one is left"
        );
        assert_eq!(of_node(Node { depth: 2, ..node }, standing), 0);
        let early = MoveSearch {
            number: 3,
            ..search
        };
        assert_eq!(plies(&early, quiet, 0), 0);
        let capture = CurrentMove {
            is_capture: true,
            ..quiet
        };
        let hint = CurrentMove {
            is_hint: true,
            ..quiet
        };
        let scores = [0, 500, 600, -500, -9000];
        assert_eq!(
            scores.map(|score| plies(&search, quiet, score)),
            [2, 2, 1, 3, 4]
        );
        assert_eq!(scores.map(|score| plies(&search, hint, score)), [1; 5]);
        assert_eq!(scores.map(|score| plies(&search, capture, score)), [1; 5]);
        let without = Reductions::new(&LateMoveReductions::default());
        assert_eq!(
            without.plies(capture, &search, || 0),
            0,
            "captures are not reduced"
        );
    }

    #[test]
    fn a_reduced_search_decides_how_deep_the_next_one_is() {
        let reductions = |deeper, shallower| {
            Reductions::new(&LateMoveReductions {
                deeper,
                shallower,
                ..LateMoveReductions::default()
            })
        };
        let both = reductions(50, 5);
        for (score, depth) in [(4, 5), (5, 6), (50, 6), (51, 7)] {
            assert_eq!(both.depth_after(6, score, 0), depth, "{score}");
        }
        assert_eq!(both.depth_after(1, 1, 0), 1, "never to the horizon");
        assert_eq!(both.depth_after(6, 0, -INFINITY), 7, "no best one yet");
        let neither = reductions(0, 0);
        assert_eq!(neither.depth_after(6, 1, 0), 6);
        assert_eq!(neither.depth_after(6, 9000, 0), 6);
    }

    #[test]
    fn margins_and_counts() {
        let null_move = NullMove {
            reduction: 2,
            depth_divisor: 4,
            margin_divisor: 100,
            ..NullMove::default()
        };
        assert_eq!(null_move.reduction(3, 0), 3);
        assert_eq!(null_move.reduction(8, 250), 3 + 2 + 2);
        assert_eq!(null_move.reduction(8, 5000), 3 + 2 + 3);
        let plain = NullMove::default();
        assert_eq!(plain.reduction(20, 9000), 1 + plain.reduction);
        let pruning = LateMovePruning {
            max_depth: 4,
            base: 3,
            slope: 100,
        };
        assert_eq!(pruning.quiets(2, true), 7);
        assert_eq!(pruning.quiets(2, false), 4);
        let reverse = ReverseFutility {
            max_depth: 6,
            slope: 80,
        };
        assert_eq!(reverse.margin(2, false), 160);
        assert_eq!(reverse.margin(2, true), 120);
        let exchange = ExchangePruning::default();
        assert_eq!(exchange.threshold(3, true), -3 * exchange.capture as i32);
    }
}
