//! Block capture in Go: knowledge about a block that one side wants to take and the other to save,
//! without a search except ladders.
//!
//! The method is that of Zhang and Chen, "Using different search algorithms to solve computer Go
//! capturing problems" (CAAI Transactions on Intelligent Systems, 2007): moves near relevant blocks
//! ([`candidates`](mod@candidates)), the liberties of the crucial chain ([`chain`](mod@chain),
//! [`evaluate`](mod@evaluate)) and terminal tests ([`terminal`](mod@terminal)). The other modules
//! prove rather than estimate: ladders ([`ladder`](mod@ladder)) and the part of the board that a
//! proof depends on ([`zone`]).

pub mod around;
mod candidates;
pub mod chain;
pub mod evaluate;
pub mod evaluation;
pub mod eyes;
mod goals;
pub mod ko_fight;
pub mod kos;
pub mod ladder;
pub mod liberties;
pub mod near;
pub mod numbers;
pub mod params;
pub mod prover;
pub mod score;
mod steps;
mod strategic;
pub mod terminal;
mod threats;
pub mod tree;
pub mod verdict;
pub mod zone;

pub use crate::{is_alive, life_zone};
pub use candidates::{Context, candidates};
pub use chain::chain;
pub use evaluate::{MAX_EVALUATION, evaluate};
pub use evaluation::CaptureEvaluation;
pub use eyes::is_real_eye;
pub use goals::Fight;
pub use ko_fight::{KoFight, MAX_THREATS, Need};
pub use kos::Kos;
pub use ladder::{LadderOutcome, ladder, ladder_zone};
pub use liberties::Liberties;
pub use params::{Candidates, CaptureParams, Second, Stone};
pub use prover::BlockProver;
pub use score::{score_of_evaluation, score_of_numbers};
pub use strategic::Strategic;
pub use terminal::{Escape, Terminal, extension};
pub use tree::{ExternalThreats, Proving, Quick, Width};
pub use verdict::{Captures, Reading, Task};

#[cfg(test)]
mod tests;
