//! Errors of commands, and their messages.

use super::Exit;
use super::board::eprint_board;
use super::program::command_line;
use super::terminal::{eprint, eprint_coloured};
use leitai_config::shell_word;
use leitai_players::player::{ProgramError, PvFault};
use leitai_report::ExportError;
use leitai_runs::store::StoreError;
use leitai_runs::tournament::RunError;
use leitai_session::output::CannotWrite;
use leitai_session::{EarlyEnd, PlayerFails, Stopped, StrictlyEnded};

/// The error of a command: a message for the user.
pub(crate) type Failure = anyhow::Error;

/// The result of a command.
pub(crate) type Outcome = Result<Exit, Failure>;

/// A complete message with colours.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Rendered(pub(crate) String);

/// Returns whether a signal stopped the start of an engine.
pub(crate) fn is_stopped_start(failure: &Failure) -> bool {
    let error = failure.downcast_ref();
    error.is_some_and(|error: &ProgramError| error.cancelled)
}

/// Prints an error with its causes on standard error, and returns the exit code.
pub(crate) fn report(failure: &Failure) -> Exit {
    if let Some(Rendered(text)) = failure.downcast_ref() {
        eprint_coloured(text);
        return Exit::Usage;
    }
    if is_stopped_start(failure) {
        eprint("stopped before the first game; the same command begins again");
        return Exit::Interrupted;
    }
    if let Some(fails) = failure.downcast_ref() {
        return report_failing_player(fails, true);
    }
    eprint(&format!("error: {failure:#}"));
    eprint_board(failure);
    if let Some(CannotWrite { help, .. }) = failure.downcast_ref() {
        eprint(&format!("help: {help}"));
    } else if let Some(hint) = store_error(failure).and_then(StoreError::hint) {
        eprint(&format!("help: {hint}"));
    }
    Exit::Usage
}

/// Reports a player that always fails; `retries` is true if its games can be played again.
pub(crate) fn report_failing_player(fails: &PlayerFails, retries: bool) -> Exit {
    let after = if retries {
        "`--retry-failed` plays its failed games again; another config starts anew"
    } else if !fails.failing.always {
        "a larger `tolerate` under `[failures]` continues with the recorded games; a changed program \
         file or another `--store` starts a new run"
    } else {
        "start a new run with a changed program file or another `--store`: the recorded games would \
         end this one again"
    };
    eprint(&format!(
        "error: {fails}\n\
         help: `leitai doctor CONFIG --variant {}` reports the cause and a remedy. After that \
         {after}",
        shell_word(&fails.name)
    ));
    Exit::PlayerFailed
}

/// Reports a failure or a warning of a player that ended games, with a remedy.
pub(crate) fn report_early_end(early: &EarlyEnd, strict: bool) -> Exit {
    match early {
        EarlyEnd::Stopped(stopped) => report_stop(stopped, strict),
        EarlyEnd::Warned(ended) => report_strict_end(ended),
    }
}

fn report_stop(stopped: &Stopped, strict: bool) -> Exit {
    let (stops, or, other) = if strict {
        let stops = "`--strict` stops at every failure";
        (stops, ", or leave `--strict` out", String::new())
    } else {
        let other = format!(
            "\nhelp: a changed program file, or `replay` or `lose` for `{}` under `[failures]`, is \
             another run",
            stopped.cause
        );
        ("`[failures]` stops the run at this", "", other)
    };
    eprint(&format!(
        "error: {stopped}\n\
         help: {stops}; the pair is not recorded, all others that were played are. Fix the program \
         or the machine{or}, then this command resumes with that pair:\n  {}{other}",
        command_line()
    ));
    Exit::PlayerFailed
}

/// Reports a warning that ended games with `--strict`.
fn report_strict_end(ended: &StrictlyEnded) -> Exit {
    let check = match ended.fault {
        PvFault::IllegalMove | PvFault::BeyondTheEnd | PvFault::OtherMove => "pv",
        PvFault::ShortMate | PvFault::LongMate | PvFault::NoMate => "mate",
        PvFault::UnreadScore | PvFault::NoScore => "score",
    };
    eprint(&format!(
        "error: {ended}\n\
         help: `--strict` ends here: the pair is recorded and counts, none behind it does. Without \
         `--strict` the same command resumes the run; `{check} = false` under `[checks]` leaves such \
         lines alone in pairs that are played from now on, and the run ID stays the same"
    ));
    Exit::PlayerFailed
}

/// Reports that the user or a time limit stopped the work, and the command that resumes it.
pub(crate) fn report_resumable(state: &str) {
    eprint(&format!("{state}; resume with\n  {}", command_line()));
}

/// The store's error, unwrapped.
fn store_error(failure: &Failure) -> Option<&StoreError> {
    let run = failure.downcast_ref::<RunError>();
    let export = failure.downcast_ref::<ExportError>();
    match (failure.downcast_ref::<StoreError>(), run, export) {
        (Some(error), _, _)
        | (_, Some(RunError::Store(error)), _)
        | (_, _, Some(ExportError::Run(RunError::Store(error)))) => Some(error),
        _ => None,
    }
}

/// Returns the first failure of several outputs after trying all of them; reports the others at
/// once.
pub(crate) fn all(written: impl IntoIterator<Item = Result<(), Failure>>) -> Result<(), Failure> {
    let mut first = Ok(());
    for failure in written.into_iter().filter_map(Result::err) {
        if first.is_ok() {
            first = Err(failure);
        } else {
            report(&failure);
        }
    }
    first
}
