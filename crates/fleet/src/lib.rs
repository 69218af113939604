//! Runs on many machines: workers play the pairs of a run, connected by a NATS server with
//! `JetStream`.
//!
//! The server stores units until a worker has played them (`WORK`, a work queue), hands each unit
//! to one worker at a time and to another one after a silence, stores results until they are
//! recorded (`RESULTS`) and files by their SHA-256 (`FILES`), and forwards heartbeats
//! (`HEARTBEATS`). Leitai makes the effect exactly once: the coordinator accepts one result per
//! pair number, from any worker and after any number of deliveries, and offers a unit again that
//! left the queue without a result.
//!
//! A worker proves with [`remote_plan`](leitai_session::remote_plan) that it plays the same games.
//! It is not trusted: its results are checked against the rules, other workers repeat some of its
//! units if play is reproducible, and a worker with different games is rejected with all its
//! results.

#[doc(hidden)]
pub use async_nats;

mod access;
mod admin;
mod cache;
mod connect;
mod coordinator;
mod files;
mod init;
mod messages;
mod pool;
mod reload;
mod storage;
mod streams;
mod warnings;
mod worker;

pub use access::Access;
pub use admin::{Admin, Overview, WorkerOverview};
pub use connect::FleetError;
pub use coordinator::{Coordinator, Options};
pub use init::{COORDINATOR, FleetFiles, FleetPlan, initialise};
pub use messages::{Heartbeat, RunOverview};
pub use reload::{Reload, reload};
pub use worker::{Leave, WorkerOptions, WorkerResult, run_worker};
