//! Questions for external programs that show whether they can play a game.

use super::{AnyLine, GameCard};

/// The questions of a game.
#[derive(Debug)]
pub struct ProgramTest {
    /// The test positions, starting with the one that every program knows. Together they should
    /// reveal misread positions as illegal moves.
    pub places: &'static [TestPosition],
    /// Indices of the places with many options.
    pub rich: [usize; 3],
    /// Maximum plies of the test game against itself: thorough, and quick.
    pub plies: [u32; 2],
    /// The config keys that change how Leitai talks to programs of the game.
    pub other_ways: &'static str,
}

impl ProgramTest {
    /// Asks about the usual start only.
    pub const START_ONLY: Self = Self {
        places: &[TestPosition {
            name: "at the usual start",
            fen: "",
            moves: &[],
        }],
        rich: [0; 3],
        plies: [80, 20],
        other_ways: "key of the program",
    };
}

/// A test position and its purpose.
#[derive(Debug)]
pub struct TestPosition {
    /// The name of the position, as the end of a sentence.
    pub name: &'static str,
    /// The position's text; empty for the usual start.
    pub fen: &'static str,
    /// Moves played from there.
    pub moves: &'static [&'static str],
}

impl TestPosition {
    /// A position with its name, its text and the moves since.
    pub const fn at(name: &'static str, fen: &'static str, moves: &'static [&'static str]) -> Self {
        Self { name, fen, moves }
    }

    /// The game up to the test position.
    pub fn line(&self, card: &'static dyn GameCard) -> Box<dyn AnyLine> {
        let start = match self.fen {
            "" => card.initial(),
            // A test reads all of these positions.
            fen => card.read(fen).unwrap_or_else(|_| card.initial()),
        };
        let mut line = card.line(&*start);
        for text in self.moves {
            if let Ok(mv) = line.position().parse_move(text) {
                line.play(mv);
            }
        }
        line
    }
}
