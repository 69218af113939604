//! What a study of solvers says, as data: the one source of tables, files and
//! plots.

use serde::Serialize;

use crate::games::go::CaptureVerdict;
use crate::search::proof::Event;
use crate::stats::{Auc, PValue, Ranged, SignedRank};

/// All figures of a study of solvers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// Name of the game.
    pub game: &'static str,
    /// What counts as solved: `fast` or `proved`.
    pub mode: String,
    /// Problems in the suite.
    pub problems: usize,
    /// Positions that they stand on, but for symmetry and colours.
    pub positions: usize,
    /// How many of them are expected to be captured, to escape, to be ko; the rest
    /// has no expected verdict.
    pub expected: [(CaptureVerdict, usize); 3],
    /// Of the expected verdicts, those that are only what the judges agree on.
    pub judged: usize,
    /// The solvers that judge.
    pub judges: Vec<String>,
    /// A problem was given up beyond so many nodes.
    pub node_limit: Option<u64>,
    /// A problem was given up after so many seconds.
    pub time_limit: Option<f64>,
    /// How often a problem was solved for the sake of its time.
    pub repeats: u32,
    /// Seed of the resamples behind all intervals.
    pub seed: u64,
    /// Resamples of each interval.
    pub resamples: u32,
    /// Problems that every solver solved.
    pub common: usize,
    /// Solvers that did not start, and are in no other figure.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub absent: Vec<String>,
    /// The solvers, in the order of the config.
    pub solvers: Vec<SolverFigures>,
    /// Each solver but the first against the first, then all other pairs.
    pub pairs: Vec<PairFigures>,
    /// Problems that were answered wrongly or in different ways.
    pub disputed: Vec<Disputed>,
    /// Searches as they went, by what came of them.
    pub trajectories: Vec<Trajectories>,
    /// What a search that is not finished foretells.
    pub predictions: Vec<Prediction>,
    /// By problem: its id, and for each solver the cost of its solution.
    pub costs: Vec<(String, Vec<ProblemCost>)>,
}

impl Figures {
    /// How many problems have no expected verdict.
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
    /// Whether it is another program, whose nodes are counted in its own way.
    pub outside: bool,
    /// Problems answered with the expected verdict.
    pub right: usize,
    /// Their share of all problems, with its 95 % interval (Wilson) as if problems were
    /// independent; those without an expected verdict are right for nobody.
    pub right_share: Ranged,
    /// Problems solved: answered, and not known to be wrong.
    pub solved: usize,
    /// Problems without a verdict.
    pub unsolved: usize,
    /// Problems with a verdict that is not the expected one.
    pub wrong: usize,
    /// Of the solved ones, those whose right verdict nobody knows.
    pub unjudged: usize,
    /// Of the unsolved ones, those whose right verdict nobody knows.
    pub unjudged_unsolved: usize,
    /// Of the unsolved ones, those where the solver failed.
    pub faults: usize,
    /// Why the first of them failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// Problems on which searches of one and the same problem differed.
    pub unsteady: usize,
    /// Solved problems whose first moves are listed, and those of them whose move
    /// is among these. Another move can be right as well.
    pub listed_moves: [usize; 2],
    /// What a problem cost in the mean, over all that this solver solved. Such
    /// means of different solvers are about different problems.
    pub own: Effort,
    /// The same over the problems that every solver solved.
    pub common: Effort,
    /// Over all problems, solved or not: seconds of the processor, or on the wall where
    /// only these are known; absent where times are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<Quantiles>,
    /// Problems solved within these times.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub within: Vec<Within>,
    /// Penalised mean of nodes, under a cap of nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub penalised_nodes: Option<Penalised>,
    /// Penalised mean of seconds, under a cap of time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub penalised_seconds: Option<Penalised>,
}

/// What problems cost in the mean. A count that is missing for one of them has no
/// mean.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Effort {
    /// Over so many problems.
    pub problems: usize,
    /// Seconds by the clock on the wall.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Seconds of the processor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_seconds: Option<f64>,
    /// Moves played; see [`Answer`](super::Answer).
    pub visited: Option<f64>,
    /// Positions whose moves were listed.
    pub expanded: Option<f64>,
    /// Moves listed there.
    pub generated: Option<f64>,
    /// The deepest position visited, in plies.
    pub depth: Option<f64>,
}

/// How a solver's times lie.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Quantiles {
    /// The mean.
    pub mean: f64,
    /// Half of the problems took at most so long.
    pub median: f64,
    /// 95 of 100 took at most so long.
    pub p95: f64,
    /// The longest.
    pub most: f64,
}

/// Problems solved within a time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Within {
    /// The time, in seconds.
    pub seconds: f64,
    /// How many.
    pub solved: usize,
}

/// Averages in which a problem that was not solved, or wrongly, counts several caps.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Penalised {
    /// Twice the cap.
    pub par2: f64,
    /// Ten times the cap: whether the order of solvers hangs on the penalty.
    pub par10: f64,
}

/// One problem's cost for one solver.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ProblemCost {
    /// Whether it was solved.
    pub solved: bool,
    /// Moves played.
    pub visited: Option<u64>,
    /// Seconds of the processor, or on the wall where only these are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// Two solvers on the same problems.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairFigures {
    /// Numbers of the two, in the order of the config.
    #[serde(skip)]
    pub solvers: [usize; 2],
    /// The first of the two.
    pub first: String,
    /// The second.
    pub second: String,
    /// Who solves what.
    pub solved: SolvedFigures,
    /// Who is right about what: the same, but for problems without an expected verdict, which
    /// count as right for neither.
    pub right: SolvedFigures,
    /// What the two say of problems without an expected verdict.
    pub unjudged: UnjudgedFigures,
    /// Nodes of the problems that both solve; absent where one of the two counts in
    /// its own way or not at all.
    pub nodes: Option<CostFigures>,
    /// Seconds of these problems.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<CostFigures>,
}

/// A test with its place among the others of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Tested {
    /// The test alone.
    #[serde(flatten)]
    pub test: PValue,
    /// Its p among all pairs, after Holm.
    pub holm: Option<f64>,
    /// Its p among the pairs with the first solver, after Holm; absent in others.
    pub holm_versus_first: Option<f64>,
}

impl Tested {
    /// A test whose place is not known yet.
    pub(super) fn alone(test: PValue) -> Self {
        Self {
            test,
            holm: None,
            holm_versus_first: None,
        }
    }
}

/// Which of two solvers solves which problems.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SolvedFigures {
    /// Problems that both solve.
    pub both: usize,
    /// Those that only the first solves.
    pub only_first: usize,
    /// Those that only the second solves.
    pub only_second: usize,
    /// Those that neither solves.
    pub neither: usize,
    /// `McNemar`'s exact test over problems, as if all were independent.
    pub mcnemar: PValue,
    /// The same with the problems of a position as one.
    pub by_position: Tested,
}

/// What two solvers say of the problems whose right verdict nobody knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct UnjudgedFigures {
    /// Both say the same.
    pub agree: usize,
    /// Both say something, and not the same.
    pub differ: usize,
    /// Only the first says something.
    pub only_first: usize,
    /// Only the second says something.
    pub only_second: usize,
    /// Neither says anything.
    pub neither: usize,
}

/// What two solvers spend on the problems that both solve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CostFigures {
    /// What was measured: `nodes`, `cpu` or `wall`.
    pub measure: &'static str,
    /// Problems that both solve.
    pub problems: usize,
    /// Positions that they stand on.
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
    /// The same among the others of its kind.
    pub signed_rank: Tested,
    /// Ratio of the penalised means (PAR2), second over first, over all problems,
    /// with its interval over positions; nothing without a cap.
    pub par2_ratio: Ranged,
}

/// A problem that was answered wrongly or in different ways.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Disputed {
    /// The problem's id.
    pub id: String,
    /// The expected verdict.
    pub expected: Option<CaptureVerdict>,
    /// Each solver's.
    pub verdicts: Vec<CaptureVerdict>,
}

/// What is traced over a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// The best value by depth.
    Value,
    /// Proof and disproof number by nodes.
    Numbers,
}

/// Searches of one solver that ended alike.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trajectories {
    /// The solver's name.
    pub solver: String,
    /// What is traced.
    pub shape: Shape,
    /// How the searches ended: captured, escapes, or unknown for those that found
    /// nothing.
    pub outcome: CaptureVerdict,
    /// How many ended so and have a trace.
    pub searches: usize,
    /// The longest of them.
    pub traces: Vec<Trace>,
}

/// One search.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trace {
    /// The problem's id.
    pub id: String,
    /// Its moments.
    pub steps: Vec<Event>,
}

/// How well a number of an unfinished search foretells whether the target escapes
/// or is captured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Prediction {
    /// Number of the solver.
    #[serde(skip)]
    pub solver: usize,
    /// What is looked at.
    pub feature: &'static str,
    /// When: after this depth, in plies, or so many nodes.
    pub checkpoint: u64,
    /// The probability that an escape has a greater number than a capture, over the
    /// problems that are still undecided and whose verdict is known.
    #[serde(flatten)]
    pub auc: Auc,
    /// Problems that were decided before, of those with a known verdict.
    pub decided: usize,
}
