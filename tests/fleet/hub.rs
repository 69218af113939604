//! A server for a fleet, and the processes around it.

use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::{Sandbox, leitai, run, stderr};

/// Time limit of every wait.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);
const LOOK: Duration = Duration::from_millis(10);

/// A process that is killed with its owner.
pub(crate) struct Owned(pub(crate) Child);

impl Drop for Owned {
    fn drop(&mut self) {
        self.kill();
    }
}

impl Owned {
    pub(crate) fn start(command: &mut Command) -> Self {
        let quiet = command.stdin(Stdio::null()).stdout(Stdio::null());
        Self(quiet.spawn().unwrap())
    }

    /// `kill -9`.
    pub(crate) fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }

    pub(crate) fn terminate(&self) {
        let pid = rustix::process::Pid::from_child(&self.0);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    }

    pub(crate) fn is_running(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }

    /// Waits for the end; returns the exit code.
    pub(crate) fn end(&mut self) -> Option<i32> {
        let begun = Instant::now();
        while self.is_running() {
            assert!(begun.elapsed() < PATIENCE, "it does not end");
            thread::sleep(LOOK);
        }
        self.0.wait().unwrap().code()
    }
}

/// Returns whether there is a `nats-server`; fails without one if the tests must have it.
pub(crate) fn has_server() -> bool {
    let version = Command::new("nats-server").arg("--version").output();
    let required = std::env::var("LEITAI_ENGINES").is_ok_and(|it| it == "required");
    assert!(version.is_ok() || !required, "nats-server is not in PATH");
    version.is_ok()
}

/// A folder with the config of a server and credentials, and the server while it runs.
pub(crate) struct Hub {
    pub(crate) sandbox: Sandbox,
    port: u16,
    server: Option<Owned>,
}

impl Hub {
    /// Starts a server for this number of workers; `None` if there is no `nats-server`.
    pub(crate) fn start(workers: u16) -> Option<Self> {
        Self::start_with(workers, &[])
    }

    /// Does the same with further arguments for `leitai fleet init`.
    pub(crate) fn start_with(workers: u16, words: &[&str]) -> Option<Self> {
        if !has_server() {
            return None;
        }
        let port = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let sandbox = Sandbox::new();
        let (folder, number, port_word) =
            (sandbox.path("hub"), workers.to_string(), port.to_string());
        let mut line = vec![
            "fleet",
            "init",
            &folder,
            "--host",
            "127.0.0.1",
            "--port",
            &port_word,
        ];
        line.extend(["--workers", &number, "--max-file-store", "1GB", "--no-tls"]);
        line.extend(words);
        let output = run(&line);
        assert!(output.status.success(), "{}", stderr(&output));
        let mut hub = Self {
            sandbox,
            port,
            server: None,
        };
        hub.start_server();
        Some(hub)
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.sandbox.path(name)
    }

    pub(crate) fn start_server(&mut self) {
        let mut server = Command::new("nats-server");
        server.args(["-a", "127.0.0.1", "-c", &self.path("hub/server.conf")]);
        self.server = Some(Owned::start(server.stderr(Stdio::null())));
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(begun.elapsed() < PATIENCE, "the server does not listen");
            thread::sleep(LOOK);
        }
    }

    pub(crate) fn kill_server(&mut self) {
        self.server = None;
    }

    pub(crate) fn creds(&self, name: &str) -> String {
        self.path(&format!("hub/{name}.toml"))
    }

    /// `leitai worker` with the credentials of that number, not started yet.
    pub(crate) fn worker_command(&self, number: u16) -> Command {
        let mut command = leitai();
        let creds = self.creds(&format!("worker-{number}"));
        command.args(["worker", "--threads", "1", "--creds", &creds]);
        command.args(["--cache", &self.path("cache")]);
        command
    }

    pub(crate) fn worker(&self, number: u16) -> Owned {
        Owned::start(self.worker_command(number).stderr(Stdio::null()))
    }

    /// A command that plays with its own threads, not started yet.
    pub(crate) fn command(&self, command: &str, config: &str, store: &str) -> Command {
        let mut alone = leitai();
        alone.args([command, config, "--store", &self.path(store), "--quiet"]);
        alone.current_dir(self.path("."));
        alone
    }

    /// A command that coordinates, not started yet.
    pub(crate) fn lead(&self, command: &str, config: &str, store: &str) -> Command {
        let mut lead = self.command(command, config, store);
        lead.args(["--fleet", &self.creds("coordinator")]);
        lead.args(["--lease", "1s"]);
        lead
    }

    /// Plays a tournament in a single process, into `alone.sqlite`.
    pub(crate) fn play_alone(&self, config: &str) {
        let mut alone = self.command("run", config, "alone.sqlite");
        let alone = alone.output().unwrap();
        assert!(alone.status.success(), "{}", stderr(&alone));
    }

    /// Runs `leitai fleet` with these arguments.
    pub(crate) fn admin(&self, words: &[&str]) -> Output {
        let creds = self.creds("coordinator");
        let mut line = vec!["fleet"];
        line.extend(words);
        line.extend(["--creds", &creds]);
        run(&line)
    }
}

/// The path of the Othello openings.
pub(crate) fn book() -> String {
    let book = crate::common::project("openings/othello.txt");
    book.to_str().unwrap().to_owned()
}

/// An Othello tournament with this number of pairs, and of nodes per move.
pub(crate) fn tournament(pairs: u32, nodes: u32) -> String {
    let book = book();
    format!(
        "game = \"othello\"\nseed = 7\nlimits = {{ nodes = {nodes} }}\n\
         openings = {{ file = {book:?}, exhausted = \"vary\" }}\n[tournament]\npairs = {pairs}\n\
         [[variant]]\nname = \"plain\"\n\
         [[variant]]\nname = \"full\"\nsearch.preset = \"full\"\n\
         [[variant]]\nname = \"none\"\nsearch.ordering = []\n"
    )
}

/// A gate of Othello.
pub(crate) fn gate(nodes: u32) -> String {
    let book = book();
    format!(
        "game = \"othello\"\nseed = 7\nlimits = {{ nodes = {nodes} }}\n\
         openings = {{ file = {book:?} }}\n\
         [gate]\nbase = \"small\"\ncandidate = \"large\"\nelo0 = 0\nelo1 = 40\n\
         [[variant]]\nname = \"small\"\nlimits = {{ nodes = {} }}\n\
         [[variant]]\nname = \"large\"\n",
        nodes / 3
    )
}

/// The content of a record, for exact comparison: its numbers, and its games.
pub(crate) fn said(store: &str) -> String {
    let pgn = format!("{store}.pgn");
    let _ = std::fs::remove_file(&pgn);
    let report = run(&["report", store, "--json", "--pgn", &pgn]);
    assert!(report.status.success(), "{}", stderr(&report));
    let games = std::fs::read_to_string(&pgn).unwrap();
    String::from_utf8(report.stdout).unwrap() + &games
}

/// Fails if the contents of two records differ.
pub(crate) fn assert_same(one: &str, other: &str, why: &str) {
    let (one, other) = (said(one), said(other));
    let mut lines = one.lines().zip(other.lines());
    let differs = lines.find(|(one, other)| one != other);
    assert!(one == other, "{why}: {differs:?}");
}
