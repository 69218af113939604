//! Exit codes: a promise to scripts.

use std::process::ExitCode;

use crate::signals::INTERRUPTED;

/// How the process ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0: done; of a gate: every candidate is accepted.
    Success = 0,
    /// 1: done, and the answer is no: a record that does not verify, a gate that
    /// rejects a candidate, a score that a file of positions has otherwise.
    Failure = 1,
    /// 2: the command line, the config or another input was wrong, or a file
    /// could not be read or written. What was recorded before stays.
    Usage = 2,
    /// 3: a gate may play no more pairs and does not know enough: no candidate
    /// is rejected, but not all are accepted. Of solve: the limit was reached
    /// before the score was known.
    Inconclusive = 3,
    /// 4: a player failed (it crashed, stalled, moved illegally, was out of time),
    /// and that ended a gate without a verdict on strength, or stopped a run, a
    /// gate or the games of a study, as their config asks. What was recorded
    /// stays. Of the doctor: a player is not fit to play.
    PlayerFailed = 4,
    /// 130: stopped by Ctrl-C, SIGTERM, SIGQUIT or SIGHUP, whichever; the same command
    /// carries on.
    Interrupted = INTERRUPTED as isize,
}

impl Exit {
    /// How a process of ours has ended that had that exit code.
    #[cfg(feature = "fleet")]
    pub(super) fn of_code(code: i32) -> Self {
        let all = [
            Self::Success,
            Self::Failure,
            Self::Inconclusive,
            Self::PlayerFailed,
            Self::Interrupted,
        ];
        let found = all.into_iter().find(|&exit| exit as i32 == code);
        found.unwrap_or(Self::Usage)
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}
