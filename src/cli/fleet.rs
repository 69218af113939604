//! `leitai fleet`: manages a server, and workers on other machines.

use clap::Subcommand;

use super::demo;
use super::demo::{DemoArguments, DemoServerArguments};
use super::prelude::*;
use leitai_config::{path_word, read_time_limit};
use leitai_fleet::{
    Access, Admin, COORDINATOR, Coordinator, FleetFiles, FleetPlan, Options, Overview, Reload,
    initialise, reload,
};
use leitai_runs::tournament::RemoteWorkers;

/// Seconds without a message after which a worker counts as silent.
const SILENCE: u64 = 15;
/// The maximum number of workers per call.
const MAX_WORKERS: u16 = 10_000;

/// Options for remote workers.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Many machines")]
pub(crate) struct FleetArguments {
    /// Let `leitai worker`s play the pairs, connected through this server. It is an address such as `nats://hub:4222` or
    /// `tls://hub:4222`, or the coordinator's credentials file.
    #[arg(long, value_name = "SERVER")]
    fleet: Option<String>,
    /// With --fleet: the coordinator's credentials.
    #[arg(long, value_name = "FILE", requires = "fleet")]
    creds: Option<PathBuf>,
    /// With --fleet: the share of pairs that a second worker plays again, if they are reproducible;
    /// a worker with different games is rejected.
    #[arg(hide_short_help = true, long, value_name = "SHARE", requires = "fleet", default_value_t = 0.01, value_parser = share)]
    replay: f64,
    /// With --fleet: a worker that has been silent for this long loses its pairs.
    #[arg(hide_short_help = true, long, value_name = "TIME", requires = "fleet", default_value = "30s", value_parser = lease)]
    lease: Duration,
    /// With --fleet: also let workers of other builds of this version play. The coordinator repeats the first three
    /// pairs of each, if they are reproducible, and rejects a worker with different games.
    #[arg(hide_short_help = true, long, requires = "fleet")]
    other_builds: bool,
    /// End together with the standard input.
    #[arg(long, hide = true, requires = "fleet")]
    tethered: bool,
}

fn lease(text: &str) -> Result<Duration, String> {
    let lease = read_time_limit(text)?;
    if (Duration::from_secs(1)..=Duration::from_hours(1)).contains(&lease) {
        Ok(lease)
    } else {
        Err("a lease takes from 1s to 1h".to_owned())
    }
}

fn share(text: &str) -> Result<f64, String> {
    number("a share is a number from 0 to 1", text, |share| {
        (0.0..=1.0).contains(&share)
    })
}

impl FleetArguments {
    pub(crate) fn is_given(&self) -> bool {
        self.fleet.is_some()
    }

    /// Connects to the fleet, if one is given.
    pub(crate) fn get(
        &self,
        listener: &Arc<dyn Listener>,
    ) -> Result<Option<Arc<dyn RemoteWorkers>>, Failure> {
        let Some(server) = &self.fleet else {
            return Ok(None);
        };
        if self.tethered {
            signals::end_with_input()?;
        }
        let access = access_to(server, self.creds.as_deref(), COORDINATOR)?;
        refuse_workers_access(&access)?;
        let options = Options {
            replays: self.replay,
            lease: self.lease,
            build: program::build()?,
            other_builds: self.other_builds,
            ..Options::default()
        };
        let fleet = Coordinator::connect(&access, options, Arc::clone(listener))?;
        Ok(Some(Arc::new(fleet)))
    }
}

fn refuse_workers_access(access: &Access) -> Result<(), Failure> {
    if access.name != COORDINATOR {
        bail!(
            "these are the credentials of worker `{}`\n\
             help: use the coordinator's credentials, `{COORDINATOR}.toml`",
            access.name
        );
    }
    Ok(())
}

/// Access to a server by its address, or by a credentials file; `name` is used without credentials.
pub(super) fn access_to(server: &str, creds: Option<&Path>, name: &str) -> Result<Access, Failure> {
    let is_address = server.contains("://");
    let access = match creds {
        Some(file) => {
            let mut access = Access::read(file)?;
            if is_address {
                server.clone_into(&mut access.server);
            }
            access
        }
        None if is_address => Access::open(server, name),
        None => Access::read(Path::new(server))?,
    };
    access.check()?;
    Ok(access)
}

/// Set up and manage workers on other machines.
///
/// A NATS server (nats-server 2.14.3 or later) connects the coordinator with `leitai worker`s.
/// `init` writes its config and all credentials; `run`, `gate` and `tune` coordinate with --fleet.
/// docs/fleet.md leads from nothing to two machines.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  leitai fleet demo configs/ordering.toml --workers 3
  leitai fleet init hub --host hub.example --workers 8
  nats-server -c hub/server.conf
  leitai run mine.toml --fleet hub/coordinator.toml
  leitai fleet status --creds hub/coordinator.toml")]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Write the config of a server, and credentials.
    ///
    /// Can be repeated with more workers, or after removing the files of some, also during runs: existing
    /// keys stay, and a running server reads the new config. Reports if the server must be restarted instead.
    #[command(
        after_help = "Examples:\n  leitai fleet init hub --host hub.example --workers 8\n  leitai fleet init hub --worker attic"
    )]
    Init(InitArguments),
    /// Show runs, workers and the data on the server.
    #[command(after_help = "Examples:\n  leitai fleet status --creds hub/coordinator.toml")]
    Status(LookArguments),
    /// Let workers leave after their current pairs.
    #[command(after_help = "Examples:\n  leitai fleet drain attic --creds hub/coordinator.toml")]
    Drain {
        /// The worker; all workers by default.
        worker: Option<String>,
        #[command(flatten)]
        access: AccessArguments,
    },
    /// End a run: its coordinator stops as on Ctrl-C, and workers continue with other runs.
    #[command(after_help = "Examples:\n  leitai fleet stop 3f2a --creds hub/coordinator.toml")]
    Stop {
        /// The first letters of the run's identity.
        run: String,
        #[command(flatten)]
        access: AccessArguments,
    },
    /// Show workers, or accept the results of a rejected one again.
    #[command(
        after_help = "Examples:\n  leitai fleet workers --creds hub/coordinator.toml\n  leitai fleet workers --creds hub/coordinator.toml --readmit attic"
    )]
    Workers {
        #[command(flatten)]
        look: LookArguments,
        /// Accept the results of this worker again.
        #[arg(long, value_name = "NAME")]
        readmit: Option<String>,
    },
    /// Try it on this machine: a server, workers and their coordinator.
    #[command(after_help = "Examples:\n  leitai fleet demo configs/ordering.toml --workers 3")]
    Demo(DemoArguments),
    #[command(hide = true)]
    DemoServer(DemoServerArguments),
}

#[derive(Debug, Args)]
struct InitArguments {
    /// The folder for all files; created if needed.
    folder: PathBuf,
    /// A name or address of the server; workers use the first. Values that are not given stay as
    /// they were when this folder was made.
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// The port; 4222 for a new folder.
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Credentials for this many workers, named `worker-1` and so on.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(..=i64::from(MAX_WORKERS)))]
    workers: u16,
    /// Credentials for a worker of this name.
    #[arg(long, value_name = "NAME")]
    worker: Vec<String>,
    /// Do not encrypt: only for a private network.
    #[arg(long)]
    no_tls: bool,
    /// Encrypt again after --no-tls; the default for a new folder.
    #[arg(long, conflicts_with = "no_tls")]
    tls: bool,
    /// Disk space of the server; 20GB for a new folder.
    #[arg(long, value_name = "SIZE", value_parser = size)]
    max_file_store: Option<String>,
    /// Print the written files as JSON.
    #[arg(long)]
    json: Option<PathBuf>,
}

/// A size in the syntax of the server's config.
fn size(text: &str) -> Result<String, String> {
    let digits = text.trim_end_matches(|it: char| it.is_ascii_alphabetic());
    let unit = &text[digits.len()..];
    let is_number = !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit());
    if is_number && ["KB", "MB", "GB", "TB"].contains(&unit) {
        Ok(text.to_owned())
    } else {
        Err("a size is written `500MB` or `20GB`".to_owned())
    }
}

/// The location of a fleet.
#[derive(Clone, Debug, Args)]
struct AccessArguments {
    /// The server; by default the one of the credentials.
    #[arg(long, value_name = "URL", required_unless_present = "creds")]
    server: Option<String>,
    /// The coordinator's credentials.
    #[arg(long, value_name = "FILE")]
    creds: Option<PathBuf>,
}

impl AccessArguments {
    fn open(&self) -> Result<Admin, Failure> {
        let server = self.server.as_deref().unwrap_or_default();
        let access = access_to(server, self.creds.as_deref(), COORDINATOR)?;
        refuse_workers_access(&access)?;
        let listener: Arc<dyn Listener> = Arc::new(Notices);
        Admin::connect(&access, &listener)
    }
}

#[derive(Debug, Args)]
struct LookArguments {
    #[command(flatten)]
    access: AccessArguments,
    /// Print JSON.
    #[arg(long)]
    json: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    match &arguments.command {
        Command::Init(arguments) => init(arguments),
        Command::Status(arguments) => {
            let json = Json::for_inputs(arguments.json.as_ref(), &arguments.access.creds)?;
            let overview = arguments.access.open()?.overview()?;
            json.answer(&overview, || status(&overview))
        }
        Command::Drain { worker, access } => {
            access.open()?.drain(worker.as_deref())?;
            Ok(Exit::Success)
        }
        Command::Stop { run, access } => {
            let run = access.open()?.stop(run)?;
            eprint(&format!("run {run:.12} receives the order to end"));
            Ok(Exit::Success)
        }
        Command::Workers { look, readmit } => {
            let json = Json::for_inputs(look.json.as_ref(), &look.access.creds)?;
            let admin = look.access.open()?;
            if let Some(worker) = readmit {
                admin.readmit(worker)?;
            }
            let overview = admin.overview()?;
            json.answer(&overview.workers, || workers(&overview))
        }
        Command::Demo(arguments) => demo::run(arguments),
        Command::DemoServer(arguments) => demo::run_server(arguments),
    }
}

fn init(arguments: &InitArguments) -> Outcome {
    let numbered = (1..=arguments.workers).map(|number| format!("worker-{number}"));
    let plan = FleetPlan {
        folder: arguments.folder.clone(),
        hosts: arguments.host.clone(),
        port: arguments.port,
        workers: numbered.chain(arguments.worker.iter().cloned()).collect(),
        tls: (arguments.tls || arguments.no_tls).then_some(arguments.tls),
        max_file_store: arguments.max_file_store.clone(),
    };
    let json = Json::for_inputs(arguments.json.as_ref(), [])?;
    let folder_of = |file: &PathBuf| {
        let found = file.canonicalize();
        let folder = found.as_deref().unwrap_or(file).parent()?;
        folder.join(".").canonicalize().ok()
    };
    let json_in = arguments.json.as_ref().and_then(folder_of);
    let is_keys = json_in.is_some() && json_in == arguments.folder.canonicalize().ok();
    if is_keys && !json.is_printed() {
        bail!(
            "the folder of a fleet holds its keys, which --json must not write over\n\
             help: write it elsewhere"
        );
    }
    let written = initialise(&plan).context("the fleet cannot be set up")?;
    if plan.workers.is_empty() && written.workers == 0 {
        bail!("there are no workers: --workers N or --worker NAME makes credentials for workers");
    }
    let server = reload(&written)?;
    let mut text = format!(
        "The server's config and credentials of {} are in {}.\n\n\
         On this machine:     nats-server -c {}\n\
         The coordinator:     leitai run CONFIG --fleet {}\n",
        count(written.workers as u64, "worker", "workers"),
        shown_path(&arguments.folder),
        path_word(&written.config),
        path_word(&written.coordinator),
    );
    if let Some(worker) = written.new.first() {
        let name = worker.file_name().map_or(worker.as_path(), Path::new);
        let _ = writeln!(
            text,
            "Each worker:         leitai worker --creds {}   (a file of its own; keep it secret)",
            path_word(name)
        );
    }
    if written.must_copy {
        text += "The server's keys are new: copy all files of credentials to the workers again.\n";
    }
    match &server {
        Reload::Absent => {}
        Reload::Done => {
            text += "The running server has read its config";
            if let Some(name) = written.new.last().and_then(|path| path.file_stem()) {
                let _ = write!(text, ": `{}` can connect", shown_path(Path::new(name)));
            }
            text += ".\n";
        }
        Reload::Restart(reason) => {
            let reason = reason.lines().next().unwrap_or_default();
            let _ = writeln!(
                text,
                "The running server does not take the new config: {reason}\nRestart it; runs and \
                 workers wait for it and go on."
            );
        }
    }
    let files = &written;
    let output = InitOutput { files, server };
    json.answer(&output, || text)
}

#[derive(Serialize)]
struct InitOutput<'a> {
    #[serde(flatten)]
    files: &'a FleetFiles,
    server: Reload,
}

fn status(overview: &Overview) -> String {
    let mut text = format!(
        "{}, nats-server {}\n{} wait, {} are handed out, {} kept; files: {} MB\n",
        overview.server,
        overview.version,
        count(overview.waiting, "pair", "pairs"),
        overview.playing,
        count(overview.results, "result", "results"),
        overview.file_bytes >> 20,
    );
    if overview.runs.is_empty() {
        text += "no run is led\n";
    }
    for run in &overview.runs {
        let _ = writeln!(
            text,
            "run {:.12}  {} ({}), {} of {}",
            run.run,
            leitai_base::foreign::shown(&run.name),
            leitai_base::foreign::shown(&run.game),
            run.done,
            count(run.pairs, "pair", "pairs")
        );
    }
    text + "\n" + &workers(overview)
}

fn workers(overview: &Overview) -> String {
    if overview.workers.is_empty() {
        return "no workers\n".to_owned();
    }
    let header = "Worker,State,Machine,Build,Threads,Playing,Played,Nodes/s";
    let mut rows = vec![leitai_report::header(header)];
    for worker in &overview.workers {
        let heartbeat = worker.heartbeat.clone().unwrap_or_default();
        let state = match &worker.heartbeat {
            _ if worker.rejected => "rejected".to_owned(),
            None => "gone".to_owned(),
            Some(heartbeat) if heartbeat.leaving => "leaving".to_owned(),
            Some(_) if worker.silent_s > SILENCE => {
                format!("not heard of for {} s", worker.silent_s)
            }
            Some(heartbeat) => match heartbeat.refused.first() {
                Some((run, why)) => {
                    let why = why.lines().next().unwrap_or_default();
                    format!(
                        "does not play run {run:.12}: {}",
                        leitai_base::foreign::shown(why)
                    )
                }
                None if heartbeat.playing == 0 => "idle".to_owned(),
                None => "plays".to_owned(),
            },
        };
        let nps = heartbeat
            .nps
            .map_or_else(String::new, |nps| nps.to_string());
        rows.push(vec![
            worker.name.clone(),
            state,
            shown(&heartbeat.host).to_string(),
            shown(&heartbeat.build).to_string(),
            heartbeat.threads.to_string(),
            heartbeat.playing.to_string(),
            heartbeat.played.to_string(),
            nps,
        ]);
    }
    table(&rows, 1, |column| column < 4) + "\n"
}
