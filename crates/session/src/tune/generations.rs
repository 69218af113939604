//! Generations: each is a tune that begins from the winner of the one before.

use anyhow::bail;
use serde::Serialize;

use super::results::{GateOutcome, TuneResults};
use super::stage_configs::{DerivedVariant, StageConfigs};
use super::{Pipeline, TuneFiles, TuneTask};
use crate::{Failure, StageOutcome};
use leitai_config::{Generations, TexelStage};
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

/// The progress of a series.
#[derive(Default)]
struct Series {
    winners: Vec<DerivedVariant>,
    /// Generations in a row without a winner.
    rejections: u32,
    /// Games to learn from in all generations so far.
    games: u64,
}

impl Pipeline<'_> {
    /// Plays generations until one of the limits is reached, then the gate between the start and
    /// the last winner, and the games of all winners against the pool.
    pub(super) fn play_generations(&mut self, limits: &Generations) -> Result<(), Failure> {
        if !self.task.proves {
            bail!(
                "`[tune.generations]` without proofs: only a proof decides which variant begins \
                 the next generation\n\
                 help: leave out `--no-proof`"
            );
        }
        let tune = self.configs.tune;
        let fitted = tune.texel.as_ref().map_or(0, TexelStage::games);
        let cost = tune.games + fitted;
        let mut series = Series::default();
        for number in 1..=limits.max {
            let is_spent = limits.games.is_some_and(|most| series.games + cost > most);
            if is_spent || series.rejections >= limits.rejections {
                break;
            }
            series.games += cost;
            self.play_generation(number, &mut series)?;
        }
        let Some(last) = series.winners.last() else {
            return Ok(());
        };
        let file = self.task.files.tuned.clone();
        let loaded = self.configs.series(last).write(&file)?;
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
        let config = self.task.files.other(&format!("generation-{number}.toml"));
        let loaded = self
            .configs
            .generation(number, &series.winners)
            .write(&config)?;
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
            let games = series.games;
            self.configs.winner(number, &parent, &report.after, games)
        });
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

/// Returns whether a proof was played, and all proofs have accepted the tuned variant.
fn is_proven(results: &TuneResults) -> bool {
    let accepts = |proof: &GateOutcome| proof.verdict.and_then(Verdict::passed) == Some(true);
    let second = results.second.as_ref();
    results.proof.as_ref().is_some_and(accepts) && second.is_none_or(accepts)
}
