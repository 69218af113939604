//! Durable records: one SQLite file contains the runs, the pairs and the games.
//!
//! # Guarantees
//!
//! - [`Store::append`] and [`Store::append_all`] return only when the pairs are committed. A process
//!   that is killed (including by `kill -9`), runs out of disk or loses its lock keeps all pairs
//!   committed before.
//! - A pair is recorded exactly once: appending it again is a reported no-op, and appending
//!   *another* game under the same number is an error if play is reproducible, since two processes
//!   then disagree.
//! - Reading returns the written data or an error: every pair has a digest, and another one for its
//!   times, worker and warnings; every file is checked when it is opened.
//! - A refused file stays unchanged, byte for byte.
//! - If a record is removed, moved, replaced or truncated while it is open, writing stops
//!   ([`Store::check_place`]), and its content is saved as far as possible.
//!
//! # Limits
//!
//! The file is in WAL mode with `synchronous = NORMAL`: a commit reaches the operating system, but
//! not yet the disk. A *power failure* (or a crash of the operating system) may therefore lose the
//! last pairs, those since the last checkpoint (some 1000 pages, that is, two hundred pairs). It
//! does not damage the file, the remaining prefix is consistent, and the same command plays the
//! lost pairs again. A hard guarantee would cost an `fsync` per pair: milliseconds instead of
//! microseconds.
//!
//! # Layout
//!
//! The tables are in `schema.sql`; the schema's version is the file's `user_version`. Data that
//! depends on the wall clock is in the tables `timing`, `move_time`, `reported_time`, `run_timing`
//! and `speed`, and in the cells of studies. The workers of pairs are in `worker` and `played_by`,
//! and the last output of failed players is in `evidence`. All other data is a function of config
//! and seed, unless a clock or another program affects play. The digests of times, workers and
//! warnings are in `apart_digest`, so that those of pairs do not depend on them.

mod append;
mod batches;
mod begin;
mod books;
mod cells;
mod codec;
mod connection;
mod content;
mod difference;
mod error;
mod failures;
mod files;
mod header;
mod human_games;
mod leases;
mod local_time;
mod location;
mod location_guard;
mod lock_wait;
mod meta;
mod open;
mod pairs;
mod pv_warnings;
mod recorded;
mod runs;
mod schema;
mod side_digests;
mod speeds;
mod starts;
mod times;
mod workers;

#[cfg(test)]
mod tests;

pub use append::{Appended, FinishedAt, PairRow};
pub use batches::BatchRow;
pub use cells::CellKey;
pub(crate) use connection::Snapshot;
pub use connection::{Mode, Store};
pub use content::{Content, DiskUse, RunContent};
pub use difference::difference;
pub use error::{Result, StoreError, StoreProblem};
pub use failures::BatchFailure;
pub use files::{main_of, resolve, siblings, unused_copy_path};
pub use header::is_sqlite;
pub use leases::{Holder, Lease};
pub use local_time::time_of_day;
pub use location::Loss;
pub use lock_wait::LockTimeout;
pub use meta::{Opening, RunEntry, RunHandle, RunMeta, StoredBook};
pub use pairs::Pairs;
pub use recorded::PairNumbers;
pub use schema::SCHEMA_VERSION;
pub use speeds::Speed;
pub use workers::{PlayedBy, WORKER_NAME_BYTES, WorkerName};
