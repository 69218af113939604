//! Tournaments, gates, tunes and studies from a program, with a record of all games.
//!
//! The same config gives the same result with any number of threads, and a session continues where
//! the record ends: after a cancellation, a new session with the same record does. Sessions on one
//! record, in one process or several, share the work: each pair is played once.
//!
//! ```
//! use leitai::config::Config;
//! use leitai::session::{Event, Session};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let games = leitai::games::all();
//! let config = Config::parse(
//!     "game = 'othello'
//!      limits = { nodes = 20 }
//!      openings = { exhausted = 'vary' }
//!      tournament = { pairs = 2 }
//!      [[variant]]
//!      name = 'plain'
//!      [[variant]]
//!      name = 'ordered'
//!      search.preset = 'full'",
//!     &games,
//! )?;
//! let folder = std::env::temp_dir().join(format!("leitai-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! let session = Session::new(games, folder.join("example.sqlite")).on_event(|event| {
//!     if let Event::Pair(pair) = event {
//!         println!("pair {}: {:?}", pair.number, pair.games[0].cause);
//!     }
//! });
//! let result = session.run(&config)?;
//! assert!(result.is_complete());
//! assert_eq!(result.pairs_played, 2);
//! let best = &result.variants[0];
//! println!("{}: {:?} Elo", best.name, best.estimate.elo.value);
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok(())
//! # }
//! ```

mod error;
mod event;
mod result;

use std::fmt;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use leitai_game::card::Games;
use leitai_players::play::Cancel;
use leitai_runs::figures::Summary;
use leitai_runs::figures::gate::{GateSummary, Outcome};
use leitai_runs::tournament::Ending;
use leitai_session as inner;
use leitai_session::{
    KnownGames, Listener, ShippedBook, Storage, StudyEnding, TuneFiles, TuneTask,
};

pub use self::error::{Error, ErrorKind};
use self::event::Callbacks;
pub use self::event::{Event, FinishedGame, Pair};
pub use self::result::{
    CandidateResult, End, GateResult, RunResult, StudiedVariant, StudyResult, TuneResult,
    TunedValue, VariantResult, Verdict,
};
use super::config::Config;

/// Plays tournaments, gates, tunes and studies into one record.
#[derive(Clone)]
pub struct Session {
    games: Arc<KnownGames>,
    record: PathBuf,
    threads: Option<NonZeroUsize>,
    cancel: Arc<Cancel>,
    callbacks: Callbacks,
}

impl Session {
    /// A session with these games and a thread for each processor. The record is an SQLite file,
    /// created if it does not exist.
    pub fn new(games: Games, record: impl Into<PathBuf>) -> Self {
        Self {
            games: Arc::new(KnownGames::new(games)),
            record: record.into(),
            threads: None,
            cancel: Arc::new(Cancel::new()),
            callbacks: Callbacks::default(),
        }
    }

    /// Sets the number of games or searches at a time, from 1 to 1,024.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = NonZeroUsize::new(threads.clamp(1, 1_024));
        self
    }

    /// Adds a book of openings that configs name `leitai:NAME`: the content of a file, plain or
    /// compressed with gzip. Leitai's own books belong to its program.
    ///
    /// ```
    /// # use leitai::session::Session;
    /// let book = b"e2e4 e7e5 open game\ne2e4 c7c5 Sicilian\n";
    /// let session = Session::new(leitai::games::all(), "run.sqlite").book("mine", book);
    /// ```
    #[must_use]
    pub fn book(mut self, name: &'static str, bytes: &'static [u8]) -> Self {
        let holds = "a book of the program";
        Arc::make_mut(&mut self.games)
            .shipped
            .push(ShippedBook { name, holds, bytes });
        self
    }

    /// Calls a function with each event, from any thread; another call replaces it. Games wait until
    /// it returns. A panic in it ends the session's call, and another session may have to wait a
    /// minute for the record.
    #[must_use]
    pub fn on_event(mut self, callback: impl Fn(&Event) + Send + Sync + 'static) -> Self {
        self.callbacks.event = Some(Arc::new(callback));
        self
    }

    /// Calls a function with each event as a line of JSON, as `leitai run --events` writes it.
    #[must_use]
    pub fn on_json(mut self, callback: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.callbacks.json = Some(Arc::new(callback));
        self
    }

    /// A handle that cancels this session from another thread.
    pub fn canceller(&self) -> Canceller {
        Canceller(Arc::clone(&self.cancel))
    }

    /// Plays a tournament, or the rest of it.
    ///
    /// # Errors
    /// The config has no `[tournament]`, its openings cannot be read, a program does not start, or
    /// the record cannot be written. Games that are recorded are kept.
    pub fn run(&self, config: &Config) -> Result<RunResult, Error> {
        let played = self.with(config, |session| session.run(config.loaded.clone()))?;
        let summary = Summary::new(&played.plan, &played.so_far);
        let end = self.end_of(&played.ending, summary.failing.is_some());
        Ok(RunResult::of(&summary, end, played.plan.id()))
    }

    /// Tests candidates against a base until the test has a verdict.
    ///
    /// # Errors
    /// The config has no `[gate]`, its openings cannot be read, a program does not start, or the
    /// record cannot be written. Games that are recorded are kept.
    pub fn gate(&self, config: &Config) -> Result<GateResult, Error> {
        let played = self.with(config, |session| session.gate(config.loaded.clone()))?;
        let summary = GateSummary::new(&played.plan, &played.so_far);
        let is_failed = summary.verdict == Some(Outcome::Failed);
        let end = self.end_of(&played.ending, is_failed);
        Ok(GateResult::of(&summary, end, played.plan.id()))
    }

    /// Tunes numbers, proves the gain, and writes the tuned config to `tuned`.
    ///
    /// # Errors
    /// The config has no `[tune]`, its openings cannot be read, a program does not start, or the
    /// record or the tuned config cannot be written. Games that are recorded are kept.
    pub fn tune(&self, config: &Config, tuned: impl AsRef<Path>) -> Result<TuneResult, Error> {
        let source = PathBuf::from(&config.loaded.warnings.name);
        let task = TuneTask {
            files: TuneFiles::of(&source, Some(tuned.as_ref())),
            ..TuneTask::of(&source)
        };
        let ended = self.with(config, |session| session.tune(&config.loaded, &task))?;
        Ok(TuneResult::of(&ended))
    }

    /// Compares searches by nodes on a suite of positions.
    ///
    /// # Errors
    /// The config has no `[study]`, its positions cannot be read, or the record cannot be written.
    pub fn study(&self, config: &Config) -> Result<StudyResult, Error> {
        let usual = Storage::Usual;
        let studied = self.with(config, |session| {
            let studied = session.study(&config.loaded, usual, false)?;
            Ok((studied.ending?, studied.figures))
        });
        let (ending, figures) = studied?;
        let ending = match ending {
            StudyEnding::Complete => Ending::Complete,
            _ => Ending::Cancelled,
        };
        Ok(StudyResult::of(
            figures.as_ref(),
            self.end_of(&ending, false),
        ))
    }

    fn with<T>(
        &self,
        config: &Config,
        work: impl FnOnce(&inner::Session<'_>) -> Result<T, inner::Failure>,
    ) -> Result<T, Error> {
        let game = config.game();
        if self.games.cards.named(game).is_none() {
            return Err(Error::of_unknown_game(game));
        }
        let listener: Arc<dyn Listener> = Arc::new(self.callbacks.clone());
        let mut session = inner::Session::new(&self.games, &self.record, &self.cancel, listener);
        session.threads = self.threads.unwrap_or(session.threads);
        work(&session).map_err(|failure| Error::of(&failure))
    }

    fn end_of(&self, ending: &Ending, has_failed: bool) -> End {
        match ending {
            Ending::Complete if has_failed => End::PlayerFailed,
            Ending::Complete => End::Complete,
            Ending::Cancelled if self.cancel.is_time_up() => End::TimeUp,
            Ending::Cancelled => End::Cancelled,
            Ending::Stopped(_) | Ending::Warned(_) => End::PlayerFailed,
        }
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("Session");
        let shown = shown.field("record", &self.record);
        shown
            .field("threads", &self.threads)
            .finish_non_exhaustive()
    }
}

/// Cancels a session from another thread.
#[derive(Clone, Debug)]
pub struct Canceller(Arc<Cancel>);

impl Canceller {
    /// Stops at once. Finished pairs are recorded; a new session with the same record continues. This
    /// session and its clones stay cancelled.
    pub fn cancel(&self) {
        self.0.set();
    }

    /// Stops after the pairs in progress; a study after the searches in progress.
    pub fn drain(&self) {
        self.0.drain();
    }

    /// Returns whether the session is cancelled, or its time is over.
    pub fn is_cancelled(&self) -> bool {
        self.0.is_draining()
    }

    /// Stops in the given time from now, after the pairs or searches in progress.
    pub fn cancel_in(&self, time: Duration) {
        self.0.end_in(time);
    }
}
