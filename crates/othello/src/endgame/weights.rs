//! The numbers that the solver goes by, tuned for few nodes and little time on FFO
//! positions with 16 to 23 empty squares. None changes what it finds.

/// From this number of empty squares on, positions have a place in the table.
pub(super) const REMEMBERED_FROM: u32 = 9;

/// From this number of empty squares on, the positions after all moves are looked up
/// before any is searched.
pub(super) const LOOKED_UP_FROM: u32 = 9;

/// From this number of empty squares on, moves are ordered by an estimate too.
pub(super) const ESTIMATED_FROM: u32 = 10;

/// From this number of empty squares on, one ply is searched for that estimate.
pub(super) const ONE_PLY_FROM: u32 = 15;

/// From this number of empty squares on, two plies are.
pub(super) const TWO_PLIES_FROM: u32 = 18;

/// What a reply that a move leaves takes from its rank, in units of an estimate.
pub(super) const REPLY: i32 = 48;

/// The same where no estimate is made.
pub(super) const REPLY_NEAR_END: i32 = 24;

/// There, what a move into a region with an odd number of empty squares adds.
pub(super) const ODD_REGION: i32 = 16;

/// Stability is looked at where a score above this, in discs, would have to be
/// beaten for nothing to be cut off.
pub(super) const STABILITY_FROM: i32 = 10;

/// Half the first window of the root, in discs.
pub(super) const REACH: i32 = 2;
