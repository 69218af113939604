//! Records become text for people and other programs.

pub mod pgn;
