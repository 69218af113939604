//! The frame of a plot: axes, a grid, and a legend next to it.

use super::axis::{Axis, label};
use super::style::Style;
use super::svg::{Anchor, Svg};
use leitai_stats::Ranged;

/// The colour of axes and grids.
const GREY: &str = "#777777";
const FAINT: &str = "#dddddd";
pub(crate) const SOLID: &str = "stroke-width=\"1.5\"";
const DASHED: &str = "stroke-width=\"1.5\" stroke-dasharray=\"6 4\"";

/// Size of the drawing and edges of the frame, in pixels.
const WIDTH: f64 = 760.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 550.0;
const TOP: f64 = 44.0;
/// The lower edge of the frame, unless the legend is longer.
const BOTTOM: f64 = 384.0;
/// Space below the frame for the ticks and the axis title.
const BELOW: f64 = 56.0;
/// The horizontal range of the marks.
pub const INNER: [f64; 2] = [LEFT + 24.0, RIGHT - 24.0];
/// Distance of the entries of the legend.
const ENTRY: f64 = 20.0;

/// The vertical range, from below, of a plot whose legend has `entries`.
pub fn height(entries: usize) -> [f64; 2] {
    let legend = TOP + ENTRY * entries as f64;
    [BOTTOM.max(legend), TOP]
}

/// Positions of several series at each whole number, next to each other, so that no interval hides
/// another.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// Distance of series.
    step: f64,
    count: usize,
    /// The horizontal range of the whole numbers.
    pub(crate) inner: [f64; 2],
    /// Scale of marks and ends of intervals, 1 if there is enough space.
    pub(crate) scale: f64,
}

impl Group {
    /// Distance of series if there is enough space.
    const STEP: f64 = 9.0;
    /// Distance from the outermost series to the frame.
    const EDGE: f64 = 16.0;

    /// `count` series at each of the whole numbers from 1 to `last`.
    pub(crate) fn new(count: usize, last: u32) -> Self {
        let steps = count.saturating_sub(1).max(1) as f64;
        // At least two steps are left free between groups, and the groups at both ends are inside
        // the frame by half of their width.
        let ways = f64::from(last.max(2) - 1);
        let way = (RIGHT - LEFT - 2.0 * Self::EDGE) / (ways + steps / (steps + 2.0));
        let step = Self::STEP.min(way / (steps + 2.0));
        let margin = 0.5 * step * steps + Self::EDGE;
        Self {
            step,
            count,
            inner: [LEFT + margin, RIGHT - margin],
            scale: (step / Self::STEP).clamp(0.4, 1.0),
        }
    }

    /// Offset of the series with this index from its whole number.
    pub(crate) fn shift(&self, index: usize) -> f64 {
        self.step * (index as f64 - 0.5 * self.count.saturating_sub(1) as f64)
    }
}

/// Number of characters of a name that fit next to the frame.
pub const NAME: usize = 24;

/// A name truncated to `most` characters.
pub fn short(name: &str, most: usize) -> String {
    if name.chars().count() > most {
        name.chars().take(most - 1).chain(['…']).collect()
    } else {
        name.to_owned()
    }
}

/// A frame with axes, a grid and a legend next to it.
pub struct Frame {
    /// The picture.
    pub svg: Svg,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// Entries of the legend so far.
    entries: usize,
}

impl Frame {
    /// A frame with a title, two axes and their labels.
    pub fn new(title: &str, x: Axis, y: Axis, [x_words, y_words]: [&str; 2]) -> Self {
        let [bottom, top] = y.pixels;
        let mut svg = Svg::new(WIDTH, bottom + BELOW, title);
        svg.text([LEFT, 24.0], Anchor::Start, title);
        for tick in y.ticks() {
            let at = y.at(tick);
            svg.line([LEFT, at], [RIGHT, at], FAINT, "");
            svg.text([LEFT - 8.0, at + 4.5], Anchor::End, &label(tick));
        }
        for tick in x.ticks() {
            let at = x.at(tick);
            svg.line([at, bottom], [at, bottom + 5.0], GREY, "");
            svg.text([at, bottom + 20.0], Anchor::Middle, &label(tick));
        }
        svg.line([LEFT, bottom], [RIGHT, bottom], GREY, "");
        svg.line([LEFT, top], [LEFT, bottom], GREY, "");
        let middle = [0.5 * (LEFT + RIGHT), 0.5 * (top + bottom)];
        svg.text([middle[0], bottom + 42.0], Anchor::Middle, x_words);
        svg.upright([20.0, middle[1]], y_words);
        Self {
            svg,
            x,
            y,
            entries: 0,
        }
    }

    /// Converts points of the data to points of the picture.
    pub fn placed(&self, points: &[[f64; 2]]) -> Vec<[f64; 2]> {
        let place = |[x, y]: &[f64; 2]| [self.x.at(*x), self.y.at(*y)];
        points.iter().map(place).collect()
    }

    /// Draws a dashed grey line through points of the data, for comparison.
    pub fn dashed(&mut self, points: &[[f64; 2]]) {
        self.svg.path(&self.placed(points), GREY, DASHED);
    }

    /// Draws the series with this index through points of the data, and its entry in the legend.
    pub fn curve(&mut self, index: usize, name: &str, points: &[[f64; 2]], width: f64, scale: f64) {
        let style = Style::of(index);
        self.series(style, &self.placed(points), width, scale);
        self.entry(style, true, name);
    }

    /// Draws a line of this width with marks at its points, which are pixels.
    pub fn series(&mut self, style: Style, points: &[[f64; 2]], width: f64, scale: f64) {
        self.svg.path(points, style.colour, &style.line(width));
        for &point in points {
            self.svg.mark(style, point, scale);
        }
    }

    /// Draws an interval; an open limit extends to the frame.
    pub(crate) fn bar(&mut self, x: f64, range: Ranged, style: Style, scale: f64) {
        let (low, high) = (range.low, range.high);
        if low.is_none() && high.is_none() && range.value.is_some() {
            return;
        }
        let [lowest, highest] = self.y.pixels;
        let bottom = low.map_or(lowest, |low| self.y.at(low));
        let top = high.map_or(highest, |high| self.y.at(high));
        self.svg.line([x, bottom], [x, top], style.colour, SOLID);
        let half = 4.0 * scale;
        let ends = [low.map(|_| bottom), high.map(|_| top)];
        for end in ends.into_iter().flatten() {
            let (from, to) = ([x - half, end], [x + half, end]);
            self.svg.line(from, to, style.colour, SOLID);
        }
    }

    /// Draws a horizontal line at the reference value.
    pub(crate) fn level(&mut self, value: f64) {
        let ends = [LEFT, RIGHT].map(|x| [x, self.y.at(value)]);
        self.svg.line(ends[0], ends[1], GREY, SOLID);
    }

    /// Adds an entry to the legend: a mark, on a line if the plot has lines.
    pub fn entry(&mut self, style: Style, with_line: bool, name: &str) {
        let y = self.next_entry(name);
        if with_line {
            let ends = [RIGHT + 8.0, RIGHT + 38.0].map(|x| [x, y]);
            self.svg.path(&ends, style.colour, &style.line(1.5));
        }
        self.svg.mark(style, [RIGHT + 23.0, y], 1.0);
    }

    /// Adds an entry for the grey dashed line.
    pub fn dashed_entry(&mut self, name: &str) {
        let y = self.next_entry(name);
        let (from, to) = ([RIGHT + 8.0, y], [RIGHT + 38.0, y]);
        self.svg.line(from, to, GREY, DASHED);
    }

    /// Writes the name of the next entry and returns the height of its middle.
    fn next_entry(&mut self, name: &str) -> f64 {
        let y = TOP + 12.0 + ENTRY * self.entries as f64;
        self.entries += 1;
        self.svg
            .text([RIGHT + 44.0, y], Anchor::Start, &short(name, NAME));
        y - 4.5
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Series and groups are separate and inside the frame, for any number of them.
    #[test]
    fn groups_have_room() {
        for count in 1..=60 {
            for last in 1..=64 {
                let group = Group::new(count, last);
                let axis = Axis::counting(last, group.inner);
                let at = |depth: u32, index| axis.at(f64::from(depth)) + group.shift(index);
                let first = at(1, 0);
                let end = at(last, count - 1);
                let edge = Group::EDGE - 0.1;
                assert!(
                    first >= LEFT + edge && end <= RIGHT - edge,
                    "{count} {last}"
                );
                if count > 1 {
                    let step = at(1, 1) - first;
                    assert!(step > 0.0);
                    assert!(count > 5 || last > 8 || step > 8.9, "{count} {last}");
                    let gap = at(2, 0) - at(1, count - 1);
                    assert!(gap > 1.99 * step, "{count} {last}: {gap} {step}");
                }
                let centre = (0..count).map(|index| group.shift(index)).sum::<f64>();
                assert!(centre.abs() < 1e-6);
            }
        }
    }

    #[test]
    fn a_long_legend_has_room() {
        assert!((height(3)[0] - BOTTOM).abs() < 1e-9);
        for entries in 1..=100 {
            let last = TOP + 12.0 + ENTRY * (entries - 1) as f64;
            assert!(height(entries)[0] >= last);
        }
    }
}
