//! Bit mixing for hash keys.

/// Mixes the bits of a number by the finalizer of `SplitMix64` (Steele, Lea and Flood, 2014).
pub const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Returns element `place` of the sequence of `SplitMix64`.
pub const fn split_mix(place: u64) -> u64 {
    mix(place.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}
