//! What a session tells, on standard error: its notices, and a live view of its games.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::display::{Bar, Screen};
use super::gate::rough;
use super::terminal::note;
use crate::count::count;
use crate::report::gate::{GateSummary, progress, to_go};
use crate::report::{Summary, render_live_table};
use crate::session::{Estimate, Event, Level, Listener, Notice, Purpose, Stage};

/// What stands below the table of players.
const RATED: &str = "{msg}\n{wide_bar} {pos}/{len} pairs  {elapsed} gone{prefix}";
/// Tests end when they know enough: nobody knows how far they are.
const TESTED: &str = "{msg}";

/// Who shows what happens, and who else hears it.
#[derive(Default)]
struct Live {
    quiet: bool,
    shown: Mutex<Shown>,
}

/// What is shown.
#[derive(Default)]
enum Shown {
    #[default]
    Nothing,
    Games(Games),
    Work(Bar),
}

/// The games that are shown.
struct Games {
    stage: Stage,
    screen: Screen,
    /// Whether the next estimate is to be drawn.
    is_asked: bool,
    /// Whether none was drawn.
    is_new: bool,
}

/// The listener of a command; a quiet one shows notices alone.
pub(crate) fn live(quiet: bool) -> Arc<dyn Listener> {
    let shown = Mutex::default();
    Arc::new(Live { quiet, shown })
}

impl Live {
    fn shown(&self) -> MutexGuard<'_, Shown> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Listener for Live {
    fn hear(&self, event: &Event) {
        let mut shown = self.shown();
        match (event, &mut *shown) {
            (Event::Notice(notice), _) => tell(notice),
            (Event::StageBegun(stage), _) => {
                *shown = Shown::Games(Games::begin(stage, self.quiet));
            }
            (Event::Estimate { pairs, estimate }, Shown::Games(games)) => {
                games.draw(*pairs, estimate);
            }
            (Event::StageEnded { .. }, Shown::Games(games)) => {
                games.screen.finish();
                *shown = Shown::Nothing;
            }
            (Event::WorkBegun { what, done, total }, _) => {
                *shown = Shown::Work(Bar::beginning_at(*done, *total, what, self.quiet));
            }
            (Event::Work { done }, Shown::Work(bar)) => bar.set(*done),
            (Event::WorkEnded, Shown::Work(bar)) => {
                bar.finish();
                *shown = Shown::Nothing;
            }
            _ => {}
        }
    }

    fn wants_estimate(&self) -> bool {
        match &mut *self.shown() {
            Shown::Games(games) => games.asks(),
            _ => false,
        }
    }
}

/// Tells a notice on standard error.
pub(crate) fn tell(notice: &Notice) {
    let Notice { level, text, help } = notice;
    let level = match level {
        Level::Info => "",
        Level::Note => "note: ",
        Level::Warning => "warning: ",
        Level::Help => "help: ",
    };
    let help = help.as_ref().map(|help| format!("\nhelp: {help}"));
    note(&format!("{level}{text}{}", help.unwrap_or_default()));
}

impl Games {
    fn begin(stage: &Stage, quiet: bool) -> Self {
        let (length, template) = match stage.purpose {
            Purpose::Ratings => (Some(stage.pairs), RATED),
            Purpose::Test { .. } => (None, TESTED),
        };
        let mut screen = Screen::new(quiet, length, template);
        screen.begin(stage.counted);
        screen.say(|| head(stage));
        Self {
            stage: stage.clone(),
            screen,
            is_asked: false,
            is_new: true,
        }
    }

    fn asks(&mut self) -> bool {
        let is_first = std::mem::replace(&mut self.is_new, false) && self.screen.is_terminal();
        self.is_asked |= is_first || self.screen.is_due();
        self.is_asked
    }

    fn draw(&mut self, played: u64, estimate: &Estimate) {
        if !std::mem::replace(&mut self.is_asked, false) {
            return;
        }
        match estimate {
            Estimate::Run(summary) => self.rated(played, summary),
            Estimate::Gate(summary) => self.tested(played, summary),
        }
    }

    fn rated(&self, played: u64, summary: &Summary) {
        let pairs = self.screen.rate(played);
        let rate = format!("{:.1} games/s", 2.0 * pairs);
        let left = left(self.stage.pairs.saturating_sub(played), pairs);
        let table = || format!("\n{}\n{rate}", render_live_table(summary));
        let line = || {
            let left = left.clone().unwrap_or_default();
            format!("{played}/{} pairs  {rate}{left}", self.stage.pairs)
        };
        let is_new = played > self.stage.counted;
        self.screen.prefix(left.as_deref().unwrap_or_default());
        self.screen.draw(played, table, || is_new.then(line));
    }

    fn tested(&self, played: u64, summary: &GateSummary) {
        let candidates = summary.candidates.iter();
        let mut lines: Vec<String> = candidates
            .map(|candidate| progress(&summary.test, candidate))
            .collect();
        let rate = self.screen.rate(played);
        let more = summary.candidates.iter();
        let more: Option<u64> = more
            .filter_map(|it| to_go(&summary.test, it))
            .reduce(u64::saturating_add);
        lines.push(match more.and_then(|more| time_for(more, rate)) {
            Some(time) => format!("{rate:.1} pairs/s, some {} to go", rough(time)),
            None => format!("{rate:.1} pairs/s"),
        });
        let plain = || Some(lines.join("  "));
        self.screen.draw(played, || lines.join("\n"), plain);
    }
}

/// The line over the games of a stage.
fn head(stage: &Stage) -> String {
    let (game, recorded) = (stage.game, stage.recorded);
    let pairs = count(stage.pairs, "pair", "pairs");
    match &stage.purpose {
        Purpose::Ratings => format!(
            "{game}: {pairs} between {} from {}, {recorded} recorded",
            count(stage.variants.len() as u64, "variant", "variants"),
            count(stage.openings as u64, "opening", "openings"),
        ),
        Purpose::Test { base, candidates } => format!(
            "{game}: {candidates} on trial against `{base}`, at most {pairs} each, {recorded} \
             recorded"
        ),
    }
}

/// How long so much takes at so much a second; `None` before anybody knows.
fn time_for(more: u64, rate: f64) -> Option<Duration> {
    let seconds = more as f64 / rate;
    (rate > 0.0).then(|| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
}

/// The same in words.
fn left(more: u64, rate: f64) -> Option<String> {
    let time = time_for(more, rate)?;
    Some(format!(", {} to go", rough(time)))
}
