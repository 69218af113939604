//! Limits of the machine that keep an engine from starting, such as a full process table. They are
//! no fault of the engine: its start waits for them.

use std::io;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

use leitai_platform::children::{ChildTree, Shortage, shortage};

use super::engine::StartError;
use crate::player::pauses::Deadline;

/// Number of `startup` times that a start waits for the machine.
const STARTUPS: u32 = 6;
/// Time between two attempts.
const RETRY_DELAY: Duration = Duration::from_millis(50);

/// Starts a program. While the machine cannot, tries again for six times `startup`.
pub(super) fn spawn(
    command: &mut Command,
    startup: Duration,
    cancel: &AtomicBool,
) -> Result<ChildTree, StartError> {
    let patience = startup.saturating_mul(STARTUPS);
    let mut deadline = Deadline::after(patience);
    loop {
        let error = match ChildTree::spawn(command) {
            Ok(tree) => return Ok(tree),
            Err(error) => error,
        };
        let Some(shortage) = shortage(&error) else {
            return Err(StartError::Spawn(error));
        };
        if cancel.load(Ordering::Relaxed) {
            return Err(StartError::Cancelled);
        }
        let left = deadline.left();
        if left.is_zero() {
            return Err(StartError::Shortage(shortage, error, patience));
        }
        sleep(left.min(RETRY_DELAY));
    }
}

/// The limit, and the system's error.
pub(super) fn reason(shortage: Shortage, error: &io::Error) -> String {
    let limit = match shortage {
        Shortage::Processes => "the limit of processes and threads",
        Shortage::Memory => "the memory",
        Shortage::OpenFiles => "the limit of open files of this process",
        Shortage::SystemFiles => "the limit of open files of the system",
        Shortage::Disk => "the disk",
        Shortage::BusyFile => return format!("its file is being written ({error})"),
    };
    format!("{limit} is exhausted ({error})")
}

/// The remedy.
pub(super) fn help(shortage: Shortage) -> &'static str {
    match shortage {
        Shortage::Processes => {
            "play on fewer --threads, or allow more processes (`ulimit -u`; `pids.max` of a \
             container; `kernel.pid_max`)"
        }
        Shortage::Memory => {
            "play on fewer --threads, give the engines less memory (`Hash`), or allow more \
             (`ulimit -v`; `memory.max` of a container)"
        }
        Shortage::OpenFiles => "play on fewer --threads, or allow more open files (`ulimit -n`)",
        Shortage::SystemFiles => "end other programs, or allow more open files (`fs.file-max`)",
        Shortage::Disk => "free disk space",
        Shortage::BusyFile => "wait until the program is copied or compiled",
    }
}
