//! Protocols of game engines, as text: no pipe, file or clock.
//!
//! A [`Protocol`] is a set of facts and a [`Codec`], which writes the commands to one engine and
//! reads its lines. The protocols of Leitai's own games are constants here: [`UCI`], [`UCCI`],
//! [`CECP`], [`GTP`], [`NBOARD`], and [`USI`] for games that use it. A game lists the protocols of
//! its programs in `Facts::protocols`: some of these, and its own.
//!
//! In the order of a game, Leitai
//!
//! 1. sends [`Codec::hello`], and reads lines by [`Codec::read_greeting`] until the greeting ends;
//! 2. sets options by [`Codec::option`], and waits by [`Codec::ping`] and
//!    [`Codec::parse_ready_line`] until the engine is ready;
//! 3. sends [`Codec::new_game`];
//! 4. for each move sends [`Codec::go`], and reads lines by [`Codec::parse_search_line`] until
//!    there is a move.
//!
//! ```
//! # mod leitai { pub use leitai_protocols as protocol; }
//! use leitai::protocol::{
//!     Codec, CodecSettings, Info, Introduction, Message, MoveRequest, OptionKind, Protocol,
//! };
//!
//! /// `hello` gets `ready`; `think MOVE MOVE ...` gets `play MOVE`.
//! struct Plain;
//!
//! impl Codec for Plain {
//!     fn hello(&mut self) -> Vec<String> { vec!["hello".to_owned()] }
//!     fn read_greeting(&mut self, line: &str, _: &mut Introduction) -> bool { line == "ready" }
//!     fn go(&mut self, ask: &MoveRequest) -> Vec<String> {
//!         vec![format!("think {}", ask.moves.join(" "))]
//!     }
//!     fn parse_search_line(&mut self, line: &str) -> Message {
//!         match line.strip_prefix("play ") {
//!             Some(mv) => Message::Move(mv.to_owned(), Info::default()),
//!             None => Message::Nothing,
//!         }
//!     }
//! }
//!
//! const PLAIN: &Protocol = &Protocol {
//!     moves_only: true,
//!     limits_itself: true,
//!     ..Protocol::new("plain", |_| Box::new(Plain))
//! };
//! assert!((PLAIN.codec)(&CodecSettings::default()).hello() == ["hello"]);
//! ```

mod budget;
mod cecp;
mod codec;
pub mod gtp;
mod nboard;
mod offer;
mod protocol;
#[cfg(test)]
mod tests;
mod uci;
mod uci_info;
mod usi;

pub use budget::{Budget, ClockTimes, Period, TimeBudget};
pub use cecp::CECP;
pub use codec::{
    Board, Codec, Info, Introduction, LimitKind, Message, MoveRequest, ReadyMessage, Span,
    centipawns, mate,
};
pub use gtp::GTP;
pub use leitai_base::score::Score;
pub use leitai_base::side::Side;
pub use nboard::NBOARD;
pub use offer::{Offer, OptionKind, Refused};
pub use protocol::{CodecSettings, Limit, Passing, Protocol};
pub use uci::{UCCI, UCI, UCI_CYCLONE};
pub use usi::USI;
