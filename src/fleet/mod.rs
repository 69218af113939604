//! A fleet: the pairs of a run are played by workers on other machines, which a NATS server
//! with JetStream connects.
//!
//! What the server does: it keeps units until somebody has played them (`WORK`, a work queue),
//! hands each to one worker at a time and again to another if that is not heard of, keeps
//! results until they are recorded (`RESULTS`) and files by their SHA-256 (`FILES`), and passes
//! on who is there (`HEARTBEATS`). What is done here is that the effect is exactly once: results are
//! taken by the number of their pair, whoever sends them and however often, and a unit that was
//! taken off the queue without one is offered again.
//!
//! A worker proves that it plays the same by [`remote_plan`](crate::session::remote_plan). It is not
//! trusted: what it sends is checked against the rules, some of its units are played by others
//! again where play is reproducible, and one that differs is rejected with all that it has
//! played.

mod access;
mod admin;
mod connect;
mod coordinator;
mod crew;
mod files;
mod init;
mod messages;
mod streams;
mod worker;

pub use access::Access;
pub use admin::{Admin, Overview, RunOverview, WorkerOverview};
pub use connect::FleetError;
pub use coordinator::{Coordinator, Options};
pub use init::{COORDINATOR, Initialised, Plan, initialise};
pub use messages::Heartbeat;
pub use worker::{Leave, Worked, WorkerOptions, work};
