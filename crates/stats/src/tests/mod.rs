//! Helpers for the tests of several modules.

pub(super) mod simulation;
