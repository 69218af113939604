//! The interface of Othello to the command line.

mod judge;
mod solve;

use crate::cli::{Entry, OwnCommand};
use leitai_games::othello::records::OWN_FORMATS;

/// Othello for the command line.
pub(crate) fn entry() -> Entry {
    Entry {
        commands: vec![OwnCommand::with("othello", solve::run).under("solve")],
        judge: Some(judge::JUDGE),
        forms: OWN_FORMATS.into(),
        ..Entry::from(leitai_games::othello::card())
    }
}
