//! What a program is asked to find out whether it is fit to play.

use super::{AnyLine, GameCard};

/// The questions of a game.
#[derive(Debug)]
pub struct Examination {
    /// The positions that a program is asked about, beginning with what every program
    /// knows. Between them they should show what is misread as an illegal move.
    pub places: &'static [Place],
    /// Of the places, those with much to think about.
    pub rich: [usize; 3],
    /// The most plies of the game that it plays against itself: thoroughly, and
    /// quickly.
    pub plies: [u32; 2],
    /// The keys of a config by which programs of the game are spoken to otherwise.
    pub other_ways: &'static str,
}

impl Examination {
    /// The usual start alone is asked about.
    pub const AT_THE_START: Self = Self {
        places: &[Place {
            name: "at the usual start",
            fen: "",
            moves: &[],
        }],
        rich: [0; 3],
        plies: [80, 20],
        other_ways: "key of the program",
    };
}

/// A position with what it is there for.
#[derive(Debug)]
pub struct Place {
    /// Where it is, as a sentence goes on.
    pub name: &'static str,
    /// The position's text; empty for the usual start.
    pub fen: &'static str,
    /// Moves since.
    pub moves: &'static [&'static str],
}

impl Place {
    /// A position with its name, its text and the moves since.
    pub const fn at(name: &'static str, fen: &'static str, moves: &'static [&'static str]) -> Self {
        Self { name, fen, moves }
    }

    /// The game up to there.
    pub fn line(&self, card: &'static dyn GameCard) -> Box<dyn AnyLine> {
        let start = match self.fen {
            "" => card.initial(),
            // A test reads them all.
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
