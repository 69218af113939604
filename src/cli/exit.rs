//! Exit codes: a stable interface for scripts.

use std::process::ExitCode;

use crate::signals::INTERRUPTED;

/// The exit code of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Exit {
    /// 0: done, and the answer is yes.
    Success = 0,
    /// 1: done, and the answer is no.
    Failure = 1,
    /// 2: wrong arguments or input.
    Usage = 2,
    /// 3: not enough evidence.
    Inconclusive = 3,
    /// 4: a player failed.
    PlayerFailed = 4,
    /// 130: stopped by a signal.
    Interrupted = INTERRUPTED as isize,
}

impl Exit {
    /// The meanings of the codes, for scripts.
    pub(super) const ALL: [(Self, &'static str); 6] = [
        (
            Self::Success,
            "done; of a gate: every candidate is accepted",
        ),
        (
            Self::Failure,
            "done, and the answer is no: a record that does not verify, a gate that rejects a \
             candidate, a score that a file of positions has otherwise",
        ),
        (
            Self::Usage,
            "the command line, the config or another input was wrong, or a file could not be read \
             or written. What was recorded before stays",
        ),
        (
            Self::Inconclusive,
            "a gate may play no more pairs and does not know enough: no candidate is rejected, but \
             not all are accepted. Of solve: the limit was reached before the score was known",
        ),
        (
            Self::PlayerFailed,
            "a player failed (it crashed, stalled, moved illegally, was out of time), and that \
             ended a gate without a verdict on strength, or stopped a run, a gate or the games of \
             a study, as their config asks. What was recorded stays. Of the doctor: a player is \
             not fit to play",
        ),
        (
            Self::Interrupted,
            "stopped by Ctrl-C, SIGTERM, SIGQUIT or SIGHUP; the same command resumes",
        ),
    ];

    /// The meaning of an exit code of another Leitai process.
    /// Success if all is well, otherwise this code.
    pub(super) fn unless(self, is_well: bool) -> Self {
        if is_well { Self::Success } else { self }
    }

    /// The meaning of an exit code of another Leitai process.
    #[cfg(feature = "fleet")]
    pub(super) fn of_code(code: i32) -> Self {
        let found = Self::ALL.iter().find(|(exit, _)| *exit as i32 == code);
        found.map_or(Self::Usage, |(exit, _)| *exit)
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}
