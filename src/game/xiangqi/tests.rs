//! Perft against numbers that three independent programs agree on.

use super::Xiangqi;
use crate::game::{Position, perft};

#[test]
fn perft_quick() {
    let mut p = Xiangqi::initial();
    assert_eq!(
        p,
        Xiangqi::from_fen("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1")
            .unwrap()
    );
    for (d, n) in [44u64, 1920, 79666, 3_290_240].into_iter().enumerate() {
        assert_eq!(perft(&mut p, d as u32 + 1), n);
    }
}
