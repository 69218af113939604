//! A web server in a separate process that shows a run in progress, and receives its moves as
//! events.

use std::collections::HashMap;
use std::io::{self, BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::RunRequest;
use leitai_base::threads::lock;
use leitai_runs::tournament::Plan;
use leitai_session::{Event, Listener};

/// The most events in the queue: further ones are dropped, because games do not wait.
const MAX: usize = 4096;
/// Number of rounds whose openings are shown with the moves to them.
const FIRST_ROUNDS: u64 = 20_000;
/// The shortest interval between writes to the server.
const WHILE: Duration = Duration::from_millis(100);

/// Sends events to a server, which ends with its input.
pub struct ViewerProcess {
    sender: SyncSender<Line>,
    /// The known moves to the openings of the present book, by position.
    book: Mutex<HashMap<String, Vec<String>>>,
}

/// A line to the server.
#[derive(Serialize)]
struct Line {
    #[serde(flatten)]
    event: Event,
    /// The moves from the usual start to the opening of a game, if they are known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    book: Vec<String>,
}

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
        let book = Mutex::default();
        Ok(Self { sender, book })
    }
}

/// Writes events to the server as long as it reads them. Writes those of an interval together, so
/// that the server does not wake for each move.
fn write_events(events: &Receiver<Line>, input: Option<impl std::io::Write>) {
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
            let book = match event {
                Event::GameBegun { fen, .. } => lock(&self.book).get(fen).cloned(),
                _ => None,
            };
            let _ = self.sender.try_send(Line {
                event: event.clone(),
                book: book.unwrap_or_default(),
            });
        }
    }

    fn planned(&self, plan: &Plan) {
        let card = plan.config.game.card;
        let first = plan.schedule.first_openings(FIRST_ROUNDS);
        let known = first.filter_map(|index| {
            let opening = plan.book.get(index)?;
            let moves = opening.line()?.iter();
            let moves = moves.map(|mv| card.move_text(*mv)).collect();
            Some((opening.fen().to_owned(), moves))
        });
        *lock(&self.book) = known.collect();
    }

    fn wants_moves(&self) -> bool {
        true
    }
}
