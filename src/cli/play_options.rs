//! Options of the commands that play games.

use super::configs::default_store;
use super::ending::EndArguments;
use super::page_server::ServeArguments;
use super::prelude::*;
use super::watching::WatchArguments;
use crate::output::prepare_folder;
use crate::play::{Pin, ProcessorsError};
use crate::session::{PlayOptions, Session};

/// The value of `--pin` without a list.
const ANY: &str = "any";

/// The processors that `--pin` names.
fn pin(text: &str) -> Result<Pin, ProcessorsError> {
    if text == ANY {
        return Ok(Pin::Any);
    }
    text.parse().map(Pin::These)
}

/// Options of a command that plays games, without effect on the games; see [`PlayOptions`].
#[derive(Clone, Debug, Args)]
pub(crate) struct PlayArguments {
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// The record; by default the config's name with `.sqlite`, in the current folder.
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Bind every thread, with the programs that it starts, to a processor of its own: steadier
    /// times. At most one thread per processor (Linux). With a list such as `--pin=0,2,4-7`: to the
    /// listed processors, in order.
    #[arg(long, value_name = "LIST", value_parser = pin, num_args = 0..=1, require_equals = true,
          default_missing_value = ANY)]
    pin: Option<Pin>,
    /// Write the dialogue between leitai and programs into this folder, a file per game and program
    /// (at most 10 MB each).
    #[arg(long, value_name = "FOLDER")]
    dialogue: Option<PathBuf>,
    /// Play with a clock even if the games need twice as many processors as the machine has.
    #[arg(long)]
    force: bool,
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
pub(crate) struct FailureArguments {
    /// Play recorded pairs again in which a player failed, for example after a fix of the program.
    /// Their old results are removed from the record.
    #[arg(long)]
    retry_failed: bool,
    /// End with exit code 4 at the first failure of a player, as `otherwise = "stop"` under
    /// `[failures]` does, and at the first line of play of a program that `[checks]` find wrong.
    #[arg(long)]
    pub(crate) strict: bool,
}

impl PlayArguments {
    /// The record of a config.
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
        if let Some(folder) = &self.dialogue {
            prepare_folder(folder)?;
        }
        let options = PlayOptions {
            pin: self.pin.clone(),
            dialogue: self.dialogue.clone(),
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
        self.threads.get()
    }
}
