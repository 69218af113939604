//! Pages beside what is played: `leitai serve` as a process of its own, which is told of moves.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use anyhow::Context;
use clap::Args;
use serde::Deserialize;

use super::failure::Failure;
use super::json::json;
use super::terminal::note;
use super::watching::Both;
use crate::session::{Event, Listener};
use crate::signals;
use crate::web::Wish;

/// Events that wait to be told: what is more is left out, for games do not wait.
const MOST: usize = 4096;

/// Whether pages are served beside what is played.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct BesideArguments {
    /// Show pages of the run in a browser meanwhile, as `leitai serve` does, with the games in
    /// progress.
    #[arg(long)]
    serve: bool,
    /// With --serve: the pages have buttons that pause the run, let it go on, end it, and have
    /// more or fewer pairs be played at once.
    #[arg(long, requires = "serve")]
    control: bool,
}

impl BesideArguments {
    /// The listener, and with it a server of that record if one is wanted.
    ///
    /// # Errors
    /// The system refuses a process or a thread.
    pub(crate) fn beside(
        self,
        listener: Arc<dyn Listener>,
        record: &Path,
    ) -> Result<Arc<dyn Listener>, Failure> {
        if !self.serve {
            return Ok(listener);
        }
        let server = Beside::begin(record, self.control)?;
        Ok(Arc::new(Both([listener, Arc::new(server)])))
    }

    /// These options as words of a command line, each after a blank.
    pub(crate) fn in_words(self) -> &'static str {
        match (self.serve, self.control) {
            (false, _) => "",
            (true, false) => " --serve",
            (true, true) => " --serve --control",
        }
    }
}

/// Tells a server of what happens. It ends when it is told nothing more.
struct Beside(SyncSender<Event>);

/// What the server says: its address, and then what browsers wish.
#[derive(Deserialize)]
#[serde(untagged)]
enum Said {
    Url { url: String },
    Wish { wish: Wish },
}

impl Beside {
    /// Begins to serve that record.
    ///
    /// # Errors
    /// The system refuses a process or a thread.
    fn begin(record: &Path, control: bool) -> Result<Self, Failure> {
        let program = std::env::current_exe().context("this program is not found")?;
        let mut command = Command::new(program);
        command.arg("serve").arg("--beside").arg("--json");
        command
            .args(control.then_some("--control"))
            .arg("--")
            .arg(record);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut server = command.spawn().context("the pages cannot be served")?;
        let (sender, events) = sync_channel(MOST);
        let input = server.stdin.take();
        let output = server.stdout.take();
        let thread = |name: &str| thread::Builder::new().name(name.to_owned());
        thread("to-server").spawn(move || tell(events, input))?;
        thread("from-server").spawn(move || {
            for line in output.into_iter().flat_map(|it| BufReader::new(it).lines()) {
                let said = line.ok().and_then(|line| serde_json::from_str(&line).ok());
                match said {
                    Some(Said::Url { url }) => note(&format!("pages: {url}")),
                    Some(Said::Wish { wish }) => obey(wish),
                    None => {}
                }
            }
        })?;
        Ok(Self(sender))
    }
}

/// Writes events to the server as long as it reads them.
fn tell(events: Receiver<Event>, input: Option<impl std::io::Write>) {
    let Some(mut input) = input else { return };
    for event in events {
        let Ok(line) = json(&event) else { continue };
        if input.write_all((line + "\n").as_bytes()).is_err() {
            return;
        }
    }
}

fn obey(wish: Wish) {
    let cancel = signals::heed();
    match wish {
        Wish::Pause => cancel.pause(true),
        Wish::GoOn => cancel.pause(false),
        Wish::Drain => cancel.drain(),
        Wish::More => cancel.add_threads(1),
        Wish::Fewer => cancel.add_threads(-1),
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
