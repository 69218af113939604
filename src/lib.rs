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
//! ([`OwnPlayer`](card::OwnPlayer)). [`conformance`] tests the contract of a game.
//! `docs/add-a-game.md` is a step-by-step guide; `examples/connect_four` is a complete game of
//! 200 lines, `examples/dobutsu` one with captures, checks, a rule and a referee,
//! `examples/gomoku` one with its own protocol, and `examples/monte_carlo` a player.
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
//!     NumberTable::from_keys("pile", "Pile", vec![stones], &[])
//! });
//!
//! impl Game for Pile {
//!     const FACTS: Facts = Facts::new("Pile", "one to three stones in turn");
//!     type Evaluation = Linear<Self>;
//!
//!     fn numbers() -> &'static NumberTable { &NUMBERS }
//!     fn evaluation(params: &EvalParams, (): ()) -> Option<Linear<Self>> { Linear::new(params) }
//!     fn features(&self, add: &mut impl FnMut(usize, i32)) { add(0, self.0.into()); }
//! }
//!
//! // fn main() -> std::process::ExitCode {
//! //     leitai::main_with([leitai::Entry::new::<Pile>()]).into()
//! // }
//!
//! leitai::conformance::conforms::<Pile>(1, 10, 20);
//! let evaluation = Pile::evaluation(&EvalParams::defaults(&NUMBERS), ()).unwrap();
//! let mut search = Search::new(SearchParams::default(), evaluation);
//! let limits = SearchLimits { depth: Some(9), ..SearchLimits::default() };
//! let found = search.run(&Line::new(Pile::initial()), (), &limits);
//! // Take one stone, then four minus the opponent's number.
//! assert_eq!(found.best, Some(Move(1)));
//! assert_eq!(leitai::eval::mate_plies(found.score), Some(5));
//! ```
//!
//! # Modules
//!
//! | modules | contents | feature |
//! |---|---|---|
//! | [`game`], [`card`], [`search`], [`eval`], [`numbers`], [`settings`] | the interface of a game, its searches and evaluation | |
//! | [`conformance`] | tests of a game | |
//! | [`games`] | Xiangqi, Othello, Go block capture and chess | |
//! | [`protocol`] | protocols of engines, as text | |
//! | [`stats`] | statistics of matches, sequential tests, ratings | |
//! | [`config`], [`engine`], [`pgn`] | configs, a single engine, files of games | `external` |
//! | [`session`] | tournaments, gates, tunes and studies with a record | `sqlite` |
//! | [`main_with`], [`Entry`], [`OwnCommand`] | a program with all commands | `cli` |
//!
//! Each feature includes those above it. The items come from crates named `leitai-*`, whose other
//! items are internal and may change with any release.

#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "cli")]
mod cli;
pub mod games;
#[cfg(feature = "external")]
mod library;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod signals;

#[cfg(feature = "cli")]
pub use cli::{Entry, Exit, OwnCommand, main_with};
#[cfg(feature = "sqlite")]
pub use library::session;
#[cfg(feature = "external")]
pub use library::{config, engine, pgn};

/// The interface of a game: positions, moves, and the ends of games.
pub mod game {
    #[doc(inline)]
    pub use leitai_base::foreign::Foreign;
    #[doc(inline)]
    pub use leitai_game::{
        Cause, ImageKeys, Line, Move, MoveBuffer, MoveError, MoveList, OwnCause, Position,
        PositionError, Scope, Side, Verdict, check_columns, fen_rows, legal_moves, perft,
        without_number,
    };

    /// The board as data, for pictures and the terminal.
    pub mod view {
        #[doc(inline)]
        pub use leitai_game::view::{
            Cells, Count, Figure, Mark, MarkKind, Piece, Place, Shape, Tint, View,
        };
    }
}

/// A whole game: its facts, and any game as an object.
pub mod card {
    #[doc(inline)]
    pub use leitai_game::card::{
        AnyLine, AnyPosition, Begins, Card, Dialect, Facts, FitOpenings, Game, GameCard,
        GameFormat, Games, KnownBook, KnownProgram, Letters, Linear, NamedPlayer, NotationStyle,
        OpenTables, OwnPlayer, PgnStyle, ProgramTest, ReadOpening, Rules, SidesOf, TableOptions,
        Tables, Tags, TestPosition, Thinker, UsualSpread, Ways,
    };
}

/// Tests of a game: they play random games and check every promise of the traits.
pub mod conformance {
    #[doc(inline)]
    pub use leitai_game::card::conformance::{conforms, conforms_with_mirrors};
}

/// Evaluations of positions.
pub mod eval {
    #[doc(inline)]
    pub use leitai_game::eval::{
        Evaluation, MATE, MATE_PLIES, MAX_EVAL, PackedScore, Score, mate_plies,
    };
}

/// The numbers of an evaluation: names, ranges and values.
pub mod numbers {
    #[doc(inline)]
    pub use leitai_game::numbers::{
        Board, Declaration, Entry, EvalParams, GridWords, Group, Key, KeyGroup, Look, NumberTable,
        Preset, Shape, Spelling, Stage, TableKey, Useless,
    };
}

/// Searches, and the properties of moves that they use.
pub mod search {
    #[doc(inline)]
    pub use leitai_game::search::*;
}

/// Protocols of engines, as text: facts about a protocol, and a codec for the conversation.
pub mod protocol {
    #[doc(inline)]
    pub use leitai_protocols::{
        Board, Budget, CECP, ClockTimes, Codec, CodecSettings, GTP, Info, Introduction, Limit,
        LimitKind, Message, MoveRequest, NBOARD, Offer, OptionKind, Passing, Period, Protocol,
        ReadyMessage, Refused, Score, Side, Span, TimeBudget, UCCI, UCI, UCI_CYCLONE, USI,
        centipawns, mate,
    };
}

/// Statistics of matches: estimates, sequential tests, plans and ratings.
pub mod stats {
    #[doc(inline)]
    pub use leitai_stats::{
        Adjusted, AfterSprt, AnytimeInterval, BadLaw, BadLooks, BadPlan, BadTest, Basis, Bound,
        Bout, Capped, CellOutOfRange, Cluster, Clusters, ConfidenceSequence, Crossing, Customary,
        Decision, Effect, ErrorRates, Estimate, Expectation, FEW_CLUSTERS, FORMULA_PAIRS,
        FirstMove, FirstMoveAdvantage, FirstMoveBasis, GameVariance, Group, GroupSequential,
        Hypotheses, Information, Level, Look, LookProgress, MAX_COUNT, Model, Multinomial,
        NormalizedUnsupported, OneSided, PValue, PairLaw, Pairing, Pentanomial, Ranged, Rating,
        RatingOptions, Ratings, RatingsError, SequentialTest, Standing, StopNote, Strict,
        TestOutcome, TestPlan, TooLong, Trinomial, after_sprt, e_bh, e_holm, estimate,
        estimate_clustered, holm, rate, sign_flip, wilson,
    };

    #[doc(inline)]
    pub use leitai_stats::{bootstrap, gsprt, logistic, normal};
}

/// Named settings with ranges, such as the rules of a game.
pub mod settings {
    #[doc(inline)]
    pub use leitai_base::settings::*;
}

/// The examples of the guide are compiled.
#[cfg(all(doctest, feature = "sqlite"))]
#[doc = include_str!("../docs/library.md")]
struct Guide;
