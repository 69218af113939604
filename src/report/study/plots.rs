//! The plots of a study.

use super::axis::{Axis, label};
use super::svg::{Anchor, Svg};
use super::tables::{Count, deepest, last_ratio};
use crate::stats::Ranged;
use crate::study::{Figures, GameFigures, Terms};

/// A plot and the name of its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plot {
    /// The file's name, without a folder.
    pub name: String,
    /// The drawing.
    pub svg: String,
}

/// Colours that those who see few colours tell apart, and that stand out on
/// white (Okabe and Ito, 2008).
const COLOURS: [&str; 6] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9",
];
const GREY: &str = "#777777";
const FAINT: &str = "#dddddd";

/// The drawing and the frame in it.
const SIZE: [f64; 2] = [760.0, 440.0];
const LEFT: f64 = 80.0;
const RIGHT: f64 = 550.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 384.0;
/// The horizontal range of the marks.
const INNER: [f64; 2] = [LEFT + 24.0, RIGHT - 24.0];

/// All plots of a study: nodes by depth; ratios by depth if there are two
/// variants; Elo against nodes for each kind of games.
pub fn plots(figures: &Figures, count: Count) -> Vec<Plot> {
    let plot = |name: &str, svg: Option<String>| {
        svg.map(|svg| Plot {
            name: name.to_owned(),
            svg,
        })
    };
    let games = figures.games.iter().map(|games| {
        let name = match games.terms {
            Terms::Nodes(_) => "elo-at-equal-nodes.svg",
            Terms::Milliseconds(_) => "elo-at-equal-time.svg",
        };
        plot(name, strength(figures, games, count))
    });
    [
        plot("nodes.svg", nodes(figures, count)),
        plot("ratio.svg", ratio(figures, count)),
    ]
    .into_iter()
    .chain(games)
    .flatten()
    .collect()
}

fn nodes(figures: &Figures, count: Count) -> Option<String> {
    let series: Vec<Vec<[f64; 2]>> = figures
        .variants
        .iter()
        .map(|variant| {
            let points = variant.depths.iter();
            points
                .filter_map(|at| Some([f64::from(at.depth), count.nodes(at).mean?]))
                .collect()
        })
        .collect();
    let minimum: Vec<[f64; 2]> = (1..)
        .zip(&figures.minimum_leaves)
        .map(|(depth, &leaves)| [f64::from(depth), leaves])
        .collect();
    let values = series.iter().flatten().chain(&minimum).map(|[_, y]| *y);
    let y = Axis::logarithmic(values, [BOTTOM, TOP])?;
    let title = format!("{}, mean of {} positions", count.words(), figures.positions);
    let mut frame = Frame::new(
        &title,
        Axis::counting(figures.depth, INNER),
        y,
        ["depth in plies", "nodes"],
    );
    frame.svg.path(
        &frame.placed(&minimum),
        GREY,
        "stroke-width=\"1.5\" stroke-dasharray=\"6 4\"",
    );
    frame.entry(figures.variants.len(), GREY, None, "Knuth-Moore leaves");
    for (index, (points, variant)) in series.iter().zip(&figures.variants).enumerate() {
        frame.series(index, points);
        frame.entry(index, colour(index), Some(index), &variant.name);
    }
    Some(frame.svg.finish())
}

fn ratio(figures: &Figures, count: Count) -> Option<String> {
    let ratios = |index: usize| {
        let depths = figures.variants[index].depths.iter();
        depths.filter_map(|at| Some((f64::from(at.depth), count.nodes(at).versus_first?.ratio)))
    };
    let all = (1..figures.variants.len()).flat_map(ratios);
    let limits = |range: Ranged| [range.value, range.low, range.high].into_iter().flatten();
    let values = all.flat_map(|(_, range)| limits(range)).chain([0.0, 1.0]);
    if figures.variants.len() < 2 {
        return None;
    }
    let y = Axis::linear(values, [BOTTOM, TOP])?;
    let first = short(&figures.variants[0].name);
    let title = format!("Nodes against {first}: geometric mean of the ratios, 95 % intervals");
    let mut frame = Frame::new(
        &title,
        Axis::counting(figures.depth, INNER),
        y,
        ["depth in plies", "ratio"],
    );
    frame.level(1.0);
    let others = figures.variants.len() - 1;
    for index in 1..figures.variants.len() {
        // Beside each other, so that no interval hides another.
        let shift = 7.0 * (index as f64 - 0.5 - 0.5 * others as f64);
        let mut points = Vec::new();
        for (depth, range) in ratios(index) {
            let Some(value) = range.value else { continue };
            let x = frame.x.at(depth) + shift;
            frame.bar(x, range, colour(index));
            points.push([x, frame.y.at(value)]);
        }
        frame
            .svg
            .path(&points, colour(index), "stroke-width=\"1\" opacity=\"0.5\"");
        for &point in &points {
            frame.svg.mark(index, point, colour(index));
        }
        frame.marked(index, &figures.variants[index].name);
    }
    Some(frame.svg.finish())
}

fn strength(figures: &Figures, games: &GameFigures, count: Count) -> Option<String> {
    let saving = |ratio: f64| 100.0 * (1.0 - ratio);
    let points: Vec<(usize, Ranged, Ranged)> = (1..)
        .zip(&games.strengths)
        .filter_map(|(index, strength)| {
            let ratio = last_ratio(figures, &strength.name, count)?;
            ratio.value.and(strength.elo.value)?;
            Some((index, ratio, strength.elo))
        })
        .collect();
    if points.is_empty() {
        return None;
    }
    let limits = |range: &Ranged| [range.value, range.low, range.high].into_iter().flatten();
    let elos = points.iter().flat_map(|(.., elo)| limits(elo));
    let y = Axis::linear(elos.chain([0.0]), [BOTTOM, TOP])?;
    let ratios = points.iter().flat_map(|(_, ratio, _)| limits(ratio));
    let x = Axis::linear(ratios.map(saving).chain([0.0]), INNER)?;
    let first = short(&figures.variants[0].name);
    let title = format!("Elo above {first} at {}, 95 % intervals", games.terms);
    let depth = deepest(figures)? + 1;
    let words = format!("nodes saved at depth {depth}, in per cent");
    let mut frame = Frame::new(&title, x, y, [&words, "Elo"]);
    frame.level(0.0);
    for (index, ratio, elo) in points {
        let (Some(value), Some(centre)) = (elo.value, ratio.value) else {
            continue;
        };
        let (x, y) = (frame.x.at(saving(centre)), frame.y.at(value));
        frame.bar(x, elo, colour(index));
        if let (Some(low), Some(high)) = (ratio.low, ratio.high) {
            let [from, to] = [low, high].map(|ratio| [frame.x.at(saving(ratio)), y]);
            frame
                .svg
                .line(from, to, colour(index), "stroke-width=\"1.5\"");
        }
        frame.svg.mark(index, [x, y], colour(index));
        frame.marked(index, &figures.variants[index].name);
    }
    Some(frame.svg.finish())
}

fn colour(index: usize) -> &'static str {
    COLOURS[index % COLOURS.len()]
}

/// A name that fits beside the frame.
fn short(name: &str) -> String {
    if name.chars().count() > 24 {
        name.chars().take(23).chain(['…']).collect()
    } else {
        name.to_owned()
    }
}

/// A frame with axes, a grid and a legend beside it.
struct Frame {
    svg: Svg,
    x: Axis,
    y: Axis,
}

impl Frame {
    fn new(title: &str, x: Axis, y: Axis, [x_words, y_words]: [&str; 2]) -> Self {
        let mut svg = Svg::new(SIZE[0], SIZE[1], title);
        svg.text([LEFT, 24.0], Anchor::Start, title);
        for tick in y.ticks() {
            let at = y.at(tick);
            svg.line([LEFT, at], [RIGHT, at], FAINT, "");
            svg.text([LEFT - 8.0, at + 4.5], Anchor::End, &label(tick));
        }
        for tick in x.ticks() {
            let at = x.at(tick);
            svg.line([at, BOTTOM], [at, BOTTOM + 5.0], GREY, "");
            svg.text([at, BOTTOM + 20.0], Anchor::Middle, &label(tick));
        }
        svg.line([LEFT, BOTTOM], [RIGHT, BOTTOM], GREY, "");
        svg.line([LEFT, TOP], [LEFT, BOTTOM], GREY, "");
        let middle = [0.5 * (LEFT + RIGHT), 0.5 * (TOP + BOTTOM)];
        svg.text([middle[0], BOTTOM + 42.0], Anchor::Middle, x_words);
        svg.upright([20.0, middle[1]], y_words);
        Self { svg, x, y }
    }

    fn placed(&self, points: &[[f64; 2]]) -> Vec<[f64; 2]> {
        let place = |[x, y]: &[f64; 2]| [self.x.at(*x), self.y.at(*y)];
        points.iter().map(place).collect()
    }

    /// A line with marks.
    fn series(&mut self, index: usize, points: &[[f64; 2]]) {
        let points = self.placed(points);
        self.svg.path(&points, colour(index), "stroke-width=\"2\"");
        for &point in &points {
            self.svg.mark(index, point, colour(index));
        }
    }

    /// An interval; a limit that is open runs to the frame.
    fn bar(&mut self, x: f64, range: Ranged, colour: &str) {
        let Ranged {
            low, high, value, ..
        } = range;
        if low.is_none() && high.is_none() && value.is_some() {
            return;
        }
        let bottom = low.map_or(BOTTOM, |low| self.y.at(low));
        let top = high.map_or(TOP, |high| self.y.at(high));
        self.svg
            .line([x, bottom], [x, top], colour, "stroke-width=\"1.5\"");
        for end in [low.map(|_| bottom), high.map(|_| top)]
            .into_iter()
            .flatten()
        {
            self.svg.line(
                [x - 4.0, end],
                [x + 4.0, end],
                colour,
                "stroke-width=\"1.5\"",
            );
        }
    }

    /// A line across at the value that the others are measured by.
    fn level(&mut self, value: f64) {
        let at = self.y.at(value);
        self.svg
            .line([LEFT, at], [RIGHT, at], GREY, "stroke-width=\"1.5\"");
    }

    /// The entry of a variant beside the first, with its colour and shape.
    fn marked(&mut self, variant: usize, name: &str) {
        self.entry(variant - 1, colour(variant), Some(variant), name);
    }

    /// A line of the legend; without a mark it is a dashed line.
    fn entry(&mut self, row: usize, colour: &str, mark: Option<usize>, name: &str) {
        let y = TOP + 12.0 + 20.0 * row as f64;
        match mark {
            Some(shape) => self.svg.mark(shape, [RIGHT + 24.0, y - 4.5], colour),
            None => self.svg.line(
                [RIGHT + 14.0, y - 4.5],
                [RIGHT + 34.0, y - 4.5],
                colour,
                "stroke-width=\"1.5\" stroke-dasharray=\"6 4\"",
            ),
        }
        self.svg
            .text([RIGHT + 42.0, y], Anchor::Start, &short(name));
    }
}
