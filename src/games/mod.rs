//! The games: each is a folder that holds all of it.

pub mod go;
pub mod othello;
pub mod xiangqi;
