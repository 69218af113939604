//! Generations: each is a tune that begins from the winner of the one before.

use serde::Serialize;

use super::results::{GateOutcome, TuneResults};
use super::stage_configs::{DerivedVariant, StageConfigs};
use super::{Pipeline, TuneFiles, TuneTask};
use crate::{Failure, StageOutcome};
use leitai_base::count::count;
use leitai_config::{Generations, Tune};
use leitai_runs::gate::Verdict;

/// One generation.
#[derive(Clone, Debug, Serialize)]
pub struct Generation {
    /// Its number, from 1.
    pub number: u32,
    /// Name of the variant from which it began.
    pub parent: String,
    /// Name of its winner; `None` if no proof has accepted one.
    pub winner: Option<String>,
    /// Its stages.
    pub results: TuneResults,
}

impl Generation {
    /// Describes the result in a sentence.
    pub fn sentence(&self) -> String {
        let (number, parent) = (self.number, &self.parent);
        match &self.winner {
            Some(winner) => {
                format!("generation {number}: `{winner}` replaces `{parent}`")
            }
            None => format!("generation {number}: no winner, `{parent}` remains the parent"),
        }
    }
}

/// The limit that ended a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SeriesEnd {
    /// The number of tunes.
    Max,
    /// The number of consecutive tunes without an accepted proof.
    Rejections,
    /// The games to learn from: another tune would exceed them.
    Games,
}

impl SeriesEnd {
    fn sentence(self, limits: &Generations) -> String {
        let reason = match self {
            Self::Max => format!("`max = {}` is reached", limits.max),
            Self::Rejections => {
                let rejections = u64::from(limits.rejections);
                let rejections = count(rejections, "generation", "generations");
                format!("{rejections} in a row without a winner")
            }
            Self::Games => {
                let games = limits.games.unwrap_or_default();
                format!("another one would exceed `games = {games}`")
            }
        };
        format!("the series of generations ends: {reason}")
    }
}

/// The progress of a series.
#[derive(Default)]
struct Series {
    winners: Vec<DerivedVariant>,
    /// Generations in a row without a winner.
    rejections: u32,
}

impl Pipeline<'_> {
    /// Plays generations until one of the limits is reached, then the gate between the start and
    /// the last winner, and the games of all winners against the pool.
    pub(super) fn play_generations(&mut self, limits: &Generations) -> Result<(), Failure> {
        let most = self.configs.tune.most_generations();
        let mut series = Series::default();
        let mut end = if most < limits.max {
            SeriesEnd::Games
        } else {
            SeriesEnd::Max
        };
        for number in 1..=most {
            self.play_generation(number, &mut series)?;
            if series.rejections >= limits.rejections {
                end = SeriesEnd::Rejections;
                break;
            }
        }
        self.results.series_end = Some(end);
        self.session.listener.info(end.sentence(limits));
        let Some(last) = series.winners.last() else {
            return Ok(());
        };
        let file = self.task.files.tuned.clone();
        let is_alone = series.winners.len() == 1;
        let proof = self.results.generations.iter().find_map(|generation| {
            let proof = generation.results.proof.as_ref();
            let [played] = &proof?.summary.candidates[..] else {
                return None;
            };
            let pairs = played.pairs + played.duplicate_pairs;
            (is_alone && generation.winner.is_some()).then_some((generation.number, pairs))
        });
        let loaded = self.configs.series(last, proof).write(&file)?;
        self.results.tuned = Some(file.clone());
        self.session
            .send_outcome(StageOutcome::Tuned { file: file.clone() });
        // A winner of several tries was selected by its proof, so that proof overestimates it.
        if self.results.generations.len() > 1 {
            self.judge("gate of all generations", loaded, file, |results| {
                &mut results.proof
            })?;
        }
        self.play_pool(&series.winners)
    }

    /// Plays one generation, and adds its winner, if there is one.
    fn play_generation(&mut self, number: u32, series: &mut Series) -> Result<(), Failure> {
        let parent = series.winners.last().map(|winner| winner.name.clone());
        let parent = parent.unwrap_or_else(|| self.configs.start().name.clone());
        let config = self.task.files.generation(number);
        let derived = self.configs.generation(number, &series.winners);
        let loaded = self.configs.of_command(derived.write(&config)?);
        let task = TuneTask {
            files: TuneFiles::of(&config, None),
            config,
            ..self.task.clone()
        };
        let configs = StageConfigs::of(&task.config, &loaded, &self.session.games.cards)?;
        let generation = Pipeline::new(&task, self.session, configs, true);
        let (ended, report) = generation.run()?;
        ended.page?;
        let is_promoted = ended.halt.is_none() && is_proven(&ended.results);
        let winner = is_promoted.then(|| {
            let before = series.winners.last();
            let before = before.and_then(|winner| winner.learned_games);
            let games = before.unwrap_or(0) + learned_games(self.configs.tune, &ended.results);
            self.configs.winner(number, &parent, &report.after, games)
        });
        if is_promoted {
            self.origin = ended.origin;
        }
        let outcome = Generation {
            number,
            parent,
            winner: winner.as_ref().map(|winner| winner.name.clone()),
            results: ended.results,
        };
        self.page.add_generation(&outcome, report);
        if ended.halt.is_none() {
            let event = StageOutcome::Generation(Box::new(outcome.clone()));
            self.session.send_outcome(event);
        }
        self.results.generations.push(outcome);
        if let Some(halt) = ended.halt {
            return Err(halt.into());
        }
        let in_a_row = series.rejections + 1;
        series.rejections = if is_promoted { 0 } else { in_a_row };
        series.winners.extend(winner);
        Ok(())
    }
}

/// Returns the number of games from which the values of a generation were learned: those of a fit
/// count if the values begin from it.
fn learned_games(tune: &Tune, results: &TuneResults) -> u64 {
    let rejects = |gate: &GateOutcome| gate.verdict.and_then(Verdict::passed) != Some(true);
    if results.gate.as_ref().is_some_and(rejects) {
        tune.games
    } else {
        tune.cost()
    }
}

/// Returns whether a proof was played, and all proofs have accepted the tuned variant.
fn is_proven(results: &TuneResults) -> bool {
    let accepts = |proof: &GateOutcome| proof.verdict.and_then(Verdict::passed) == Some(true);
    let second = results.second.as_ref();
    results.proof.as_ref().is_some_and(accepts) && second.is_none_or(accepts)
}
