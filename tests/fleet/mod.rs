//! Fleets: a real server, workers and their coordinator, as a user starts them. The tests need
//! `nats-server` in PATH. Without it they are skipped, or fail with `LEITAI_ENGINES=required`,
//! which the test command sets.
#![allow(
    clippy::unwrap_used,
    reason = "a fleet that cannot be set up has failed"
)]

mod builds;
#[cfg(target_os = "linux")]
mod demo;
mod hub;
mod kills;
mod losses;
mod refusals;
mod reload;
mod same;
mod secrets;
mod trust;
