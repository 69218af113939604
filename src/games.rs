//! The games, with their extras for the command line.

pub use leitai_games::{all, chess, othello, xiangqi};

/// Go, with the workshop for its problems.
pub mod go {
    pub use leitai_games::go::*;
    #[cfg(feature = "go-problems")]
    #[doc(hidden)]
    pub use leitai_go_problems::{certify, formats, generate, proof, study};
}

#[cfg(feature = "cli")]
use crate::cli::Entry;

/// A file of the project's folder of openings, which the build script has compressed: a megabyte
/// less.
#[cfg(feature = "cli")]
macro_rules! book {
    ($file:literal) => {
        include_bytes!(concat!(env!("OUT_DIR"), "/openings/", $file))
    };
}

/// All games, in the order in which they are shown.
#[cfg(feature = "cli")]
pub fn entries() -> Vec<Entry> {
    let level = "12,000 level openings";
    vec![
        Entry::from(xiangqi::card())
            .with_forms(&xiangqi::records::OWN_FORMATS)
            .with_shipped("xiangqi", level, book!("xiangqi-12000.txt"))
            .with_shipped("xiangqi-500", "500 level positions", book!("xiangqi.epd"))
            .with_shipped(
                "xiangqi-midgame",
                "20 positions of middle games",
                book!("xiangqi-midgame20.epd"),
            ),
        crate::cli::othello::entry()
            .with_shipped("othello", level, book!("othello-12000.txt"))
            .with_shipped("othello-300", "300 level openings", book!("othello.txt"))
            .with_shipped(
                "othello-study",
                "40 positions to search",
                book!("othello-study40.epd"),
            ),
        go_entry()
            .with_shipped("go", "capture problems", book!("go-capture/problems.json"))
            .with_shipped(
                "go-generated",
                "generated capture problems",
                book!("go-capture/generated.json"),
            ),
        Entry::from(chess::card())
            .with_forms(&chess::polyglot::OWN_FORMATS)
            .with_shipped("chess", level, book!("chess-12000.txt")),
    ]
}

/// Go, with the commands of the workshop.
#[cfg(feature = "cli")]
fn go_entry() -> Entry {
    #[cfg(feature = "go-problems")]
    return crate::cli::go::entry();
    #[cfg(not(feature = "go-problems"))]
    return Entry::from(go::card());
}
