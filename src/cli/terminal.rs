//! Text and data on the standard streams.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;
use std::time::Duration;

use clap::ValueEnum;
use leitai_platform::files::is_output_gone;
use leitai_platform::machine::{enable_colours, terminal_columns};
use serde::Serialize;

use super::failure::Failure;
use super::games::known;
use super::json::json;
use super::live::eprint_notice;
use super::program::in_own_words;
use crate::signals::has_hung_up;
use leitai_base::background::BackgroundWriter;
use leitai_base::foreign::{coloured, on_terminal};
use leitai_report::{Room, aligned, fitted};
use leitai_session::books::Reader;
use leitai_session::output::OutputFile;
use leitai_session::{Event, Listener};

/// Prints text on standard output, wrapped at the width of a terminal, with control characters escaped. A broken
/// pipe is not an error: the reader has seen enough.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    print_raw(&fit(&io::stdout(), &on_terminal(&in_own_words(text))))
}

/// Fewest columns that text is made for: narrower terminals break its lines.
const NARROWEST: usize = 40;

/// The width of a stream's text in columns: that of the terminal, or `COLUMNS` in the environment.
fn width(stream: &impl IsTerminal) -> Option<usize> {
    let terminal = stream.is_terminal().then(terminal_columns).flatten();
    let set = std::env::var("COLUMNS").ok().and_then(|it| it.parse().ok());
    let width = terminal.into_iter().chain(set).find(|&columns| columns > 0);
    width.map(|columns| columns.max(NARROWEST))
}

/// The room for tables on standard output.
pub(crate) fn room() -> Room {
    width(&io::stdout()).map_or(Room::Unlimited, Room::Fold)
}

/// A table for standard output; see [`aligned`].
pub(crate) fn table(rows: &[Vec<String>], keys: usize, is_text: impl Fn(usize) -> bool) -> String {
    aligned("", rows, keys, is_text, room())
}

fn fit<'a>(stream: &impl IsTerminal, text: &'a str) -> Cow<'a, str> {
    width(stream).map_or(Cow::Borrowed(text), |width| fitted(text, width).into())
}

/// Like [`print`], for text with its own colours.
pub(crate) fn print_coloured(text: &str) -> Result<(), Failure> {
    print_raw(&coloured(text))
}

/// Use of colours in the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColourMode {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// For every output.
    Always,
    /// For no output.
    Never,
}

static COLOURS: OnceLock<ColourMode> = OnceLock::new();

/// Sets when to show colours, before the first output; later calls have no effect.
pub(super) fn show_colours(when: ColourMode) {
    COLOURS.get_or_init(|| when);
}

/// Returns whether a stream shows colours: by `--color`, or on a terminal unless `NO_COLOR` is set
/// (<https://no-color.org>).
pub(crate) fn has_colours(stream: &impl IsTerminal) -> bool {
    let can_show = enable_colours();
    match COLOURS.get().copied().unwrap_or_default() {
        ColourMode::Auto => {}
        ColourMode::Always => return true,
        ColourMode::Never => return false,
    }
    let refused = std::env::var_os("NO_COLOR").is_some_and(|it| !it.is_empty());
    stream.is_terminal() && !refused && can_show
}

/// Writes data and a newline to standard output, verbatim.
pub(crate) fn print_raw(text: &str) -> Result<(), Failure> {
    // A terminal shows both streams.
    flush_errors(ORDER);
    let mut out = io::stdout().lock();
    match out
        .write_all(text.as_bytes())
        .and_then(|()| out.write_all(b"\n"))
    {
        // A terminal that has hung up has no reader either.
        Err(error)
            if error.kind() != io::ErrorKind::BrokenPipe && !has_hung_up() && !is_output_gone() =>
        {
            Err(error.into())
        }
        _ => Ok(()),
    }
}

/// The wait for standard error before a write to standard output.
const ORDER: Duration = Duration::from_secs(1);
/// The largest number of bytes that wait for a reader of standard error.
const MOST_WAITING: usize = 1 << 20;

/// Standard error of a session.
static ERRORS: OnceLock<BackgroundWriter> = OnceLock::new();

/// From now on, standard error is written without waiting for its reader. If the system refuses a
/// thread, it waits as before.
pub(crate) fn write_errors_in_background() {
    if ERRORS.get().is_none()
        && let Ok(writer) = BackgroundWriter::start(io::stderr(), MOST_WAITING)
    {
        let _ = ERRORS.set(writer);
    }
}

/// Writes to standard error. Drops text if too much waits for a reader.
pub(crate) fn write_error(text: &str) {
    let _ = match ERRORS.get() {
        Some(writer) => writer.write(text.as_bytes()),
        None => io::stderr().lock().write_all(text.as_bytes()),
    };
}

/// Returns whether everything is written to standard error.
pub(crate) fn errors_are_read() -> bool {
    ERRORS.get().is_none_or(BackgroundWriter::is_idle)
}

/// Waits until everything is written to standard error, at most for `patience`.
pub(super) fn flush_errors(patience: Duration) {
    if let Some(writer) = ERRORS.get() {
        writer.flush(patience);
    }
}

/// Writes a whole file, or prints it if the file is standard output.
pub(crate) fn write_output(file: OutputFile, text: &str) -> Result<(), Failure> {
    let text = in_own_words(text);
    if file.is_stdout() {
        return print_raw(text.trim_end());
    }
    file.commit(&text)
}

/// Returns whether the error is a broken pipe: the reader has seen enough.
pub(crate) fn is_broken_pipe(error: &Failure) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}

/// Writes a value as one line of JSON to standard output.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    print_raw(&json(value)?)
}

/// Prints a note on standard error, with control characters escaped.
pub(crate) fn eprint(text: &str) {
    let text = in_own_words(text);
    let text = on_terminal(&text);
    write_error(&format!("{}\n", fit(&io::stderr(), &text)));
}

/// Like [`eprint`], for text with its own colours and none from outside.
pub(crate) fn eprint_coloured(text: &str) {
    write_error(&format!("{}\n", coloured(text)));
}

/// A listener that prints notices on standard error.
pub(crate) struct Notices;

impl Listener for Notices {
    fn notify(&self, event: &Event) {
        if let Event::Notice(notice) = event {
            eprint_notice(notice);
        }
    }
}

/// Reads books of all games, and prints on standard error the lines that are left out.
pub(crate) fn reader() -> Reader<'static> {
    Reader {
        games: known(),
        listener: &Notices,
    }
}
