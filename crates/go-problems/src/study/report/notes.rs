//! Explanatory notes for the tables.

use crate::study::Figures;
use leitai_base::count::{count, quoted};
use leitai_runs::figures::number::grouped;

/// The notes, one paragraph each.
pub(super) fn notes(figures: &Figures) -> Vec<String> {
    let mut notes = vec![
        "wrong: a verdict that is not the expected one; it counts as not solved everywhere. \
         nodes: moves played below the problem, to search a position or to look at it first; \
         expanded: positions whose moves were listed; generated: moves listed there; depth: the \
         most moves between the problem and a position visited. Means over what a solver solved \
         itself are about different problems for different solvers: compare those over the \
         common problems."
            .to_owned(),
    ];
    notes.extend(absent(figures));
    notes.extend(unjudged(figures));
    notes.extend(judged(figures));
    notes.extend(outside(figures));
    notes.extend(trouble(figures));
    if !figures.pairs.is_empty() {
        notes.push(format!(
            "Against the first solver: `only first` are problems that only that one solves. \
             ratio: geometric mean of this solver's cost over the first one's, with its 95 \
             % interval from {} samples of whole positions; less, same, more: problems that cost \
             this solver less than the first. p, two-sided and exact by position: McNemar's test \
             (also over problems as if they were independent), the sign test, Wilcoxon's signed \
             rank test of the logarithms; Holm: after Holm's correction over the rows of the \
             table. PAR2: ratio of the means over all problems, an unsolved one at twice the cap.",
            grouped(f64::from(figures.resamples))
        ));
    }
    notes.extend(clock(figures));
    if !figures.predictions.is_empty() {
        notes.push(
            "AUC: the probability that the feature is greater for a target that escapes than for \
             one that is captured, over the problems with such a verdict that are still undecided \
             after so many plies or nodes; 0.5 is uninformative. Features: the best value, and \
             its change since the first iteration; ln(pn/dn); how far dn is below its greatest \
             value so far, and pn with its sign turned."
                .to_owned(),
        );
    }
    notes
}

fn absent(figures: &Figures) -> Option<String> {
    (!figures.absent.is_empty()).then(|| {
        format!(
            "Left out, as not started: {}. The common problems, the tests and the corrections are \
             over the other solvers alone.",
            quoted(&figures.absent)
        )
    })
}

fn unjudged(figures: &Figures) -> Option<String> {
    let unknown = figures.unknown() as u64;
    (unknown > 0).then(|| {
        format!(
            "{} no expected verdict: any answer counts as solved, none as wrong; \
             where answers to all problems are counted, such a problem is right for no solver.",
            count(unknown, "problem has", "problems have")
        )
    })
}

fn judged(figures: &Figures) -> Option<String> {
    (!figures.judges.is_empty()).then(|| {
        format!(
            "{} not of the suite: there the answers of {} agree. Where they do not, the \
             truth is unknown. A judge is right there by definition.",
            count(
                figures.judged as u64,
                "expected verdict is",
                "expected verdicts are"
            ),
            quoted(&figures.judges)
        )
    })
}

fn outside(figures: &Figures) -> Option<String> {
    let others = figures.solvers.iter().filter(|solver| solver.outside);
    let names = quoted(others.map(|solver| &solver.name));
    (!names.is_empty()).then(|| {
        format!(
            "{names}: another program, whose nodes are its own count and not compared with ours, \
             and whose time includes the way to it and back."
        )
    })
}

fn trouble(figures: &Figures) -> Vec<String> {
    let mut notes = Vec::new();
    for solver in &figures.solvers {
        let name = &solver.name;
        if solver.faults > 0 {
            let why = solver.fault.as_deref().unwrap_or("no reason given");
            notes.push(format!(
                "`{name}` failed on {} problems; first: {why}",
                solver.faults
            ));
        }
        if solver.unsteady > 0 {
            notes.push(format!(
                "`{name}` found or counted something else on {} problems when it solved them \
                 again.",
                solver.unsteady
            ));
        }
    }
    notes
}

fn clock(figures: &Figures) -> Option<String> {
    let pairs = figures.pairs.iter();
    let mut costs = pairs.filter_map(|pair| pair.seconds.as_ref());
    let first = costs.next()?;
    let both = costs.any(|costs| costs.measure != first.measure);
    let which = match (both, first.measure) {
        (true, _) => "of the processor where both solvers have it, otherwise on the wall",
        (false, "cpu") => "of the processor",
        (false, _) => "on the wall",
    };
    let is_counted = figures.solvers.iter().any(|it| !it.within.is_empty());
    let counted = if is_counted {
        " Problems solved within a time, and the median and the like beside them, are by the time \
         of the processor, for other programs on the wall."
    } else {
        ""
    };
    let repeated = if figures.repeats > 1 {
        format!(
            " Each problem was solved {} times, the shortest time counts (once if it was not \
             solved or took more than a second).",
            figures.repeats
        )
    } else {
        String::new()
    };
    Some(format!(
        "Times are compared by the time {which}.{counted}{repeated}"
    ))
}
