//! The games with what they bring to the command line beside their rules, which are in the core.

pub mod go;
pub mod othello;

pub use leitai_core::games::{all, chess, xiangqi};

use crate::cli::Entry;

/// All of them, in the order in which they are shown.
pub fn entries() -> Vec<Entry> {
    vec![
        xiangqi::card().into(),
        othello::entry(),
        go::entry(),
        chess::card().into(),
    ]
}
