//! The live display of a run: a progress bar and the current table on a terminal, plain lines
//! otherwise. Everything goes to standard error; while its reader has stalled, nothing is drawn.

use std::cell::Cell;
use std::fmt;
use std::io::{self, IsTerminal};
use std::sync::Mutex;

use indicatif::{
    HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle, TermLike,
};
use leitai_platform::machine::{enable_colours, terminal_columns, terminal_rows};

use super::prelude::*;
use super::terminal::{errors_are_read, write_error};
use leitai_base::count::rate;
use leitai_base::foreign::on_terminal;
use leitai_base::threads::lock;
use leitai_report::prefix;

/// Refresh interval of the table on a terminal.
const REFRESH: Duration = Duration::from_millis(500);
/// Most drawings per second, as of `ProgressDrawTarget::stderr`.
const DRAWINGS: u8 = 20;
/// Interval between plain lines without a terminal.
const PLAIN: Duration = Duration::from_secs(10);

/// The output mode of a display.
pub(crate) enum Mode {
    /// No output.
    Quiet,
    /// Plain lines: standard error is not a terminal, or this is CI.
    Plain,
    /// A bar that is redrawn.
    Terminal(ProgressBar),
}

impl Mode {
    /// The mode for this standard error; `length` and `template` are for the bar.
    pub(crate) fn new(quiet: bool, length: Option<u64>, template: &str) -> Self {
        if quiet {
            Mode::Quiet
        } else if std::io::stderr().is_terminal() && std::env::var_os("CI").is_none() {
            let bar = ProgressBar::with_draw_target(length, ErrorTerminal::target());
            if let Ok(style) = ProgressStyle::with_template(template) {
                let rate = |state: &ProgressState, text: &mut dyn std::fmt::Write| {
                    let _ = write!(text, "{}", rate(state.per_sec(), ""));
                };
                bar.set_style(style.with_key("rate", rate));
            }
            Mode::Terminal(bar)
        } else {
            Mode::Plain
        }
    }
}

/// The terminal at standard error. Collects a drawing, and then writes it at once like all text there.
#[derive(Debug, Default)]
struct ErrorTerminal(Mutex<String>);

impl ErrorTerminal {
    fn target() -> ProgressDrawTarget {
        enable_colours();
        ProgressDrawTarget::term_like_with_hz(Box::<Self>::default(), DRAWINGS)
    }

    fn add(&self, text: fmt::Arguments<'_>) -> io::Result<()> {
        lock(&self.0).write_fmt(text).map_err(io::Error::other)
    }

    /// Moves the cursor in a direction, by a command of ECMA-48.
    fn go(&self, steps: usize, direction: char) -> io::Result<()> {
        match steps {
            0 => Ok(()),
            _ => self.add(format_args!("\x1b[{steps}{direction}")),
        }
    }
}

impl TermLike for ErrorTerminal {
    fn width(&self) -> u16 {
        terminal_columns().map_or(80, |columns| columns as u16)
    }

    fn height(&self) -> u16 {
        terminal_rows().map_or(24, |rows| rows as u16)
    }

    fn move_cursor_up(&self, n: usize) -> io::Result<()> {
        self.go(n, 'A')
    }

    fn move_cursor_down(&self, n: usize) -> io::Result<()> {
        self.go(n, 'B')
    }

    fn move_cursor_right(&self, n: usize) -> io::Result<()> {
        self.go(n, 'C')
    }

    fn move_cursor_left(&self, n: usize) -> io::Result<()> {
        self.go(n, 'D')
    }

    fn write_line(&self, s: &str) -> io::Result<()> {
        self.add(format_args!("{s}\n"))
    }

    fn write_str(&self, s: &str) -> io::Result<()> {
        self.add(format_args!("{s}"))
    }

    fn clear_line(&self) -> io::Result<()> {
        self.add(format_args!("\r\x1b[2K"))
    }

    fn flush(&self) -> io::Result<()> {
        write_error(&std::mem::take(&mut *lock(&self.0)));
        Ok(())
    }
}

/// Sets the text of a bar, without control characters from other programs.
#[expect(clippy::disallowed_methods, reason = "the one place that calls it")]
pub(crate) fn set_message(bar: &ProgressBar, text: &str) {
    let columns = terminal_columns().unwrap_or_default();
    bar.set_message(fitted(&on_terminal(text), columns));
}

/// Cuts each line to `columns`; 0 means unknown.
fn fitted(text: &str, columns: usize) -> String {
    if columns == 0 {
        return text.to_owned();
    }
    let lines = text.split('\n').map(|line| prefix(line.chars(), columns));
    lines.collect::<Vec<_>>().join("\n")
}

/// Prints lines above a bar, without control characters from other programs.
#[expect(clippy::disallowed_methods, reason = "the one place that calls it")]
fn print_above(bar: &ProgressBar, text: &str) {
    bar.println(on_terminal(text));
}

/// The output of a display, with the time of the last refresh and the progress at its start.
pub(crate) struct Screen {
    mode: Mode,
    began: Instant,
    shown: Cell<Instant>,
    before: u64,
}

impl Screen {
    pub(crate) fn new(quiet: bool, length: Option<u64>, template: &str) -> Self {
        let now = Instant::now();
        Self {
            mode: Mode::new(quiet, length, template),
            began: now,
            shown: Cell::new(now),
            before: 0,
        }
    }

    /// Starts the display; `before` is already done.
    pub(crate) fn begin(&mut self, before: u64) {
        self.before = before;
        if let Mode::Terminal(bar) = &self.mode {
            bar.set_position(before);
            bar.reset_eta();
        }
    }

    /// Returns whether the next refresh is due: never for a quiet display.
    pub(crate) fn is_due(&self) -> bool {
        let pause = match self.mode {
            Mode::Quiet => return false,
            Mode::Plain => PLAIN,
            Mode::Terminal(_) => REFRESH,
        };
        let is_due = self.shown.get().elapsed() >= pause;
        if is_due {
            self.shown.set(Instant::now());
        }
        is_due
    }

    /// Progress per second since the start.
    pub(crate) fn rate(&self, done: u64) -> f64 {
        self.rate_after(done, self.began.elapsed())
    }

    fn rate_after(&self, done: u64, gone: Duration) -> f64 {
        done.saturating_sub(self.before) as f64 / gone.as_secs_f64().max(1e-9)
    }

    /// Returns whether the display is a bar on a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        matches!(self.mode, Mode::Terminal(_))
    }

    /// The bar, unless its reader has stalled.
    fn bar(&self) -> Option<&ProgressBar> {
        match &self.mode {
            Mode::Terminal(bar) if errors_are_read() => Some(bar),
            _ => None,
        }
    }

    /// Calls `write` while nothing is drawn, even if the display is quiet.
    pub(crate) fn suspend(&self, write: impl FnOnce()) {
        match &self.mode {
            Mode::Terminal(bar) => bar.suspend(write),
            _ => write(),
        }
    }

    /// Sets the `prefix` of the template.
    pub(crate) fn prefix(&self, text: &str) {
        if let Some(bar) = self.bar() {
            bar.set_prefix(text.to_owned());
        }
    }

    /// Prints a line that stays.
    pub(crate) fn print_line(&self, line: impl FnOnce() -> String) {
        match &self.mode {
            Mode::Terminal(bar) => print_above(bar, &line()),
            Mode::Plain => eprint(&line()),
            Mode::Quiet => {}
        }
    }

    /// Redraws the bar with its text.
    pub(crate) fn draw(&self, done: u64, text: &str) {
        if let Some(bar) = self.bar() {
            set_message(bar, text);
            bar.set_position(done);
        }
    }

    pub(crate) fn finish(&self) {
        if let Mode::Terminal(bar) = &self.mode {
            bar.finish_and_clear();
        }
    }
}

/// Progress of a long task, with its speed and the time left: a bar on a terminal, plain lines at
/// intervals otherwise.
pub(crate) struct Bar {
    screen: Screen,
    what: String,
    total: u64,
}

impl Bar {
    pub(crate) fn new(total: u64, what: &str, quiet: bool) -> Self {
        Self::beginning_at(0, total, what, quiet)
    }

    /// A bar for a task that is partly done.
    pub(crate) fn beginning_at(before: u64, total: u64, what: &str, quiet: bool) -> Self {
        let template = format!(
            "{{wide_bar}} {{pos}}/{{len}} {what}{{msg}}  {{rate}}  {{elapsed}} gone, {{eta}} to go"
        );
        let mut screen = Screen::new(quiet, Some(total), &template);
        screen.begin(before);
        Self {
            screen,
            what: what.to_owned(),
            total,
        }
    }

    pub(crate) fn set(&self, done: u64) {
        self.update(done, "");
    }

    /// Updates the progress; `more` is appended.
    pub(crate) fn update(&self, done: u64, more: &str) {
        self.screen.draw(done, more);
        if !self.screen.is_terminal() && self.screen.is_due() {
            let line = || self.plain(done, more, self.screen.began.elapsed());
            self.screen.print_line(line);
        }
    }

    /// The plain line after a duration.
    fn plain(&self, done: u64, more: &str, gone: Duration) -> String {
        let (what, total) = (&self.what, self.total);
        let per_second = self.screen.rate_after(done, gone);
        let left = total.saturating_sub(done) as f64 / per_second;
        let left = Duration::try_from_secs_f64(left).map_or_else(
            |_| String::new(),
            |left| format!(", {} to go", HumanDuration(left)),
        );
        format!(
            "{done}/{total} {what}{more}  {}{left}",
            rate(per_second, "")
        )
    }

    pub(crate) fn finish(&self) {
        self.screen.finish();
    }
}
