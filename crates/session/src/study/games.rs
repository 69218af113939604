//! The games of a study: planned before the searches, played after them.

use std::num::NonZeroUsize;

use anyhow::Context;

use super::{GamesStopped, StudyEnding};
use crate::books::{Reader, book_of, make_plan};
use crate::{Failure, PlayerFails, Session, memory, tables};
use leitai_config::{Loaded, StudyGames};
use leitai_players::player::watch_pauses;
use leitai_runs::store::Store;
use leitai_runs::study::{GameFigures, GameLimit, strengths, tournaments};
use leitai_runs::tournament::{Ending, Plan, Standings};

/// The tournaments of a study.
pub struct Tournaments {
    /// Terms and plan of each tournament.
    pub planned: Vec<(GameLimit, Plan)>,
}

impl Tournaments {
    /// Plans the games. Reports errors of limits and openings before the long searches.
    ///
    /// # Errors
    /// The book cannot be read, or the limits cannot be played.
    pub fn plan(
        loaded: &Loaded,
        games: &StudyGames,
        threads: NonZeroUsize,
        reader: Reader<'_>,
    ) -> Result<Self, Failure> {
        let name = &loaded.warnings.name;
        let tournaments = tournaments(&loaded.config, games, &loaded.warnings.text, name)
            .with_context(|| loaded.warnings.place(&["study", "games"]))?;
        // All tournaments share one book, so that it is read and its warnings appear once.
        let book = book_of(loaded, reader)?;
        let mut planned = Vec::new();
        for (terms, mut tournament) in tournaments {
            tables::open(&mut tournament.config)?;
            let plan = make_plan(tournament, book.clone())
                .with_context(|| format!("the games of the study, at {terms}"))?;
            memory::check_players(&plan.config.variants, plan.schedule.len(), threads)?;
            planned.push((terms, plan));
        }
        Ok(Self { planned })
    }

    /// Warns of too few processors for games with a time limit.
    ///
    /// # Errors
    /// There are far too few, and `force` is not set.
    pub(super) fn check_processors(&self, session: &Session<'_>) -> Result<(), Failure> {
        let mut configs = self.planned.iter().map(|(_, plan)| &plan.config);
        let Some(timed) = configs.find(|config| config.is_timed()) else {
            return Ok(());
        };
        session.check_machine(timed)
    }

    /// Plays the remaining pairs into `store`, and adds the figures of each tournament to
    /// `figures`.
    pub(super) fn play(
        self,
        session: &Session<'_>,
        store: &Store,
        figures: &mut Vec<GameFigures>,
    ) -> Result<StudyEnding, Failure> {
        watch_pauses()?;
        for (terms, mut plan) in self.planned {
            session.equalise(&mut plan, store, None)?;
            let (ending, standings) = session.play(&plan, &Standings::of(&plan), store)?;
            if let Some(fails) = PlayerFails::of(&plan, &standings) {
                return Err(fails.into());
            }
            figures.push(strengths(terms, &plan, &standings));
            if ending != Ending::Complete {
                return Ok(StudyEnding::Games(Box::new(GamesStopped {
                    terms,
                    played: standings.played,
                    plan,
                    ending,
                })));
            }
        }
        Ok(StudyEnding::Complete)
    }
}
