//! The games of a study: planned before anything is searched, played after.

use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;

use anyhow::Context;

use crate::cli::books::{book_of, make_plan};
use crate::cli::display::Display;
use crate::cli::execution_options::tell_losses;
use crate::cli::failure::Failure;
use crate::cli::memory;
use crate::cli::processors;
use crate::cli::stopped;
use crate::cli::terminal::note;
use crate::config::{Loaded, StudyGames};
use crate::foreign::shown_path;
use crate::player::watch_pauses;
use crate::store::Store;
use crate::study::{GameFigures, Terms, strengths, tournaments};
use crate::tournament::{Ending, Plan, Source, play};

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
    ) -> Result<Self, Failure> {
        let name = &loaded.warnings.name;
        let tournaments = tournaments(&loaded.config, games, &loaded.warnings.text, name)?;
        // One book for all of them: read, and complained of, once.
        let book = book_of(&loaded.config)?;
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
    pub(super) fn check_processors(
        &self,
        threads: NonZeroUsize,
        insists: bool,
    ) -> Result<(), Failure> {
        let mut plans = self.planned.iter().map(|(_, plan, _)| &plan.config);
        let timed = plans.find(|config| config.is_timed());
        timed.map_or(Ok(()), |config| {
            let players = config.variants.iter().zip(config.limits_by_variant());
            processors::check(players, threads, insists)
        })
    }

    /// Plays what is left of them into `store`; the figures of each tournament go to
    /// `figures`. `again` is the command that carries on.
    pub(super) fn play(
        &self,
        store: &Store,
        threads: NonZeroUsize,
        quiet: bool,
        cancel: &AtomicBool,
        figures: &mut Vec<GameFigures>,
        again: &str,
    ) -> Result<Ending, Failure> {
        watch_pauses()?;
        for (terms, plan, text) in &self.planned {
            let mut display = Display::new(plan, quiet);
            let source = Source {
                name: &self.name,
                text,
            };
            let (ending, standings) = play(plan, source, store, threads, cancel, |event| {
                display.show(&event);
            })?;
            display.finish();
            tell_losses(&plan.execution_options, &plan.terms.spare);
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
