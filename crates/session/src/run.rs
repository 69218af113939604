//! Plays tournaments, and the stages that tournaments and gates share.

use anyhow::bail;

use super::stage_events::{StageReporter, StageResults};
use super::{Failure, Played, Session, Verb, books, memory, processors};
use leitai_config::{Config, Loaded};
use leitai_runs::store::Store;
use leitai_runs::tournament::{Ending, Plan, Source, Standings, play_for};

impl Session<'_> {
    /// Plays the remaining pairs of a config's tournament. Computes no ratings: reports are made
    /// from the [standings](Standings).
    ///
    /// # Errors
    /// The config is not one of a tournament, its openings are unreadable or too few, an engine
    /// cannot be started, memory or processors are insufficient, or the record cannot be written.
    /// Recorded pairs are kept.
    pub fn run(&self, loaded: Loaded) -> Result<Played<Standings>, Failure> {
        let name = loaded.warnings.name.clone();
        let others = [
            ("gate", loaded.config.gate.is_some()),
            ("tune", loaded.config.tune.is_some()),
        ];
        if let Some((other, _)) = others.iter().find(|(_, is)| *is) {
            bail!("{name} is the config of a {other}\nhelp: run it with `leitai {other}`");
        }
        let is_complete =
            |played: &Played<Standings>| played.is_complete() && played.so_far.ended_by().is_none();
        self.during(Verb::Run, name, is_complete, || self.tournament(loaded))
    }

    /// Plays a tournament as a stage of a session.
    pub(crate) fn tournament(&self, loaded: Loaded) -> Result<Played<Standings>, Failure> {
        let playing: Vec<usize> = (0..loaded.config.variants.len()).collect();
        self.check_processors(&loaded.config, &playing)?;
        let (text, name) = (loaded.warnings.text.clone(), loaded.warnings.name.clone());
        let source = Source {
            name: &name,
            text: &text,
        };
        let mut plan = self.prepare(loaded, &playing)?;
        self.play_stage(source, |store| {
            self.equalise(&mut plan, store, None)?;
            let standings = Standings::of(&plan);
            Ok((plan, standings))
        })
    }

    /// Refuses games by the clock between these variants on far too few processors.
    pub(crate) fn check_processors(
        &self,
        config: &Config,
        playing: &[usize],
    ) -> Result<(), Failure> {
        let limits = config.limits_by_variant();
        let players = playing.iter();
        let players = players.map(|&index| (&config.variants[index], limits[index]));
        let force = self.options.force;
        processors::check(players, self.threads, force, &*self.listener)
    }

    /// Starts the engines of a config and builds its plan, in which these variants play.
    pub(crate) fn prepare(&self, mut loaded: Loaded, playing: &[usize]) -> Result<Plan, Failure> {
        self.meet(&mut loaded)?;
        let mut plan = books::load_plan(loaded, self.reader())?;
        plan.execution_options = self.execution_options()?;
        let players = playing.iter();
        let players = players.map(|&index| plan.config.variants[index].clone());
        let players: Vec<_> = players.collect();
        memory::check_players(&players, plan.schedule.len(), self.threads)?;
        Ok(plan)
    }

    /// Opens the record and plays the remaining pairs of the plan that `plan_for` makes for it.
    pub(crate) fn play_stage<G: StageResults>(
        &self,
        source: Source<'_>,
        plan_for: impl FnOnce(&Store) -> Result<(Plan, G), Failure>,
    ) -> Result<Played<G>, Failure> {
        let store = self.open()?;
        let (mut plan, goal) = plan_for(&store)?;
        self.reuse_pairs(&mut plan, &store)?;
        self.retry_failed(&plan, &store)?;
        self.scale_clocks(&mut plan, Some(&store))?;
        let (ending, so_far) = self.play(&plan, &goal, source, &store)?;
        store.close()?;
        Ok(Played {
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
        source: Source<'_>,
        store: &Store,
    ) -> Result<(Ending, G), Failure> {
        let (threads, cancel) = (self.threads, self.cancel);
        let mut reporter = StageReporter::new(plan, &self.listener);
        let (ending, results) = play_for(goal, plan, source, store, threads, cancel, |event| {
            reporter.handle(&event);
        })?;
        reporter.end(&ending, &results, cancel);
        self.warn_of_losses(&plan.execution_options, &plan.terms.spare);
        Ok((ending, results))
    }
}
