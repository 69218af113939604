//! The complete interface of a game.
//!
//! A game implements [`Game`] for its position, in its own types, and searches are compiled for
//! these types. Code that is not critical for speed uses its [`GameCard`]: one object that gives
//! positions, lines and players of any type. [`Games`] holds the games known to a program, by name.

pub mod conformance;
mod examination;
mod facts;
mod flaws;
mod game;
mod games;
mod keys;
mod linear;
mod named_player;
mod object;
mod perft;
mod pgn;
mod position;
mod protocol;
mod rules;
mod suggestions;
mod tables;
mod thinker;

pub use examination::{ProgramTest, TestPosition};
pub use facts::{Begins, Dialect, Facts, FitOpenings, GameFormat, KnownBook, UsualSpread};
pub use flaws::flaws;
pub use game::Game;
pub use games::{GameChoice, Games};
pub use keys::{KeyFilter, KeyIndex};
pub use leitai_protocols::{Passing, Protocol};
pub use linear::Linear;
pub use named_player::{NamedPlayer, OwnPlayer};
pub use object::{Card, GameCard, ReadOpening};
pub use perft::divide;
pub use pgn::{NotationStyle, PgnStyle, SidesOf, Tags, red_or_white};
pub use position::{AnyLine, AnyPosition, typed, typed_line};
pub use protocol::{KnownProgram, Letters, Ways, programs_of, protocols_of};
pub use rules::Rules;
pub use suggestions::{legal_texts, move_of_word, proposal};
pub use tables::{OpenTables, TableOptions, Tables};
pub use thinker::Thinker;
