//! The page about all stages, and the trajectory as a CSV file.

use std::path::{Path, PathBuf};

use super::TuneTask;
use super::derive::Line;
use super::files::{TuneFiles, command, replace};
use super::learn::TuneOutcome;
use super::results::{Judgement, Pool};
use super::warm::Figures;
use crate::Failure;
use leitai_base::count::count;
use leitai_config::Variant;
use leitai_runs::figures::gate::verdict_and_strength;
use leitai_runs::figures::number::signed;
use leitai_runs::figures::tune::{
    Checkpoint, Outcome, Reference, RenderedTune, StageRow, TuneReport,
};
use leitai_runs::gate::Verdict;
use leitai_stats::tune::Trajectory;

/// The page's data, collected as stages end.
pub(super) struct Page<'a> {
    files: &'a TuneFiles,
    store: &'a Path,
    render: Option<fn(&TuneReport) -> RenderedTune>,
    report: TuneReport,
}

impl<'a> Page<'a> {
    /// Creates the page before the first stage, with the path `store` of the record.
    pub(super) fn new(line: &Line<'_>, task: &'a TuneTask, store: &'a Path) -> Self {
        let (tune, start) = (line.tune, line.start());
        let report = TuneReport {
            title: start.name.clone(),
            config: line.origin.loaded.warnings.name.clone(),
            run: String::new(),
            command: task.command.clone(),
            algorithm: tune.algorithm.name().to_owned(),
            games: 0,
            budget: tune.games,
            seed: line.origin.loaded.config.seed,
            dimensions: Vec::new(),
            correlations: Vec::new(),
            trajectory: Trajectory::default(),
            before: start.clone(),
            after: start.clone(),
            ratings: Vec::new(),
            references: Vec::new(),
            stages: Vec::new(),
            notes: Vec::new(),
        };
        Self {
            files: &task.files,
            store,
            render: task.render,
            report,
        }
    }

    fn add(
        &mut self,
        name: &str,
        games: u64,
        outcome: Outcome,
        words: String,
        again: Option<String>,
    ) {
        self.report.stages.push(StageRow {
            name: name.to_owned(),
            games,
            seconds: None,
            outcome,
            words,
            command: again,
        });
    }

    /// Adds the fit and its effect on the start.
    pub(super) fn fitted(&mut self, figures: &Figures, variant: &Variant) {
        let file = self.files.other("baseline.toml");
        let again = command("run", &file, self.store);
        let (games, words) = (figures.games_played(), figures.sentence());
        self.add("fit", games, Outcome::Done, words, Some(again));
        self.report.after = variant.clone();
    }

    /// Adds the result of the games.
    pub(super) fn learnt(&mut self, outcome: &TuneOutcome, line: &Line<'_>) {
        let learnt = &outcome.learnt;
        let report = &mut self.report;
        report.run.clone_from(&learnt.run);
        report.games = learnt.games;
        report.notes = learnt.page_notes();
        report.correlations.clone_from(&learnt.error_correlations);
        report.trajectory = outcome.trajectory.clone();
        report.after = outcome.tuned.clone();
        report.dimensions.clone_from(&learnt.dimensions);
        let outcome = if learnt.games < line.tune.games {
            Outcome::Unfinished
        } else {
            Outcome::Done
        };
        let words = format!(
            "{} by {}",
            count(learnt.dimensions.len() as u64, "number", "numbers"),
            line.tune.algorithm.name()
        );
        self.add("games", learnt.games, outcome, words, None);
    }

    /// Adds a gate.
    pub(super) fn judged(&mut self, name: &str, judgement: &Judgement) {
        let candidate = judgement.summary.candidates.first();
        let outcome = match (judgement.passed(), judgement.verdict) {
            (Some(true), _) => Outcome::Accepted,
            (Some(false), _) => Outcome::Rejected,
            (None, Some(Verdict::Inconclusive(_))) => Outcome::Undecided,
            _ => Outcome::Unfinished,
        };
        let games = candidate.map_or(0, |candidate| candidate.results.estimate.games);
        let words = candidate.map_or_else(String::new, verdict_and_strength);
        let again = command("gate", &judgement.file, self.store);
        self.add(name, games, outcome, words, Some(again));
    }

    /// Adds the games against the pool.
    pub(super) fn met(&mut self, pool: &Pool, line: &Line<'_>) {
        for challenger in &pool.challengers {
            if let (Some(games), 1..) = (challenger.learnt_from, line.tune.games) {
                self.report.ratings.push(Checkpoint {
                    games,
                    elo: challenger.elo,
                });
            } else {
                self.report.references.push(Reference {
                    name: challenger.name.clone(),
                    elo: challenger.elo.value,
                });
            }
        }
        let games = pool.challengers.iter().map(|row| row.games).sum();
        let again = command("run", &pool.file, self.store);
        let learnt = || {
            pool.challengers
                .iter()
                .filter(|row| row.learnt_from.is_some())
        };
        let (start, end) = (learnt().next(), learnt().next_back());
        let words = start.zip(end).map_or_else(String::new, |(start, end)| {
            format!(
                "`{}` makes {} Elo against all of the pool, `{}` makes {}",
                end.name,
                signed(end.elo.value),
                start.name,
                signed(start.elo.value),
            )
        });
        self.add("pool", games, Outcome::Done, words, Some(again));
    }

    /// Writes the page, unless no stage has ended, and the trajectory, if there is one.
    pub(super) fn write(&self) -> Result<[Option<PathBuf>; 2], Failure> {
        if self.report.stages.is_empty() {
            return Ok([None, None]);
        }
        let Some(render) = self.render else {
            return Ok([None, None]);
        };
        let rendered = render(&self.report);
        let page = self.files.other("report.html");
        replace(&page, &rendered.page)?;
        if self.report.dimensions.is_empty() {
            return Ok([Some(page), None]);
        }
        let table = self.files.other("trajectory.csv");
        replace(&table, &rendered.trajectory)?;
        Ok([Some(page), Some(table)])
    }
}
