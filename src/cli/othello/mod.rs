//! The interface of Othello to the command line.

mod judge;
mod solve;

use crate::cli::{Entry, OwnCommand};
use crate::games::othello::records::OWN_FORMATS;

/// Othello for the command line.
pub(crate) fn entry() -> Entry {
    Entry {
        commands: vec![OwnCommand::new("othello", solve::run).under("solve")],
        judge: Some(judge::JUDGE),
        forms: &OWN_FORMATS,
        ..Entry::from(crate::games::othello::card())
    }
}
