//! The interface of Othello to the command line.

mod judge;
mod solve;

use super::records::OWN_FORMS;
use crate::cli::{Entry, OwnCommand};

/// Othello for the command line.
pub fn entry() -> Entry {
    Entry {
        commands: vec![OwnCommand::new("othello", solve::run).under("solve")],
        judge: Some(judge::JUDGE),
        forms: &OWN_FORMS,
        ..Entry::from(crate::games::othello::card())
    }
}
