//! Pages of records for a browser on this machine, also while runs are played, and a board to play
//! on.
//!
//! ```text
//! server      a bounded server on a port of the loopback interface
//! places      places for connections, those of the token's holders reserved
//! access      access control: host names, a token, and pages of this server
//! compress    compression of responses
//! files       the document around a page, its scripts and styles
//! snapshots   changing data, updated in separate threads while clients request it
//! play        a game against a variant
//! companion   a server in a separate process that shows a run in progress
//! runs        records, their runs, and the games in progress
//! ```
//!
//! A server is a separate process that only reads records: it can neither slow nor harm play. No
//! input of a client becomes a path or an address: runs are named by their identity, games by their
//! numbers.

mod access;
mod companion;
mod compress;
mod files;
mod places;
mod play;
mod runs;
mod server;
mod snapshots;

pub use access::{Access, is_loopback};
pub use companion::{ViewerMessage, ViewerProcess};
pub use play::{GameSetting, PlayRoom};
pub use runs::{Live, Records, RunRequest, Source};
pub use server::Port;

/// The default port.
pub const PORT: u16 = 8590;
