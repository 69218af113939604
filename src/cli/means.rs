//! Options about how a run is played, which change nothing of what is played.

use std::fs;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use super::common::Failure;
use crate::play::Cores;
use crate::tournament::Means;

/// See [`Means`].
#[derive(Clone, Debug, Default, Args)]
pub(super) struct MeansArguments {
    /// Bind every thread, with the programs that it starts, to a processor of its
    /// own: steadier times. At most one thread per processor (Linux).
    #[arg(long)]
    pin: bool,
    /// Write what is said between leitai and programs into this folder, a file
    /// per game and program (at most 10 MB each).
    #[arg(long, value_name = "FOLDER")]
    dialogue: Option<PathBuf>,
}

impl MeansArguments {
    pub(super) fn get(&self, threads: NonZeroUsize) -> Result<Means, Failure> {
        if let Some(folder) = &self.dialogue {
            fs::create_dir_all(folder)
                .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        }
        let cores = self.pin.then(|| Cores::for_threads(threads)).transpose()?;
        Ok(Means {
            dialogue: self.dialogue.clone(),
            cores,
        })
    }
}
