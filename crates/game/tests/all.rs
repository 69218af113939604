//! Searches and conformance checks on the games.

mod card;
mod conformance;
mod search;
