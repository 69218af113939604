//! The core of [Leitai](https://docs.rs/leitai): games and their rules, evaluations, searches, the
//! statistics of matches, the arithmetic of tuning, and configs.
//!
//! It does not deal with terminals, records, clocks or external programs. `leitai` re-exports all
//! of it under the same names, with a guided tour of the modules; depend on that crate.

// Without the feature `config`, the items that only configs use are unused.
#![cfg_attr(
    not(feature = "config"),
    allow(dead_code, unreachable_pub, unused_imports)
)]

pub mod card;
#[cfg(feature = "config")]
#[doc(hidden)]
pub mod config;
#[doc(hidden)]
pub mod count;
pub mod eval;
#[doc(hidden)]
pub mod foreign;
pub mod game;
pub mod games;
pub mod numbers;
pub mod search;
pub mod settings;
pub mod stats;
#[doc(hidden)]
pub mod threads;
#[cfg(feature = "config")]
#[doc(hidden)]
pub mod tune;
