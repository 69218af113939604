//! A workshop for Go capture problems: file formats, certificates of verdicts, a generator, and a
//! study of solvers.

pub mod certify;
pub mod formats;
pub mod generate;
pub mod proof;
pub mod statistics;
pub mod study;

#[cfg(test)]
mod tests;
