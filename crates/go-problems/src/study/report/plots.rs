//! The plots of a study of solvers.

use super::traces::traces;
use crate::study::{Figures, ProblemCost};
use leitai_base::settings::choice;
use leitai_report::plot::{Axis, Frame, INNER, NAME, Style, height, short};
use leitai_report::study::plots::Plot;

/// All plots: problems solved by nodes and by time, each solver's costs against those of the first,
/// and progress of searches.
pub fn plots(figures: &Figures) -> Vec<Plot> {
    let mut plots = Vec::new();
    for cost in [Cost::Nodes, Cost::Time] {
        let cactus = (format!("cactus-{}.svg", cost.name()), cactus(figures, cost));
        let scatters = (1..figures.solvers.len()).map(|index| {
            let name = &figures.solvers[index].name;
            let file = format!("scatter-{}-{}-{}.svg", cost.name(), index + 1, slug(name));
            (file, scatter(figures, cost, index))
        });
        plots.extend([cactus].into_iter().chain(scatters));
    }
    plots.extend(figures.trajectories.iter().map(traces));
    Plot::drawn(plots)
}

/// A name as part of a file's name.
fn slug(name: &str) -> String {
    let letters = name.chars().map(|letter| {
        if letter.is_ascii_alphanumeric() {
            letter.to_ascii_lowercase()
        } else {
            '-'
        }
    });
    letters.collect::<String>().trim_matches('-').to_owned()
}

choice! {
    /// The cost that a plot shows.
    enum Cost {
        /// Nodes.
        Nodes = "nodes",
        /// Time.
        Time = "time",
    }
}

impl Cost {
    fn unit(self) -> &'static str {
        match self {
            Cost::Nodes => "nodes",
            Cost::Time => "milliseconds",
        }
    }

    /// The cost of a problem, above 0; `None` for the nodes of another program, which are not
    /// comparable.
    fn of(self, figures: &Figures, solver: usize, cost: &ProblemCost) -> Option<f64> {
        match self {
            Cost::Nodes if figures.solvers[solver].outside => None,
            Cost::Nodes => cost.visited.map(|nodes| nodes.max(1) as f64),
            Cost::Time => cost.seconds.map(|seconds| (1000.0 * seconds).max(1e-6)),
        }
    }
}

/// The number of problems that each solver has solved up to each cost.
fn cactus(figures: &Figures, cost: Cost) -> Option<String> {
    let sorted = |solver: usize| -> Vec<f64> {
        let solved = figures.costs.iter().filter_map(|(_, costs)| {
            let own = costs.get(solver).filter(|own| own.solved)?;
            cost.of(figures, solver, own)
        });
        let mut costs: Vec<f64> = solved.collect();
        costs.sort_by(f64::total_cmp);
        costs
    };
    let series: Vec<Vec<f64>> = (0..figures.solvers.len()).map(sorted).collect();
    let x = Axis::logarithmic(series.iter().flatten().copied(), INNER)?;
    let most = [0.0, figures.problems as f64];
    let y = Axis::linear(most.into_iter(), height(figures.solvers.len()))?;
    let title = format!(
        "Problems solved by {}, of {}",
        cost.name(),
        figures.problems
    );
    let words = [
        format!("{} (logarithmic)", cost.unit()),
        "problems solved".to_owned(),
    ];
    let mut frame = Frame::new(&title, x, y, [&words[0], &words[1]]);
    for (index, (costs, solver)) in series.iter().zip(&figures.solvers).enumerate() {
        let Some(&last) = costs.last() else { continue };
        let style = Style::of(index);
        let mut steps = Vec::with_capacity(2 * costs.len());
        for (number, &cost) in costs.iter().enumerate() {
            steps.extend([[cost, number as f64], [cost, number as f64 + 1.0]]);
        }
        let placed = frame.placed(&steps);
        frame.svg.path(&placed, style.colour, &style.line(1.5));
        let end = [frame.x.at(last), frame.y.at(costs.len() as f64)];
        frame.svg.mark(style, end, 1.0);
        frame.entry(style, true, &solver.name);
    }
    Some(frame.svg.finish())
}

/// Each problem's cost for a solver over its cost for the first.
fn scatter(figures: &Figures, cost: Cost, index: usize) -> Option<String> {
    let mut both: Vec<[f64; 2]> = Vec::new();
    let mut lone = Vec::new();
    for (_, costs) in &figures.costs {
        let [first, second] = [0, index].map(|solver| {
            let own = costs.get(solver)?;
            let spent = cost.of(figures, solver, own)?;
            Some(own.solved.then_some(spent))
        });
        match first.zip(second) {
            Some((Some(first), Some(second))) => both.push([first, second]),
            Some((None, None)) | None => {}
            Some((first, second)) => lone.push([first, second]),
        }
    }
    let known = both.iter().flatten().copied();
    let known = known.chain(lone.iter().flatten().flatten().copied());
    let most = known.clone().reduce(f64::max)?;
    let least = known.clone().reduce(f64::min)?;
    // An axis position beyond all solved problems.
    let edge = libm::pow(10.0, libm::log10(most).ceil() + 0.5);
    let values = || known.clone().chain([edge]);
    let x = Axis::logarithmic(values(), INNER)?;
    let y = Axis::logarithmic(values(), height(3))?;
    let [first, second] = [0, index].map(|solver| short(&figures.solvers[solver].name, NAME));
    let title = format!("Each problem: {} of {second} against {first}", cost.name());
    let words = [first, second].map(|name| format!("{} of {name}", cost.unit()));
    let mut frame = Frame::new(&title, x, y, [&words[0], &words[1]]);
    frame.dashed(&[[least, least], [edge, edge]]);
    let at_edge = lone
        .iter()
        .map(|costs| costs.map(|cost| cost.unwrap_or(edge)));
    for (index, points) in [both, at_edge.collect()].iter().enumerate() {
        for point in frame.placed(points) {
            frame.svg.mark(Style::of(index), point, 0.7);
        }
    }
    frame.entry(Style::of(0), false, "both solve it");
    if !lone.is_empty() {
        frame.entry(Style::of(1), false, "one does not: edge");
    }
    frame.dashed_entry("equal");
    Some(frame.svg.finish())
}
