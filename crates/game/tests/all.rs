//! Searches and conformance checks on the games.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

mod card;
mod conformance;
mod search;
