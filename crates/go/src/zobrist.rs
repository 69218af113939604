//! Hash keys: one random number of 128 bits for each colour and point (Zobrist, 1970). The numbers
//! come from SplitMix64 at compile time and never change, so keys are the same on every machine and
//! in every version.

use super::point::Point;
use leitai_base::hash::split_mix;

/// At least the number of indices of a board, so that no lookup needs a bounds check.
const INDICES: usize = 512;

static STONES: [[u128; INDICES]; 2] = {
    let mut table = [[0; INDICES]; 2];
    let mut colour = 0;
    while colour < 2 {
        let mut index = 0;
        while index < INDICES {
            let number = 2 * (colour * INDICES + index) as u64 + 1;
            table[colour][index] =
                (split_mix(number) as u128) << 64 | split_mix(number + 1) as u128;
            index += 1;
        }
        colour += 1;
    }
    table
};

/// Part of the key for a stone, by the index of its colour.
#[inline]
pub(super) fn stone(colour: u8, point: Point) -> u128 {
    STONES[usize::from(colour & 1)][usize::from(point.0) % INDICES]
}
