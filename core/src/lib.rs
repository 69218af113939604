//! The core of [Leitai](https://docs.rs/leitai): games and their rules, evaluations, searches,
//! the statistics of matches, the arithmetic of tuning, and configs.
//!
//! It knows nothing of terminals, records, clocks or other programs. `leitai` shows all of it
//! under the same names, with a tour of the rooms; depend on that one.

// What only configs use is not used where they are left out.
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
