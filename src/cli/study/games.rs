//! The games of a study: planned before anything is searched, played after.

use std::num::NonZeroUsize;

use anyhow::Context;

use crate::cli::failure::Failure;
use crate::cli::stopped;
use crate::cli::terminal::note;
use crate::config::{Loaded, StudyGames};
use crate::foreign::shown_path;
use crate::player::watch_pauses;
use crate::session::books::{Reader, book_of, make_plan};
use crate::session::{PlayerFails, Session, memory, processors};
use crate::store::Store;
use crate::study::{GameFigures, Terms, strengths, tournaments};
use crate::tournament::{Ending, Plan, Source};

/// The tournaments of a study, each with the text that its record keeps.
pub(super) struct Tournaments {
    pub(super) planned: Vec<(Terms, Plan, String)>,
    name: String,
}

impl Tournaments {
    /// Plans the games. Whatever is wrong with the limits or the openings is said here,
    /// before the long work.
    pub(super) fn plan(
        loaded: &Loaded,
        games: &StudyGames,
        threads: NonZeroUsize,
        reader: Reader<'_>,
    ) -> Result<Self, Failure> {
        let name = &loaded.warnings.name;
        let tournaments = tournaments(&loaded.config, games, &loaded.warnings.text, name)?;
        // One book for all of them: read, and complained of, once.
        let book = book_of(&loaded.config, reader)?;
        let mut planned = Vec::new();
        for (terms, tournament) in tournaments {
            let text = tournament.warnings.text.clone();
            let plan = make_plan(tournament, book.clone())
                .with_context(|| format!("the games of the study, at {terms}"))?;
            memory::check_players(&plan.config.variants, plan.schedule.len(), threads)?;
            planned.push((terms, plan, text));
        }
        Ok(Self {
            planned,
            name: name.clone(),
        })
    }

    /// Warns where there are too few processors for games by the clock.
    ///
    /// # Errors
    /// There are far too few, and nobody insists.
    pub(super) fn check_processors(&self, session: &Session<'_>) -> Result<(), Failure> {
        let (threads, insists) = (session.threads, session.options.force);
        let mut plans = self.planned.iter().map(|(_, plan, _)| &plan.config);
        let timed = plans.find(|config| config.is_timed());
        timed.map_or(Ok(()), |config| {
            let players = config.variants.iter().zip(config.limits_by_variant());
            processors::check(players, threads, insists, &*session.listener)
        })
    }

    /// Plays what is left of them into `store`; the figures of each tournament go to
    /// `figures`. `again` is the command that carries on.
    pub(super) fn play(
        &self,
        session: &Session<'_>,
        store: &Store,
        figures: &mut Vec<GameFigures>,
        again: &str,
    ) -> Result<Ending, Failure> {
        watch_pauses()?;
        for (terms, plan, text) in &self.planned {
            let source = Source {
                name: &self.name,
                text,
            };
            let (ending, standings) = session.play(plan, source, store)?;
            if let Some(fails) = PlayerFails::of(plan, &standings) {
                return Err(fails.into());
            }
            figures.push(strengths(*terms, plan, &standings));
            match ending {
                Ending::Complete => {}
                Ending::Cancelled => {
                    note(&format!(
                        "stopped after {} of {} pairs at {terms}, all recorded in {}; carry on \
                         with\n  {again}",
                        standings.played,
                        plan.schedule.len(),
                        shown_path(store.path())
                    ));
                    return Ok(ending);
                }
                Ending::Stopped(stop) => {
                    stopped::tell(plan, &stop, again);
                    return Ok(ending);
                }
            }
        }
        Ok(Ending::Complete)
    }
}
