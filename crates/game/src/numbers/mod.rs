//! The numbers of an evaluation: a table, which the game gives and all rooms read.
//!
//! A [`NumberTable`] is built once per game from a [`Declaration`]: which keys there are,
//! in which groups, of which shape and range, and in which stages of the game each counts
//! apart. From it configs are read, resolved, overridden and written back, numbers are
//! named by their paths, tuned and reported. [`EvalParams`] are values, one for each
//! number of the table. An evaluation is made from them by the game itself.
//!
//! A game with a table of 2 rows of 3 numbers, and one number more in each of two stages:
//!
//! ```
//!
//! use std::sync::LazyLock;
//! use leitai_game::numbers::{Declaration, EvalParams, Group, Key, NumberTable, Spelling, Stage};
//!
//! static NUMBERS: LazyLock<NumberTable> = LazyLock::new(|| {
//!     let squares = ["a2", "b2", "c2", "a1", "b1", "c1"].map(str::to_owned);
//!     NumberTable::new(Declaration {
//!         game: "tiny",
//!         title: "Tiny",
//!         subject: "the evaluation",
//!         stages: vec![Stage::first("opening"), Stage::named("end", "endgame")],
//!         constant: vec![],
//!         groups: vec![Group::alone(vec![
//!             Key::grid("squares", "What a stone adds.", 900, 3, squares.into()).symmetric(),
//!             Key::weight("mobility", "Each move.", 900),
//!         ])],
//!         spelling: Spelling::Whole,
//!         presets: &[],
//!     })
//! });
//!
//! let table: &'static NumberTable = &NUMBERS;
//! assert_eq!(table.len(), 14);
//! let number = table.find("end.squares[0][2]").unwrap();
//! assert_eq!((number.index(), number.place_name()), (9, Some("c2")));
//! assert_eq!(number.mirrored().unwrap().path(), "end.squares[0][0]");
//!
//! let mut params = EvalParams::usual(table);
//! assert!(params.set(number, -5));
//! assert!(!params.set(number, 901), "out of range");
//! assert_eq!(params.values()[9], -5);
//! ```

mod declaration;
mod entry;
mod params;
mod table;

pub use declaration::{
    Board, Declaration, GridWords, Group, Key, Look, Preset, Shape, Spelling, Stage, Useless,
};
pub use entry::Entry;
pub use params::EvalParams;
pub use table::{KeyGroup, NumberTable, TableKey};
