//! The games: each is a folder that holds all of it, and a line here.

use crate::card::Games;

/// The games of Leitai.
macro_rules! games {
    ($($name:ident::$position:ident),+ $(,)?) => {
        $(pub mod $name;)+

        /// All of them, in the order in which they are shown.
        pub fn all() -> Games {
            Games::default()$(.with::<$name::$position>())+
        }
    };
}

games! { xiangqi::Xiangqi, othello::Othello, go::Capture }
