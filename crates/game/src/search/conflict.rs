//! Conflicts between switches, and the switches that change scores.

use super::{Algorithm, DeepeningKind, SearchParams, Stage};

impl SearchParams {
    /// A setting that cannot work with the others, and the help; `None` if there is none.
    pub fn conflict(&self) -> Option<(String, &'static str)> {
        let name = self.algorithm.name();
        let needs_window = self.is_selective() || self.aspiration.is_some() || self.mate_distance;
        if !self.algorithm.has_window() && needs_window {
            return Some((
                format!(
                    "the algorithm `{name}` has no window: nothing can be pruned, reduced or extended by it"
                ),
                "choose `fail-hard`, `fail-soft` or `pvs`, or turn the other switches off",
            ));
        }
        if self.auxiliary.is_some() && self.aspiration.is_some() {
            return Some((
                "`auxiliary` needs the exact values of all moves of the root, and `aspiration` \
                 is there to do without them"
                    .to_owned(),
                "turn one of them off",
            ));
        }
        let seeks_move = self.internal_deepening.is_some() && !self.reduces();
        if seeks_move && !self.ordering.contains(&Stage::Tt) {
            return Some((
                "`internal_deepening` finds a move for the stage `tt`, which `ordering` lacks"
                    .to_owned(),
                "add `tt` to `ordering`, at the front",
            ));
        }
        if seeks_move && self.algorithm == Algorithm::Minimax {
            return Some((
                "`minimax` tries every move: `internal_deepening` can save nothing".to_owned(),
                "choose another algorithm, or turn `internal_deepening` off",
            ));
        }
        let by_search = self.ordering.contains(&Stage::ShallowSearch);
        if by_search && self.algorithm == Algorithm::Minimax {
            return Some((
                "`minimax` tries every move: the stage `shallow-search` can save nothing"
                    .to_owned(),
                "choose another algorithm, or take `shallow-search` out of `ordering`",
            ));
        }
        if self.reduces() && (self.table_mb == 0 || !self.ordering.contains(&Stage::Tt)) {
            return Some((
                "`internal_deepening` of the kind `reduce` goes by the table's moves, and there \
                 are none: it would make every search shallower"
                    .to_owned(),
                "turn it off, or give `table_mb` a size and `ordering` the stage `tt`",
            ));
        }
        let remembers = self
            .quiescence
            .as_ref()
            .is_some_and(|settings| settings.table);
        if remembers && self.algorithm == Algorithm::Minimax {
            return Some((
                "`minimax` remembers nothing, but `quiescence.table` is on".to_owned(),
                "choose another algorithm, or turn `quiescence.table` off",
            ));
        }
        None
    }

    /// Returns whether any setting may prune, shorten or lengthen a line. If not, every ordering
    /// finds the same score.
    pub fn is_selective(&self) -> bool {
        self.check_extension.is_some()
            || self.null_move.is_some()
            || self.late_move_reductions.is_some()
            || self.late_move_pruning.is_some()
            || self.futility.is_some()
            || self.reverse_futility.is_some()
            || self.razoring.is_some()
            || self.exchange_pruning.is_some()
            || self.history_pruning.is_some()
            || self.singular_extension.is_some()
            || self.prob_cut.is_some()
            || self.multi_prob_cut.is_some()
            || self.correction_history.is_some()
            || self.lazy_evaluation > 0
            || self
                .quiescence
                .as_ref()
                .is_some_and(|settings| settings.delta > 0)
            || self.reduces()
    }

    /// Returns whether internal deepening reduces the depth instead of searching for a move.
    fn reduces(&self) -> bool {
        let deepening = self.internal_deepening.as_ref();
        deepening.is_some_and(|deepening| deepening.kind == DeepeningKind::Reduce)
    }
}
