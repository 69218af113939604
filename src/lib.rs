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
//! 200 lines, `examples/dobutsu` one with captures, checks, a rule and a referee, and
//! `examples/monte_carlo` a player.
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
//!     type Moves = MoveList;
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
//! Each module is, or is part of, a crate of its own; the crates follow the data flow:
//!
//! - [`settings`], [`foreign`]: named numbers with ranges; text and files from outside.
//! - [`stats`], [`tune`]: statistics of results, and the arithmetic of tuners.
//! - [`game`], [`numbers`], [`eval`], [`search`], [`card`]: the interface of a game, the numbers of
//!   its evaluation, the searches, and a whole game as one object without its types.
//! - [`games`]: the games, a crate each, like a game of another crate.
//! - [`config`]: checked values from a TOML file.
//! - [`schedule`], [`player`], [`play`], [`openings`], [`interchange`], [`serve`], [`doctor`]:
//!   numbered pairs, the players, the game loop, books, files of games, a variant as an engine for
//!   other programs, health checks.
//! - [`store`], [`tournament`], [`gate`], [`study`], [`texel`], [`results`], [`figures`]: records,
//!   runs and their evaluation, as data.
//! - [`report`]: text, Markdown, HTML and plots from these data.
//! - [`session`], [`output`]: the verbs with their events; files that are written completely or
//!   not at all.
//! - [`web`], [`fleet`](self): pages of records; workers on other machines.
//! - [`cli`], [`signals`]: the commands, and the end of the process.
//!
//! Features enable modules: `external` those up to [`doctor`], `sqlite` those up to [`output`],
//! `serve` the pages, `cli` the commands, `go-problems` the workshop of Go, `fleet` the workers.
//! Without features there are rules, searches and statistics, and no dependencies beyond their
//! needs. Modules without a page exist for our own program, its tests and benches, without any
//! promise of stability.

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
#[cfg(feature = "cli")]
use leitai_base::threads;
#[cfg(feature = "fleet")]
#[doc(hidden)]
pub use leitai_fleet as fleet;
#[doc(inline)]
pub use leitai_game::{self as game, card, eval, numbers, protocol, search};
#[cfg(feature = "external")]
#[doc(inline)]
pub use leitai_interchange as interchange;
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
