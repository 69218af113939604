//! A web server in a separate process that shows a run in progress, and receives its moves as
//! events.

use std::io::{self, BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use serde::Deserialize;

use super::RunRequest;
use leitai_session::{Event, Listener};

/// The most events in the queue: further ones are dropped, because games do not wait.
const MAX: usize = 4096;
/// The shortest interval between writes to the server.
const WHILE: Duration = Duration::from_millis(100);

/// Sends events to a server, which ends with its input.
pub struct ViewerProcess(SyncSender<Event>);

/// A line from the server: its address first, then requests of browsers.
#[derive(Deserialize)]
#[serde(untagged)]
pub enum ViewerMessage {
    /// The server is listening.
    Url {
        /// The address, with the token.
        url: String,
    },
    /// A browser's request.
    Request {
        /// The request.
        wish: RunRequest,
    },
}

impl ViewerProcess {
    /// Starts a server for that record. `receive` receives its lines.
    ///
    /// # Errors
    /// The system refuses a process or a thread.
    pub fn begin(
        record: &Path,
        control: bool,
        receive: impl Fn(ViewerMessage) + Send + 'static,
    ) -> io::Result<Self> {
        let program = std::env::current_exe()?;
        let mut command = Command::new(program);
        command.args(["serve", "--beside", "--json"]);
        command.args(control.then_some("--control"));
        command.arg("--").arg(record);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut server = command.spawn()?;
        let (sender, events) = sync_channel(MAX);
        let input = server.stdin.take();
        let output = server.stdout.take();
        let thread = |name: &str| thread::Builder::new().name(name.to_owned());
        thread("to-server").spawn(move || write_events(&events, input))?;
        thread("from-server").spawn(move || {
            for line in output.into_iter().flat_map(|it| BufReader::new(it).lines()) {
                let said = line.ok().and_then(|line| serde_json::from_str(&line).ok());
                said.into_iter().for_each(&receive);
            }
        })?;
        Ok(Self(sender))
    }
}

/// Writes events to the server as long as it reads them. Writes those of an interval together, so
/// that the server does not wake for each move.
fn write_events(events: &Receiver<Event>, input: Option<impl std::io::Write>) {
    let Some(mut input) = input else { return };
    let mut lines = Vec::new();
    while let Ok(first) = events.recv() {
        thread::sleep(WHILE);
        for event in std::iter::once(first).chain(events.try_iter()) {
            if serde_json::to_writer(&mut lines, &event).is_ok() {
                lines.push(b'\n');
            }
        }
        if input.write_all(&lines).is_err() {
            return;
        }
        lines.clear();
    }
}

impl Listener for ViewerProcess {
    fn notify(&self, event: &Event) {
        let is_wanted = matches!(
            event,
            Event::StageBegun(_)
                | Event::GameBegun { .. }
                | Event::Move { .. }
                | Event::Pair(_)
                | Event::Workers { .. }
                | Event::StageEnded { .. }
        );
        if is_wanted {
            // An event is dropped if the queue is full: games do not wait for pages.
            let _ = self.0.try_send(event.clone());
        }
    }

    fn wants_moves(&self) -> bool {
        true
    }
}
