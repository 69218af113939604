//! Plots of the progress of searches: figures 8 to 12 of the paper, and the sixth that it leaves
//! out.

use crate::study::{Shape, Trajectories};
use leitai_game::search::proof::Event;
use leitai_go::CaptureVerdict;
use leitai_report::plot::{Axis, Frame, INNER, height};

/// The position of 0 on a logarithmic axis.
const NOTHING: f64 = 0.1;

/// The maximum number of searches with plotted proof numbers: two lines for each.
const MAX_PAIRS: usize = 3;

/// The name of a file and its plot; `None` without searches.
pub(super) fn traces(trajectories: &Trajectories) -> (String, Option<String>) {
    let outcome = match trajectories.outcome {
        CaptureVerdict::Unknown => "unsolved",
        known => known.name(),
    };
    match trajectories.shape {
        Shape::Value => (
            format!("value-{outcome}.svg"),
            values(trajectories, outcome),
        ),
        Shape::Numbers => (
            format!("numbers-{outcome}.svg"),
            numbers(trajectories, outcome),
        ),
    }
}

/// The best value by depth.
fn values(trajectories: &Trajectories, outcome: &str) -> Option<String> {
    let finite = |step: &Event| {
        let (_, value) = step.value()?;
        (value < i32::MAX).then(|| f64::from(value))
    };
    let steps = || trajectories.traces.iter().flat_map(|trace| &trace.steps);
    let most = steps().filter_map(finite).fold(10.0, f64::max);
    // An escape is plotted beyond every value.
    let edge = 1.2 * most;
    let place = |step: &Event| {
        let (depth, _) = step.value()?;
        Some([f64::from(depth), finite(step).unwrap_or(edge)])
    };
    let depths = steps().filter_map(place).map(|[depth, _]| depth);
    let deepest = depths.reduce(f64::max)?;
    let x = Axis::linear([0.0, deepest].into_iter(), INNER)?;
    let y = Axis::linear([0.0, edge].into_iter(), height(trajectories.traces.len()))?;
    let title = format!(
        "{}: best value by depth, {outcome} ({} of {})",
        trajectories.solver,
        trajectories.traces.len(),
        trajectories.searches
    );
    let mut frame = Frame::new(
        &title,
        x,
        y,
        ["depth in plies", "value (0 taken, upper edge escaped)"],
    );
    for (index, trace) in trajectories.traces.iter().enumerate() {
        let points: Vec<[f64; 2]> = trace.steps.iter().filter_map(place).collect();
        frame.curve(index, &trace.id, &points, 1.5, 0.7);
    }
    Some(frame.svg.finish())
}

/// Proof and disproof number by nodes.
fn numbers(trajectories: &Trajectories, outcome: &str) -> Option<String> {
    let shown = trajectories.traces.len().min(MAX_PAIRS);
    let traces = trajectories.traces.get(..shown)?;
    let line = |steps: &[Event], which: usize| -> Vec<[f64; 2]> {
        let points = steps.iter().filter_map(|step| {
            let number = step.numbers()?[which];
            let finite = number < u32::MAX;
            finite.then(|| [step.visited().max(1) as f64, f64::from(number).max(NOTHING)])
        });
        points.collect()
    };
    let lines = traces
        .iter()
        .flat_map(|it| [0, 1].map(|which| line(&it.steps, which)));
    let all: Vec<[f64; 2]> = lines.flatten().collect();
    let x = Axis::logarithmic(all.iter().map(|[nodes, _]| *nodes), INNER)?;
    let lowest = all.iter().map(|[_, number]| *number).chain([1.0]);
    let y = Axis::logarithmic(lowest, height(2 * shown))?;
    let title = format!(
        "{}: proof and disproof number, {outcome} ({shown} of {})",
        trajectories.solver, trajectories.searches
    );
    let mut frame = Frame::new(
        &title,
        x,
        y,
        [
            "nodes (logarithmic)",
            "number (0 at 0.1, infinite left out)",
        ],
    );
    for (index, trace) in traces.iter().enumerate() {
        for (which, name) in ["pn", "dn"].into_iter().enumerate() {
            let name = format!("{name} {}", trace.id);
            let points = line(&trace.steps, which);
            frame.curve(2 * index + which, &name, &points, 1.5, 0.6);
        }
    }
    Some(frame.svg.finish())
}
