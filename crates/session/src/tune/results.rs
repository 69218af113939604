//! The results of a tune: JSON for scripts, and tables for the terminal.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde::Serialize;

use super::generations::{Generation, SeriesEnd};
use super::warm::Figures;
use crate::{PlayerFails, Stopped};
use leitai_runs::figures::gate::GateSummary;
use leitai_runs::figures::number::{interval, signed};
use leitai_runs::figures::tune::DimensionRow;
use leitai_runs::figures::{ClockScale, FailureSummary, clock_scales};
use leitai_runs::gate::Verdict;
use leitai_runs::store::BatchRow;
use leitai_runs::tournament::{NodeComparison, TunePlan};
use leitai_stats::Ranged;
use leitai_stats::tune::{Correlation, Tuner, error_correlations};

/// The share of games lost by failures above which a tune warns.
const MAX_LOST: f64 = 0.01;

/// The note of a tune that a failing player ended.
const NOT_ADOPTED: &str =
    "No value is adopted: a player failed too often to learn from these games";

/// Greatest number of correlations in the output.
const CORRELATIONS: usize = 10;

/// All stages so far.
#[derive(Clone, Debug, Default, Serialize)]
pub struct TuneResults {
    /// Path of the record.
    pub store: PathBuf,
    /// True if all stages are finished.
    pub complete: bool,
    /// True if the time limit ended the games before the number in the config.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub limited_by_time: bool,
    /// The fit to games of the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub texel: Option<Figures>,
    /// The test of the fitted variant against the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gate: Option<GateOutcome>,
    /// The games for learning.
    #[serde(flatten)]
    pub learning: Option<LearningResult>,
    /// The file with the tuned variant; `None` before its stage, or if nothing has changed.
    pub tuned: Option<PathBuf>,
    /// The test of the tuned variant against the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<GateOutcome>,
    /// The same test under other limits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub second: Option<GateOutcome>,
    /// The generations, in order; empty without `[tune.generations]`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub generations: Vec<Generation>,
    /// The limit that ended the generations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub series_end: Option<SeriesEnd>,
    /// Games against frozen variants.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pool: Option<Pool>,
    /// The player whose failures ended a stage before its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failing: Option<PlayerFails>,
    /// Path of the page.
    pub report: Option<PathBuf>,
    /// The values over games, as CSV.
    pub trajectory: Option<PathBuf>,
}

/// The result of the games stage.
#[derive(Clone, Debug, Serialize)]
pub struct LearningResult {
    /// The run's identity.
    pub run: String,
    /// Games played so far.
    pub games: u64,
    /// The dimensions, in the order of the config.
    pub dimensions: Vec<DimensionRow>,
    /// The strongest correlations of the errors of two dimensions; empty if there are no errors.
    pub error_correlations: Vec<Correlation>,
    /// Notes from the algorithm.
    pub notes: Vec<String>,
    /// The nodes of the tuned variant relative to the start; only with the objective `nodes`, after
    /// all searches, and if a value has changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<NodeComparison>,
    /// Clock scale at each start; empty if clocks were not scaled.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub clocks: Vec<ClockScale>,
    /// Failures of players; `None` without any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failures: Option<FailureSummary>,
    /// The failure that stopped the games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<Stopped>,
    /// True if a player failed too often to learn from the games.
    #[serde(skip)]
    pub is_failing: bool,
    /// True with the objective `nodes`.
    #[serde(skip)]
    by_nodes: bool,
}

/// The result of a gate.
#[derive(Clone, Debug, Serialize)]
pub struct GateOutcome {
    /// The run's identity.
    pub run: String,
    /// The config of the gate.
    pub file: PathBuf,
    /// Summary of the gate, with the basis of the verdict.
    #[serde(flatten)]
    pub summary: GateSummary,
    /// The verdict; `None` if the test has not ended.
    #[serde(skip)]
    pub verdict: Option<Verdict>,
}

/// Games against frozen variants.
#[derive(Clone, Debug, Serialize)]
pub struct Pool {
    /// The run's identity.
    pub run: String,
    /// The config of the gauntlet.
    pub file: PathBuf,
    /// The challengers, from the start to the tuned variant.
    pub challengers: Vec<Challenger>,
}

/// A variant that plays against the pool.
#[derive(Clone, Debug, Serialize)]
pub struct Challenger {
    /// Name of the variant.
    pub name: String,
    /// Number of games from which its values were learned; `None` if they have another origin.
    #[serde(rename = "learnt_from")]
    pub learned_games: Option<u64>,
    /// Games against the pool.
    pub games: u64,
    /// Elo against the whole pool.
    pub elo: Ranged,
}

impl LearningResult {
    /// Collects the results of `tuner`, which has learned from `batches` of a plan.
    pub(super) fn new(plan: TunePlan<'_>, tuner: &Tuner, batches: &[BatchRow]) -> Self {
        let values = tuner.space().nearest(&tuner.estimate());
        let readings = tuner.readings();
        let seen = batches.iter().take(tuner.results_seen() as usize);
        let played = seen.map(|row| ([&row.plus[..], &row.minus[..]], row.result.pairs()));
        let correlations = readings
            .as_ref()
            .map(|_| error_correlations(tuner.space(), played, CORRELATIONS));
        let by_nodes = plan.tune.depth.map(|depth| {
            format!(
                "here a \"game\" is a search to depth {depth}, won by fewer nodes: node Elo counts \
                 pairs of searches and does not measure playing strength"
            )
        });
        let is_by_nodes = by_nodes.is_some();
        let notes = tuner.notes().into_iter();
        let notes = notes.map(|note| if is_by_nodes { of_nodes(&note) } else { note });
        Self {
            run: plan.id().to_owned(),
            games: 2 * tuner.pairs_seen(),
            dimensions: DimensionRow::all(&plan.tune.dimensions, &values, readings.as_deref()),
            error_correlations: correlations.unwrap_or_default(),
            notes: by_nodes.into_iter().chain(notes).collect(),
            nodes: None,
            clocks: clock_scales(&plan.config, &plan.speeds),
            failures: FailureSummary::of_tune(plan, batches),
            stopped: None,
            is_failing: false,
            by_nodes: is_by_nodes,
        }
    }

    /// Removes values and claims, because a player failed too often to learn from the games.
    pub(super) fn discard_values(&mut self, plan: TunePlan<'_>) {
        let dimensions = &plan.tune.dimensions;
        let starts: Vec<_> = dimensions
            .iter()
            .map(|own| own.decimal(own.start).value())
            .collect();
        self.dimensions = DimensionRow::all(dimensions, &starts, None);
        self.error_correlations.clear();
        self.notes = vec![NOT_ADOPTED.to_owned()];
        self.is_failing = true;
    }

    /// A warning if many games were lost by failures, because the values have learned from them.
    pub(super) fn failure_warning(&self) -> Option<String> {
        let lost = self.failures.as_ref()?.lost();
        let share = lost as f64 / self.games.max(1) as f64;
        (share > MAX_LOST).then(|| {
            format!(
                "{lost} of {} games ({:.1} %) were lost by engine failures, and the tuner has learned \
                 from them as from other games\n\
                 help: fix the engine, or set `otherwise = \"replay\"` under `[failures]` to repeat such \
                 pairs",
                self.games,
                100.0 * share.min(1.0),
            )
        })
    }

    /// The table of the dimensions.
    pub fn table(&self) -> String {
        let mut text = format!("{} games\n\n", self.games);
        let names = self.dimensions.iter().map(|row| row.name.chars().count());
        let names = names.max().unwrap_or(0).max(9);
        let _ = writeln!(
            text,
            "  {:names$}  {:>7}  {:>7}  {:>7}",
            "dimension", "start", "now", "error"
        );
        for row in &self.dimensions {
            let shown = usize::from(row.value.decimals.max(1));
            let error = row.error.map(|error| format!("{error:.shown$}"));
            let error = error.as_deref().unwrap_or("-");
            let flat = row.flat();
            let flat = flat.map(|note| if self.by_nodes { of_nodes(&note) } else { note });
            let (flat, bound) = (flat, row.at_bound.then_some("at its bound"));
            let notes = [flat.as_deref(), row.doubtful(), bound];
            let notes = notes.into_iter().flatten();
            let notes = notes.fold(String::new(), |notes, note| notes + "  " + note);
            let _ = writeln!(
                text,
                "  {:names$}  {:>7}  {:>7}  {error:>7}{notes}",
                row.name, row.start, row.value
            );
        }
        text.push('\n');
        if !self.is_failing {
            let _ = writeln!(text, "{}", DimensionRow::changed(&self.dimensions));
        }
        if let Some(nodes) = &self.nodes {
            let _ = writeln!(text, "{}", nodes.sentence());
        }
        for scale in &self.clocks {
            let _ = writeln!(text, "{}", scale.sentence());
        }
        for note in &self.notes {
            let _ = writeln!(text, "note: {note}");
        }
        if let Some(failures) = &self.failures {
            text = text + "\n" + &failures.text();
        }
        text.trim_end().to_owned()
    }
}

/// A note of the tuner about pairs of searches: their Elo is none of games.
fn of_nodes(note: &str) -> String {
    note.replace("Elo", "node Elo")
}

impl Pool {
    /// The table of the challengers.
    pub fn table(&self) -> String {
        let names = self.challengers.iter().map(|row| row.name.chars().count());
        let names = names.max().unwrap_or(0).max(10);
        let mut text = format!(
            "against the pool\n\n  {:names$}  {:>9}  {:>6}  {:>7}  {:>17}\n",
            "challenger", "learnt in", "games", "Elo", "95 %"
        );
        for row in &self.challengers {
            let learned_games = row.learned_games.map(|games| games.to_string());
            let _ = writeln!(
                text,
                "  {:names$}  {:>9}  {:>6}  {:>7}  {:>17}",
                row.name,
                learned_games.as_deref().unwrap_or("-"),
                row.games,
                signed(row.elo.value),
                interval(&row.elo),
            );
        }
        text.trim_end().to_owned()
    }
}
