//! The games: each is a folder that holds all of it but its commands, and two lines here.

pub mod chess;
pub mod go;
pub mod othello;
pub mod xiangqi;

use crate::card::{Games, Place};

#[cfg(feature = "config")]
/// All of them, in the order in which they are shown.
pub fn all() -> Games {
    [xiangqi::card(), othello::card(), go::card(), chess::card()]
        .into_iter()
        .collect()
}

/// A position to ask programs about: its name, its text and the moves since.
pub(crate) const fn place(
    name: &'static str,
    fen: &'static str,
    moves: &'static [&'static str],
) -> Place {
    Place { name, fen, moves }
}

/// Mixes the bits of a number (`SplitMix64`).
pub(crate) const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A number of the sequence of `SplitMix64`, as good as random.
pub(crate) const fn split_mix(place: u64) -> u64 {
    mix(place.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}
