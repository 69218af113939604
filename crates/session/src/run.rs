//! Plays tournaments, and the stages that tournaments and gates share.

use std::num::NonZeroUsize;

use anyhow::bail;

use super::event::HeldNotices;
use super::stage_events::{StageReporter, StageResults};
use super::{
    Failure, Listener, MissingSection, PlayOptions, RunEnd, Session, Verb, books, memory,
    processors,
};
use leitai_config::{Config, Loaded};
use leitai_runs::store::Store;
use leitai_runs::tournament::{Ending, Plan, Standings, play_for};

impl Session<'_> {
    /// Plays the remaining pairs of a config's tournament. Computes no ratings: reports are made
    /// from the [standings](Standings).
    ///
    /// # Errors
    /// The config is not one of a tournament, its openings are unreadable or too few, an engine
    /// cannot be started, memory or processors are insufficient, or the record cannot be written.
    /// Recorded pairs are kept.
    pub fn run(&self, loaded: Loaded) -> Result<RunEnd<Standings>, Failure> {
        let name = loaded.warnings.name.clone();
        let others = [
            ("gate", loaded.config.gate.is_some()),
            ("tune", loaded.config.tune.is_some()),
        ];
        if let Some((other, _)) = others.iter().find(|(_, is)| *is) {
            bail!(MissingSection(format!(
                "{name} is the config of a {other}\nhelp: run it with `leitai {other}`"
            )));
        }
        let is_complete =
            |played: &RunEnd<Standings>| played.is_complete() && played.so_far.ended_by().is_none();
        self.report_session(Verb::Run, name, is_complete, || self.tournament(loaded))
    }

    /// Plays a tournament as a stage of a session.
    pub(crate) fn tournament(&self, loaded: Loaded) -> Result<RunEnd<Standings>, Failure> {
        self.check_machine(&loaded.config)?;
        let mut plan = self.prepare(loaded)?;
        self.play_stage(|store| {
            self.equalise(&mut plan, store, None)?;
            let standings = Standings::of(&plan);
            Ok((plan, standings))
        })
    }

    /// Refuses timed games of a config on far too few processors, and engines with tables larger than
    /// all memory.
    pub(crate) fn check_machine(&self, config: &Config) -> Result<(), Failure> {
        check_machine(config, self.threads, self.options.force, &*self.listener)
    }

    /// Starts the engines of a config and builds its plan.
    pub(crate) fn prepare(&self, mut loaded: Loaded) -> Result<Plan, Failure> {
        let (game, terms) = (loaded.config.game, loaded.config.openings.clone());
        let (reader, held) = (self.reader(), HeldNotices::default());
        let held_reader = books::Reader {
            listener: &held,
            ..reader
        };
        let read = || books::read_book(&game, &terms, held_reader);
        let (met, read) = self.meet(&mut loaded, read)?;
        held.release(reader.listener);
        let mut plan = books::plan_of(loaded, read, reader)?;
        plan.execution_options = self.execution_options(&plan.config)?;
        let PlayOptions {
            dialogues,
            pin,
            fleet,
            ..
        } = &self.options;
        // A dialogue has the greeting too, and a pinned thread starts its engines on its processors.
        if dialogues.is_none() && pin.is_none() && fleet.is_none() && plan.config.tune.is_none() {
            plan.execution_options.met = met;
        }
        let players = playing(&plan.config).into_iter();
        let players = players.map(|index| plan.config.variants[index].clone());
        let players: Vec<_> = players.collect();
        memory::check_players(&players, plan.schedule.len(), self.threads)?;
        Ok(plan)
    }

    /// Opens the record and plays the remaining pairs of the plan that `plan_for` makes for it.
    pub(crate) fn play_stage<G: StageResults>(
        &self,
        plan_for: impl FnOnce(&Store) -> Result<(Plan, G), Failure>,
    ) -> Result<RunEnd<G>, Failure> {
        let store = self.open()?;
        let (mut plan, goal) = plan_for(&store)?;
        self.reuse_pairs(&mut plan, &store)?;
        self.retry_failed(&plan, &store)?;
        self.scale_clocks(&mut plan, Some(&store))?;
        let (ending, so_far) = self.play(&plan, &goal, &store)?;
        store.close()?;
        Ok(RunEnd {
            plan,
            ending,
            so_far,
        })
    }

    /// Plays the remaining pairs of a plan that `goal` needs, as a stage of a session.
    pub(crate) fn play<G: StageResults>(
        &self,
        plan: &Plan,
        goal: &G,
        store: &Store,
    ) -> Result<(Ending, G), Failure> {
        let (threads, cancel) = (self.threads, self.cancel);
        let mut reporter = StageReporter::new(plan, &self.listener);
        let (ending, results) = play_for(goal, plan, store, threads, cancel, &mut reporter)?;
        let standings = results.standings();
        let fails = results.trials().is_none() && standings.ended_by().is_some();
        let estimate = (standings.played, results.estimate(plan));
        reporter.end(&ending, fails, estimate, cancel);
        Ok((ending, results))
    }
}

/// Compares the processors and the memory of this machine with the needs of a config's games, and
/// warns.
///
/// # Errors
/// The games cannot be played well, and `force` is false.
pub fn check_machine(
    config: &Config,
    threads: NonZeroUsize,
    force: bool,
    listener: &dyn Listener,
) -> Result<(), Failure> {
    let (limits, playing) = (config.limits_by_variant(), playing(config));
    let variants = || playing.iter().map(|&index| &config.variants[index]);
    let limits = playing.iter().map(|&index| limits[index]);
    processors::check(variants().zip(limits), threads, force, listener)?;
    let tournament = config.tournament.as_ref();
    let pairings = (playing.len() * playing.len().saturating_sub(1) / 2) as u64;
    let pairs = tournament.map_or(u64::MAX, |it| it.pairs.saturating_mul(pairings));
    memory::check_engines(variants(), pairs, threads, force, listener)
}

/// Returns the variants that play the games of a config. In a tune, one plays both sides.
pub(crate) fn playing(config: &Config) -> Vec<usize> {
    match (&config.gate, &config.tune) {
        (Some(gate), _) => [&[gate.base], &gate.candidates[..]].concat(),
        (None, Some(tune)) => vec![tune.variant; 2],
        (None, None) => (0..config.variants.len()).collect(),
    }
}
