//! Leitai: self-play tournaments, statistics and tuning for game engines.
//!
//! # A game of your own
//!
//! A game is a type that implements three traits, and a program for it is one line:
//! [`main_with`] gives it tournaments, gates, tunes, studies, reports and all else that the
//! command `leitai` does for its own games.
//!
//! - [`Position`](game::Position): the rules, and how positions and moves are written.
//! - [`Tactics`](search::Tactics): what moves mean to a search. All of it has defaults.
//! - [`Game`](card::Game): its name, the [numbers](numbers::NumberTable) of its evaluation,
//!   and what is counted of a position: its [features](card::Game::features), of which
//!   [`Linear`](card::Linear) makes the evaluation.
//!
//! A player that is no search of Leitai's is a [`MoveChooser`](search::MoveChooser) under a
//! name ([`OwnPlayer`](card::OwnPlayer)). What a position promises is tried by
//! [`game::conformance`]. `docs/add-a-game.md` leads through all of it, step by step;
//! `examples/connect_four` is a whole game of 200 lines, and `examples/monte_carlo` a player.
//!
//! The smallest of games, a pile from which one to three stones are taken in turn; whoever
//! takes the last one wins:
//!
//! ```
//! use std::sync::LazyLock;
//!
//! use leitai::card::{Facts, Game, Linear};
//! use leitai::game::{Cause, Line, Move, MoveList, Position, PositionError, Side, Verdict};
//! use leitai::numbers::{EvalParams, Key, NumberTable};
//! use leitai::search::{Search, SearchLimits, SearchParams, Tactics};
//!
//! #[derive(Clone, Debug, PartialEq)]
//! struct Pile(u16, Side);
//!
//! impl Position for Pile {
//!     const NAME: &'static str = "pile";
//!     const SIDE_NAMES: [&'static str; 2] = ["first", "second"];
//!     type Undo = ();
//!     type Rules = ();
//!
//!     fn initial() -> Self { Pile(9, Side::First) }
//!     fn from_fen(text: &str) -> Result<Self, PositionError> {
//!         let all = (0..100).flat_map(|stones| Side::BOTH.map(|side| Pile(stones, side)));
//!         let found = all.into_iter().find(|pile| pile.to_fen() == text);
//!         found.ok_or_else(|| PositionError::new(text, "no pile and side to move"))
//!     }
//!     fn to_fen(&self) -> String { format!("{} {}", self.0, Self::SIDE_NAMES[self.1.index()]) }
//!     fn side_to_move(&self) -> Side { self.1 }
//!     fn key(&self) -> u64 { u64::from(2 * self.0 + self.1 as u16).wrapping_mul(0x9e37_79b9_7f4a_7c15) }
//!     fn legal_moves(&self, moves: &mut MoveList) { moves.extend((1..=self.0.min(3)).map(Move)); }
//!     fn make(&mut self, Move(stones): Move) { *self = Pile(self.0 - stones, self.1.other()); }
//!     fn unmake(&mut self, Move(stones): Move, (): ()) { *self = Pile(self.0 + stones, self.1.other()); }
//!     fn verdict_without_moves(&self) -> Verdict { Verdict::win(self.1.other(), Cause::Goal) }
//!     fn move_text(Move(stones): Move) -> String { format!("take{stones}") }
//! }
//!
//! impl Tactics for Pile {}
//!
//! static NUMBERS: LazyLock<NumberTable> = LazyLock::new(|| {
//!     let stones = Key::weight("stones", "A stone of the pile.", 100);
//!     NumberTable::of_keys("pile", "Pile", vec![stones], &[])
//! });
//!
//! impl Game for Pile {
//!     const FACTS: Facts = Facts::of("Pile", "one to three stones in turn");
//!     type Evaluation = Linear<Self>;
//!
//!     fn numbers() -> &'static NumberTable { &NUMBERS }
//!     fn evaluation(params: &EvalParams, (): ()) -> Option<Linear<Self>> { Linear::of(params) }
//!     fn features(&self, add: &mut impl FnMut(usize, i32)) { add(0, self.0.into()); }
//! }
//!
//! // fn main() -> std::process::ExitCode {
//! //     leitai::main_with([leitai::Entry::of::<Pile>()]).into()
//! // }
//!
//! leitai::game::conformance::conforms::<Pile>(1, 10, 20);
//! let evaluation = Pile::evaluation(&EvalParams::usual(&NUMBERS), ()).unwrap();
//! let mut search = Search::new(SearchParams::default(), evaluation);
//! let limits = SearchLimits { depth: Some(9), ..SearchLimits::default() };
//! let found = search.run(&Line::new(Pile::initial()), (), &limits, &|| false, None);
//! // One stone, and then always what makes four with the other's.
//! assert_eq!(found.best, Some(Move(1)));
//! assert_eq!(leitai::eval::mate_plies(found.score), Some(5));
//! ```
//!
//! # The rooms
//!
//! The rooms, in the order in which data flows through them:
//!
//! 1. [`settings`]: named numbers with their ranges, for the rooms below; numbers before nouns.
//! 2. [`foreign`]: words and files from outside, which all rooms meet; `threads`: pools of
//!    worker threads.
//! 3. [`numbers`]: the numbers of an evaluation, a table that each game gives.
//! 4. [`game`]: what a game is, and what its positions can do.
//! 5. [`eval`]: what a position is worth, with named parameters.
//! 6. [`search`]: the alpha-beta family, and proof-number search.
//! 7. [`stats`]: what results mean.
//! 8. [`card`]: all that a game is, as one object without its types.
//! 9. [`tune`]: numbers of a player, adjusted by its results.
//! 10. [`config`]: a TOML file becomes checked values.
//! 11. [`schedule`]: from a config to numbered pairs; the opening book.
//! 12. [`player`]: whoever chooses moves.
//! 13. [`serve`]: a variant plays for other programs.
//! 14. [`play`]: from a pair to its record, on many threads.
//! 15. [`openings`]: opening suites made by random play and search.
//! 16. [`store`]: records become durable.
//! 17. [`output`]: files are written whole or not at all.
//! 18. [`tournament`]: the plan, its driver, the standings, the replay.
//! 19. [`gate`]: candidates against a base, until a test knows enough.
//! 20. [`doctor`]: whether players are fit to play, and what helps them.
//! 21. [`study`]: how many nodes variants need to a depth.
//! 22. [`interchange`]: games and positions of other programs are read.
//! 23. [`texel`]: an evaluation is fitted to the results of games.
//! 24. [`results`]: anybody's games and counts become evidence for ratings.
//! 25. [`report`]: records become tables, PGN, JSON and plots.
//! 26. [`session`]: a config is played into a record, and listeners hear of it.
//! 27. [`fleet`](self): pairs are played by workers on other machines.
//! 28. [`web`]: pages of records, for a browser.
//! 29. [`signals`]: how a process ends that is asked to.
//! 30. [`cli`]: the commands.
//! 31. [`games`]: the games themselves, a folder each: on top of all, like a stranger's own.
//!
//! Features leave rooms out: `external` holds those to [`openings`], [`doctor`] and [`interchange`],
//! `sqlite` all below [`web`], `serve` that, `cli` the rest; without any there are rules, searches
//! and statistics, and nothing is built that they do not need.
//!
//! A room uses only rooms above it in this list. Those without a page are there for our own
//! program, its tests and benches; nothing of them is promised.

// What only the rooms above use is not used where they are left out.
#![cfg_attr(
    not(feature = "cli"),
    allow(dead_code, unreachable_pub, unused_imports)
)]

#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "external")]
#[doc(hidden)]
pub mod doctor;
#[cfg(feature = "fleet")]
#[doc(hidden)]
pub mod fleet;
pub mod games;
#[cfg(feature = "sqlite")]
#[doc(hidden)]
pub mod gate;
#[cfg(feature = "external")]
pub mod interchange;
#[cfg(feature = "external")]
#[doc(hidden)]
pub mod openings;
#[cfg(feature = "sqlite")]
#[doc(hidden)]
pub mod output;
#[cfg(feature = "external")]
#[doc(hidden)]
pub mod play;
#[cfg(feature = "external")]
#[doc(hidden)]
pub mod player;
#[cfg(feature = "sqlite")]
#[doc(hidden)]
pub mod report;
#[cfg(feature = "sqlite")]
#[doc(hidden)]
pub mod results;
#[cfg(feature = "external")]
#[doc(hidden)]
pub mod schedule;
#[cfg(feature = "external")]
#[doc(hidden)]
pub mod serve;
#[cfg(feature = "sqlite")]
pub mod session;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod signals;
#[cfg(feature = "sqlite")]
#[doc(hidden)]
pub mod store;
#[cfg(feature = "sqlite")]
#[doc(hidden)]
pub mod study;
#[cfg(feature = "sqlite")]
#[doc(hidden)]
pub mod texel;
#[cfg(feature = "sqlite")]
#[doc(hidden)]
pub mod tournament;
#[cfg(feature = "serve")]
#[doc(hidden)]
pub mod web;

#[cfg(feature = "cli")]
pub use cli::{Entry, Exit, main_with};
#[doc(hidden)]
pub use leitai_base::foreign;
#[doc(inline)]
pub use leitai_base::settings;
#[cfg(feature = "external")]
use leitai_base::{count, threads};
#[doc(inline)]
pub use leitai_game::{self as game, card, eval, numbers, search};
#[doc(inline)]
pub use leitai_stats as stats;
#[cfg(feature = "external")]
#[doc(hidden)]
pub use {leitai_config as config, leitai_stats::tune};
