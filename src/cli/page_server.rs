//! Options that serve pages of a run while it plays.

use std::io::{IsTerminal as _, stderr};

use super::prelude::*;
use super::watching::Both;
use leitai_web::{RunRequest, ViewerMessage, ViewerProcess};

/// Options that serve pages of a run while it plays.
#[derive(Clone, Copy, Debug, Default, Args)]
#[command(next_help_heading = "Progress")]
pub(crate) struct ServeArguments {
    /// Serve pages of the run for a browser while it plays. They are those of `leitai serve`, with the games in
    /// progress.
    #[arg(long)]
    serve: bool,
    /// With --serve: add buttons to the pages that pause the run, resume it, end it, and change the
    /// number of pairs played at once.
    #[arg(hide_short_help = true, long, requires = "serve")]
    control: bool,
}

impl ServeArguments {
    /// Returns the listener, combined with a server of that record if the user asked for one.
    ///
    /// # Errors
    /// The system refuses a process or a thread.
    pub(crate) fn with_server(
        self,
        listener: Arc<dyn Listener>,
        record: &Path,
    ) -> Result<Arc<dyn Listener>, Failure> {
        if !self.serve {
            return Ok(listener);
        }
        let server = ViewerProcess::begin(record, self.control, |said| match said {
            ViewerMessage::Url { url } => eprint(&format!("pages: {}", shown_url(&url))),
            ViewerMessage::Request { wish } => apply(wish),
        });
        let server = server.context("no pages can be served")?;
        Ok(Arc::new(Both([listener, Arc::new(server)])))
    }
}

/// The address of the pages; without its token in the logs of continuous integration, which others
/// read.
fn shown_url(url: &str) -> &str {
    let is_log = std::env::var_os("CI").is_some_and(|it| !it.is_empty() && it != "false");
    match url.split_once("?token=") {
        Some((address, _)) if is_log && !stderr().is_terminal() => address,
        _ => url,
    }
}

fn apply(wish: RunRequest) {
    let cancel = signals::install_handler();
    match wish {
        RunRequest::Pause => cancel.pause(true),
        RunRequest::GoOn => cancel.pause(false),
        RunRequest::Drain => cancel.drain(),
        RunRequest::More => cancel.add_threads(1),
        RunRequest::Fewer => cancel.add_threads(-1),
    }
}
