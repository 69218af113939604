//! Options for the execution of a run, without effect on its games.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::Exit;
use super::failure::{Failure, tell_stopped, tell_strictly_stopped};
use crate::config::path_word;
use crate::output::prepare_folder;
use crate::play::{Pin, ProcessorsError};
use crate::session::{Listener, PlayOptions, Stopped};

/// The value of `--pin` without a list.
const ANY: &str = "any";

/// The processors that `--pin` names.
fn pin(text: &str) -> Result<Pin, ProcessorsError> {
    if text == ANY {
        return Ok(Pin::Any);
    }
    text.parse().map(Pin::These)
}

/// See [`PlayOptions`].
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ExecutionArguments {
    /// Bind every thread, with the programs that it starts, to a processor of its own: steadier
    /// times. At most one thread per processor (Linux). With a list such as `--pin=0,2,4-7`: to the
    /// listed processors, in order.
    #[arg(
        long,
        value_name = "LIST",
        value_parser = pin,
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = ANY
    )]
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
}

/// The recorded pairs to play again.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct AgainArguments {
    /// Play recorded pairs again in which a player failed, for example after a fix of the program.
    /// Their old results are removed from the record.
    #[arg(long)]
    pub(crate) retry_failed: bool,
}

/// Reaction to failures and wrong lines of players.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct StrictArguments {
    /// End with exit code 4 at the first failure of a player, as `otherwise = "stop"` under
    /// `[failures]` does, and at the first line of play of a program that `[checks]` find wrong.
    #[arg(long)]
    pub(crate) strict: bool,
}

impl StrictArguments {
    /// Reports a player's failure that stopped games; `again` is the command that resumes them.
    pub(crate) fn tell_stopped(self, stopped: &Stopped, again: &str) -> Exit {
        if self.strict {
            tell_strictly_stopped(stopped, again)
        } else {
            tell_stopped(stopped, again)
        }
    }

    /// The option as a command-line word, after a blank.
    pub(crate) fn in_words(self) -> &'static str {
        if self.strict { " --strict" } else { "" }
    }
}

impl ExecutionArguments {
    /// The number of pairs that this process plays at once: `asked`, or one if remote workers play,
    /// for the pairs that need a closer look.
    #[cfg_attr(not(feature = "fleet"), expect(clippy::unused_self))]
    pub(crate) fn threads(&self, asked: NonZeroUsize) -> NonZeroUsize {
        #[cfg(feature = "fleet")]
        if self.fleet.is_given() {
            return NonZeroUsize::MIN;
        }
        asked
    }

    /// The options; creates the folder of the dialogue and connects to the fleet.
    #[cfg_attr(not(feature = "fleet"), expect(unused_variables))]
    pub(crate) fn get(&self, listener: &Arc<dyn Listener>) -> Result<PlayOptions, Failure> {
        if let Some(folder) = &self.dialogue {
            prepare_folder(folder)?;
        }
        Ok(PlayOptions {
            pin: self.pin.clone(),
            dialogue: self.dialogue.clone(),
            force: self.force,
            retry_failed: false,
            strict: false,
            #[cfg(feature = "fleet")]
            fleet: self.fleet.get(listener)?,
            #[cfg(not(feature = "fleet"))]
            fleet: None,
        })
    }

    /// These options as command-line words, each after a blank.
    pub(crate) fn in_words(&self) -> String {
        let mut words = String::new();
        match &self.pin {
            Some(Pin::These(list)) => {
                words.push_str(" --pin=");
                words.push_str(&list.to_string());
            }
            Some(Pin::Any) => words.push_str(" --pin"),
            None => {}
        }
        if let Some(folder) = &self.dialogue {
            words.push_str(" --dialogue ");
            words.push_str(&path_word(folder));
        }
        if self.force {
            words.push_str(" --force");
        }
        #[cfg(feature = "fleet")]
        words.push_str(&self.fleet.in_words());
        words
    }
}
