//! The parameters of the solver, tuned for few nodes and little time on FFO positions with 16 to 23
//! empty squares. They do not affect results.

/// From this number of empty squares on, positions are stored in the table.
pub(super) const REMEMBERED_FROM: u32 = 9;

/// From this number of empty squares on, the positions after all moves are looked up before the
/// first one is searched.
pub(super) const LOOKED_UP_FROM: u32 = 9;

/// From this number of empty squares on, moves are ordered by an estimate too.
pub(super) const ESTIMATED_FROM: u32 = 10;

/// From this number of empty squares on, a search of one ply finds that estimate.
pub(super) const ONE_PLY_FROM: u32 = 15;

/// From this number of empty squares on, a search of two plies does.
pub(super) const TWO_PLIES_FROM: u32 = 18;

/// The rank penalty per reply that a move leaves, in units of an estimate.
pub(super) const REPLY: i32 = 48;

/// The same without an estimate.
pub(super) const REPLY_NEAR_END: i32 = 24;

/// Without an estimate, the bonus for a move into a region with an odd number of empty squares.
pub(super) const ODD_REGION: i32 = 16;

/// Minimum alpha, in discs, for a test of stability for a cut-off.
pub(super) const STABILITY_FROM: i32 = 10;

/// Half the first window of the root, in discs.
pub(super) const REACH: i32 = 2;
