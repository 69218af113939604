//! Plays tournaments.

use anyhow::bail;

use super::watch::Watch;
use super::{Failure, Played, Purpose, Session, Verb, books, memory, processors};
use leitai_config::Loaded;
use leitai_runs::store::Store;
use leitai_runs::tournament::{Ending, Plan, Source, Standings, play};

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
    pub(crate) fn tournament(&self, mut loaded: Loaded) -> Result<Played<Standings>, Failure> {
        let threads = self.threads;
        let config = &loaded.config;
        let players = config.variants.iter().zip(config.limits_by_variant());
        processors::check(players, threads, self.options.force, &*self.listener)?;
        self.meet(&mut loaded)?;
        let (text, name) = (loaded.warnings.text.clone(), loaded.warnings.name.clone());
        let mut plan = books::load_plan(loaded, self.reader())?;
        plan.execution_options = self.execution_options()?;
        memory::check_players(&plan.config.variants, plan.schedule.len(), threads)?;
        let store = self.open()?;
        self.equalise(&mut plan, &store, None)?;
        self.take_over(&mut plan, &store)?;
        self.retry_failed(&plan, &store)?;
        self.scale_clocks(&mut plan, Some(&store))?;
        let source = Source {
            name: &name,
            text: &text,
        };
        let (ending, standings) = self.play(&plan, source, &store)?;
        store.close()?;
        Ok(Played {
            plan,
            ending,
            so_far: standings,
        })
    }

    /// Plays the remaining pairs of a plan, as a stage of a session.
    pub(crate) fn play(
        &self,
        plan: &Plan,
        source: Source<'_>,
        store: &Store,
    ) -> Result<(Ending, Standings), Failure> {
        let (threads, cancel) = (self.threads, self.cancel);
        let mut watch = Watch::new(plan, &self.listener, Purpose::Ratings);
        let (ending, standings) = play(plan, source, store, threads, cancel, |event| {
            watch.tell(&event);
        })?;
        watch.end(&ending, &standings, cancel);
        self.tell_losses(&plan.execution_options, &plan.terms.spare);
        Ok((ending, standings))
    }
}
