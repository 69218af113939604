//! Warnings about the reliability of ratings.

use super::{RatingList, RatingRow};
use leitai_base::count::count;
use leitai_runs::results::{Evidence, Results};
use leitai_stats::{Basis, FirstMoveBasis, Ratings};

/// Greatest relative difference of the sandwich and the resampled errors without a warning.
const AGREEING: f64 = 0.15;

/// Fewest resamples that are compared with the sandwich. The spread of fewer is itself uncertain by
/// more than 5 %.
const ENOUGH_RESAMPLES: u32 = 200;

impl RatingList {
    pub(super) fn gather_notes(
        &self,
        results: &Results,
        evidence: &Evidence,
        ratings: &Ratings,
    ) -> Vec<String> {
        let mut notes = results.notes.clone();
        notes.extend(evidence.notes.iter().cloned());
        let first_move = ratings.first_move.basis.note();
        if !first_move.is_empty() {
            notes.push(first_move.to_owned());
        } else if ratings.first_move.basis == FirstMoveBasis::Estimated {
            let totals = self.ratings.iter().any(|row| row.wins.is_none());
            if totals {
                notes.push(
                    "pairs given as totals are fitted without the first move's advantage, which \
                     cancels in them; it comes from the other games"
                        .to_owned(),
                );
            }
        }
        if self.components.len() > 1 {
            notes.push(
                "the results do not connect all players: within each component all players are \
                 connected by points won, directly or through others; between components no \
                 finite difference fits, and their numbers are not comparable"
                    .to_owned(),
            );
        }
        notes.extend(self.components_without_anchor());
        let few = ratings
            .groups
            .iter()
            .any(|group| matches!(group.basis, Basis::FewResults | Basis::Skewed));
        if ratings.is_approximate() {
            notes.push(
                "with more than 400 players errors come from random sums of the results, which \
                 leaves each uncertain by about 4 %; there are no covariances, and players with \
                 few games have the spread of all"
                    .to_owned(),
            );
        } else if few {
            notes.push(
                "few or nearly constant results: errors are larger than their scatter alone \
                 suggests"
                    .to_owned(),
            );
        }
        notes.extend(self.bootstrap_notes());
        notes
    }

    /// A note about components with mean 0 while other components have an anchor.
    fn components_without_anchor(&self) -> Option<String> {
        let is_anchored =
            |component: &&Vec<String>| self.anchors.iter().any(|it| component.contains(&it.name));
        let mut without = self.components.iter().filter(|it| it.len() > 1);
        without.clone().find(is_anchored)?;
        let first = without.find(|it| !is_anchored(it))?.first()?;
        Some(format!(
            "no anchor is in the component of `{first}`, whose mean is 0: its ratings are not on \
             the scale of the others"
        ))
    }

    fn bootstrap_notes(&self) -> Vec<String> {
        let Some(bootstrap) = self.bootstrap else {
            return Vec::new();
        };
        let mut notes = Vec::new();
        if bootstrap.without_ratings > 0 {
            let given = self.ratings.iter().any(|row| row.bootstrap_se.is_some());
            notes.push(format!(
                "{} of {} no finite ratings (as when one player won every game): {}",
                bootstrap.without_ratings,
                count(bootstrap.resamples.into(), "resample has", "resamples have"),
                if given {
                    "they are left out"
                } else {
                    "too many for the bootstrap"
                }
            ));
        } else if self.clusters < 6 {
            notes.push("too few clusters for a bootstrap: six at least".to_owned());
        }
        if bootstrap.resamples < ENOUGH_RESAMPLES {
            return notes;
        }
        let apart = |row: &&RatingRow| match (row.se, row.bootstrap_se) {
            (Some(one), Some(two)) if one > 0.0 => (two / one - 1.0).abs() > AGREEING,
            _ => false,
        };
        let apart: Vec<String> = self
            .ratings
            .iter()
            .filter(apart)
            .map(|row| {
                let [one, two] = [row.se, row.bootstrap_se].map(Option::unwrap_or_default);
                format!("`{}` {two:.1} instead of {one:.1}", row.name)
            })
            .collect();
        if !apart.is_empty() {
            notes.push(format!(
                "warning: the errors of bootstrap and sandwich differ by more than 15 % ({}): \
                 believe neither before there are more games",
                apart.join(", ")
            ));
        }
        notes
    }
}
