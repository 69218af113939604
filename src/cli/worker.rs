//! `leitai worker`: plays pairs for the coordinators on a server.

use leitai_platform::machine::host_name;

use super::fleet::access_to;
use super::prelude::*;
use leitai_config::read_time_limit;
use leitai_fleet::{COORDINATOR, Leave, WorkerOptions, WorkerResult, run_worker};

/// Play pairs of other machines' runs.
///
/// Asks the server for pairs, plays them and sends the results; stores only a cache of engines,
/// networks and descriptions of runs. Plays a run only if its games would be the same here: the
/// same version, the same search and the same programs; reports the differences otherwise.
///
/// May be started and stopped at any time: SIGTERM or Ctrl-C ends it within ten seconds, and other
/// workers play its unfinished pairs. Every coordinator on the server can start programs on this
/// machine: use an account without other permissions (docs/fleet.md).
///
/// Exit codes: 0 drained, or idle for long enough; 2 no connection, or rejected; 130 interrupted.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  leitai worker --creds worker-1.toml
  leitai worker --creds worker-1.toml --threads 16 --idle-exit 10min
  leitai worker --server nats://localhost:4222 --name here")]
pub(super) struct Arguments {
    /// The server; by default the one of the credentials.
    #[arg(long, value_name = "URL", required_unless_present = "creds")]
    server: Option<String>,
    /// The credentials file from `leitai fleet init`.
    #[arg(long, value_name = "FILE")]
    creds: Option<PathBuf>,
    /// The worker's name without credentials; by default made from the machine and the process.
    #[arg(long, value_name = "NAME", conflicts_with = "creds")]
    name: Option<String>,
    #[command(flatten)]
    threads: Threads,
    /// Leave after this time without a pair: `10min`.
    #[arg(long, value_name = "TIME", value_parser = read_time_limit)]
    idle_exit: Option<Duration>,
    /// The folder of the cache; by default `leitai` in the user's cache folder.
    #[arg(long, value_name = "FOLDER")]
    cache: Option<PathBuf>,
    /// Size limit of the cache in megabytes.
    #[arg(long, value_name = "MB", default_value_t = 10_000)]
    cache_size: u64,
    /// Print the number of played pairs as JSON at the end.
    #[arg(long)]
    json: Option<PathBuf>,
    /// End together with the standard input.
    #[arg(long, hide = true)]
    tethered: bool,
}

#[derive(Serialize)]
struct WorkerOutput<'a> {
    worker: &'a str,
    played: u64,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    if arguments.tethered {
        signals::end_with_input()?;
    }
    let json = Json::for_inputs(arguments.json.as_ref(), &arguments.creds)?;
    let name = arguments.name.clone().unwrap_or_else(usual_name);
    let server = arguments.server.as_deref().unwrap_or_default();
    let options = WorkerOptions {
        access: access_to(server, arguments.creds.as_deref(), &name)?,
        build: program::build()?,
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
    let cancel = signals::install_handler();
    let listener: Arc<dyn Listener> = Arc::new(Notices);
    let WorkerResult { played, leave } = run_worker(&options, games(), cancel, &listener)?;
    let name = &options.access.name;
    if !json.is_printed() {
        let pairs = count(played, "pair", "pairs");
        eprint(&format!("worker `{name}` has played {pairs}"));
    }
    let worker = name;
    json.write(&WorkerOutput { worker, played })?;
    Ok(match leave {
        Leave::Cancelled => Exit::Interrupted,
        Leave::Drained | Leave::Idle | Leave::Rejected | Leave::Refused => Exit::Success,
    })
}

/// The names of the machine and the process.
fn usual_name() -> String {
    let plain = |it: char| if it.is_ascii_alphanumeric() { it } else { '-' };
    let host: String = host_name().chars().map(plain).take(40).collect();
    format!("{host}-{}", std::process::id())
}
