//! Gates: tests of candidates against a baseline.

mod earlier;
mod outlook;
mod results;
mod short;

use std::iter;

use anyhow::bail;

use super::watch::Watch;
use super::{Failure, Played, Purpose, Session, Verb, books, memory, processors};
use leitai_config::{Gate, Loaded};
use leitai_runs::gate::Trials;
use leitai_runs::tournament::{Plan, Source, play_for};

use earlier::goes_on;
pub use outlook::{Outlook, known_pace};
pub use results::recorded_results;
pub use short::warn as warn_if_short;

impl Session<'_> {
    /// Plays the gate of a config until its tests end. If the record contains the gate with other
    /// settings, reports what happens to that run: a strict test continues from a smaller book or a
    /// lower cap.
    ///
    /// # Errors
    /// As for [`run`](Session::run); or the config has no `[gate]`.
    pub fn gate(&self, loaded: Loaded) -> Result<Played<Trials>, Failure> {
        let name = loaded.warnings.name.clone();
        terms_of(&loaded)?;
        self.during(Verb::Gate, name, Played::is_complete, || {
            self.trial(loaded, true)
        })
    }

    /// Plays a gate as a stage of a session. With `resumes`, continues an earlier run of the record
    /// with other settings if possible.
    pub(crate) fn trial(&self, loaded: Loaded, resumes: bool) -> Result<Played<Trials>, Failure> {
        let (text, name) = (loaded.warnings.text.clone(), loaded.warnings.name.clone());
        let (threads, cancel) = (self.threads, self.cancel);
        let terms = terms_of(&loaded)?;
        let limits = loaded.config.limits_by_variant();
        let playing = iter::once(&terms.base).chain(&terms.candidates);
        let playing = playing.map(|&index| (&loaded.config.variants[index], limits[index]));
        processors::check(playing, threads, self.options.force, &*self.listener)?;
        let (mut plan, mut trials) = self.prepare_gate(loaded)?;
        let store = self.open()?;
        self.equalise(&mut plan, &store, Some(&trials))?;
        if resumes {
            (plan, trials) = goes_on(plan, trials, &store, &*self.listener)?;
        }
        self.take_over(&mut plan, &store)?;
        self.retry_failed(&plan, &store)?;
        self.scale_clocks(&mut plan, Some(&store))?;
        let source = Source {
            name: &name,
            text: &text,
        };
        let purpose = Purpose::Test {
            base: plan.config.variants[terms.base].name.clone(),
            candidates: terms.candidates.len(),
        };
        let mut watch = Watch::new(&plan, &self.listener, purpose);
        let (ending, trials) =
            play_for(&trials, &plan, source, &store, threads, cancel, |event| {
                watch.tell(&event);
            })?;
        watch.end(&ending, &trials, cancel);
        store.close()?;
        self.tell_losses(&plan.execution_options, &plan.terms.spare);
        Ok(Played {
            plan,
            ending,
            so_far: trials,
        })
    }

    /// Builds the plan of a gate, and its trials before the first pair.
    pub(crate) fn prepare_gate(&self, mut loaded: Loaded) -> Result<(Plan, Trials), Failure> {
        let terms = terms_of(&loaded)?;
        self.meet(&mut loaded)?;
        let mut plan = books::load_plan(loaded, self.reader())?;
        let former = plan.config.openings.former.iter();
        let openings = former.map(|book| book.openings).chain([plan.book.len()]);
        if !openings.is_sorted_by(|one, other| one < other) {
            bail!(
                "--grown-from: the book has {} openings, and each time it had fewer than the next",
                plan.book.len()
            );
        }
        plan.execution_options = self.execution_options()?;
        let trials = Trials::of(&terms, &plan)?.over(plan.different_starts());
        let players = iter::once(&terms.base).chain(&terms.candidates);
        let players: Vec<_> = players
            .map(|&index| plan.config.variants[index].clone())
            .collect();
        memory::check_players(&players, plan.schedule.len(), self.threads)?;
        Ok((plan, trials))
    }
}

/// Returns the config's gate.
fn terms_of(loaded: &Loaded) -> Result<Gate, Failure> {
    let Some(gate) = &loaded.config.gate else {
        let variants = &loaded.config.variants;
        let name = |index: usize| variants.get(index).map_or("", |v| v.name.as_str());
        bail!(
            "{} has no `[gate]`, so that nothing says what to test\n\
             help: replace its `[tournament]`, if there is one, by\n\n  \
             [gate]\n  \
             base = {:?}\n  \
             candidate = {:?}\n  \
             elo0 = 0      # not good enough\n  \
             elo1 = 5      # good enough\n",
            loaded.warnings.name,
            name(0),
            name(1),
        );
    };
    Ok(gate.clone())
}
