//! What Othello brings to the command line.

mod judge;
mod solve;

use super::Othello;
use super::forms::OWN_FORMS;
use crate::card::Card;
use crate::cli::{Entry, OwnCommand};

/// Othello for the command line.
pub fn entry() -> Entry {
    Entry {
        commands: vec![OwnCommand::new("othello", solve::run).under("solve")],
        judge: Some(judge::JUDGE),
        forms: &OWN_FORMS,
        ..Entry::from(Card::<Othello>::get())
    }
}
