//! Where and with what the games of a command are played.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::execution_options::ExecutionArguments;

/// What a command's games have in common, whatever is played.
pub(super) struct ExecutionContext<'a> {
    /// The record.
    pub(super) store: &'a Path,
    /// Games at once.
    pub(super) threads: NonZeroUsize,
    /// Options that change nothing of what is played.
    pub(super) execution_options: &'a ExecutionArguments,
    /// Whether no progress is shown.
    pub(super) quiet: bool,
    /// Set by the first signal.
    pub(super) cancel: &'static AtomicBool,
}
