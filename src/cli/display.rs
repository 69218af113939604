//! The live display of a run: a progress bar and the current table on a
//! terminal, plain lines elsewhere. Everything goes to standard error.

use std::cell::Cell;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::terminal::note;
use crate::count::count;
use crate::foreign::on_terminal;
use crate::report::{Summary, render_live_table};
use crate::tournament::{Event, Plan, Standings};

/// How often the table is refreshed on a terminal.
pub(crate) const REFRESH: Duration = Duration::from_millis(500);
/// How often a plain line is written elsewhere.
pub(crate) const PLAIN: Duration = Duration::from_secs(10);

/// Shows the events of a run.
pub(crate) struct Display<'a> {
    plan: &'a Plan,
    mode: Mode,
    began: Instant,
    shown: Instant,
    before: u64,
    total: u64,
}

/// Where a display writes.
pub(crate) enum Mode {
    /// Nowhere.
    Quiet,
    /// Plain lines: standard error is no terminal, or this is CI.
    Plain,
    /// A bar that is drawn again and again.
    Terminal(ProgressBar),
}

impl Mode {
    /// The mode for this standard error; a bar has that length and template.
    pub(crate) fn new(quiet: bool, length: Option<u64>, template: &str) -> Self {
        if quiet {
            Mode::Quiet
        } else if std::io::stderr().is_terminal() && std::env::var_os("CI").is_none() {
            let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
            Mode::Terminal(bar)
        } else {
            Mode::Plain
        }
    }
}

/// The words of a bar: what in them came from outside commands no terminal.
#[expect(clippy::disallowed_methods, reason = "the one place that calls it")]
pub(crate) fn set_message(bar: &ProgressBar, text: &str) {
    bar.set_message(on_terminal(text).into_owned());
}

/// Prints lines above a bar, likewise.
#[expect(clippy::disallowed_methods, reason = "the one place that calls it")]
pub(crate) fn print_above(bar: &ProgressBar, text: &str) {
    bar.println(on_terminal(text));
}

impl<'a> Display<'a> {
    pub(crate) fn new(plan: &'a Plan, quiet: bool) -> Self {
        let template = "{msg}\n{wide_bar} {pos}/{len} pairs  {elapsed} gone, {eta} to go";
        let mode = Mode::new(quiet, Some(0), template);
        let now = Instant::now();
        Self {
            plan,
            mode,
            began: now,
            shown: now,
            before: 0,
            total: 0,
        }
    }

    pub(crate) fn show(&mut self, event: &Event<'_>) {
        match event {
            Event::Begun {
                so_far: standings,
                recorded,
                total,
            } => {
                self.before = standings.played;
                self.total = *total;
                self.begun(*recorded);
                self.refresh(standings);
            }
            Event::Pair { so_far: standings } => {
                let pause = if matches!(self.mode, Mode::Plain) {
                    PLAIN
                } else {
                    REFRESH
                };
                if self.shown.elapsed() >= pause {
                    self.shown = Instant::now();
                    self.refresh(standings);
                }
            }
        }
    }

    fn begun(&self, recorded: u64) {
        if let Mode::Terminal(bar) = &self.mode {
            bar.set_length(self.total);
            bar.set_position(self.before);
            bar.reset_eta();
        }
        if matches!(self.mode, Mode::Quiet) {
            return;
        }
        let variants = self.plan.config.variants.len();
        let openings = self.plan.book.len();
        let line = format!(
            "{}: {} between {} from {}, {recorded} recorded",
            self.plan.config.game.name(),
            count(self.total, "pair", "pairs"),
            count(variants as u64, "variant", "variants"),
            count(openings as u64, "opening", "openings"),
        );
        match &self.mode {
            Mode::Terminal(bar) => print_above(bar, &line),
            _ => note(&line),
        }
    }

    fn refresh(&self, standings: &Standings) {
        match &self.mode {
            Mode::Quiet => {}
            Mode::Terminal(bar) => {
                let summary = Summary::new(self.plan, standings);
                let table = render_live_table(&summary);
                let message = format!("\n{table}\n{}", self.rate(standings));
                set_message(bar, &message);
                bar.set_position(standings.played);
            }
            Mode::Plain => {
                if standings.played > self.before {
                    note(&format!(
                        "{}/{} pairs  {}",
                        standings.played,
                        self.total,
                        self.rate(standings)
                    ));
                }
            }
        }
    }

    /// Games per second since this start.
    fn rate(&self, standings: &Standings) -> String {
        let games = 2 * (standings.played - self.before);
        let rate = games as f64 / self.began.elapsed().as_secs_f64().max(1e-9);
        format!("{rate:.1} games/s")
    }

    pub(crate) fn finish(&self) {
        if let Mode::Terminal(bar) = &self.mode {
            bar.finish_and_clear();
        }
    }
}

/// How far long work is, how fast, and how long it still takes: a bar on a terminal,
/// a plain line now and then elsewhere.
pub(crate) struct Bar {
    mode: Mode,
    what: String,
    total: u64,
    before: u64,
    began: Instant,
    shown: Cell<Instant>,
}

impl Bar {
    pub(crate) fn new(total: u64, what: &str, quiet: bool) -> Self {
        Self::beginning_at(0, total, what, quiet)
    }

    /// Of work of which so much is done already.
    pub(crate) fn beginning_at(before: u64, total: u64, what: &str, quiet: bool) -> Self {
        let template = format!(
            "{{wide_bar}} {{pos}}/{{len}} {what}{{msg}}  {{per_sec}}  {{elapsed}} gone, {{eta}} to go"
        );
        let mode = Mode::new(quiet, Some(total), &template);
        if let Mode::Terminal(bar) = &mode {
            bar.set_position(before);
            bar.reset_eta();
            bar.enable_steady_tick(REFRESH);
        }
        let now = Instant::now();
        Self {
            mode,
            what: what.to_owned(),
            total,
            before,
            began: now,
            shown: Cell::new(now),
        }
    }

    pub(crate) fn set(&self, done: u64) {
        self.tell(done, "");
    }

    /// The same, with a word more on what it took.
    pub(crate) fn tell(&self, done: u64, more: &str) {
        match &self.mode {
            Mode::Quiet => {}
            Mode::Terminal(bar) => {
                set_message(bar, more);
                bar.set_position(done);
            }
            Mode::Plain if self.shown.get().elapsed() < PLAIN => {}
            Mode::Plain => {
                self.shown.set(Instant::now());
                note(&self.plain(done, more, self.began.elapsed()));
            }
        }
    }

    /// The line after so much time.
    fn plain(&self, done: u64, more: &str, gone: Duration) -> String {
        let (what, total) = (&self.what, self.total);
        let rate = done.saturating_sub(self.before) as f64 / gone.as_secs_f64().max(1e-9);
        let left = total.saturating_sub(done) as f64 / rate;
        let left = Duration::try_from_secs_f64(left).map_or_else(
            |_| String::new(),
            |left| format!(", {} to go", HumanDuration(left)),
        );
        format!("{done}/{total} {what}{more}  {rate:.1}/s{left}")
    }

    pub(crate) fn finish(&self) {
        if let Mode::Terminal(bar) = &self.mode {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_line_tells_rate_and_time_to_go() {
        let bar = Bar::beginning_at(100, 400, "openings", true);
        let line = |done, gone| bar.plain(done, " of 999 candidates", Duration::from_secs(gone));
        assert_eq!(
            line(200, 50),
            "200/400 openings of 999 candidates  2.0/s, 2 minutes to go"
        );
        assert_eq!(line(100, 50), "100/400 openings of 999 candidates  0.0/s");
    }
}
