//! A plot as part of a page: the page's style sheet determines its look, so that it is readable on
//! light and dark screens and on paper.

use super::axis::{Axis, label};
use super::svg::{Anchor, Svg};
use leitai_stats::Ranged;

/// A panel's size and the frame's distance from its edges, in pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    /// Width and height.
    pub(crate) whole: [f64; 2],
    /// Left and right edge.
    pub(crate) sides: [f64; 2],
    /// Upper and lower edge.
    pub(crate) ends: [f64; 2],
}

/// Largest magnitude that is drawn.
const MAX: f64 = 1e9;

/// A frame with axes and a grid: values over games.
pub(crate) struct Panel {
    svg: Svg,
    x: Axis,
    y: Axis,
    height: f64,
}

impl Panel {
    /// Limits of values without any.
    pub(crate) const UNLIMITED: [f64; 2] = [f64::MIN, f64::MAX];

    /// A panel about games from 0 to `games`, with room for `values`, which have limits, where the
    /// frame ends. Ignores values that are not finite.
    pub(crate) fn new(
        title: &str,
        size: Size,
        games: u64,
        values: impl Iterator<Item = f64>,
        limits: [f64; 2],
    ) -> Self {
        let [width, height] = size.whole;
        let frame_x = [size.sides[0], width - size.sides[1]];
        let frame_y = [height - size.ends[1], size.ends[0]];
        let ends = [0.0, (games as f64).max(1.0)];
        let x = Axis::linear(ends.into_iter(), frame_x);
        let y = Axis::linear(widened(values).into_iter(), frame_y);
        // Both have finite values, so both axes exist.
        let [x, y] = [(x, frame_x), (y, frame_y)]
            .map(|(axis, frame)| axis.unwrap_or_else(|| Axis::counting(2, frame)));
        let y = y.within(limits);
        let mut svg = Svg::new(width, height, title);
        let ([left, right], [bottom, _]) = (frame_x, frame_y);
        for tick in y.ticks() {
            let at = y.at(tick);
            svg.curve("grid", &[[left, at], [right, at]]);
            let beside = [left - 6.0, at + 3.5];
            // The minus is as wide as a plus.
            let words = label(tick).replace('-', "\u{2212}");
            svg.label(beside, Anchor::End, "tick", &words);
        }
        for tick in x.ticks() {
            let at = x.at(tick);
            svg.curve("axis", &[[at, bottom], [at, bottom + 4.0]]);
            let below = [at, bottom + 16.0];
            svg.label(below, Anchor::Middle, "tick", &label(tick));
        }
        svg.curve("axis", &[[left, bottom], [right, bottom]]);
        Self { svg, x, y, height }
    }

    /// Positions in pixels of values over games.
    fn placed(&self, points: impl Iterator<Item = (u64, f64)>) -> Vec<[f64; 2]> {
        let finite = points.filter(|(_, value)| value.is_finite());
        finite
            .map(|(games, value)| [self.x.at(games as f64), self.y.at(bounded(value))])
            .collect()
    }

    /// Adds words above the frame, at its left or right end.
    pub(crate) fn heading(&mut self, anchor: Anchor, class: &str, words: &str) {
        let [left, right] = self.x.pixels;
        let x = match anchor {
            Anchor::Start => left,
            Anchor::Middle => f64::midpoint(left, right),
            Anchor::End => right,
        };
        self.svg.label([x, 15.0], anchor, class, words);
    }

    /// Adds the title of the horizontal axis below the frame.
    pub(crate) fn below(&mut self, words: &str) {
        let [left, right] = self.x.pixels;
        let at = [f64::midpoint(left, right), self.height - 6.0];
        self.svg.label(at, Anchor::Middle, "tick", words);
    }

    /// Draws a band between two series over the same games.
    pub(crate) fn band(&mut self, class: &str, points: &[(u64, f64, f64)]) {
        let low = self.placed(points.iter().map(|&(games, low, _)| (games, low)));
        let high = self.placed(points.iter().rev().map(|&(games, _, high)| (games, high)));
        let corners = [low, high].concat();
        if corners.len() > 3 {
            self.svg.area(class, &corners);
        }
    }

    /// Draws a line through a series; returns its last point in pixels.
    pub(crate) fn curve(
        &mut self,
        class: &str,
        points: impl Iterator<Item = (u64, f64)>,
    ) -> Option<[f64; 2]> {
        let points = self.placed(points);
        if points.len() > 1 {
            self.svg.curve(class, &points);
        }
        points.last().copied()
    }

    /// Draws a mark at a value, with its interval; an open limit extends to the frame.
    pub(crate) fn mark(&mut self, class: &str, games: u64, range: &Ranged) {
        let Some(value) = range.value.filter(|value| value.is_finite()) else {
            return;
        };
        let x = self.x.at(games as f64);
        let [lowest, highest] = self.y.pixels;
        if range.low.is_some() || range.high.is_some() {
            let limit = |limit: Option<f64>, open| {
                limit.map_or(open, |limit| {
                    self.y.at(bounded(limit)).clamp(highest, lowest)
                })
            };
            let ends = [limit(range.low, lowest), limit(range.high, highest)];
            self.svg.curve(class, &ends.map(|y| [x, y]));
            for (end, limit) in ends.into_iter().zip([range.low, range.high]) {
                if limit.is_some() {
                    self.svg.curve(class, &[[x - 4.0, end], [x + 4.0, end]]);
                }
            }
        }
        self.svg.disc(class, [x, self.y.at(bounded(value))], 4.0);
    }

    /// Draws a horizontal line, if the value is within the frame; returns its height in pixels.
    pub(crate) fn level(&mut self, class: &str, value: f64) -> Option<f64> {
        let at = self.y.at(bounded(value));
        let [bottom, top] = self.y.pixels;
        if !at.is_finite() || at > bottom || at < top {
            return None;
        }
        let [left, right] = self.x.pixels;
        self.svg.curve(class, &[[left, at], [right, at]]);
        Some(at)
    }

    /// Adds names to the right of the frame, each as near to its height as the others allow.
    pub(crate) fn names(&mut self, mut names: Vec<(f64, String, String)>) {
        const LINE: f64 = 13.0;
        let [bottom, top] = self.y.pixels;
        let [_, right] = self.x.pixels;
        names.sort_by(|(one, ..), (other, ..)| one.total_cmp(other));
        // Spread them downwards, then upwards from the lower end of the frame.
        let mut floor = top;
        for (at, ..) in &mut names {
            *at = at.max(floor);
            floor = *at + LINE;
        }
        let mut ceiling = bottom.max(top + LINE * names.len() as f64);
        for (at, ..) in names.iter_mut().rev() {
            *at = at.min(ceiling);
            ceiling = *at - LINE;
        }
        for (at, class, name) in names {
            self.svg
                .label([right + 8.0, at + 4.0], Anchor::Start, &class, &name);
        }
    }

    /// Returns the drawing.
    pub(crate) fn finish(self) -> String {
        self.svg.finish_in_page("plot")
    }
}

/// A value clamped to the range that is drawn.
fn bounded(value: f64) -> f64 {
    value.clamp(-MAX, MAX)
}

/// The smallest and the largest finite value, widened to a distinguishable range; around 0 without
/// any.
fn widened(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let finite = values.filter(|value| value.is_finite()).map(bounded);
    let range = finite.fold(None, |range: Option<[f64; 2]>, value| {
        let [low, high] = range.unwrap_or([value; 2]);
        Some([low.min(value), high.max(value)])
    });
    let [low, high] = range.unwrap_or([0.0; 2]);
    let least = (1e-6 * low.abs().max(high.abs())).max(2.0);
    let lacking = (0.5 * (least - (high - low))).max(0.0);
    [low - lacking, high + lacking]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SIZE: Size = Size {
        whole: [300.0, 160.0],
        sides: [46.0, 60.0],
        ends: [26.0, 26.0],
    };

    proptest! {
        /// All coordinates of a drawing are finite.
        #[test]
        fn all_that_is_drawn_is_finite(
            points in prop::collection::vec((any::<u64>(), any::<f64>()), 0..6),
            games: u64,
            level: f64,
            limits: (f64, f64),
        ) {
            let mut panel = Panel::new("t", SIZE, games, points.iter().map(|point| point.1), Panel::UNLIMITED);
            let band: Vec<(u64, f64, f64)> =
                points.iter().map(|&(games, value)| (games, value - 1.0, value)).collect();
            panel.band("b", &band);
            panel.curve("c", points.iter().copied());
            panel.level("l", level);
            let range = Ranged::new(Some(level), Some(limits.0), Some(limits.1));
            panel.mark("m", games, &range);
            let svg = panel.finish();
            prop_assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }

    #[test]
    fn names_do_not_hide_one_another() {
        let mut panel = Panel::new("t", SIZE, 10, [0.0, 10.0].into_iter(), Panel::UNLIMITED);
        let name = |at: f64| (at, "n".to_owned(), "x".to_owned());
        panel.names(vec![name(134.0), name(133.0), name(30.0), name(134.0)]);
        let svg = panel.finish();
        let heights: Vec<&str> = svg
            .lines()
            .filter_map(|line| line.strip_prefix("<text class=\"n\" "))
            .filter_map(|line| line.split("y=\"").nth(1)?.split('"').next())
            .collect();
        assert_eq!(heights, ["34.0", "112.0", "125.0", "138.0"]);
    }

    #[test]
    fn a_value_that_never_moved_has_room() {
        let told = |values: &[f64]| widened(values.iter().copied()).map(|end| end.to_string());
        assert_eq!(told(&[5.0, 5.0]), ["4", "6"]);
        assert_eq!(told(&[f64::NAN]), ["-1", "1"]);
        assert_eq!(told(&[0.0, 10.0]), ["0", "10"]);
    }
}
