//! The page about the stages of a tune, during the tune and from its record, and the trajectory as
//! a CSV file.

use std::path::{Path, PathBuf};

use super::TuneTask;
use super::files::{command, replace};
use super::games::SAMPLES;
use super::generations::Generation;
use super::results::{GateOutcome, LearningResult, Pool};
use super::stage_configs::StageConfigs;
use super::warm::Figures;
use crate::recorded::recorded_plan;
use crate::{Failure, Reader};
use leitai_base::count::count;
use leitai_config::{Gate, Tune, Variant};
use leitai_runs::figures::FailureSummary;
use leitai_runs::figures::gate::{
    Candidate, GateSummary, Outcome as Verdict, verdict_and_strength,
};
use leitai_runs::figures::number::signed;
use leitai_runs::figures::tune::{Checkpoint, Outcome, Reference, StageRow, TuneReport};
use leitai_runs::gate::recorded_trials;
use leitai_runs::store::{BatchRow, RunEntry, Store};
use leitai_runs::tournament::{NodeComparison, TunePlan};
use leitai_stats::tune::{Trajectory, trajectory};

/// Builds the report of a tune before its first stage; `command` repeats the whole tune.
fn empty_report(
    tune: &Tune,
    start: &Variant,
    config: &str,
    command: &str,
    seed: u64,
) -> TuneReport {
    TuneReport {
        title: start.name.clone(),
        config: config.to_owned(),
        run: String::new(),
        command: command.to_owned(),
        algorithm: tune.algorithm.name().to_owned(),
        games: 0,
        budget: tune.games,
        seed,
        dimensions: Vec::new(),
        correlations: Vec::new(),
        trajectory: Trajectory::default(),
        before: start.clone(),
        after: start.clone(),
        ratings: Vec::new(),
        references: Vec::new(),
        stages: Vec::new(),
        notes: Vec::new(),
    }
}

/// Adds the result of the games to a report, with their total time if known.
pub(super) fn add_games(
    report: &mut TuneReport,
    learning: &LearningResult,
    trajectory: Trajectory,
    after: Variant,
    seconds: Option<f64>,
) {
    report.run.clone_from(&learning.run);
    report.games = learning.games;
    let failures = learning.failures.iter().flat_map(FailureSummary::sentences);
    let nodes = learning.nodes.iter().map(NodeComparison::sentence);
    let notes = nodes.chain(learning.notes.iter().cloned());
    report.notes = notes.chain(failures).collect();
    report.correlations.clone_from(&learning.error_correlations);
    report.dimensions.clone_from(&learning.dimensions);
    report.trajectory = trajectory;
    report.after = after;
    let numbers = count(learning.dimensions.len() as u64, "number", "numbers");
    report.stages.push(StageRow {
        name: "games".to_owned(),
        games: learning.games,
        seconds,
        outcome: if learning.games < report.budget {
            Outcome::Unfinished
        } else {
            Outcome::Done
        },
        words: format!("{numbers} by {}", report.algorithm),
        command: None,
    });
}

/// Builds the row of a gate's candidate.
fn gate_row(name: &str, candidate: &Candidate, again: Option<String>) -> StageRow {
    StageRow {
        name: name.to_owned(),
        games: candidate.results.estimate.games,
        seconds: None,
        outcome: match (candidate.passed, candidate.verdict) {
            (Some(true), _) => Outcome::Accepted,
            (Some(false), _) => Outcome::Rejected,
            (None, Some(Verdict::Inconclusive)) => Outcome::Undecided,
            _ => Outcome::Unfinished,
        },
        words: verdict_and_strength(candidate),
        command: again,
    }
}

/// The page's data, collected as stages end.
pub(super) struct Page<'a> {
    task: &'a TuneTask,
    /// The record of the stages.
    store: &'a Path,
    pub(super) report: TuneReport,
}

impl<'a> Page<'a> {
    /// Creates the page before the first stage, with the path `store` of the record.
    pub(super) fn new(line: &StageConfigs<'_>, task: &'a TuneTask, store: &'a Path) -> Self {
        let loaded = line.origin.loaded;
        let (name, seed) = (&loaded.warnings.name, loaded.config.seed);
        Self {
            task,
            store,
            report: empty_report(line.tune, line.start(), name, &task.command, seed),
        }
    }

    fn add_done(&mut self, name: &str, games: u64, words: String, played: Option<(&str, &Path)>) {
        let program = &self.task.program;
        let again = played.map(|(verb, file)| command(program, verb, file, self.store));
        self.report.stages.push(StageRow {
            name: name.to_owned(),
            games,
            seconds: None,
            outcome: Outcome::Done,
            words,
            command: again,
        });
    }

    /// Adds the fit and its effect on the start.
    pub(super) fn add_fit(&mut self, figures: &Figures, variant: &Variant) {
        let file = self.task.files.other("baseline.toml");
        let (games, words) = (figures.games_played(), figures.sentence());
        let played = (games > 0).then_some(("run", &*file));
        self.add_done("fit", games, words, played);
        self.report.after = variant.clone();
    }

    /// Adds a gate.
    pub(super) fn add_gate(&mut self, name: &str, judgement: &GateOutcome) {
        let again = command(&self.task.program, "gate", &judgement.file, self.store);
        let candidates = judgement.summary.candidates.iter().take(1);
        let rows = candidates.map(|candidate| gate_row(name, candidate, Some(again.clone())));
        self.report.stages.extend(rows);
    }

    /// Adds the stages of a generation, and the values of its winner, if there is one.
    pub(super) fn add_generation(&mut self, generation: &Generation, report: TuneReport) {
        let stages = report.stages.into_iter().map(|stage| StageRow {
            name: format!("generation {}: {}", generation.number, stage.name),
            ..stage
        });
        self.report.stages.extend(stages);
        self.report.games += report.games;
        if generation.winner.is_some() {
            self.report.dimensions = report.dimensions;
            self.report.correlations = report.correlations;
            self.report.trajectory = report.trajectory;
            self.report.after = report.after;
            self.report.notes = report.notes;
        }
    }

    /// Adds the games against the pool.
    pub(super) fn add_pool(&mut self, pool: &Pool) {
        let report = &mut self.report;
        for challenger in &pool.challengers {
            if let (Some(games), 1..) = (challenger.learned_games, report.budget) {
                let elo = challenger.elo;
                report.ratings.push(Checkpoint { games, elo });
            } else {
                report.references.push(Reference {
                    name: challenger.name.clone(),
                    elo: challenger.elo.value,
                });
            }
        }
        let games = pool.challengers.iter().map(|row| row.games).sum();
        let challengers = pool.challengers.iter();
        let mut learning = challengers.filter(|row| row.learned_games.is_some());
        let start = learning.next();
        let end = learning.next_back().or(start);
        let words = start.zip(end).map_or_else(String::new, |(start, end)| {
            let [first, last] = [start, end].map(|row| signed(row.elo.value));
            let (start, end) = (&start.name, &end.name);
            format!("Elo against the whole pool: `{end}` {last}, `{start}` {first}")
        });
        self.add_done("pool", games, words, Some(("run", &pool.file)));
    }

    /// Writes the page, unless no stage has ended, and the trajectory, if there is one.
    pub(super) fn write(&self) -> Result<[Option<PathBuf>; 2], Failure> {
        let Some(render) = self.task.render.filter(|_| !self.report.stages.is_empty()) else {
            return Ok([None, None]);
        };
        let rendered = render(&self.report);
        let page = self.task.files.other("report.html");
        replace(&page, &rendered.page)?;
        if self.report.dimensions.is_empty() {
            return Ok([Some(page), None]);
        }
        let table = self.task.files.other("trajectory.csv");
        replace(&table, &rendered.trajectory)?;
        Ok([Some(page), Some(table)])
    }
}

/// Builds the report of a recorded tune's games so far; `command` repeats the whole tune. The
/// report includes the proofs, which are separate runs, but no other stages.
///
/// # Errors
/// The record cannot be read, or its batches belong to another tune.
pub fn recorded_report(
    plan: TunePlan<'_>,
    store: &Store,
    entry: &RunEntry,
    command: &str,
    reader: Reader<'_>,
) -> Result<TuneReport, Failure> {
    // The tuner has not learned from batches after a missing one.
    let rows = store.batches(&entry.handle)?.into_iter().zip(0..);
    let rows = rows.take_while(|(row, number)| row.number == *number);
    let rows: Vec<BatchRow> = rows.map(|(row, _)| row).collect();
    let mut tuner = plan.tuner()?;
    for row in &rows {
        tuner.tell(row.number, &row.result)?;
    }
    let results = rows.iter().map(|row| (row.number, row.result));
    let played: u64 = rows.iter().map(|row| row.elapsed_us).sum();
    let (config, seed) = (&entry.meta.source_name, plan.config.seed);
    let learning = LearningResult::new(plan, &tuner, &rows);
    let after = plan.variant(&tuner.space().nearest(&tuner.estimate()));
    let trajectory = trajectory(plan.tuner()?, results, SAMPLES)?;
    let mut report = empty_report(plan.tune, plan.start_variant(), config, command, seed);
    let seconds = Some(played as f64 / 1e6);
    add_games(&mut report, &learning, trajectory, after, seconds);
    report.run.clone_from(&entry.meta.id);
    if report.games >= report.budget {
        let proofs = proofs([&report.before, &report.after], store, reader)?;
        report.stages.extend(proofs);
    }
    Ok(report)
}

/// Returns the gates of the same record between the start and the tuned variant.
pub(super) fn proofs(
    [before, after]: [&Variant; 2],
    store: &Store,
    reader: Reader<'_>,
) -> Result<Vec<StageRow>, Failure> {
    let is = |variant: &Variant, other: &Variant| {
        Variant {
            name: other.name.clone(),
            ..variant.clone()
        } == *other
    };
    let mut stages = Vec::new();
    for entry in store.runs()? {
        // A run that this version cannot read does not prove this tune.
        let Ok(plan) = recorded_plan(store, &entry, reader) else {
            continue;
        };
        let variants = &plan.config.variants;
        let meets = |gate: &Gate| {
            is(&variants[gate.base], before)
                && matches!(gate.candidates[..], [only] if is(&variants[only], after))
        };
        if !plan.config.gate.as_ref().is_some_and(meets) {
            continue;
        }
        let Some((trials, _)) = recorded_trials(&plan, store, &entry.handle)? else {
            continue;
        };
        let summary = GateSummary::new(&plan, &trials);
        let candidates = summary.candidates.iter();
        let name = &entry.meta.source_name;
        stages.extend(candidates.map(|candidate| gate_row(name, candidate, None)));
    }
    Ok(stages)
}
