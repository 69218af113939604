//! `leitai worker`: play pairs for the coordinator on a server.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::bail;
use clap::Args;
use serde::Serialize;

use super::Exit;
use super::answers::Json;
use super::failure::Outcome;
use super::fleet::access_to;
use super::games::games;
use super::terminal::{Notices, note};
use super::threads::Threads;
use crate::config::span;
use crate::count::count;
use crate::fleet::{COORDINATOR, Leave, Worked, WorkerOptions, work};
use crate::session::Listener;
use crate::signals;

/// Play pairs of other machines' runs.
///
/// Asks the server for pairs, plays them and sends what came out; keeps nothing but a cache of
/// engines, networks and descriptions of runs. A run is played only if it would be the same
/// here: by the same version, with the same search and the same programs; what differs is said.
///
/// Started and stopped at will: SIGTERM or Ctrl-C ends it within ten seconds, and what it had
/// begun is played by others. Whoever may lead runs on the server has programs started on this
/// machine: let it run as a user who may do nothing else (docs/fleet.md).
///
/// Exit codes: 0 drained, or idle for long enough; 2 no connection, or rejected; 130 interrupted.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  leitai worker --creds worker-1.toml
  leitai worker --creds worker-1.toml --threads 16 --idle-exit 10min
  leitai worker --server nats://localhost:4222 --name here")]
pub(super) struct Arguments {
    /// The server; by default that of the credentials.
    #[arg(long, value_name = "URL", required_unless_present = "creds")]
    server: Option<String>,
    /// The file of its credentials, which `leitai fleet init` wrote.
    #[arg(long, value_name = "FILE")]
    creds: Option<PathBuf>,
    /// Its name where it has no credentials; by default that of the machine and the process.
    #[arg(long, value_name = "NAME", conflicts_with = "creds")]
    name: Option<String>,
    #[command(flatten)]
    threads: Threads,
    /// Leave after so long without a pair: `10min`.
    #[arg(long, value_name = "TIME", value_parser = span)]
    idle_exit: Option<Duration>,
    /// The folder of its files; by default `leitai` in the user's folder of caches.
    #[arg(long, value_name = "FOLDER")]
    cache: Option<PathBuf>,
    /// Megabytes of them at most.
    #[arg(long, value_name = "MB", default_value_t = 10_000)]
    cache_size: u64,
    /// Print what it has played as JSON at the end.
    #[arg(long)]
    json: Option<PathBuf>,
}

#[derive(Serialize)]
struct Answer<'a> {
    worker: &'a str,
    played: u64,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let json = Json::alone(arguments.json.as_ref(), &arguments.creds)?;
    let name = arguments.name.clone().unwrap_or_else(usual_name);
    let server = arguments.server.as_deref().unwrap_or_default();
    let options = WorkerOptions {
        access: access_to(server, arguments.creds.as_deref(), &name)?,
        threads: arguments.threads.get(),
        idle_exit: arguments.idle_exit,
        cache: arguments.cache.clone(),
        cache_bytes: arguments.cache_size.saturating_mul(1 << 20),
    };
    if options.access.name == COORDINATOR {
        bail!(
            "these are the coordinator's credentials, by which any program can be started on every \
             worker\nhelp: a worker has a file of its own (`leitai fleet init --workers`)"
        );
    }
    let cancel = signals::heed();
    let listener: Arc<dyn Listener> = Arc::new(Notices);
    let Worked { played, leave } = work(&options, games(), cancel, &listener)?;
    let name = &options.access.name;
    if !json.is_printed() {
        let pairs = count(played, "pair", "pairs");
        note(&format!("worker `{name}` has played {pairs}"));
    }
    let worker = name;
    json.tell(&Answer { worker, played })?;
    Ok(match leave {
        Leave::Cancelled => Exit::Interrupted,
        Leave::Drained | Leave::Idle | Leave::Rejected | Leave::Refused => Exit::Success,
    })
}

/// The machine and the process.
fn usual_name() -> String {
    let host = rustix::system::uname();
    let host = host.nodename().to_bytes().iter().map(|&it| char::from(it));
    let plain = |it: char| if it.is_ascii_alphanumeric() { it } else { '-' };
    let host: String = host.map(plain).take(40).collect();
    format!("{host}-{}", std::process::id())
}
