//! The games: each is a folder that contains everything except its commands, and two lines here.

pub mod chess;
pub mod go;
pub mod othello;
pub mod xiangqi;

use crate::card::{Games, Place};

#[cfg(feature = "config")]
/// All games, in display order.
pub fn all() -> Games {
    [xiangqi::card(), othello::card(), go::card(), chess::card()]
        .into_iter()
        .collect()
}

/// A position for tests of programs: its name, its text and the moves since.
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

/// A pseudo-random number of the sequence of `SplitMix64`.
pub(crate) const fn split_mix(place: u64) -> u64 {
    mix(place.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;
    use crate::config::eval_preset;

    /// These texts identify the stored results of studies: an additional number, such as one for
    /// other candidate moves of Go, makes another study.
    #[test]
    fn numbers_stand_in_keys_of_studies_as_ever() {
        let of_game = |card: &'static dyn crate::card::GameCard| {
            let presets = card.numbers().presets.iter();
            let params = presets.map(|preset| eval_preset(card.numbers(), preset.name).unwrap());
            let texts: String = params.map(|params| card.debug_numbers(&params)).collect();
            let digest = Sha256::digest(texts);
            let four = u32::from_be_bytes([digest[0], digest[1], digest[2], digest[3]]);
            (card.name(), format!("{four:08x}"))
        };
        let found: Vec<_> = all().iter().map(of_game).collect();
        let found: Vec<_> = found
            .iter()
            .map(|(game, key)| (*game, key.as_str()))
            .collect();
        let want = [
            ("xiangqi", "0d5b4430"),
            ("othello", "94ce339a"),
            ("go", "53cf6fd2"),
            ("chess", "8b789514"),
        ];
        assert_eq!(found, want);
    }
}
