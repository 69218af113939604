//! Stages of the game, and numbers between them.

/// The denominator of stage shares, which are whole numbers that add up to it.
pub const UNIT: i32 = 16;

/// A stage of the game, by the number of discs on the board.
///
/// Each stage has an anchor, a number of discs at which only its numbers count. Between two anchors
/// the numbers of both stages count, by linear interpolation. Before the first anchor and after the
/// last one nothing changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stage {
    /// Up to 12 discs: the start of games from the usual openings of 8 plies.
    Opening,
    /// About 28 discs.
    Middle,
    /// About 44 discs.
    Late,
    /// From 60 discs.
    End,
}

/// Discs on the board at the first anchor.
const FIRST: u32 = 12;

impl Stage {
    /// The number of stages.
    pub const COUNT: usize = 4;

    /// All of them, in the order of the game.
    pub const ALL: [Stage; Stage::COUNT] = [Stage::Opening, Stage::Middle, Stage::Late, Stage::End];

    /// The share of each stage in a position with this number of discs, in the order of
    /// [`ALL`](Stage::ALL), in units of 1 / [`UNIT`]. At most two are above 0, and they are
    /// neighbours.
    pub fn shares(discs: u32) -> [i32; Stage::COUNT] {
        let StagePosition { span, later } = StagePosition::of(discs);
        let mut shares = [0; Stage::COUNT];
        shares[span] = UNIT - later;
        shares[span + 1] = later;
        shares
    }
}

/// The place of a position between two stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StagePosition {
    /// The earlier of the two, by its place in [`Stage::ALL`].
    pub(super) span: usize,
    /// The share of the later of the two.
    pub(super) later: i32,
}

impl StagePosition {
    /// The place where only the first stage counts.
    pub(super) const FIRST: StagePosition = StagePosition { span: 0, later: 0 };
    /// The number of spans between stages.
    pub(super) const SPANS: usize = Stage::COUNT - 1;

    #[inline]
    pub(super) const fn of(discs: u32) -> StagePosition {
        const UNITS: u32 = UNIT as u32;
        let past = discs.saturating_sub(FIRST);
        let span = past / UNITS;
        if span < StagePosition::SPANS as u32 {
            StagePosition {
                span: span as usize,
                later: (past % UNITS) as i32,
            }
        } else {
            StagePosition {
                span: StagePosition::SPANS - 1,
                later: UNIT,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Add;

    use proptest::prelude::*;

    use super::*;
    use leitai_game::eval::PackedScore;

    #[test]
    fn shares_go_in_a_straight_line_from_anchor_to_anchor() {
        for stage in Stage::ALL {
            let mut alone = [0; Stage::COUNT];
            alone[stage as usize] = UNIT;
            assert_eq!(
                Stage::shares(FIRST + UNIT as u32 * stage as u32),
                alone,
                "{stage:?}"
            );
        }
        for discs in 0..=64 {
            let shares = Stage::shares(discs);
            assert_eq!(shares.iter().sum::<i32>(), UNIT, "{discs}");
            let moved: i32 = Stage::shares(discs + 1)
                .iter()
                .zip(shares)
                .map(|(after, before)| (after - before).abs())
                .sum();
            let between = (12..60).contains(&discs);
            assert_eq!(moved, if between { 2 } else { 0 }, "{discs}");
        }
        assert_eq!(Stage::shares(4), [16, 0, 0, 0]);
        assert_eq!(Stage::shares(32), [0, 12, 4, 0]);
        assert_eq!(Stage::shares(64), [0, 0, 0, 16]);
    }

    proptest! {
        #[test]
        fn both_halves_of_a_pair_add_up(
            terms in prop::collection::vec(
                (-90_000_i32..90_000, -90_000_i32..90_000, -64_i32..64), 0..30,
            ),
            later in 0..=UNIT,
        ) {
            let sum = |half: fn(&(i32, i32, i32)) -> i32| {
                terms.iter().map(|term| half(term) * term.2).sum::<i32>()
            };
            let pair = terms
                .iter()
                .map(|&(earlier, late, times)| PackedScore::new(earlier, late) * times)
                .fold(PackedScore::default(), Add::add);
            let exact = (sum(|term| term.0) * (UNIT - later) + sum(|term| term.1) * later) / UNIT;
            prop_assert_eq!(pair.between(later, UNIT, 1), exact);
            prop_assert_eq!((PackedScore::default() - pair).between(later, UNIT, 1), -exact);
            prop_assert_eq!((pair + pair).between(later, UNIT, 2), exact);
            prop_assert_eq!(pair.first(), sum(|term| term.0));
        }
    }
}
