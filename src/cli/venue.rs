//! Where and with what the games of a command are played.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::means::MeansArguments;

/// What a command's games have in common, whatever is played.
pub(super) struct Venue<'a> {
    /// The record.
    pub(super) store: &'a Path,
    /// Games at once.
    pub(super) threads: NonZeroUsize,
    /// Options that change nothing of what is played.
    pub(super) means: &'a MeansArguments,
    /// Whether no progress is shown.
    pub(super) quiet: bool,
    /// Set by the first signal.
    pub(super) cancel: &'static AtomicBool,
}
