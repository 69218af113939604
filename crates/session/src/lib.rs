//! The verbs: run, gate, tune, study and merge; with events and cancellation.
//!
//! A [`Session`] has a function for each verb, with results in a record. It is configured with the
//! record, the number of threads, the [listener](Listener) and the flag that [cancels](Cancel) it.
//! A function returns a typed result and prints nothing itself. The same config gives the same
//! result with any number of threads, and continues from the record.
//!
//! ```
//! use std::sync::Arc;
//!
//! use leitai_session::{Cancel, Ending, KnownGames, NullListener, Session, parse};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let games = KnownGames::new(leitai_games::all());
//! let config = parse(
//!     "game = \"othello\"\n\
//!      limits = { nodes = 20 }\n\
//!      tournament = { pairs = 1 }\n\
//!      [[variant]]\n\
//!      name = \"plain\"\n\
//!      [[variant]]\n\
//!      name = \"ordered\"\n\
//!      search.preset = \"full\"\n",
//!     "example.toml",
//!     &games.cards,
//! )?;
//! let folder = std::env::temp_dir().join(format!("leitai-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! let cancel = Cancel::new();
//! let session = Session::new(&games, &folder.join("example.sqlite"), &cancel, Arc::new(NullListener));
//! let played = session.run(config)?;
//! assert_eq!(played.ending, Ending::Complete);
//! assert_eq!(played.so_far.played, 1);
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok(())
//! # }
//! ```

mod book_worth;
pub mod books;
pub mod disturbance;
mod equal_time;
mod event;
pub mod gate;
pub mod human;
mod known;
mod listed;
pub mod memory;
mod merge;
mod moves;
pub mod output;
mod plan_warnings;
pub mod processors;
mod progress;
pub mod recorded;
mod remote_plan;
mod reuse;
mod run;
pub mod speed;
mod stage_events;
mod stopped;
pub mod study;
pub mod tables;
pub mod tune;
mod whole;

use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, available_parallelism};
use std::time::Duration;

use anyhow::Context as _;

pub use self::books::Reader;
use self::processors::{cores_for, placement_text};
use self::remote_plan::files_of;
use leitai_base::count::count;
use leitai_base::foreign::shown_path;
use leitai_base::threads::{NO_THREAD, spawn_scoped};
use leitai_config::{Config, Loaded};
use leitai_players::play::{Cores, Pin};
use leitai_players::player::{
    Change, Dialogues, MetEngines, adopt_orphans, identify, watch_pauses,
};
use leitai_runs::store::{LockTimeout, Mode, Store, StoreError};
use leitai_runs::tournament::{ExecutionOptions, Plan, RemoteWorkers};

pub use book_worth::{BookWorth, book_worth, more_nodes};
pub use event::{
    DimensionValue, EVENT_VERSION, Estimate, Event, GameEnded, Level, Listener, Notice,
    NullListener, PairEnded, PlayerFailure, Purpose, Stage, StageEnding, StageOutcome, StudySearch,
    Verb, WarnedLines, WorkerState,
};
pub use known::{BookReader, KnownGames, ShippedBook};
pub use listed::{ListedElo, ListedRun, RunFigures};
pub use merge::Merged;
pub use plan_warnings::warn as warn_of_plan;
pub(crate) use progress::Work;
pub use remote_plan::{FileSource, Refused, remote_plan};
pub use run::check_machine;
#[doc(hidden)]
pub use speed::machine_speed;
pub use stage_events::StageResults;
pub use stopped::{EarlyEnd, PlayerFails, Stopped, StrictlyEnded};
pub use study::{GamesStopped, Storage, Studied, StudyEnding};
pub use tune::{
    Challenger, Figures, GateOutcome, Halt, LearningResult, Pool, TuneEnded, TuneFiles,
    TuneResults, TuneTask,
};
pub use whole::CheckedRecord;

pub use leitai_config::parse;
pub use leitai_players::play::{Cancel, Evidence};
pub use leitai_players::player::Symptoms;
pub use leitai_runs::tournament::Ending;

/// The error of a session: a message for the user, with its causes.
pub type Failure = anyhow::Error;

/// A config lacks the section that a call needs.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct MissingSection(String);

/// The result of a stage of games.
#[derive(Debug)]
pub struct RunEnd<G> {
    /// The plan of the games.
    pub plan: Plan,
    /// The reason for the end.
    pub ending: Ending,
    /// The results of the games.
    pub so_far: G,
}

impl<G> RunEnd<G> {
    /// Returns whether all required games were played.
    pub fn is_complete(&self) -> bool {
        self.ending == Ending::Complete
    }
}

/// The environment in which configs are executed.
#[derive(Clone)]
pub struct Session<'a> {
    /// The games that configs may use.
    pub games: &'a KnownGames,
    /// Path of the record.
    pub store: PathBuf,
    /// Number of simultaneous games; by default one for each processor.
    pub threads: NonZeroUsize,
    /// Options of execution that do not affect the choice of games.
    pub options: PlayOptions,
    /// Cancels the session.
    pub cancel: &'a Cancel,
    /// Receives the events.
    pub listener: Arc<dyn Listener>,
}

/// Options of execution that do not affect the choice of games.
#[derive(Clone, Debug, Default)]
pub struct PlayOptions {
    /// Pins every thread, with the engines that it starts, to processors of its own.
    pub pin: Option<Pin>,
    /// The destinations of the dialogues with engines, if they are kept.
    pub dialogues: Option<Dialogues>,
    /// The time between the end of a game and the next one on the same thread.
    pub wait: Duration,
    /// Plays with a time limit even if games need at least twice the available processors.
    pub force: bool,
    /// Repeats recorded pairs of a tournament or a gate in which a player failed.
    pub retry_failed: bool,
    /// Ends a tournament or a gate at the first failure of a player, and at the first warning about
    /// a principal variation that a player reports.
    pub strict: bool,
    /// Remote workers that play the pairs in place of this process.
    pub fleet: Option<Arc<dyn RemoteWorkers>>,
}

impl<'a> Session<'a> {
    /// Creates a session with a thread for each processor.
    pub fn new(
        games: &'a KnownGames,
        store: &Path,
        cancel: &'a Cancel,
        listener: Arc<dyn Listener>,
    ) -> Self {
        Self {
            games,
            store: store.to_owned(),
            threads: available_parallelism().unwrap_or(NonZeroUsize::MIN),
            options: PlayOptions::default(),
            cancel,
            listener,
        }
    }

    pub(crate) fn reader(&self) -> Reader<'_> {
        Reader {
            games: self.games,
            listener: &*self.listener,
        }
    }

    /// Reports the start of a session, runs `work`, and reports the end.
    ///
    /// # Errors
    /// Those of `work`.
    pub fn report_session<T>(
        &self,
        verb: Verb,
        config: String,
        is_complete: impl Fn(&T) -> bool,
        work: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        self.listener.notify(&Event::SessionBegun {
            version: EVENT_VERSION,
            leitai: env!("CARGO_PKG_VERSION"),
            verb,
            config,
            store: shown_path(&self.store).to_string(),
            threads: self.threads.get(),
        });
        let done = work();
        self.listener.notify(&Event::SessionEnded {
            complete: done.as_ref().is_ok_and(is_complete),
            error: done.as_ref().err().map(|error| format!("{error:#}")),
        });
        done
    }

    /// Begins work on `total` units named `unit`.
    pub(crate) fn work(&self, unit: &str, total: u64) -> Work {
        Work::begin(unit, 0, total, &self.listener)
    }

    /// The processors of worker threads, which are reported; `None` without a binding.
    pub(crate) fn cores(&self, config: &Config) -> Result<Option<Cores>, Failure> {
        let pin = self.options.pin.as_ref();
        let cores = pin.map(|pin| cores_for(config, self.threads, pin));
        let cores = cores.transpose()?;
        if let Some(cores) = &cores {
            self.listener.info(placement_text(cores));
        }
        Ok(cores)
    }

    pub(crate) fn execution_options(&self, config: &Config) -> Result<ExecutionOptions, Failure> {
        Ok(ExecutionOptions {
            dialogues: self.options.dialogues.clone(),
            wait: self.options.wait,
            cores: self.cores(config)?,
            on_silence: Some(moves::silence(&self.listener)),
            observer: moves::observer(&self.listener),
            strict: self.options.strict,
            remote: self.options.fleet.clone(),
            met: MetEngines::default(),
        })
    }

    /// Opens the record for writing. Waits up to half a minute for another process's lock, and
    /// reports the wait after two seconds.
    pub(crate) fn open(&self) -> Result<Store, StoreError> {
        let listener = Arc::clone(&self.listener);
        let timeout = LockTimeout {
            limit: Duration::from_secs(30),
            report_after: Duration::from_secs(2),
            report: Arc::new(move |path| {
                let path = shown_path(path);
                listener.info(format!(
                    "{path} is locked by another process: waiting for up to half a minute"
                ));
            }),
        };
        let open = || Store::open_with_timeout(&self.store, Mode::Write, timeout);
        self.cancel.run_uninterruptible(open)
    }

    /// Starts the engines of a config, completes the config with their data, and reports the
    /// findings. Runs `other` on another thread meanwhile. Returns the engines that can play on,
    /// and the result of `other`.
    pub(crate) fn meet<T: Send>(
        &self,
        loaded: &mut Loaded,
        other: impl FnOnce() -> T + Send,
    ) -> Result<(MetEngines, T), Failure> {
        adopt_orphans();
        watch_pauses().context(NO_THREAD)?;
        let (identified, done) = thread::scope(|scope| {
            let other = spawn_scoped(scope, other);
            let identified = identify(&mut loaded.config, self.cancel);
            (
                identified,
                other.join().unwrap_or_else(|it| resume_unwind(it)),
            )
        });
        let (findings, met) = identified.map_err(|error| {
            let place = ["variant", &error.variant, "command"];
            let place = loaded.warnings.place(&place);
            Failure::from(error).context(place)
        })?;
        let listener = &self.listener;
        for finding in findings {
            listener.info(finding.to_string());
            if let Change::Skipped(skipped) = finding.change {
                listener.notify(&Event::OptionSkipped {
                    player: finding.variant,
                    option: skipped.name,
                    value: skipped.value,
                    refused: skipped.refused,
                    malformed: skipped.malformed,
                });
            }
        }
        if let Some(fleet) = &self.options.fleet {
            fleet.provide_files(&files_of(&loaded.config))?;
        }
        Ok((met, done))
    }

    /// Schedules the pairs of a run that players' failures decided for repetition, if the option is
    /// set.
    pub(crate) fn retry_failed(&self, plan: &Plan, store: &Store) -> Result<(), Failure> {
        if !self.options.retry_failed {
            return Ok(());
        }
        let Some(run) = store.known_run(plan.id())?.map(|entry| entry.handle) else {
            return Ok(());
        };
        let mut failed = Vec::new();
        for row in store.pairs(&run) {
            let record = row?.record;
            if record.faults().next().is_some() {
                failed.push(record.index);
            }
        }
        if !store.remove_pairs(&run, &failed, None)? {
            anyhow::bail!(
                "another process plays this run\nhelp: wait for its end before `--retry-failed`"
            );
        }
        if !failed.is_empty() {
            self.listener.note(format!(
                "repeating {} decided by a player's failure",
                count(failed.len() as u64, "pair", "pairs"),
            ));
        }
        Ok(())
    }
}
