//! Random numbers that are the same on every machine and in every version.
//!
//! All of them come from ChaCha8 with the run's seed as key. Each use has its own stream, so that
//! no number depends on other draws or on the order of pairs. The code draws only whole 64-bit
//! words and reduces them here, because the helpers of `rand` may change their draws.
//!
//! | stream             | use                                  |
//! |--------------------|--------------------------------------|
//! | 0                  | the order of the openings            |
//! | 1                  | the resamples of a study             |
//! | 2, 3               | free                                 |
//! | 4 * (pair + 1) + k | use number k (0 to 3) of that pair   |
//!
//! Use 0 of a pair draws the random plies of a generated opening. Use 2, with a number from an
//! opening's key, draws the positions that replace the opening in later laps.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The purpose of random numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// The order of the openings.
    Openings,
    /// The resamples of a study.
    Resamples,
    /// A use within one pair.
    Pair {
        /// The pair's number in the schedule, below 2^61.
        index: u64,
        /// Purpose within the pair, 0 to 3; each has its own stream.
        purpose: u8,
    },
}

impl Stream {
    /// Returns the number of the stream.
    pub const fn number(self) -> u64 {
        match self {
            Stream::Openings => 0,
            Stream::Resamples => 1,
            Stream::Pair { index, purpose } => {
                index.wrapping_add(1).wrapping_mul(4) | (purpose & 3) as u64
            }
        }
    }
}

/// Creates the generator of `stream` in a run with that `seed`.
pub fn generator(seed: u64, stream: Stream) -> ChaCha8Rng {
    numbered_generator(seed, stream.number())
}

/// Creates the generator of the stream with that number.
pub fn numbered_generator(seed: u64, number: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut generator = ChaCha8Rng::from_seed(key);
    generator.set_stream(number);
    generator
}

/// Returns a number from 0 to `bound - 1`, each equally likely; 0 if `bound` is 0.
///
/// Returns the high word of a 128-bit product, and rejects the few words that would bias the result
/// (Lemire, ACM TOMACS 2019).
pub fn below(generator: &mut impl Rng, bound: u64) -> u64 {
    if bound == 0 {
        return 0;
    }
    let surplus = bound.wrapping_neg() % bound;
    loop {
        let product = u128::from(generator.next_u64()) * u128::from(bound);
        if product as u64 >= surplus {
            return (product >> 64) as u64;
        }
    }
}

/// Returns the numbers 0 to `count - 1` in random order (Fisher-Yates).
pub fn permutation(count: u32, generator: &mut impl Rng) -> Vec<u32> {
    let mut order: Vec<u32> = (0..count).collect();
    for last in (1..count).rev() {
        let chosen = below(generator, u64::from(last) + 1);
        order.swap(last as usize, chosen as usize);
    }
    order
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(stream: Stream) -> [u64; 4] {
        let mut generator = generator(20_261_121, stream);
        [(); 4].map(|()| generator.next_u64())
    }

    /// A change of these numbers changes every tournament ever recorded. Another implementation of
    /// the cipher gives the same numbers (8 rounds, a 64-bit counter and the stream as 64-bit
    /// nonce).
    #[test]
    fn streams_are_pinned() {
        let (index, purpose) = (1, 3);
        for (stream, expected) in [
            (
                Stream::Openings,
                "9954165d0714dd4b cd9877c437c4f6c7 e9a1a73c8d9b9d8d f646787de9e1dffc",
            ),
            (
                Stream::Pair { index, purpose },
                "1b9f2743ae361949 492a2078f6dffb5b d2686572ecdfb329 ded31d79b85974cc",
            ),
        ] {
            let words = words(stream).map(|word| format!("{word:016x}")).join(" ");
            assert_eq!(words, expected);
        }
    }

    #[test]
    fn permutations_are_pinned() {
        let order = permutation(20, &mut generator(20_261_121, Stream::Openings));
        assert_eq!(
            order,
            [
                3, 1, 6, 5, 7, 4, 10, 14, 8, 19, 9, 0, 2, 18, 12, 13, 17, 16, 15, 11
            ]
        );
    }

    #[test]
    fn streams_have_numbers_of_their_own() {
        assert_eq!(Stream::Openings.number(), 0);
        assert_eq!(Stream::Resamples.number(), 1);
        assert_eq!(
            Stream::Pair {
                index: 0,
                purpose: 0
            }
            .number(),
            4
        );
        assert_eq!(
            Stream::Pair {
                index: 0,
                purpose: 3
            }
            .number(),
            7
        );
        assert_eq!(
            Stream::Pair {
                index: 1,
                purpose: 0
            }
            .number(),
            8
        );
    }

    #[test]
    fn below_is_even() {
        let mut generator = generator(1, Stream::Openings);
        let mut counts = [0u32; 6];
        for _ in 0..60_000 {
            counts[below(&mut generator, 6) as usize] += 1;
        }
        // Four standard deviations are 365.
        assert!(
            counts.iter().all(|count| count.abs_diff(10_000) < 365),
            "{counts:?}"
        );
    }

    proptest! {
        #[test]
        fn below_stays_below(seed: u64, bound: u64) {
            let value = below(&mut generator(seed, Stream::Openings), bound);
            prop_assert!(value < bound.max(1));
        }

        #[test]
        fn permutations_hold_everything_once(seed: u64, count in 0u32..300) {
            let mut order = permutation(count, &mut generator(seed, Stream::Openings));
            order.sort_unstable();
            prop_assert_eq!(order, (0..count).collect::<Vec<_>>());
        }
    }
}
