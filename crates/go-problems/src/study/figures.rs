//! The figures of a study of solvers: the one source of tables, files and plots.

use serde::Serialize;

use leitai_game::search::proof::Event;
use leitai_go::CaptureVerdict;
use leitai_stats::{PValue, Ranged};

use crate::statistics::{Auc, SignedRank};

/// All figures of a study of solvers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// Name of the game.
    pub game: &'static str,
    /// The mode of the solvers: `fast` or `proved`.
    pub mode: String,
    /// Problems in the suite.
    pub problems: usize,
    /// Number of positions of the problems, up to symmetry and colours.
    pub positions: usize,
    /// The numbers of problems whose expected verdict is captured, escapes or ko; the others have
    /// none.
    pub expected: [(CaptureVerdict, usize); 3],
    /// The number of expected verdicts that are the consensus of the judges.
    pub judged: usize,
    /// The solvers that are judges.
    pub judges: Vec<String>,
    /// Node limit of a problem.
    pub node_limit: Option<u64>,
    /// Time limit of a problem in seconds.
    pub time_limit: Option<f64>,
    /// The number of runs per problem to measure time.
    pub repeats: u32,
    /// Seed of the resamples for all intervals.
    pub seed: u64,
    /// Resamples of each interval.
    pub resamples: u32,
    /// Problems that every solver solved.
    pub common: usize,
    /// Solvers that did not start, and are excluded from all other figures.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub absent: Vec<String>,
    /// The solvers, in the order of the config.
    pub solvers: Vec<SolverFigures>,
    /// Each solver except the first against the first, then all other pairs.
    pub pairs: Vec<PairFigures>,
    /// Problems that were answered wrongly or in different ways.
    pub disputed: Vec<Disputed>,
    /// Progress of searches, by their outcome.
    pub trajectories: Vec<Trajectories>,
    /// Predictions from unfinished searches.
    pub predictions: Vec<Prediction>,
    /// By problem: its id, and for each solver the cost of its solution.
    pub costs: Vec<(String, Vec<ProblemCost>)>,
}

impl Figures {
    /// The number of problems without an expected verdict.
    pub fn unknown(&self) -> usize {
        let known = self.expected.iter().map(|(_, count)| count);
        self.problems - known.sum::<usize>()
    }
}

/// The figures of one solver.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SolverFigures {
    /// Its name.
    pub name: String,
    /// True for another program, whose node counts are not comparable.
    pub outside: bool,
    /// Problems answered with the expected verdict.
    pub right: usize,
    /// Their share of all problems, with its 95 % interval (Wilson) as if problems were
    /// independent; those without an expected verdict are never right.
    pub right_share: Ranged,
    /// Problems solved: answered, and not known to be wrong.
    pub solved: usize,
    /// Problems without a verdict.
    pub unsolved: usize,
    /// Problems with a verdict that is not the expected one.
    pub wrong: usize,
    /// Solved problems whose right verdict is unknown.
    pub unjudged: usize,
    /// Unsolved problems whose right verdict is unknown.
    pub unjudged_unsolved: usize,
    /// Unsolved problems on which the solver failed.
    pub faults: usize,
    /// The reason of the first failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// Problems on which repeated searches differed.
    pub unsteady: usize,
    /// The number of solved problems whose first moves are listed, and how many of the solver's
    /// moves are listed. Another move can be right as well.
    pub listed_moves: [usize; 2],
    /// Mean cost over all problems that this solver solved. These means of different solvers are
    /// about different problems.
    pub own: Effort,
    /// Mean cost over the problems that every solver solved.
    pub common: Effort,
    /// Seconds over all problems, solved or not: processor time, or wall-clock time if nothing else
    /// is known; absent without times.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<Quantiles>,
    /// Problems solved within these times.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub within: Vec<Within>,
    /// Penalised mean of nodes, with a node limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub penalised_nodes: Option<Penalised>,
    /// Penalised mean of seconds, with a time limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub penalised_seconds: Option<Penalised>,
}

/// Mean cost of problems. The mean of a count that is missing for one of them is absent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Effort {
    /// The number of problems.
    pub problems: usize,
    /// Seconds of wall-clock time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Seconds of processor time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_seconds: Option<f64>,
    /// Moves played; see [`SolverResult`](super::SolverResult).
    pub visited: Option<f64>,
    /// Positions whose moves were generated.
    pub expanded: Option<f64>,
    /// Generated moves.
    pub generated: Option<f64>,
    /// The maximum depth of a visited position, in plies.
    pub depth: Option<f64>,
}

/// The distribution of a solver's times.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Quantiles {
    /// The mean.
    pub mean: f64,
    /// The median.
    pub median: f64,
    /// The 95th percentile.
    pub p95: f64,
    /// The maximum.
    pub most: f64,
}

/// The number of problems solved within a time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Within {
    /// The time, in seconds.
    pub seconds: f64,
    /// The number of problems.
    pub solved: usize,
}

/// Averages in which a problem that was not solved, or wrongly, counts as a multiple of the limit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Penalised {
    /// With twice the limit.
    pub par2: f64,
    /// With ten times the limit: shows whether the order of solvers depends on the penalty.
    pub par10: f64,
}

/// One problem's cost for one solver.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ProblemCost {
    /// True if it was solved.
    pub solved: bool,
    /// Moves played.
    pub visited: Option<u64>,
    /// Seconds of processor time, or wall-clock time if nothing else is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// Two solvers on the same problems.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairFigures {
    /// Indices of the two, in the order of the config.
    #[serde(skip)]
    pub solvers: [usize; 2],
    /// The name of the first.
    pub first: String,
    /// The name of the second.
    pub second: String,
    /// Counts and tests of solved problems.
    pub solved: SolvedFigures,
    /// Counts and tests of right answers: the same, except that problems without an expected
    /// verdict are right for neither.
    pub right: SolvedFigures,
    /// Verdicts of the two on problems without an expected verdict.
    pub unjudged: UnjudgedFigures,
    /// Nodes of the problems that both solve; absent if the counts of the two are not comparable,
    /// or one has none.
    pub nodes: Option<CostFigures>,
    /// Seconds of the problems that both solve.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<CostFigures>,
}

/// A test with its adjusted p-values.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Tested {
    /// The unadjusted test.
    #[serde(flatten)]
    pub test: PValue,
    /// Its p among all pairs, adjusted by Holm's method.
    pub holm: Option<f64>,
    /// Its p among the pairs with the first solver, adjusted by Holm's method; absent in others.
    pub holm_versus_first: Option<f64>,
}

impl Tested {
    /// A test that is not adjusted yet.
    pub(super) fn alone(test: PValue) -> Self {
        Self {
            test,
            holm: None,
            holm_versus_first: None,
        }
    }
}

/// Solved problems of two solvers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SolvedFigures {
    /// Problems that both solve.
    pub both: usize,
    /// Problems that only the first solves.
    pub only_first: usize,
    /// Problems that only the second solves.
    pub only_second: usize,
    /// Problems that neither solves.
    pub neither: usize,
    /// `McNemar`'s exact test over problems, as if all were independent.
    pub mcnemar: PValue,
    /// The same with the problems of a position as one.
    pub by_position: Tested,
}

/// Verdicts of two solvers on the problems whose right verdict is unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct UnjudgedFigures {
    /// Both give the same verdict.
    pub agree: usize,
    /// They give different verdicts.
    pub differ: usize,
    /// Only the first gives a verdict.
    pub only_first: usize,
    /// Only the second gives a verdict.
    pub only_second: usize,
    /// Neither gives a verdict.
    pub neither: usize,
}

/// Costs of two solvers on the problems that both solve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CostFigures {
    /// The unit of costs: `nodes`, `cpu` or `wall`.
    pub measure: &'static str,
    /// Problems that both solve.
    pub problems: usize,
    /// The number of their positions.
    pub positions: usize,
    /// Geometric mean of second over first, with its 95 % interval over positions.
    pub ratio: Ranged,
    /// Problems that cost the second less.
    pub less: usize,
    /// Problems that cost both the same.
    pub equal: usize,
    /// Problems that cost the second more.
    pub more: usize,
    /// Sign test by position.
    pub sign: Tested,
    /// Wilcoxon's test of the logarithms of the ratios, by position: its ranks.
    pub ranks: SignedRank,
    /// The same with adjusted p-values.
    pub signed_rank: Tested,
    /// Ratio of the penalised means (PAR2), second over first, over all problems, with its interval
    /// over positions; empty without a limit.
    pub par2_ratio: Ranged,
}

/// A problem that was answered wrongly or in different ways.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Disputed {
    /// The problem's id.
    pub id: String,
    /// The expected verdict.
    pub expected: Option<CaptureVerdict>,
    /// The verdict of each solver.
    pub verdicts: Vec<CaptureVerdict>,
}

/// The traced quantity of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// The best value by depth.
    Value,
    /// Proof and disproof number by nodes.
    Numbers,
}

/// Searches of one solver with the same outcome.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trajectories {
    /// The solver's name.
    pub solver: String,
    /// The traced quantity.
    pub shape: Shape,
    /// The outcome: captured, escapes, or unknown for searches without a verdict.
    pub outcome: CaptureVerdict,
    /// The number of searches with this outcome and a trace.
    pub searches: usize,
    /// The longest traces.
    pub traces: Vec<Trace>,
}

/// One search.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trace {
    /// The problem's id.
    pub id: String,
    /// Its events.
    pub steps: Vec<Event>,
}

/// The accuracy with which a feature of an unfinished search predicts whether the target escapes or
/// is captured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Prediction {
    /// Index of the solver.
    #[serde(skip)]
    pub solver: usize,
    /// The name of the feature.
    pub feature: &'static str,
    /// The checkpoint: a depth in plies, or a number of nodes.
    pub checkpoint: u64,
    /// The probability that an escape has a greater value than a capture, over the problems that
    /// are still undecided and whose verdict is known.
    #[serde(flatten)]
    pub auc: Auc,
    /// Problems with a known verdict that were decided before.
    pub decided: usize,
}
