//! Options that end games early, and the command that runs afterwards.

use std::process::Stdio;
use std::str::FromStr;

use leitai_platform::processes::shell;

use super::prelude::*;
use leitai_base::threads;
use leitai_config::read_time_limit;
use leitai_runs::store::time_of_day;
use leitai_session::Cancel;

/// Options for the end of a command that plays games.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "End")]
pub(crate) struct EndArguments {
    /// On Ctrl-C, begin no further pair and finish the current ones; a second Ctrl-C ends these,
    /// too. Without this option the key Ctrl-\ does so.
    #[arg(hide_short_help = true, long)]
    drain: bool,
    /// Begin no pair after this time of day, in local time: `07:00`.
    #[arg(long, value_name = "HH:MM", conflicts_with = "span")]
    until: Option<TimeOfDay>,
    /// Begin no pair after this duration: `8h`, `90min`.
    #[arg(long = "for", id = "span", value_name = "TIME", value_parser = read_time_limit)]
    span: Option<Duration>,
    /// At the end, run this command in the shell, with the exit code as `LEITAI_EXIT_CODE`.
    #[arg(hide_short_help = true, long, value_name = "COMMAND")]
    on_end: Option<String>,
}

/// Minutes after midnight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TimeOfDay(u64);

impl FromStr for TimeOfDay {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once(':');
        let read = |text: &str| {
            let is_number = text.len() <= 2 && text.bytes().all(|it| it.is_ascii_digit());
            text.parse::<u64>().ok().filter(|_| is_number)
        };
        match parts.map(|(hours, minutes)| (read(hours), read(minutes))) {
            Some((Some(hours @ 0..24), Some(minutes @ 0..60))) => Ok(Self(60 * hours + minutes)),
            _ => Err("a time of day is written `07:00`".to_owned()),
        }
    }
}

impl TimeOfDay {
    /// The duration from `now` until this time, today or tomorrow.
    fn after(self, now: Duration) -> Duration {
        let day = Duration::from_hours(24);
        let at = Duration::from_mins(self.0);
        let today = at.checked_sub(now).filter(|left| !left.is_zero());
        today.unwrap_or_else(|| (at + day).saturating_sub(now))
    }
}

impl EndArguments {
    /// The flag that ends the games. Starts the timer of `--until` or `--for`.
    pub(crate) fn install_handler(&self) -> Result<&'static Cancel, Failure> {
        let cancel = signals::install_game_handler(self.drain);
        signals::install_thread_signals().context(threads::NO_THREAD)?;
        let left = match self.until {
            Some(until) => Some(until.after(time_of_day()?)),
            None => self.span,
        };
        if let Some(left) = left {
            cancel.end_in(left);
        }
        Ok(cancel)
    }

    /// Does `work`, then runs the command of `--on-end`, also after an error.
    pub(crate) fn then_run_command(&self, work: impl FnOnce() -> Outcome) -> Outcome {
        let outcome = work();
        let Some(command) = &self.on_end else {
            return outcome;
        };
        signals::ignore_signals();
        let code = outcome.as_ref().map_or(Exit::Usage, |exit| *exit) as u8;
        let mut shell = shell(command);
        shell.stdin(Stdio::null());
        match shell.env("LEITAI_EXIT_CODE", code.to_string()).status() {
            Ok(status) if status.success() => {}
            Ok(status) => eprint(&format!(
                "warning: the command of --on-end failed: {status}"
            )),
            Err(error) => eprint(&format!("warning: no shell for --on-end: {error}")),
        }
        outcome
    }
}
