//! A common scale for the results of solvers and evaluations.

use leitai_game::eval::{MAX_EVAL, Score};

/// The evaluation of a block that is taken with probability one half: the first proof and disproof
/// numbers, E² and (25 / E)², are equal there (Zhang & Chen 2007, section 2.4).
const BALANCE: u64 = 5;

/// The value for the defender of an evaluation E of the crucial chain, 0 or more: 400 times the
/// natural logarithm of E / 5. Equals [`score_of_numbers`] for a position that was never searched,
/// with pn = E² and dn = (25 / E)². Grows with E; 0 at 5, 644 at 25.
pub fn score_of_evaluation(evaluation: i32) -> Score {
    // E is a sum of whole numbers: there are no values between 0 and 1.
    let doubled = (2 * i64::from(evaluation)).max(1) as u64;
    within(logarithm(doubled, 400) - logarithm(2 * BALANCE, 400))
}

/// The value for the defender of proof and disproof numbers of an unsolved position: 100 times the
/// natural logarithm of pn / dn, within the range of static values.
pub fn score_of_numbers(proof: u64, disproof: u64) -> Score {
    within(logarithm(proof.max(1), 100) - logarithm(disproof.max(1), 100))
}

fn within(score: i64) -> Score {
    score.clamp((-MAX_EVAL).into(), MAX_EVAL.into()) as Score
}

/// `scale` times the natural logarithm of a number from 1 on, rounded down. Uses only integers,
/// because floating-point logarithms differ between machines.
fn logarithm(number: u64, scale: i64) -> i64 {
    /// Bits after the point.
    const BITS: u32 = 16;
    /// The natural logarithm of 2, with 32 bits after the point.
    const LN_2: i128 = 2_977_044_472;
    let Some(whole) = number.checked_ilog2() else {
        return 0;
    };
    // In [1, 2) with 31 bits after the point; squaring doubles the logarithm.
    let mut rest = if whole > 31 {
        number >> (whole - 31)
    } else {
        number << (31 - whole)
    };
    let mut binary = u64::from(whole);
    for _ in 0..BITS {
        rest = (rest * rest) >> 31;
        let carry = rest >> 32;
        rest >>= carry;
        binary = binary << 1 | carry;
    }
    ((i128::from(binary) * LN_2 * i128::from(scale)) >> (BITS + 32)) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_those_of_mathematics() {
        assert_eq!([0, 1, 2, 10].map(|it| logarithm(it, 100)), [0, 0, 69, 230]);
        for number in (1..3000).chain([1 << 31, 1 << 40, u64::MAX]) {
            let exact = libm::log(number as f64) * 100.0;
            let error = exact - logarithm(number, 100) as f64;
            assert!((-0.001..1.01).contains(&error), "{number}: {error}");
        }
    }

    #[test]
    fn the_scale_is_that_of_the_first_proof_numbers() {
        assert_eq!(score_of_evaluation(5), 0);
        for (evaluation, proof, disproof) in [(1, 1, 625), (5, 25, 25), (25, 625, 1)] {
            let difference = score_of_evaluation(evaluation) - score_of_numbers(proof, disproof);
            assert!(difference.abs() <= 8, "{evaluation}: {difference}");
        }
        let scores: Vec<Score> = (0..200).map(score_of_evaluation).collect();
        assert!(scores.windows(2).all(|two| two[0] < two[1]));
        assert_eq!(score_of_evaluation(-7), score_of_evaluation(0));
        assert!(score_of_evaluation(i32::MAX) <= MAX_EVAL);
        assert_eq!(score_of_numbers(0, 0), 0);
        assert!(score_of_numbers(u64::MAX, 1) <= MAX_EVAL);
    }
}
