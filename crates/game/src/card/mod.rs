//! The complete interface of a game.
//!
//! A game implements [`Game`] for its position, in its own types, and searches are compiled for
//! these types. Code that is not critical for speed uses its [`GameCard`]: one object that gives
//! positions, lines and players of any type. [`Games`] holds the games known to a program, by name.

pub mod conformance;
mod examination;
mod facts;
mod flaws;
mod form;
mod game;
mod games;
mod keys;
mod known_book;
mod linear;
mod object;
mod own;
mod perft;
mod pgn;
mod position;
mod protocol;
mod rules;
mod tables;
mod thinker;
mod usual;
mod words;

pub use examination::{Examination, Place};
pub use facts::Facts;
pub use flaws::flaws;
pub use form::TextForm;
pub use game::Game;
pub use games::{GameChoice, Games};
pub use keys::KeyPlaces;
pub use known_book::KnownBook;
pub use linear::Linear;
pub use object::{Card, GameCard, ReadOpening};
pub use own::{NamedPlayer, OwnPlayer};
pub use perft::divide;
pub use pgn::{NotationStyle, PgnStyle, Tags, red_or_white};
pub use position::{AnyLine, AnyPosition, typed, typed_line};
pub use protocol::{KnownProgram, Letters, Passing, Protocol, Ways};
pub use rules::Rules;
pub use tables::{OpenTables, TableOptions, Tables};
pub use thinker::Thinker;
pub use usual::{FitOpenings, UsualSpread};
pub use words::{legal_texts, proposal};
