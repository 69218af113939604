//! The interface of Go to the command line.

mod book;
mod check_proof;
mod generate;
mod solve;
mod study;

use crate::cli::{Entry, OwnCommand};

/// Go for the command line.
pub(crate) fn entry() -> Entry {
    Entry {
        commands: vec![
            OwnCommand::with("go", solve::run).under("solve"),
            OwnCommand::with("go", generate::run).under("openings"),
            OwnCommand::with("check-proof", check_proof::run),
        ],
        book: Some(book::READER),
        solver_study: Some(study::STUDY),
        ..Entry::from(leitai_games::go::card())
    }
}
