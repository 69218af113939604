//! Base of the Leitai crates: named settings with ranges, escaped text of others, counts in
//! messages, hashes and thread pools.

pub mod count;
pub mod foreign;
pub mod hash;
pub mod settings;
pub mod threads;
