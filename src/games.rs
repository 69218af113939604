//! The games, with their extras for the command line.

pub use leitai_games::all;

/// Xiangqi, Chinese chess.
pub mod xiangqi {
    #[doc(inline)]
    pub use leitai_games::xiangqi::eval::XiangqiEvaluation;
    #[doc(inline)]
    pub use leitai_games::xiangqi::{
        Kind, Notation, Piece, RepetitionRule, Square, Undo, Xiangqi, XiangqiRules, card,
    };
}

/// Chess, with the rules of the FIDE and Chess960.
pub mod chess {
    #[doc(inline)]
    pub use leitai_games::chess::eval::ChessEvaluation;
    #[doc(inline)]
    pub use leitai_games::chess::{Chess, ChessRules, Draws, card};
}

/// Othello.
pub mod othello {
    #[doc(inline)]
    pub use leitai_games::othello::eval::OthelloEvaluation;
    #[doc(inline)]
    pub use leitai_games::othello::{EmptySquares, Othello, OthelloRules, PASS, card, square_name};
}

/// Block capture in Go: the attacker wins by capturing the target.
pub mod go {
    #[doc(inline)]
    pub use leitai_games::go::reading::evaluation::CaptureEvaluation;
    #[doc(inline)]
    pub use leitai_games::go::{
        Board, BoardError, Capture, CaptureUndo, CaptureVerdict, Colour, GoRules, Goal, PASS, Play,
        Point, PointSet, Points, Setup, SetupError, Symmetry, card, move_at, point_of,
    };
}

/// Shogi, Japanese chess.
pub mod shogi {
    #[doc(inline)]
    pub use leitai_games::shogi::eval::ShogiEvaluation;
    #[doc(inline)]
    pub use leitai_games::shogi::{Kind, Piece, Shogi, ShogiRules, Square, Undo, card};
}

#[cfg(feature = "cli")]
use leitai_games::{chess as chess_crate, xiangqi as xiangqi_crate};

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
        Entry::from(xiangqi_crate::card())
            .with_forms(&xiangqi_crate::records::OWN_FORMATS)
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
        Entry::from(chess_crate::card())
            .with_forms(&chess_crate::polyglot::OWN_FORMATS)
            .with_shipped("chess", level, book!("chess-12000.txt")),
        Entry::from(leitai_games::shogi::card())
            .with_formats(&leitai_games::shogi::records::TEXT_FORMATS)
            .with_shipped("shogi", "10,000 level openings", book!("shogi-10000.txt")),
    ]
}

/// Go, with the commands of the workshop.
#[cfg(feature = "cli")]
fn go_entry() -> Entry {
    #[cfg(feature = "go-problems")]
    return crate::cli::go::entry();
    #[cfg(not(feature = "go-problems"))]
    return Entry::from(leitai_games::go::card());
}
