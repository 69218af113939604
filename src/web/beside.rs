//! Pages beside what is played: a server as a process of its own, which is told of moves.

use std::io::{self, BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use serde::Deserialize;

use super::Wish;
use crate::session::{Event, Listener};

/// Events that wait to be told: what is more is left out, for games do not wait.
const MOST: usize = 4096;
/// They are told so often at most.
const WHILE: Duration = Duration::from_millis(100);

/// Tells a server of what happens. It ends when it is told nothing more.
pub struct Beside(SyncSender<Event>);

/// What the server says: its address, and then what browsers wish.
#[derive(Deserialize)]
#[serde(untagged)]
pub enum Said {
    /// Where it listens.
    Url {
        /// The address, with the token.
        url: String,
    },
    /// What a browser wishes.
    Wish {
        /// It.
        wish: Wish,
    },
}

impl Beside {
    /// Begins to serve that record.
    ///
    /// # Errors
    /// The system refuses a process or a thread.
    /// `heard` hears what it says.
    pub fn begin(
        record: &Path,
        control: bool,
        heard: impl Fn(Said) + Send + 'static,
    ) -> io::Result<Self> {
        let program = std::env::current_exe()?;
        let mut command = Command::new(program);
        command.arg("serve").arg("--beside").arg("--json");
        command
            .args(control.then_some("--control"))
            .arg("--")
            .arg(record);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut server = command.spawn()?;
        let (sender, events) = sync_channel(MOST);
        let input = server.stdin.take();
        let output = server.stdout.take();
        let thread = |name: &str| thread::Builder::new().name(name.to_owned());
        thread("to-server").spawn(move || tell(&events, input))?;
        thread("from-server").spawn(move || {
            for line in output.into_iter().flat_map(|it| BufReader::new(it).lines()) {
                let said = line.ok().and_then(|line| serde_json::from_str(&line).ok());
                said.into_iter().for_each(&heard);
            }
        })?;
        Ok(Self(sender))
    }
}

/// Writes events to the server as long as it reads them: those of a while at once, so that
/// nobody is woken for each move.
fn tell(events: &Receiver<Event>, input: Option<impl std::io::Write>) {
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

impl Listener for Beside {
    fn hear(&self, event: &Event) {
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
            // What finds no room is left out: games do not wait for pages.
            let _ = self.0.try_send(event.clone());
        }
    }

    fn wants_moves(&self) -> bool {
        true
    }
}
