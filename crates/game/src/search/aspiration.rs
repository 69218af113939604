//! The window of an iteration at the root, widened until it contains the score.

use super::SearchParams;
use super::selectivity::is_ordinary;
use super::tree::INFINITY;
use crate::eval::Score;

/// The window of one iteration's score, without its two ends.
pub(super) struct AspirationWindow {
    pub(super) low: Score,
    pub(super) high: Score,
    /// Step of the next widening, before it is doubled.
    delta: Score,
}

/// A widening beyond this opens the window completely on that side.
const WIDEST: Score = 1_000;

impl AspirationWindow {
    /// The window of the iteration to `depth`, after one with the score `score`, where `swing` is
    /// the mean change of scores.
    pub(super) fn new(params: &SearchParams, depth: u32, score: Score, swing: Score) -> Self {
        let aspiration = params.aspiration.as_ref();
        let has_window = params.algorithm.has_window() && is_ordinary(score);
        let narrow = aspiration.filter(|narrow| has_window && depth >= narrow.min_depth);
        let delta = narrow.map(|narrow| {
            (narrow.delta as Score).saturating_add(swing * narrow.swing as Score / 100)
        });
        Self {
            low: delta.map_or(-INFINITY, |delta| (score - delta).max(-INFINITY)),
            high: delta.map_or(INFINITY, |delta| (score + delta).min(INFINITY)),
            delta: delta.unwrap_or(0),
        }
    }

    /// Returns whether the score of a finished iteration lies in the window; if not, widens the
    /// window on that side. `None` is a score below the window.
    pub(super) fn holds(&mut self, score: Option<Score>) -> bool {
        self.delta = self.delta.saturating_mul(2);
        let step = if self.delta > WIDEST {
            2 * INFINITY
        } else {
            self.delta
        };
        match score {
            None if self.low > -INFINITY => {
                self.low = (self.low - step).max(-INFINITY);
                false
            }
            Some(score) if score >= self.high => {
                self.high = (score.max(self.high) + step).min(INFINITY);
                false
            }
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Aspiration;

    #[test]
    fn the_window_opens_on_the_side_of_the_score() {
        let params = SearchParams {
            aspiration: Some(Aspiration {
                delta: 30,
                min_depth: 4,
                swing: 0,
            }),
            ..SearchParams::default()
        };
        let ends = |aim: &AspirationWindow| (aim.low, aim.high);
        let shallow = AspirationWindow::new(&params, 3, 5, 0);
        assert_eq!(ends(&shallow), (-INFINITY, INFINITY));
        let mate = AspirationWindow::new(&params, 9, 9_990, 0);
        assert_eq!(ends(&mate), (-INFINITY, INFINITY));
        let mut aim = AspirationWindow::new(&params, 4, 5, 0);
        assert_eq!(ends(&aim), (-25, 35));
        assert!(!aim.holds(None));
        assert_eq!(ends(&aim), (-85, 35));
        assert!(!aim.holds(Some(50)));
        assert_eq!(ends(&aim), (-85, 170));
        assert!(aim.holds(Some(100)));
        for _ in 0..10 {
            aim.holds(None);
        }
        assert_eq!(ends(&aim).0, -INFINITY);
        assert!(aim.holds(None), "there is nothing below");
    }
}
