//! Options about how a run is played, which change nothing of what is played.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use super::failure::Failure;
use super::output::prepare_folder;
use super::terminal::note;

use crate::config::path_word;
use crate::count::count;
use crate::foreign::shown_path;
use crate::play::{Cores, Spare};
use crate::player::Dialogues;
use crate::tournament::ExecutionOptions;

/// See [`ExecutionOptions`].
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ExecutionArguments {
    /// Bind every thread, with the programs that it starts, to a processor of its
    /// own: steadier times. At most one thread per processor (Linux).
    #[arg(long)]
    pin: bool,
    /// Write what is said between leitai and programs into this folder, a file
    /// per game and program (at most 10 MB each).
    #[arg(long, value_name = "FOLDER")]
    dialogue: Option<PathBuf>,
    /// Play by the clock even where games need twice the processors that there are.
    #[arg(long)]
    pub(crate) force: bool,
}

impl ExecutionArguments {
    pub(crate) fn get(&self, threads: NonZeroUsize) -> Result<ExecutionOptions, Failure> {
        if let Some(folder) = &self.dialogue {
            prepare_folder(folder)?;
        }
        let cores = self.pin.then(|| Cores::for_threads(threads)).transpose()?;
        Ok(ExecutionOptions {
            dialogues: self.dialogue.as_deref().map(Dialogues::new),
            cores,
        })
    }

    /// These options as words of a command line, each after a blank.
    pub(crate) fn in_words(&self) -> String {
        let mut words = String::new();
        if self.pin {
            words.push_str(" --pin");
        }
        if let Some(folder) = &self.dialogue {
            words.push_str(" --dialogue ");
            words.push_str(&path_word(folder));
        }
        if self.force {
            words.push_str(" --force");
        }
        words
    }
}

/// Says at the end of a run what could not be kept of it, and what could not be played
/// again.
pub(crate) fn tell_losses(execution_options: &ExecutionOptions, spare: &Spare) {
    if let moves @ 1.. = spare.refused() {
        note(&format!(
            "warning: {}, the pause taken off their time, though the machine paused meanwhile: no \
             more than one pair in a hundred is played again for that (five in short runs)\n\
             help: see that the machine is not stopped, put to sleep or overloaded while games are \
             played by the clock",
            count(moves, "move counts", "moves count")
        ));
    }
    if let Some(dialogues) = &execution_options.dialogues
        && let Some(trouble) = dialogues.trouble()
    {
        note(&format!(
            "warning: not all dialogues were written into {}: {trouble}\n\
             help: the games are not concerned; see that the disk has room and the folder may be \
             written",
            shown_path(dialogues.folder())
        ));
    }
}
