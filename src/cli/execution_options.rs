//! Options about how a run is played, which change nothing of what is played.

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
    /// Bind every thread, with the programs that it starts, to a processor of its
    /// own: steadier times. At most one thread per processor (Linux). With a list such as
    /// `--pin=0,2,4-7`: to one of these, from its beginning.
    #[arg(
        long,
        value_name = "LIST",
        value_parser = pin,
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = ANY
    )]
    pin: Option<Pin>,
    /// Write what is said between leitai and programs into this folder, a file
    /// per game and program (at most 10 MB each).
    #[arg(long, value_name = "FOLDER")]
    dialogue: Option<PathBuf>,
    /// Play by the clock even where games need twice the processors that there are.
    #[arg(long)]
    force: bool,
    #[cfg(feature = "fleet")]
    #[command(flatten)]
    fleet: super::fleet::FleetArguments,
}

/// What of the record is played again.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct AgainArguments {
    /// Play recorded pairs again in which a player failed, such as after a program was
    /// fixed. What they had come to is gone from the record.
    #[arg(long)]
    pub(crate) retry_failed: bool,
}

/// Whether games go on when a player does something wrong.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct StrictArguments {
    /// End with exit code 4 at the first failure of a player, as `otherwise = "stop"` under
    /// `[failures]` does, and at the first line of play of a program that `[checks]` find
    /// wrong.
    #[arg(long)]
    pub(crate) strict: bool,
}

impl StrictArguments {
    /// Tells of a player's failure that stopped games; `again` is the command that carries on.
    pub(crate) fn tell_stopped(self, stopped: &Stopped, again: &str) -> Exit {
        if self.strict {
            tell_strictly_stopped(stopped, again)
        } else {
            tell_stopped(stopped, again)
        }
    }

    /// The option as a word of a command line, after a blank.
    pub(crate) fn in_words(self) -> &'static str {
        if self.strict { " --strict" } else { "" }
    }
}

impl ExecutionArguments {
    /// How many pairs this process plays at once where so many were asked for: none but those
    /// that are looked into, if others play them.
    #[cfg_attr(not(feature = "fleet"), expect(clippy::unused_self))]
    pub(crate) fn threads(&self, asked: NonZeroUsize) -> NonZeroUsize {
        #[cfg(feature = "fleet")]
        if self.fleet.is_given() {
            return NonZeroUsize::MIN;
        }
        asked
    }

    /// The options, with the folder made, and connected to those who play elsewhere.
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

    /// These options as words of a command line, each after a blank.
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
