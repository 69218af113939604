//! Commands with few handles, little memory, or only small files: each works or names the shortage,
//! and with room it gives its usual answer.

use std::process::Command;
use std::time::Duration;

use super::jobs::{files, give};
use super::kills::{chosen, rounds};
use super::scale::{Dice, Scale};
use super::watched::{Watched, watch};

/// Time limit of a command.
const PATIENCE: Duration = Duration::from_mins(2);
/// The bytes in a block of `ulimit -f`.
const BLOCK: usize = 512;
/// The signal of a process that the system gives no memory (SIGABRT).
const ABORTED: i32 = 6;

pub(crate) fn attack(scale: &Scale) -> String {
    let mut dice = scale.dice("limits");
    let jobs = chosen(scale.limits, &mut dice);
    let limited = rounds(&jobs, scale.limits, dice, |undisturbed, dice| {
        let job = undisturbed.job;
        let folder = job.folder();
        let inputs = files(folder.path());
        let largest = undisturbed.answer.values().map(String::len).max();
        let limit = limit(largest.unwrap_or_default(), dice);
        let mut command = with_limit(&give(folder.path(), job.command), &limit);
        let watched = watch(command.current_dir(folder.path()), PATIENCE);
        let Watched { output, timely, .. } = &watched;
        let said = String::from_utf8_lossy(&output.stderr);
        let blame = format!(
            "{} with `ulimit {limit}`: {:?}: {said}",
            job.name, output.status
        );
        assert!(*timely && !said.contains("panicked"), "{blame}");
        let usual = undisturbed.answer["exit code"] == format!("{:?}", output.status.code());
        let refused = output.status.code() == Some(2) && !said.is_empty();
        // The standard library ends a process whose allocation fails.
        let aborted = is_aborted(&watched) && said.contains("memory allocation");
        assert!(usual || refused || aborted, "{blame}");
        undisturbed.assert_whole(folder.path(), &inputs);
        undisturbed.assert_same(folder.path());
        1
    });
    format!("{limited} commands with limits")
}

/// Options of `ulimit`; `largest` is the length of the largest file that the command writes.
fn limit(largest: usize, dice: &mut Dice) -> String {
    match dice.below(3) {
        0 => format!("-f {}", dice.below(largest / BLOCK * 2 + 400)),
        1 => format!("-n {}", 8 + dice.below(40)),
        _ => format!("-v {}", 60_000 + dice.below(1_000_000)),
    }
}

/// The same command, started by a shell that sets the limit.
fn with_limit(command: &Command, limit: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("ulimit {limit}; exec \"$@\""), "sh"]);
    shell.arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    shell
}

fn is_aborted(watched: &Watched) -> bool {
    use std::os::unix::process::ExitStatusExt as _;
    watched.output.status.signal() == Some(ABORTED)
}
