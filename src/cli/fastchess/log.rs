//! `-log`: a file with the lines of a match, each with its time and level; and the dialogue with
//! engines, there or on standard output.

use std::io::{self, BufRead, Write};
use std::sync::{Mutex, Once, OnceLock};
use std::thread::{self, ThreadId};
use std::time::SystemTime;

use super::stdout::MatchOutput;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::cli::prelude::*;
use leitai_base::foreign::on_terminal;
use leitai_base::threads::lock;
use leitai_players::player::{DialogueLine, DialogueListener};
use leitai_report::utc;

leitai_base::settings::choice! {
    /// The level of a line, from the least important to the most important.
    #[derive(PartialOrd, Ord)]
    pub(super) enum LogLevel {
        /// Events of games.
        Trace = "trace",
        /// Lines of standard output.
        Info = "info",
        /// Warnings.
        Warn = "warn",
        /// Errors.
        Err = "err",
        /// Errors that end the match.
        Fatal = "fatal",
    }
}

/// The settings of a log.
#[derive(Clone, Debug)]
pub(super) struct LogTo {
    pub(super) file: String,
    /// The lowest level that is written.
    pub(super) level: LogLevel,
    pub(super) append: bool,
    /// True for a new compressed file, whose name has the time.
    pub(super) compress: bool,
    /// True if the dialogue with engines is written.
    pub(super) engine: bool,
}

impl Default for LogTo {
    fn default() -> Self {
        Self {
            file: String::new(),
            level: LogLevel::Warn,
            append: true,
            compress: false,
            engine: false,
        }
    }
}

/// An open log.
pub(super) struct Log {
    out: Mutex<Box<dyn Write + Send>>,
    level: LogLevel,
    /// Warns of the first line that cannot be written.
    fault: Once,
}

impl std::fmt::Debug for Log {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Log")
            .field("level", &self.level)
            .finish_non_exhaustive()
    }
}

impl LogTo {
    /// The name of the file.
    pub(super) fn path(&self) -> PathBuf {
        if self.compress {
            return format!("{}-{}.gz", self.file, now().replace(':', ".")).into();
        }
        PathBuf::from(&self.file)
    }
}

/// The current time in UTC.
pub(super) fn now() -> String {
    utc(SystemTime::now()).unwrap_or_default()
}

impl Log {
    /// Opens the file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn open(file: OutputFile, to: &LogTo) -> Result<Self, Failure> {
        let appends = to.append && !to.compress;
        let file = file.continued(|before| {
            let kept = if appends { length(before)? } else { 0 };
            Ok(Ok(kept))
        })?;
        let out: Box<dyn Write + Send> = if to.compress {
            Box::new(GzEncoder::new(file, Compression::default()))
        } else {
            file
        };
        Ok(Self {
            out: Mutex::new(out),
            level: to.level,
            fault: Once::new(),
        })
    }

    /// Writes each line of a text, if the level is written. A full disk is no reason to stop a
    /// match.
    pub(super) fn write(&self, level: LogLevel, text: &str) {
        if level >= self.level {
            let label = level.name().to_uppercase();
            self.lines(&label, text);
        }
    }

    fn lines(&self, label: &str, text: &str) {
        let time = now();
        let lines = on_terminal(text);
        let lines = lines
            .lines()
            .map(|line| format!("[{label:<6}] [{time}] {line}\n"));
        let lines: String = lines.collect();
        let mut out = lock(&self.out);
        let written = out.write_all(lines.as_bytes()).and_then(|()| out.flush());
        if let Err(error) = written {
            let warning =
                format!("Warning; cannot write the log of `-log`: {error}; the match goes on");
            self.fault.call_once(|| eprint(&warning));
        }
    }
}

/// The number of remaining bytes.
fn length(input: &mut dyn BufRead) -> io::Result<u64> {
    io::copy(input, &mut io::sink())
}

/// Writes the dialogue with engines into the log.
#[derive(Debug)]
pub(super) struct LoggedDialogue(pub(super) Arc<Log>);

impl DialogueListener for LoggedDialogue {
    fn hear(&self, engine: &str, kind: DialogueLine, line: &str) {
        let arrow = match kind {
            DialogueLine::Sent => "<---",
            DialogueLine::Received => "--->",
            DialogueLine::Error => "--->!",
            DialogueLine::Event => return,
        };
        self.0.lines("ENGINE", &format!("{engine} {arrow} {line}"));
    }
}

/// Prints the dialogue with engines in the format of cutechess: milliseconds, direction, name and
/// number of the engine, and line.
#[derive(Debug)]
pub(super) struct PrintedDialogue {
    out: Arc<MatchOutput>,
    began: OnceLock<Instant>,
    /// Thread and name of each engine, in the order of the first lines; the index is the printed
    /// number.
    engines: Mutex<Vec<(ThreadId, String)>>,
}

impl PrintedDialogue {
    pub(super) fn new(out: Arc<MatchOutput>) -> Self {
        Self {
            out,
            began: OnceLock::new(),
            engines: Mutex::default(),
        }
    }
}

impl DialogueListener for PrintedDialogue {
    fn hear(&self, engine: &str, kind: DialogueLine, line: &str) {
        let mark = match kind {
            DialogueLine::Sent => ">",
            DialogueLine::Received | DialogueLine::Error => "<",
            DialogueLine::Event => return,
        };
        let mut engines = lock(&self.engines);
        let of_thread = (thread::current().id(), engine.to_owned());
        let known = engines.iter().position(|it| *it == of_thread);
        let number = known.unwrap_or_else(|| {
            engines.push(of_thread);
            engines.len() - 1
        });
        let since = self.began.get_or_init(Instant::now).elapsed().as_millis();
        let line = shown(line);
        self.out
            .print(&format!("{since} {mark}{engine}({number}): {line}\n"));
    }
}

/// Hands each line on to two listeners.
#[derive(Debug)]
pub(super) struct Both(
    pub(super) Arc<dyn DialogueListener>,
    pub(super) Arc<dyn DialogueListener>,
);

impl DialogueListener for Both {
    fn hear(&self, engine: &str, kind: DialogueLine, line: &str) {
        self.0.hear(engine, kind, line);
        self.1.hear(engine, kind, line);
    }
}
