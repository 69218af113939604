//! Charts in the sections of a run.

use super::course::Course;
use crate::plot::{Anchor, Panel, Size, Svg, short};
use leitai_stats::{Level, Ranged};

/// An interval on a shared scale: from `-most` to `most`, with 0 in the middle.
pub(super) fn interval(range: &Ranged, most: f64, words: &str) -> String {
    const WIDTH: f64 = 220.0;
    const MIDDLE: f64 = 9.0;
    let at = |value: f64| WIDTH * (0.5 + 0.48 * (value / most).clamp(-1.0, 1.0));
    let mut svg = Svg::new(WIDTH, 2.0 * MIDDLE, words);
    svg.curve("axis", &[[WIDTH / 2.0, 0.0], [WIDTH / 2.0, 2.0 * MIDDLE]]);
    if let Some(value) = range.value {
        let [low, high] = [range.low.unwrap_or(-most), range.high.unwrap_or(most)].map(at);
        svg.curve("spread", &[[low, MIDDLE], [high, MIDDLE]]);
        svg.disc("mark", [at(value), MIDDLE], 3.5);
    }
    svg.finish_in_page("range")
}

/// Position of a test's evidence between its bounds.
pub(super) fn gauge(level: &Level, words: &str) -> String {
    const WIDTH: f64 = 420.0;
    const EDGE: f64 = 50.0;
    const TOP: f64 = 8.0;
    const HEIGHT: f64 = 14.0;
    let share = (level.value - level.lower) / (level.upper - level.lower);
    let at = |share: f64| EDGE + (WIDTH - 2.0 * EDGE) * share.clamp(0.0, 1.0);
    let mut svg = Svg::new(WIDTH, TOP + HEIGHT + 24.0, words);
    svg.cell("track", [at(0.0), TOP], [at(1.0) - at(0.0), HEIGHT]);
    let zero = at(-level.lower / (level.upper - level.lower));
    let [from, to] = [zero.min(at(share)), zero.max(at(share))];
    svg.cell("fill", [from, TOP], [to - from, HEIGHT]);
    svg.curve(
        "start",
        &[[at(share), TOP - 4.0], [at(share), TOP + HEIGHT + 4.0]],
    );
    let below = TOP + HEIGHT + 17.0;
    for (share, words) in [
        (0.0, format!("H0 {:.2}", level.lower)),
        (1.0, format!("H1 {:.2}", level.upper)),
    ] {
        svg.label([at(share), below], Anchor::Middle, "tick", &words);
    }
    svg.finish_in_page("gauge")
}

/// Pairs by outcome, from both lost to both won.
pub(super) fn pentanomial(counts: [u64; 5], words: &str) -> String {
    const WIDTH: f64 = 44.0;
    const HEIGHT: f64 = 90.0;
    const NAMES: [&str; 5] = ["LL", "LD", "level", "WD", "WW"];
    let most = counts.into_iter().max().unwrap_or(0).max(1) as f64;
    let mut svg = Svg::new(5.0 * WIDTH, HEIGHT + 36.0, words);
    for (column, (count, name)) in counts.into_iter().zip(NAMES).enumerate() {
        let left = WIDTH * column as f64;
        let height = HEIGHT * count as f64 / most;
        let top = 16.0 + HEIGHT - height;
        let class = ["bar b0", "bar b1", "bar b2", "bar b3", "bar b4"][column];
        svg.cell(class, [left + 4.0, top], [WIDTH - 8.0, height]);
        let middle = left + WIDTH / 2.0;
        svg.label(
            [middle, top - 4.0],
            Anchor::Middle,
            "tick",
            &count.to_string(),
        );
        svg.label([middle, HEIGHT + 31.0], Anchor::Middle, "tick", name);
    }
    svg.finish_in_page("pentanomial")
}

/// Elo over pairs of one pairing of a course, with its confidence sequence. `None` if all pairs had
/// the same outcome, which fits no Elo.
pub(super) fn course(course: &Course, pairing: usize, title: &str) -> Option<String> {
    const SIZE: Size = Size {
        whole: [560.0, 240.0],
        sides: [54.0, 16.0],
        ends: [26.0, 38.0],
    };
    let points = course.points.iter();
    let points = points.filter_map(|(pairs, ranges)| Some((*pairs, *ranges.get(pairing)?)));
    let points: Vec<(u64, Ranged)> = points.collect();
    points.last()?.1.value?;
    // The first few pairs are imprecise, and would set the scale.
    let known = points.iter().skip(points.len() / 12);
    let limits = known.flat_map(|(_, range)| [range.low, range.value, range.high]);
    let limits: Vec<f64> = limits.flatten().chain([0.0]).collect();
    let last = points.last().map_or(1, |point| point.0);
    let values = limits.iter().copied();
    let mut panel = Panel::new(title, SIZE, last, values, Panel::UNLIMITED);
    let least = limits.iter().copied().fold(0.0, f64::min);
    let most = limits.iter().copied().fold(0.0, f64::max);
    let band: Vec<(u64, f64, f64)> = points
        .iter()
        .filter(|(_, range)| range.value.is_some())
        .map(|(pairs, range)| {
            let low = range.low.unwrap_or(least).clamp(least, most);
            let high = range.high.unwrap_or(most).clamp(least, most);
            (*pairs, low, high)
        })
        .collect();
    panel.band("band", &band);
    panel.level("reference", 0.0);
    let values = points
        .iter()
        .filter_map(|(pairs, range)| Some((*pairs, range.value?.clamp(least, most))));
    panel.curve("line", values);
    panel.heading(Anchor::Start, "heading", &short(title, 64));
    panel.below("pairs of the run");
    Some(panel.finish())
}
