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

use std::fmt;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use leitai_game::Cause;
use leitai_game::card::Games;
use leitai_players::play::Cancel;
use leitai_players::player::ProgramError;
use leitai_runs::figures::gate::{Candidate, GateSummary, Outcome};
use leitai_runs::figures::{Results, Summary};
use leitai_runs::store::{StoreError, StoreProblem};
use leitai_runs::tournament::Ending;
use leitai_session as inner;
use leitai_session::{Halt, KnownGames, Listener, Storage, StudyEnding, TuneFiles, TuneTask};
use leitai_stats::Estimate;
use serde::Serialize;

use super::config::{Config, ConfigError};

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

    /// Sets the number of games or searches at a time, at least 1.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = NonZeroUsize::new(threads.max(1));
        self
    }

    /// Calls a function with each event, from any thread. Games wait until it returns; a panic in it
    /// ends the session's call.
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
        let played = self.with(|session| session.run(config.0.clone()))?;
        let summary = Summary::new(&played.plan, &played.so_far);
        let variants = summary.variants.iter().map(|row| VariantResult {
            name: row.name.clone(),
            wins: row.results.wins,
            draws: row.results.draws,
            losses: row.results.losses,
            pentanomial: row.results.pentanomial,
            estimate: row.results.estimate,
        });
        Ok(RunResult {
            end: self.end_of(&played.ending, summary.failing.is_some()),
            run: played.plan.id().to_owned(),
            pairs: summary.pairs,
            pairs_played: summary.pairs_played,
            games: summary.games,
            variants: variants.collect(),
            warnings: summary.warnings.clone(),
            json: json(&summary),
        })
    }

    /// Tests candidates against a base until the test has a verdict.
    ///
    /// # Errors
    /// The config has no `[gate]`, its openings cannot be read, a program does not start, or the
    /// record cannot be written. Games that are recorded are kept.
    pub fn gate(&self, config: &Config) -> Result<GateResult, Error> {
        let has_section = config.0.config.gate.is_some();
        let played = self.with(|session| session.gate(config.0.clone()));
        let played = played.map_err(|error| error.of_config(!has_section))?;
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
        let source = PathBuf::from(&config.0.warnings.name);
        let task = TuneTask {
            files: TuneFiles::of(&source, Some(tuned.as_ref())),
            ..TuneTask::of(&source)
        };
        let has_section = config.0.config.tune.is_some();
        let ended = self.with(|session| session.tune(&config.0, &task));
        let ended = ended.map_err(|error| error.of_config(!has_section))?;
        let results = &ended.results;
        let learning = results.learning.iter();
        let values = learning.flat_map(|learning| &learning.dimensions);
        let values = values.map(|row| TunedValue {
            name: row.name.clone(),
            start: row.start.to_string(),
            value: row.value.to_string(),
        });
        let proof = results.proof.as_ref();
        Ok(TuneResult {
            end: match &ended.halt {
                None => End::Complete,
                Some(Halt::Cancelled(_)) => End::Cancelled,
                Some(Halt::TimeUp) => End::TimeUp,
                Some(_) => End::PlayerFailed,
            },
            values: values.collect(),
            tuned: results.tuned.clone(),
            proof: proof.map(|it| GateResult::of(&it.summary, End::Complete, &it.run)),
            json: json(results),
        })
    }

    /// Compares searches by nodes on a suite of positions.
    ///
    /// # Errors
    /// The config has no `[study]`, its positions cannot be read, or the record cannot be written.
    pub fn study(&self, config: &Config) -> Result<StudyResult, Error> {
        let has_section = config.0.study.is_some();
        let studied = self.with(|session| session.study(&config.0, Storage::Usual, false));
        let studied = studied.map_err(|error| error.of_config(!has_section))?;
        let figures = studied.figures.as_ref();
        let complete = matches!(studied.ending, Ok(StudyEnding::Complete));
        if let Err(error) = studied.ending {
            return Err(Error::of(&error));
        }
        let variants = figures.iter().flat_map(|figures| &figures.variants);
        let variants = variants.map(|variant| StudiedVariant {
            name: variant.name.clone(),
            nodes: variant
                .depths
                .iter()
                .map(|depth| depth.nodes.mean)
                .collect(),
        });
        Ok(StudyResult {
            end: if complete {
                End::Complete
            } else {
                self.end_of(&Ending::Cancelled, false)
            },
            variants: variants.collect(),
            json: figures.map_or_else(|| "null".to_owned(), json),
        })
    }

    fn with<T>(
        &self,
        work: impl FnOnce(&inner::Session<'_>) -> Result<T, inner::Failure>,
    ) -> Result<T, Error> {
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

/// The JSON text of a result.
fn json(value: &impl Serialize) -> String {
    // Results have no maps with keys that are not text, the only values that JSON refuses.
    serde_json::to_string(value).unwrap_or_default()
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

    /// Stops after the pairs in progress.
    pub fn drain(&self) {
        self.0.drain();
    }

    /// Returns whether the session is cancelled, or its time is over.
    pub fn is_cancelled(&self) -> bool {
        self.0.is_draining()
    }

    /// Stops in the given time from now, after the pairs in progress.
    pub fn cancel_in(&self, time: Duration) {
        self.0.end_in(time);
    }
}

/// The reason for the end of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum End {
    /// All work is done.
    Complete,
    /// The session was cancelled; a new one with the same record continues.
    Cancelled,
    /// The time was over; a new session with the same record continues.
    TimeUp,
    /// A player failed, and the config does not tolerate it.
    PlayerFailed,
}

/// The result of a tournament.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RunResult {
    /// The reason for the end.
    pub end: End,
    /// The run's identity in the record.
    pub run: String,
    /// Pairs in the whole schedule.
    pub pairs: u64,
    /// Pairs played.
    pub pairs_played: u64,
    /// Games that count.
    pub games: u64,
    /// The variants, best rating first.
    pub variants: Vec<VariantResult>,
    /// Warnings about the reliability of the numbers.
    pub warnings: Vec<String>,
    json: String,
}

impl RunResult {
    /// Returns whether all games were played.
    pub fn is_complete(&self) -> bool {
        self.end == End::Complete
    }

    /// All figures as JSON; `docs/json.md` describes the fields.
    pub fn to_json(&self) -> &str {
        &self.json
    }
}

/// One variant against all its opponents.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct VariantResult {
    /// Its name.
    pub name: String,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Pairs by outcome: both lost, a loss and a draw, level, a win and a draw, both won.
    pub pentanomial: [u64; 5],
    /// Score, Elo and normalised Elo with 95 % intervals.
    pub estimate: Estimate,
}

/// The verdict of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// The candidate is better by `elo1` or more.
    Accepted,
    /// The candidate is better by `elo0` or less.
    Rejected,
    /// The candidate played like the base in every pair: there is nothing to test.
    PlayedAlike,
    /// The pairs ran out.
    Inconclusive,
    /// A player failed too often.
    Failed,
}

impl Verdict {
    fn of(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Accepted => Self::Accepted,
            Outcome::Rejected => Self::Rejected,
            Outcome::PlayedAlike => Self::PlayedAlike,
            Outcome::Inconclusive => Self::Inconclusive,
            Outcome::Failed => Self::Failed,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
            Self::PlayedAlike => "played alike",
            Self::Inconclusive => "inconclusive",
            Self::Failed => "failed",
        })
    }
}

/// The result of a gate.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct GateResult {
    /// The reason for the end.
    pub end: End,
    /// The run's identity in the record.
    pub run: String,
    /// The verdict of the whole gate; `None` if it ended before.
    pub verdict: Option<Verdict>,
    /// The candidates, in the order of the config.
    pub candidates: Vec<CandidateResult>,
    /// Reasons to distrust the verdict.
    pub warnings: Vec<String>,
    json: String,
}

impl GateResult {
    fn of(summary: &GateSummary, end: End, run: &str) -> Self {
        Self {
            end,
            run: run.to_owned(),
            verdict: summary.verdict.map(Verdict::of),
            candidates: summary.candidates.iter().map(CandidateResult::of).collect(),
            warnings: summary.warnings.clone(),
            json: json(summary),
        }
    }

    /// Returns whether every candidate was accepted.
    pub fn is_accepted(&self) -> bool {
        self.verdict == Some(Verdict::Accepted)
    }

    /// All figures as JSON; `docs/json.md` describes the fields.
    pub fn to_json(&self) -> &str {
        &self.json
    }
}

/// One candidate of a gate.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CandidateResult {
    /// Its name.
    pub name: String,
    /// Its verdict; `None` while its test continues.
    pub verdict: Option<Verdict>,
    /// The verdict in words.
    pub sentence: String,
    /// Pairs that count.
    pub pairs: u64,
    /// Pairs by outcome: both lost, a loss and a draw, level, a win and a draw, both won.
    pub pentanomial: [u64; 5],
    /// The estimates of a match of fixed length, which are biased once a test has stopped it.
    pub estimate: Estimate,
}

impl CandidateResult {
    fn of(candidate: &Candidate) -> Self {
        let Results {
            pentanomial,
            estimate,
            ..
        } = candidate.results;
        Self {
            name: candidate.name.clone(),
            verdict: candidate.verdict.map(Verdict::of),
            sentence: candidate.sentence.clone(),
            pairs: candidate.pairs,
            pentanomial,
            estimate,
        }
    }
}

/// The result of a tune.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TuneResult {
    /// The reason for the end.
    pub end: End,
    /// The values that games moved.
    pub values: Vec<TunedValue>,
    /// The file with the tuned variant; `None` if nothing has changed.
    pub tuned: Option<PathBuf>,
    /// The test of the tuned variant against the start.
    pub proof: Option<GateResult>,
    json: String,
}

impl TuneResult {
    /// Returns whether the proof accepts the tuned variant.
    pub fn is_proven(&self) -> bool {
        self.proof.as_ref().is_some_and(GateResult::is_accepted)
    }

    /// All figures as JSON; `docs/json.md` describes the fields.
    pub fn to_json(&self) -> &str {
        &self.json
    }
}

/// A number that a tune moves.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TunedValue {
    /// Its path, such as `eval.material.rook`.
    pub name: String,
    /// The value at the start, with its decimals.
    pub start: String,
    /// The tuned value.
    pub value: String,
}

/// The result of a study.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StudyResult {
    /// The reason for the end.
    pub end: End,
    /// The variants, in the order of the config; empty unless all searches are done.
    pub variants: Vec<StudiedVariant>,
    json: String,
}

impl StudyResult {
    /// All figures as JSON, `null` before the searches are done; `docs/json.md` describes the fields.
    pub fn to_json(&self) -> &str {
        &self.json
    }
}

/// The result of one variant in a study.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StudiedVariant {
    /// The name of the variant.
    pub name: String,
    /// The mean number of nodes by depth, from 1 on, over the positions that every variant
    /// finished; `None` if there are none.
    pub nodes: Vec<Option<f64>>,
}

/// An event of a session.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// A stage begins.
    Begun {
        /// Pairs in the schedule; in a gate, the maximum per candidate.
        pairs: u64,
        /// Pairs that are recorded.
        recorded: u64,
    },
    /// A pair was added to the result, in the order of the schedule.
    Pair(Pair),
    /// Once a second: the amount of work that is done.
    Progress {
        /// Pairs or searches done.
        done: u64,
        /// Their number; `None` if a test decides it.
        total: Option<u64>,
        /// Seconds since the beginning.
        seconds: f64,
    },
    /// A message for the user.
    Notice {
        /// True for a possible mistake.
        is_warning: bool,
        /// The message.
        text: String,
        /// A remedy, if there is one.
        help: Option<String>,
    },
}

/// A pair of games that counts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pair {
    /// Its number in the schedule, from 0.
    pub number: u64,
    /// The id of its opening.
    pub opening: String,
    /// The games, with exchanged sides.
    pub games: Vec<FinishedGame>,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FinishedGame {
    /// The variant of the side that opens the game.
    pub first: String,
    /// The other variant.
    pub second: String,
    /// Half points of the first side: 2 for a win, 1 for a draw, 0 for a loss.
    pub half_points: u8,
    /// The cause of the end.
    pub cause: Cause,
    /// Plies after the opening.
    pub plies: usize,
}

impl Event {
    /// The event for users; `None` for those that only [`Session::on_json`] has.
    fn of(event: &inner::Event) -> Option<Self> {
        Some(match event {
            inner::Event::StageBegun(stage) => Self::Begun {
                pairs: stage.pairs,
                recorded: stage.recorded,
            },
            inner::Event::Pair(pair) => Self::Pair(Pair {
                number: pair.pair,
                opening: pair.opening.clone(),
                games: pair.games.iter().map(FinishedGame::of).collect(),
            }),
            inner::Event::Progress {
                done,
                total,
                seconds,
                ..
            } => Self::Progress {
                done: *done,
                total: *total,
                seconds: *seconds,
            },
            inner::Event::Notice(notice) => Self::Notice {
                is_warning: notice.level == inner::Level::Warning,
                text: notice.text.clone(),
                help: notice.help.clone(),
            },
            _ => return None,
        })
    }
}

impl FinishedGame {
    fn of(game: &inner::GameEnded) -> Self {
        Self {
            first: game.first.clone(),
            second: game.second.clone(),
            half_points: game.half_points,
            cause: game.cause,
            plies: game.plies,
        }
    }
}

type Callback<T> = Arc<dyn Fn(&T) + Send + Sync>;

#[derive(Clone, Default)]
struct Callbacks {
    event: Option<Callback<Event>>,
    json: Option<Callback<str>>,
}

impl Listener for Callbacks {
    fn notify(&self, event: &inner::Event) {
        if let Some(callback) = &self.event
            && let Some(event) = Event::of(event)
        {
            callback(&event);
        }
        if let Some(callback) = &self.json {
            callback(&json(event));
        }
    }
}

/// A failure of a session: a message with its causes and remedy, and its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    message: String,
}

/// The kind of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The config lacks the section for this call, or cannot be played.
    Config,
    /// The file of the record stayed locked by another process for half a minute.
    Locked,
    /// The record is damaged, of another version, or cannot be read or written.
    Record,
    /// A program does not start, or does not play the game.
    Program,
    /// A file cannot be read or written.
    File,
    /// Another problem, which the message explains.
    Other,
}

impl Error {
    /// The kind.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The same error, of the config if that is the cause.
    fn of_config(self, is_cause: bool) -> Self {
        let kind = if is_cause {
            ErrorKind::Config
        } else {
            self.kind
        };
        Self { kind, ..self }
    }
}

impl Error {
    fn of(failure: &inner::Failure) -> Self {
        let kind = if failure.is::<leitai_config::ConfigError>() {
            ErrorKind::Config
        } else if let Some(error) = failure.downcast_ref::<StoreError>() {
            match error.problem {
                StoreProblem::Locked => ErrorKind::Locked,
                _ => ErrorKind::Record,
            }
        } else if failure.is::<ProgramError>() {
            ErrorKind::Program
        } else if failure.is::<std::io::Error>() {
            ErrorKind::File
        } else {
            ErrorKind::Other
        };
        let message = format!("{failure:#}");
        Self { kind, message }
    }
}

impl From<ConfigError> for Error {
    fn from(error: ConfigError) -> Self {
        let kind = ErrorKind::Config;
        Self {
            kind,
            message: error.0,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
