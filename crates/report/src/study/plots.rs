//! The plots of a study.

use super::tables::{NodeCount, deepest, last_ratio};
use super::worth::name;
use crate::plot::{Axis, Frame, Group, INNER, NAME, SOLID, Style, height, short};
use leitai_runs::study::{DepthFigures, Figures, GameFigures};
use leitai_stats::Ranged;

/// A plot and the name of its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plot {
    /// The file's name, without a directory.
    pub name: String,
    /// The drawing as SVG.
    pub svg: String,
}

impl Plot {
    /// The plots of those files that have one.
    pub fn drawn(plots: Vec<(String, Option<String>)>) -> Vec<Self> {
        let plots = plots.into_iter();
        plots
            .filter_map(|(name, svg)| Some(Self { name, svg: svg? }))
            .collect()
    }
}

/// Draws all plots of a study: nodes by depth; ratios by depth if there are two variants; Elo
/// against nodes for each kind of games.
pub fn plots(figures: &Figures, count: NodeCount) -> Vec<Plot> {
    let mut plots = vec![
        ("nodes.svg".to_owned(), nodes(figures, count)),
        ("ratio.svg".to_owned(), ratio(figures, count)),
    ];
    plots.extend(figures.games.iter().map(|games| {
        let name = format!("elo {}.svg", name(games.terms)).replace(' ', "-");
        (name, strength(figures, games, count))
    }));
    Plot::drawn(plots)
}

fn nodes(figures: &Figures, count: NodeCount) -> Option<String> {
    let point = |at: &DepthFigures| Some([f64::from(at.depth), count.nodes(at).mean?]);
    let variants = figures.variants.iter();
    let series = variants.map(|variant| variant.depths.iter().filter_map(point).collect());
    let series: Vec<Vec<[f64; 2]>> = series.collect();
    let minimum = (1..).zip(&figures.minimum_leaves);
    let minimum = minimum.map(|(depth, &leaves)| [f64::from(depth), leaves]);
    let minimum: Vec<[f64; 2]> = minimum.collect();
    let values = series.iter().flatten().chain(&minimum).map(|[_, y]| *y);
    let y = Axis::logarithmic(values, height(figures.variants.len() + 1))?;
    let title = format!("{}, mean of {} positions", count.words(), figures.positions);
    let mut frame = Frame::new(
        &title,
        Axis::counting(figures.depth, INNER),
        y,
        ["depth in plies", "nodes"],
    );
    frame.dashed(&minimum);
    for (index, (points, variant)) in series.iter().zip(&figures.variants).enumerate() {
        frame.curve(index, &variant.name, points, 2.0, 1.0);
    }
    frame.dashed_entry("Knuth-Moore leaves");
    Some(frame.svg.finish())
}

fn ratio(figures: &Figures, count: NodeCount) -> Option<String> {
    let ratios = |index: usize| {
        let depths = figures.variants[index].depths.iter();
        depths.filter_map(|at| Some((f64::from(at.depth), count.nodes(at).versus_first?.ratio)))
    };
    let all = (1..figures.variants.len()).flat_map(ratios);
    let limits = |range: Ranged| [range.value, range.low, range.high].into_iter().flatten();
    let values = all.flat_map(|(_, range)| limits(range)).chain([0.0, 1.0]);
    figures.variants.get(1)?;
    let y = Axis::linear(values, height(figures.variants.len() - 1))?;
    let group = Group::new(figures.variants.len() - 1, figures.depth);
    let first = short(&figures.variants[0].name, NAME);
    let title = format!("Nodes against {first}: geometric mean of the ratios, 95 % intervals");
    let mut frame = Frame::new(
        &title,
        Axis::counting(figures.depth, group.inner),
        y,
        ["depth in plies", "ratio"],
    );
    frame.level(1.0);
    for index in 1..figures.variants.len() {
        let style = Style::of(index);
        let mut points = Vec::new();
        for (depth, range) in ratios(index) {
            let Some(value) = range.value else { continue };
            let x = frame.x.at(depth) + group.shift(index - 1);
            frame.bar(x, range, style, group.scale);
            points.push([x, frame.y.at(value)]);
        }
        frame.series(style, &points, 0.6, group.scale);
        frame.entry(style, true, &figures.variants[index].name);
    }
    Some(frame.svg.finish())
}

fn strength(figures: &Figures, games: &GameFigures, count: NodeCount) -> Option<String> {
    let saving = |ratio: f64| 100.0 * (1.0 - ratio);
    let strengths = (1..).zip(&games.strengths);
    let points = strengths.filter_map(|(index, strength)| {
        let ratio = last_ratio(figures, &strength.name, count)?;
        let middle = [saving(ratio.value?), strength.elo.value?];
        Some((index, ratio, strength.elo, middle))
    });
    let points: Vec<(usize, Ranged, Ranged, [f64; 2])> = points.collect();
    points.first()?;
    let limits = |range: &Ranged| [range.value, range.low, range.high].into_iter().flatten();
    let elos = points.iter().flat_map(|(_, _, elo, _)| limits(elo));
    let y = Axis::linear(elos.chain([0.0]), height(points.len()))?;
    let ratios = points.iter().flat_map(|(_, ratio, ..)| limits(ratio));
    let x = Axis::linear(ratios.map(saving).chain([0.0]), INNER)?;
    let first = short(&figures.variants[0].name, NAME);
    let title = format!("Elo above {first} at {}, 95 % intervals", games.terms);
    let depth = deepest(figures)? + 1;
    let words = format!("nodes saved at depth {depth}, in per cent");
    let mut frame = Frame::new(&title, x, y, [&words, "Elo"]);
    frame.level(0.0);
    for (index, ratio, elo, middle) in points {
        let [x, y] = [frame.x.at(middle[0]), frame.y.at(middle[1])];
        let style = Style::of(index);
        frame.bar(x, elo, style, 1.0);
        if let (Some(low), Some(high)) = (ratio.low, ratio.high) {
            let [from, to] = [low, high].map(|ratio| [frame.x.at(saving(ratio)), y]);
            frame.svg.line(from, to, style.colour, SOLID);
        }
        frame.svg.mark(style, [x, y], 1.0);
        frame.entry(style, false, &figures.variants[index].name);
    }
    Some(frame.svg.finish())
}
