//! Explanatory notes for the tables.

use crate::study::{Figures, SolverFigures};
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
    if has_pairs(figures) {
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
             after so many plies or nodes; 0.5 is no information. Features: the best value, and \
             its change since the first iteration; ln(pn/dn); how far dn is below its greatest \
             value so far, and pn with its sign turned."
                .to_owned(),
        );
    }
    notes
}

fn has_pairs(figures: &Figures) -> bool {
    !figures.pairs.is_empty()
}

fn names<'a>(solvers: impl Iterator<Item = &'a SolverFigures>) -> Option<String> {
    let names: Vec<String> = solvers.map(|solver| format!("`{}`", solver.name)).collect();
    (!names.is_empty()).then(|| names.join(", "))
}

fn absent(figures: &Figures) -> Option<String> {
    let names: Vec<String> = figures.absent.iter().map(|it| format!("`{it}`")).collect();
    (!names.is_empty()).then(|| {
        format!(
            "Left out, as not started: {}. The common problems, the tests and the corrections are \
             over the other solvers alone.",
            names.join(", ")
        )
    })
}

fn unjudged(figures: &Figures) -> Option<String> {
    let unknown = figures.unknown();
    let problems = if unknown == 1 {
        "problem has"
    } else {
        "problems have"
    };
    (unknown > 0).then(|| {
        format!(
            "{unknown} {problems} no expected verdict: any answer counts as solved, none as wrong; \
             where answers to all problems are counted, such a problem is right for nobody."
        )
    })
}

fn judged(figures: &Figures) -> Option<String> {
    let verdicts = match figures.judged {
        1 => "1 expected verdict is".to_owned(),
        judged => format!("{judged} expected verdicts are"),
    };
    let judges: Vec<String> = figures
        .judges
        .iter()
        .map(|name| format!("`{name}`"))
        .collect();
    (!judges.is_empty()).then(|| {
        format!(
            "{verdicts} not of the suite: there the answers of {} agree. Where they do not, the \
             truth is unknown. A judge is right there by definition.",
            judges.join(", ")
        )
    })
}

fn outside(figures: &Figures) -> Option<String> {
    let names = names(figures.solvers.iter().filter(|solver| solver.outside))?;
    Some(format!(
        "{names}: another program, whose nodes are its own count and not compared with ours, and \
         whose time includes the way to it and back."
    ))
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
    let mut costs = figures
        .pairs
        .iter()
        .filter_map(|pair| pair.seconds.as_ref());
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
