//! Leitai: self-play tournaments, statistics and tuning for game engines.
//!
//! # A game of your own
//!
//! A game is a type that implements three traits, and a program for it is one line:
//! [`main_with`] provides tournaments, gates, tunes, studies, reports and all other features of
//! the command `leitai`.
//!
//! - [`Position`](game::Position): the rules, and the notation of positions and moves.
//! - [`Tactics`](search::Tactics): properties of moves for a search. All of it has defaults.
//! - [`Game`](card::Game): its name, the [numbers](numbers::NumberTable) of its evaluation, and
//!   the [features](card::Game::features) of a position, from which [`Linear`](card::Linear)
//!   computes the evaluation.
//!
//! A player without a search of Leitai's is a [`MoveChooser`](search::MoveChooser) with a name
//! ([`OwnPlayer`](card::OwnPlayer)). [`game::conformance`] tests the contract of a position.
//! `docs/add-a-game.md` is a step-by-step guide; `examples/connect_four` is a complete game of
//! 200 lines, and `examples/monte_carlo` a player.
//!
//! A minimal game: the sides take one to three stones from a pile in turn, and the side that takes
//! the last stone wins:
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
//! # Modules
//!
//! The modules, in the order of the data flow:
//!
//! 1. [`settings`]: named numbers with ranges, for the modules below; counts with their nouns.
//! 2. [`foreign`]: text and files from outside, for all modules; `threads`: worker thread pools.
//! 3. [`numbers`]: the numbers of an evaluation, in a table that each game provides.
//! 4. [`game`]: the interface of a game and its positions.
//! 5. [`eval`]: evaluation of positions, with named parameters.
//! 6. [`search`]: the alpha-beta family, and proof-number search.
//! 7. [`stats`]: statistics of results.
//! 8. [`card`]: a whole game as one object without its types.
//! 9. [`tune`]: adjustment of a player's numbers by its results.
//! 10. [`config`]: checked values from a TOML file.
//! 11. [`schedule`]: numbered pairs from a config; the opening book.
//! 12. [`player`]: players, which choose moves.
//! 13. [`serve`]: a variant as an engine for other programs.
//! 14. [`play`]: playing of pairs into records, on many threads.
//! 15. [`openings`]: opening suites made by random play and search.
//! 16. [`store`]: durable storage of records.
//! 17. [`output`]: files that are written completely or not at all.
//! 18. [`tournament`]: the plan, its driver, the standings, the replay.
//! 19. [`gate`]: tests of candidates against a baseline, until they are decided.
//! 20. [`doctor`]: health checks of players, with remedies.
//! 21. [`study`]: the number of nodes that variants need to a depth.
//! 22. [`interchange`]: reading of other programs' games and positions.
//! 23. [`texel`]: fitting of an evaluation to the results of games.
//! 24. [`results`]: games and counts from any source as evidence for ratings.
//! 25. [`report`]: tables, PGN, JSON and plots from records.
//! 26. [`session`]: playing of a config into a record, with events for listeners.
//! 27. [`fleet`](self): playing of pairs by workers on other machines.
//! 28. [`web`]: pages of records, for a browser.
//! 29. [`signals`]: handling of requests to end the process.
//! 30. [`cli`]: the commands.
//! 31. [`games`]: the games, a folder each: on top of all, like a game of another crate.
//!
//! Features enable modules: `external` those up to [`openings`], [`doctor`] and [`interchange`],
//! `sqlite` the others before [`web`], `serve` that one, `cli` the rest. Without features there are
//! rules, searches and statistics, and no dependencies beyond their needs.
//!
//! A module uses only modules above it in this list. Modules without a page exist for our own
//! program, its tests and benches, without any promise of stability.

// Without the features, code that only upper modules use is dead.
#![cfg_attr(
    not(feature = "cli"),
    allow(dead_code, unreachable_pub, unused_imports)
)]

#[cfg(feature = "cli")]
pub mod cli;
pub mod games;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod signals;

#[cfg(feature = "cli")]
pub use cli::{Entry, Exit, main_with};
#[cfg(feature = "external")]
use leitai_base::count;
#[doc(hidden)]
pub use leitai_base::foreign;
#[doc(inline)]
pub use leitai_base::settings;
#[cfg(feature = "fleet")]
#[doc(hidden)]
pub use leitai_fleet as fleet;
#[doc(inline)]
pub use leitai_game::{self as game, card, eval, numbers, search};
#[cfg(feature = "external")]
#[doc(inline)]
pub use leitai_players::interchange;
#[cfg(feature = "external")]
#[doc(hidden)]
pub use leitai_players::{doctor, openings, play, player, schedule, serve};
#[cfg(feature = "sqlite")]
#[doc(inline)]
pub use leitai_session as session;
#[doc(inline)]
pub use leitai_stats as stats;
#[cfg(feature = "serve")]
#[doc(hidden)]
pub use leitai_web as web;
#[cfg(feature = "external")]
#[doc(hidden)]
pub use {leitai_config as config, leitai_stats::tune};
#[cfg(feature = "sqlite")]
#[doc(hidden)]
pub use {
    leitai_report as report,
    leitai_runs::{figures, gate, results, store, study, texel, tournament},
    leitai_session::output,
};
