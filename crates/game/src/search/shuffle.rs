//! Random move order.

use crate::Move;
use leitai_base::hash::mix;

/// A pseudo-random number for a move: a function of the seed, the key of the position and the move.
/// The mixing is that of Steele, Lea & Flood 2014 (`SplitMix64`).
#[inline]
pub fn shuffled(seed: u32, key: u64, mv: Move) -> u32 {
    let stream = u64::from(seed) << 16 | u64::from(mv.0);
    mix(key ^ (stream + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(seed: u32, key: u64) -> Vec<u16> {
        let mut moves: Vec<u16> = (0..40).collect();
        moves.sort_by_key(|&mv| shuffled(seed, key, Move(mv)));
        moves
    }

    #[test]
    fn each_position_and_seed_has_an_order_of_its_own() {
        assert_eq!(order(1, 2), order(1, 2));
        assert_ne!(order(1, 2), order(2, 2));
        assert_ne!(order(1, 2), order(1, 3));
        assert_ne!(order(0, 0), (0..40).collect::<Vec<_>>());
    }

    #[test]
    fn every_move_comes_first_about_as_often() {
        let mut first = [0; 40];
        for key in 0..40_000 {
            first[usize::from(order(7, key)[0])] += 1;
        }
        // 1,000 each; six standard deviations are 187.
        assert!(
            first.iter().all(|count| (813..=1187).contains(count)),
            "{first:?}"
        );
    }
}
