//! Options of the commands that play games.

use leitai_platform::processes::{Priority, set_priority};

use super::configs::default_store;
use super::ending::EndArguments;
use super::page_server::ServeArguments;
use super::prelude::*;
use super::watching::WatchArguments;
use leitai_players::play::{Pin, ProcessorsError, count_unreserved};
use leitai_players::player::Dialogues;
use leitai_session::output::prepare_folder;
use leitai_session::{PlayOptions, Session};

/// The value of `--pin` without a list.
const ANY: &str = "any";

/// Parses the value of `--pin`.
fn pin(text: &str) -> Result<Pin, ProcessorsError> {
    if text == ANY {
        return Ok(Pin::Any { reserve: 0 });
    }
    text.parse().map(Pin::These)
}

/// Processors of worker threads.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Processors")]
pub(crate) struct PinArguments {
    #[command(flatten)]
    threads: Threads,
    /// Bind every thread, with its programs, to processors of its own (Linux, Windows). Times are steadier. It has as
    /// many processors as the programs' option `Threads`, on cores of its own if possible. A
    /// list such as `--pin=0,2,4-7` selects the processors, in this order.
    #[arg(long, value_name = "LIST", value_parser = pin, num_args = 0..=1, require_equals = true,
          default_missing_value = ANY)]
    pin: Option<Pin>,
    /// Leave this number of cores, with all their processors, to the system and to leitai itself. Threads
    /// are bound to the other cores, as with `--pin`; the default of `--threads` is lower.
    #[arg(hide_short_help = true, long, value_name = "N")]
    reserve: Option<usize>,
}

/// Scheduling priority of a command.
#[derive(Clone, Copy, Debug, Default, Args)]
#[command(next_help_heading = "Processors")]
pub(crate) struct PriorityArgument {
    /// The priority of leitai and of all programs that it starts; the system may refuse to raise it.
    #[arg(hide_short_help = true, long, value_parser = choice(&PRIORITIES), value_name = "LEVEL")]
    priority: Option<Priority>,
}

const PRIORITIES: [Choice<Priority>; 3] = [
    ("low", "", Priority::Low),
    ("normal", "", Priority::Normal),
    ("high", "", Priority::High),
];

impl PinArguments {
    /// The number of threads; by default one for each processor that is not reserved.
    pub(crate) fn threads(&self) -> NonZeroUsize {
        let free = self.reserve.and_then(count_unreserved);
        self.threads.within(free.and_then(NonZeroUsize::new))
    }

    /// The selection of processors, if there is one.
    ///
    /// # Errors
    /// `--reserve` together with a list.
    pub(crate) fn pin(&self) -> Result<Option<Pin>, Failure> {
        Ok(match (&self.pin, self.reserve) {
            (Some(Pin::These(_)), Some(_)) => bail!(
                "`--reserve` has no effect on a list of processors after `--pin`\n\
                 help: leave out `--reserve`, or the list"
            ),
            (_, Some(reserve)) => Some(Pin::Any { reserve }),
            (pin, None) => pin.clone(),
        })
    }

    /// Returns whether an option is given.
    pub(crate) fn is_given(&self) -> bool {
        self.pin.is_some() || self.reserve.is_some() || self.threads.is_given()
    }
}

impl PriorityArgument {
    /// Sets the priority of this process, from which programs inherit it.
    ///
    /// # Errors
    /// The system refuses it.
    pub(crate) fn set(self) -> Result<(), Failure> {
        self.priority.map_or(Ok(()), set_priority).map_err(|error| {
            anyhow!(
                "the system refuses `--priority`: {error}\n\
                 help: start leitai with the right to raise its priority, or leave out the option"
            )
        })
    }
}

/// Options of a command that plays games; they do not affect the games. See [`PlayOptions`].
#[derive(Clone, Debug, Args)]
pub(crate) struct PlayArguments {
    /// The record; by default the config's name with `.sqlite`, in the current folder.
    #[arg(long, value_name = "FILE", alias = "record")]
    store: Option<PathBuf>,
    /// Write the dialogue between leitai and programs into this folder, a file per game and program
    /// (at most 10 MB each).
    #[arg(hide_short_help = true, long, value_name = "FOLDER")]
    dialogue: Option<PathBuf>,
    /// Play even if timed games need twice as many processors as the machine has, or engines' tables more memory.
    #[arg(hide_short_help = true, long)]
    force: bool,
    #[command(flatten)]
    pub(crate) processors: PinArguments,
    #[command(flatten)]
    priority: PriorityArgument,
    #[cfg(feature = "fleet")]
    #[command(flatten)]
    fleet: super::fleet::FleetArguments,
    #[command(flatten)]
    pub(crate) watching: WatchArguments,
    #[command(flatten)]
    pub(crate) serving: ServeArguments,
    #[command(flatten)]
    pub(crate) ending: EndArguments,
}

/// Options for failures of players.
#[derive(Clone, Copy, Debug, Default, Args)]
#[command(next_help_heading = "Failures")]
pub(crate) struct FailureArguments {
    /// Play recorded pairs again in which a player failed. Use it after a fix of the program. Their old results are removed from the record.
    #[arg(long)]
    retry_failed: bool,
    /// End with exit code 4 at the first failure of a player, like `otherwise = "stop"` under
    /// `[failures]`, and at the first line of play of a program in which `[checks]` find a fault.
    #[arg(hide_short_help = true, long)]
    pub(crate) strict: bool,
}

impl PlayArguments {
    /// The record for a config.
    pub(crate) fn record(&self, config: &Path) -> PathBuf {
        let store = self.store.clone();
        store.unwrap_or_else(|| default_store(config))
    }

    /// The session; creates the folder of the dialogue and connects to the fleet.
    pub(crate) fn session(
        &self,
        record: &Path,
        failures: FailureArguments,
        listener: Arc<dyn Listener>,
    ) -> Result<Session<'static>, Failure> {
        self.priority.set()?;
        if let Some(folder) = &self.dialogue {
            prepare_folder(folder)?;
        }
        let options = PlayOptions {
            pin: self.processors.pin()?,
            dialogues: self.dialogue.as_deref().map(Dialogues::new),
            wait: Duration::ZERO,
            force: self.force,
            retry_failed: failures.retry_failed,
            strict: failures.strict,
            #[cfg(feature = "fleet")]
            fleet: self.fleet.get(&listener)?,
            #[cfg(not(feature = "fleet"))]
            fleet: None,
        };
        let cancel = self.ending.install_handler()?;
        Ok(Session {
            threads: self.local_threads(),
            options,
            ..Session::new(games::known(), record, cancel, listener)
        })
    }

    /// The number of pairs that this process plays at once: one if remote workers play, for the
    /// pairs that need a closer look.
    fn local_threads(&self) -> NonZeroUsize {
        #[cfg(feature = "fleet")]
        if self.fleet.is_given() {
            return NonZeroUsize::MIN;
        }
        self.processors.threads()
    }
}
