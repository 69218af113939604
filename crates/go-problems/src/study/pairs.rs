//! Two solvers on the same problems.

use std::collections::BTreeSet;

use super::costs::Measure;
use super::figures::{CostFigures, PairFigures, SolvedFigures, Tested, UnjudgedFigures};
use super::fold::Fold;
use super::{Case, Judgement};
use crate::statistics::{
    CostPair, by_cluster, geometric_ratio_clustered, penalised, ratio_of_means_clustered,
    sign_test, signed_rank,
};
use leitai_go::CaptureVerdict;
use leitai_runs::study::draws;
use leitai_stats::{Ranged, holm, sign_flip};

/// All pairs, those with the first solver first, with adjusted tests.
pub(super) fn pairs(fold: &Fold<'_>) -> Vec<PairFigures> {
    let solvers = fold.task.solvers.len();
    let mut all: Vec<PairFigures> = (0..solvers)
        .flat_map(|first| (first + 1..solvers).map(move |second| [first, second]))
        .map(|pair| figures(fold, pair))
        .collect();
    place(&mut all, |it| Some(&mut it.solved.by_position));
    place(&mut all, |it| Some(&mut it.right.by_position));
    place(&mut all, |it| Some(&mut it.nodes.as_mut()?.sign));
    place(&mut all, |it| Some(&mut it.nodes.as_mut()?.signed_rank));
    place(&mut all, |it| Some(&mut it.seconds.as_mut()?.sign));
    place(&mut all, |it| Some(&mut it.seconds.as_mut()?.signed_rank));
    all
}

/// Adjusts the tests that `of` selects: among all pairs, and among those with the first solver.
fn place(pairs: &mut [PairFigures], of: impl Fn(&mut PairFigures) -> Option<&mut Tested>) {
    let p = pairs.iter_mut().map(|pair| Some(of(pair)?.test.p));
    let p: Vec<Option<f64>> = p.collect();
    let first = pairs.iter().zip(&p);
    let first = first.map(|(pair, p)| p.filter(|_| pair.solvers[0] == 0));
    let first: Vec<Option<f64>> = first.collect();
    for ((pair, holm), versus) in pairs.iter_mut().zip(holm(&p)).zip(holm(&first)) {
        if let Some(tested) = of(pair) {
            (tested.holm, tested.holm_versus_first) = (holm, versus);
        }
    }
}

fn figures(fold: &Fold<'_>, pair: [usize; 2]) -> PairFigures {
    let [first, second] = pair.map(|solver| &fold.task.solvers[solver]);
    let nodes = if first.outside || second.outside {
        None
    } else {
        let cap = fold.task.nodes.map(|cap| cap as f64);
        costs(fold, pair, Measure::Nodes, cap)
    };
    let seconds = if fold.wanted.times {
        let cap = fold.task.time.map(|cap| cap.as_secs_f64());
        // The processor time of another process is unknown: compares wall-clock times.
        let processor = costs(fold, pair, Measure::Processor, cap);
        processor.or_else(|| costs(fold, pair, Measure::Wall, cap))
    } else {
        None
    };
    PairFigures {
        solvers: pair,
        first: first.name.clone(),
        second: second.name.clone(),
        solved: counted(fold, pair, Judgement::is_solved),
        right: counted(fold, pair, |judgement| judgement == Judgement::Right),
        unjudged: unjudged(fold, pair),
        nodes,
        seconds,
    }
}

/// Counts the problems of both solvers by a predicate of judgements.
fn counted(
    fold: &Fold<'_>,
    [first, second]: [usize; 2],
    has: impl Fn(Judgement) -> bool,
) -> SolvedFigures {
    let mut counts = [[0_usize; 2]; 2];
    let mut scores = Vec::new();
    for (problem, case) in fold.task.cases.iter().enumerate() {
        let by = [first, second].map(|solver| has(fold.judgement(solver, problem)));
        counts[usize::from(by[0])][usize::from(by[1])] += 1;
        scores.push((case.cluster, i64::from(by[1]) - i64::from(by[0])));
    }
    let [[neither, only_second], [only_first, both]] = counts;
    SolvedFigures {
        both,
        only_first,
        only_second,
        neither,
        mcnemar: sign_test(only_first as u64, only_second as u64),
        by_position: Tested::alone(sign_flip(&by_cluster(scores))),
    }
}

fn unjudged(fold: &Fold<'_>, pair: [usize; 2]) -> UnjudgedFigures {
    let mut figures = UnjudgedFigures::default();
    let cases = fold.task.cases.iter().enumerate();
    for (problem, _) in cases.filter(|(_, case)| !case.is_known()) {
        let said = pair.map(|solver| {
            let cell = fold.cells.cell(solver, problem)?;
            Some(cell.answer.verdict).filter(|said| *said != CaptureVerdict::Unknown)
        });
        let count = match said {
            [Some(one), Some(other)] if one == other => &mut figures.agree,
            [Some(_), Some(_)] => &mut figures.differ,
            [Some(_), None] => &mut figures.only_first,
            [None, Some(_)] => &mut figures.only_second,
            [None, None] => &mut figures.neither,
        };
        *count += 1;
    }
    figures
}

/// The cost comparison; `None` if a problem that both solve has no such cost.
fn costs(
    fold: &Fold<'_>,
    [first, second]: [usize; 2],
    measure: Measure,
    cap: Option<f64>,
) -> Option<CostFigures> {
    let [one, other] = [first, second].map(|solver| fold.costs_of(solver, measure));
    let solved =
        |problem: &usize| fold.is_solved(first, *problem) && fold.is_solved(second, *problem);
    let both: Vec<CostPair> = (0..fold.task.cases.len())
        .filter(solved)
        .map(|problem| {
            Some(CostPair {
                cluster: fold.task.cases[problem].cluster,
                first: one[problem]?,
                second: other[problem]?,
            })
        })
        .collect::<Option<_>>()?;
    let sign = |pair: &CostPair| pair.second.total_cmp(&pair.first) as i64;
    let count = |which: i64| both.iter().filter(|pair| sign(pair) == which).count();
    let logs = both
        .iter()
        .map(|it| (it.cluster, libm::log(it.second / it.first)));
    let logs: Vec<(usize, f64)> = logs.collect();
    let positions: BTreeSet<usize> = both.iter().map(|pair| pair.cluster).collect();
    let ranks = signed_rank(&logs);
    let signs = both.iter().map(|pair| (pair.cluster, sign(pair)));
    let (seed, resamples) = (fold.wanted.seed, fold.wanted.resamples);
    let ratio = geometric_ratio_clustered(&both, resamples, draws(seed));
    Some(CostFigures {
        measure: measure.name(),
        problems: both.len(),
        positions: positions.len(),
        ratio,
        less: count(-1),
        equal: count(0),
        more: count(1),
        sign: Tested::alone(sign_flip(&by_cluster(signs))),
        ranks,
        signed_rank: Tested::alone(ranks.test),
        par2_ratio: cap.map_or(Ranged::NOTHING, |cap| par2(fold, &one, &other, cap)),
    })
}

/// The ratio of the penalised means over all problems.
fn par2(fold: &Fold<'_>, one: &[Option<f64>], other: &[Option<f64>], cap: f64) -> Ranged {
    let costs = fold.task.cases.iter().zip(one.iter().zip(other));
    let cost = |cost: &Option<f64>| penalised(*cost, cap, 2.0);
    let pair = |(case, (first, second)): (&Case, _)| CostPair {
        cluster: case.cluster,
        first: cost(first),
        second: cost(second),
    };
    let all: Vec<CostPair> = costs.map(pair).collect();
    ratio_of_means_clustered(&all, fold.wanted.resamples, draws(fold.wanted.seed))
}
