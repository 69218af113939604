//! The games: each is a folder that holds all of it, and a word here.

use crate::card::Games;
use crate::cli::Entry;

/// The games of Leitai.
macro_rules! games {
    ($($name:ident),+ $(,)?) => {
        $(pub mod $name;)+

        /// All of them with what they bring to the command line, in the order in which they
        /// are shown.
        pub fn entries() -> Vec<Entry> {
            vec![$($name::entry()),+]
        }
    };
}

games! { xiangqi, othello, go }

/// All of them.
pub fn all() -> Games {
    entries().iter().map(|entry| entry.card).collect()
}
