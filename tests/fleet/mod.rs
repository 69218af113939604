//! Fleets: a real server, workers and the coordinator them, as a user starts them. They need
//! `nats-server` in PATH; where it is missing nothing is tried, and with
//! `LEITAI_ENGINES=required`, as the test command sets it, that is a failure.
#![allow(
    clippy::unwrap_used,
    reason = "a fleet that cannot be set up has failed"
)]

mod hub;
mod kills;
mod refusals;
mod same;
mod trust;
