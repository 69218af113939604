//! Conflicts between switches, and the switches that change scores.

use super::{Algorithm, DeepeningKind, SearchParams, Stage};
use crate::numbers::Useless;
use leitai_base::settings::Settings;

impl SearchParams {
    /// A setting that is out of its range or cannot work with the others, and the help; `None` if
    /// there is none.
    pub fn conflict(&self) -> Option<(String, &'static str)> {
        if let Some(problem) = self.out_of_range() {
            return Some((problem, "write a number of the range"));
        }
        let name = self.algorithm.name();
        let needs_window = self.is_selective() || self.aspiration.is_some() || self.mate_distance;
        let without_window =
            format!("the algorithm `{name}` has no window to prune, reduce or extend by");
        let is_minimax = self.algorithm == Algorithm::Minimax;
        let seeks_move = self.internal_deepening.is_some() && !self.reduces();
        let has_table_stage = self.ordering.contains(&Stage::Tt);
        let quiescence = self.quiescence.as_ref();
        let conflicts = [
            (
                !self.algorithm.has_window() && needs_window,
                &*without_window,
                "choose `fail-hard`, `fail-soft` or `pvs`, or turn the other switches off",
            ),
            (
                self.auxiliary.is_some() && self.aspiration.is_some(),
                "`auxiliary` needs the exact values of all root moves, and `aspiration` avoids \
                 computing them",
                "turn one of them off",
            ),
            (
                seeks_move && !has_table_stage,
                "`internal_deepening` finds a move for the stage `tt`, which `ordering` lacks",
                "add `tt` to `ordering`, at the front",
            ),
            (
                seeks_move && is_minimax,
                "`minimax` tries every move: `internal_deepening` can save nothing",
                "choose another algorithm, or turn `internal_deepening` off",
            ),
            (
                self.ordering.contains(&Stage::ShallowSearch) && is_minimax,
                "`minimax` tries every move: the stage `shallow-search` can save nothing",
                "choose another algorithm, or take `shallow-search` out of `ordering`",
            ),
            (
                self.reduces() && (self.table_mb == 0 || !has_table_stage),
                "`internal_deepening` of the kind `reduce` needs the moves of the table, and \
                 there are none: it would make every search shallower",
                "turn it off, or give `table_mb` a size and `ordering` the stage `tt`",
            ),
            (
                quiescence.is_some_and(|settings| settings.table) && is_minimax,
                "`minimax` remembers nothing, but `quiescence.table` is on",
                "choose another algorithm, or turn `quiescence.table` off",
            ),
        ];
        let mut conflicts = conflicts.into_iter();
        let (_, problem, help) = conflicts.find(|(applies, ..)| *applies)?;
        Some((problem.to_owned(), help))
    }

    fn out_of_range(&self) -> Option<String> {
        let first = |group: &str, settings: &dyn Settings| {
            let numbers = settings.list().iter().enumerate();
            let mut numbers = numbers.map(|(place, setting)| (setting, settings.get(place)));
            let (setting, number) =
                numbers.find(|(setting, number)| !setting.kind.holds(*number))?;
            let (least, most) = setting.kind.range();
            let name = setting.name;
            Some(format!(
                "`{group}{name}` is {number}, and must be from {least} to {most}"
            ))
        };
        let mut copy = self.clone();
        let groups = copy.groups().into_iter();
        let mut groups = groups.filter_map(|(name, mut group)| {
            let settings = group.settings()?;
            first(&format!("{name}."), settings)
        });
        first("", self).or_else(|| groups.next())
    }

    /// The reason why the numbers of a group have no effect with the other settings; `None` if they
    /// may have one.
    pub fn useless_group(&self, group: &str) -> Option<Useless> {
        let has = |stages: &[Stage]| stages.iter().any(|stage| self.ordering.contains(stage));
        let reductions = self.late_move_reductions.as_ref();
        let (is_used, reason) = match group {
            // The capture history learns by the same bonus.
            "history" => (
                has(&[Stage::History, Stage::ContinuationHistory])
                    || self.history_pruning.is_some()
                    || self.capture_history.is_some()
                    || reductions.is_some_and(|reductions| reductions.history > 0),
                "neither a stage of `ordering` nor another setting uses the history",
            ),
            "killers" => (has(&[Stage::Killers]), "`ordering` has no stage `killers`"),
            "quiet_order" => (
                has(&[Stage::StaticQuiets, Stage::ByPiece, Stage::FastestFirst]),
                "`ordering` has none of the stages `static-quiets`, `by-piece`, `fastest-first`",
            ),
            _ => return None,
        };
        let name = Useless::UNUSED;
        (!is_used).then_some(Useless { name, reason })
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
