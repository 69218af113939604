//! Base of the Leitai crates: named settings with ranges, escaped text of others, counts in
//! messages, hashes, thread pools, output in the background, suggestions for misspelt names, sides and scores.

pub mod background;
pub mod count;
pub mod foreign;
pub mod hash;
pub mod score;
pub mod settings;
pub mod side;
pub mod suggest;
pub mod threads;
