//! Studies: comparisons of searches, with games that measure their strength.

pub mod cells;
pub mod games;

use anyhow::Context;

use self::games::Tournaments;
use super::{Failure, MissingSection, Session, Verb, books, memory};
use leitai_config::{Loaded, Study};
use leitai_players::schedule::Book;
use leitai_runs::study::{Cells, Figures, GameLimit, Task};
use leitai_runs::tournament::{Ending, Plan};

/// Use of the record for finished searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Storage {
    /// Records searches, and does not repeat recorded ones.
    #[default]
    Usual,
    /// Repeats all searches, and replaces the recorded ones.
    Fresh,
    /// Neither records searches nor uses recorded ones.
    Nothing,
}

/// The result of a study.
#[derive(Debug)]
pub struct Studied {
    /// The positions.
    pub suite: Book,
    /// The result of each variant in each position.
    pub cells: Cells,
    /// The figures, including finished games; `None` if searches are missing.
    pub figures: Option<Figures>,
    /// The reason for the end. An error of the games does not affect the searches.
    pub ending: Result<StudyEnding, Failure>,
}

/// The end of a study.
#[derive(Debug)]
pub enum StudyEnding {
    /// All searches and games are finished.
    Complete,
    /// The user cancelled the searches.
    Searches,
    /// The games ended early.
    Games(Box<GamesStopped>),
}

/// An unfinished tournament of a study.
#[derive(Debug)]
pub struct GamesStopped {
    /// Limits of its games.
    pub terms: GameLimit,
    /// The plan of the games.
    pub plan: Plan,
    /// The reason for the end.
    pub ending: Ending,
    /// Number of pairs that count.
    pub played: u64,
}

impl Session<'_> {
    /// Does the remaining searches and games of a config's study. Without `times`, its figures do
    /// not depend on the clock.
    ///
    /// # Errors
    /// The config has no `[study]`, its suite or openings cannot be read, memory for its searches
    /// is insufficient, or the record cannot be written. Recorded searches and games are kept.
    pub fn study(&self, loaded: &Loaded, keep: Storage, times: bool) -> Result<Studied, Failure> {
        let study = searches_of(loaded)?;
        let (threads, reader) = (self.threads, self.reader());
        let suite = books::suite_of(loaded, study, reader)?;
        memory::check_searches(&loaded.config.variants, suite.len(), threads)?;
        let games = study.games.as_ref();
        let games = games.map(|games| Tournaments::plan(loaded, games, threads, reader));
        let games = games.transpose()?;
        if let Some(games) = &games {
            games.check_processors(self)?;
        }
        let is_complete = |studied: &Studied| matches!(studied.ending, Ok(StudyEnding::Complete));
        self.report_session(
            Verb::Study,
            loaded.warnings.name.clone(),
            is_complete,
            || self.searches(loaded, study, suite, games, keep, times),
        )
    }

    fn searches(
        &self,
        loaded: &Loaded,
        study: &Study,
        suite: Book,
        games: Option<Tournaments>,
        keep: Storage,
        times: bool,
    ) -> Result<Studied, Failure> {
        let task = task_of(loaded, study, &suite);
        let store = self.open_study(keep, games.is_some())?;
        let cells = self.measure(keep, store.as_ref(), &task)?;
        if !cells.is_full() {
            return Ok(Studied {
                suite,
                cells,
                figures: None,
                ending: Ok(StudyEnding::Searches),
            });
        }
        let resamples = (loaded.config.seed, study.resamples);
        let mut figures = Figures::new(&task, &cells, resamples, times);
        let mut ending = Ok(StudyEnding::Complete);
        if let (Some(games), Some(store)) = (games, &store) {
            ending = games.play(self, store, &mut figures.games);
        }
        if let (Some(store), Ok(_)) = (store, &ending)
            && let Err(error) = store.close()
        {
            ending = Err(error.into());
        }
        Ok(Studied {
            suite,
            cells,
            figures: Some(figures),
            ending,
        })
    }
}

/// Returns the study of a config.
///
/// # Errors
/// The config has no study of searches.
pub fn searches_of(loaded: &Loaded) -> Result<&Study, Failure> {
    loaded.study.as_ref().with_context(|| {
        MissingSection(format!(
            "{} has no `[study]`\nhelp: add one with `suite = \"positions.epd\"` and `depth = 6`, \
             or play the config's tournament with `leitai run`",
            loaded.warnings.name
        ))
    })
}

/// Builds the search task of a study.
pub fn task_of<'a>(loaded: &'a Loaded, study: &Study, suite: &'a Book) -> Task<'a> {
    let config = &loaded.config;
    Task {
        game: config.game,
        variants: &config.variants,
        suite,
        depth: study.depth,
        nodes: study.nodes,
    }
}
