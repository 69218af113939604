//! What tests of several parts of the room have in common.

pub(super) mod simulation;
