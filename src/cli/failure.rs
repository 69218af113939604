//! Errors of commands, and their messages.

use super::Exit;
use super::board::note_board;
use super::terminal::{note, note_coloured};
use crate::config::shell_word;
use crate::output::CannotWrite;
use crate::player::{ProgramError, PvFault};
use crate::report::ExportError;
use crate::session::{PlayerFails, Stopped, StrictlyEnded};
use crate::store::StoreError;
use crate::tournament::RunError;

/// The error of a command: a message for the user.
pub(crate) type Failure = anyhow::Error;

/// The result of a command.
pub(crate) type Outcome = Result<Exit, Failure>;

/// A complete message with colours.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Rendered(pub(crate) String);

/// Prints an error with its causes on standard error, and returns the exit code.
pub(crate) fn report(failure: &Failure) -> Exit {
    if let Some(Rendered(text)) = failure.downcast_ref() {
        note_coloured(text);
        return Exit::Usage;
    }
    if failure
        .downcast_ref()
        .is_some_and(|error: &ProgramError| error.cancelled)
    {
        note("stopped before the first game; the same command begins again");
        return Exit::Interrupted;
    }
    if let Some(fails) = failure.downcast_ref() {
        return tell_failing(fails, true);
    }
    note(&format!("error: {failure:#}"));
    note_board(failure);
    if let Some(CannotWrite { help, .. }) = failure.downcast_ref() {
        note(&format!("help: {help}"));
    } else if let Some(hint) = store_error(failure).and_then(StoreError::hint) {
        note(&format!("help: {hint}"));
    }
    Exit::Usage
}

/// Reports a player that always fails; `retries` is true if its games can be played again.
pub(crate) fn tell_failing(fails: &PlayerFails, retries: bool) -> Exit {
    let after = if retries {
        "`--retry-failed` plays its failed games again; they are not taken over by another config"
    } else if !fails.failing.always {
        "a larger `tolerate` under `[failures]` continues with the recorded games; a changed program \
         file or another `--store` starts a new run"
    } else {
        "start a new run with a changed program file or another `--store`: the recorded games would \
         end this one again"
    };
    note(&format!(
        "error: {fails}\n\
         help: `leitai doctor CONFIG --variant {}` says why it fails, and what helps. After that \
         {after}",
        shell_word(&fails.name)
    ));
    Exit::PlayerFailed
}

/// Reports a player's failure that stopped games, with a remedy: `again` is the command that
/// resumes them.
pub(crate) fn tell_stopped(stopped: &Stopped, again: &str) -> Exit {
    let cause = stopped.cause;
    note(&format!(
        "error: {stopped}\n\
         help: `[failures]` stops the run at this; the pair is not recorded, all others that \
         were played are. Fix the program or the machine, then this carries on with that \
         pair:\n  {again}\n\
         help: a changed program file, or `replay` or `lose` for `{cause}` under \
         `[failures]`, is another run"
    ));
    Exit::PlayerFailed
}

/// Reports a failure that stopped games with `--strict`.
pub(crate) fn tell_strictly_stopped(stopped: &Stopped, again: &str) -> Exit {
    note(&format!(
        "error: {stopped}\n\
         help: `--strict` stops at every failure; the pair is not recorded, all others that were \
         played are. Fix the program or the machine, or leave `--strict` out, then this carries \
         on with that pair:\n  {again}"
    ));
    Exit::PlayerFailed
}

/// Reports a warning that ended games with `--strict`.
pub(crate) fn tell_strictly_ended(ended: &StrictlyEnded) -> Exit {
    let check = match ended.fault {
        PvFault::IllegalMove | PvFault::BeyondTheEnd | PvFault::OtherMove => "pv",
        PvFault::ShortMate | PvFault::LongMate | PvFault::NoMate => "mate",
    };
    note(&format!(
        "error: {ended}\n\
         help: `--strict` ends here: the pair is recorded and counts, none behind it does. Without \
         `--strict` the same command carries on; `{check} = false` under `[checks]` leaves such \
         lines alone in pairs that are played from now on, and no run is another by it"
    ));
    Exit::PlayerFailed
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_failures_the_first_is_given() {
        let failed = |text: &'static str| Err(Failure::msg(text));
        assert!(all([Ok(()), Ok(())]).is_ok());
        assert_eq!(
            all([Ok(()), failed("a"), failed("b")])
                .unwrap_err()
                .to_string(),
            "a"
        );
    }
}
