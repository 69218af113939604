//! The numbers that the solver goes by. None of them changes what it finds, only
//! how soon.

/// Weights of the move ordering, and from where on its techniques pay.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    pub(super) near_square: i32,
    pub(super) near_parity: i32,
    pub(super) near_corners: i32,
    pub(super) near_mobility: i32,
    pub(super) far_square: i32,
    pub(super) far_parity: i32,
    pub(super) far_corners: i32,
    pub(super) far_mobility: i32,
    pub(super) far_frontier: i32,
    pub(super) far_stable: i32,
    /// From this number of empty squares on, positions are worth a place in the
    /// table.
    pub(super) near_end: i32,
    /// From this alpha on, stability may cut off.
    pub(super) stability_from: i32,
    /// With more empty squares, the positions after all moves are looked up before
    /// any is searched.
    pub(super) enhanced_from: i32,
    /// Half the first window of the root, in discs.
    pub(super) reach: i32,
}

impl Weights {
    pub(super) const USUAL: Weights = Weights {
        near_square: 0,
        near_parity: 8,
        near_corners: 20,
        near_mobility: 8,
        far_square: 1,
        far_parity: 8,
        far_corners: 20,
        far_mobility: 16,
        far_frontier: 4,
        far_stable: 6,
        near_end: 9,
        stability_from: 10,
        enhanced_from: 10,
        reach: 2,
    };
}
