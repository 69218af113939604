//! The games of a study: planned before anything is searched, played after.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::Context;

use crate::cli::common::{Failure, book_of, make_plan, note};
use crate::cli::display::Display;
use crate::cli::memory;
use crate::cli::stopped;
use crate::config::{Loaded, StudyGames};
use crate::foreign::shown_path;
use crate::player::Playable;
use crate::store::{Mode, Store};
use crate::study::{GameFigures, Terms, strengths, tournaments};
use crate::tournament::{Ending, Plan, Source, play};

/// The tournaments of a study, each with the text that its record keeps.
pub(super) struct Tournaments<P: Playable> {
    pub(super) planned: Vec<(Terms, Plan<P>, String)>,
    name: String,
}

/// The same, with the record.
pub(super) struct Games<P: Playable> {
    tournaments: Tournaments<P>,
    store: Store,
    path: PathBuf,
}

impl<P: Playable> Tournaments<P> {
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
        let book = book_of::<P>(&loaded.config)?;
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

    /// The same, going into the record at `path`. Whatever is wrong with that is said
    /// here, too.
    pub(super) fn recorded_in(self, path: &Path) -> Result<Games<P>, Failure> {
        Ok(Games {
            tournaments: self,
            store: Store::open(path, Mode::Write)?,
            path: path.to_owned(),
        })
    }
}

impl<P: Playable> Games<P> {
    /// Plays what is left of them; the figures of each tournament go to
    /// `figures`. `again` is the command that carries on.
    pub(super) fn play(
        &self,
        threads: NonZeroUsize,
        quiet: bool,
        cancel: &AtomicBool,
        figures: &mut Vec<GameFigures>,
        again: &str,
    ) -> Result<Ending, Failure> {
        for (terms, plan, text) in &self.tournaments.planned {
            let mut display = Display::new(plan, quiet);
            let source = Source {
                name: &self.tournaments.name,
                text,
            };
            let (ending, standings) = play(plan, source, &self.store, threads, cancel, |event| {
                display.show(&event);
            })?;
            display.finish();
            figures.push(strengths(*terms, plan, &standings));
            match ending {
                Ending::Complete => {}
                Ending::Cancelled => {
                    note(&format!(
                        "stopped after {} of {} pairs at {terms}, all recorded in {}; carry on \
                         with\n  {again}",
                        standings.played,
                        plan.schedule.len(),
                        shown_path(&self.path)
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
