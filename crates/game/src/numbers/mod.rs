//! The numbers of an evaluation: a table that the game provides and all modules read.
//!
//! A [`NumberTable`] is built once per game from a [`Declaration`], which lists the keys with their
//! groups, shapes and ranges, and the stages of the game with numbers of their own. The table is
//! used to read, resolve, override and write configs, and to name, tune and report the numbers.
//! [`EvalParams`] holds values, one for each number of the table. The game itself makes an
//! evaluation from them.
//!
//! A game with a table of 2 rows of 3 numbers and one more number, in each of two stages:
//!
//! ```
//!
//! use std::sync::LazyLock;
//! # mod leitai { pub use leitai_game::numbers; }
//! use leitai::numbers::{Declaration, EvalParams, Group, Key, NumberTable, Spelling, Stage};
//!
//! static NUMBERS: LazyLock<NumberTable> = LazyLock::new(|| {
//!     let squares = ["a2", "b2", "c2", "a1", "b1", "c1"].map(str::to_owned);
//!     NumberTable::new(Declaration {
//!         game: "tiny",
//!         title: "Tiny",
//!         subject: "the evaluation",
//!         has_order_values: false,
//!         stages: vec![Stage::first("opening"), Stage::named("end", "endgame")],
//!         constant: vec![],
//!         groups: vec![Group::alone(vec![
//!             Key::grid("squares", "Bonus of each square.", 900, 3, squares.into()).symmetric(),
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
//! let mut params = EvalParams::defaults(table);
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
