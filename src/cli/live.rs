//! Shows a session on standard error: its notices, and a live view of its games.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::io;
use std::sync::Mutex;

use leitai_platform::machine::terminal_columns;

use super::display::Screen;
use super::prelude::*;
use super::terminal::{eprint_coloured, has_colours, write_errors_in_background};
use leitai_base::count::{rate, rough_duration};
use leitai_base::foreign::on_terminal;
use leitai_base::threads::lock;
use leitai_game::Cause;
use leitai_report::gate::{GateSummary, gauge, needed_by_all, progress, results_line};
use leitai_report::{Room, Summary, render_live_table};
use leitai_session::{
    DimensionValue, Estimate, Event, GameEnded, Level, Notice, PairEnded, Purpose, Stage,
};

/// The template below the table of players.
const RATED: &str = "{msg}\n{wide_bar} {pos}/{len} pairs  {elapsed} gone{prefix}";
/// The template of a test, without a bar: its length is unknown.
const TESTED: &str = "{msg}";
/// The number of values of a tune that are shown: those that have moved most.
const MOVED: usize = 8;
/// The number of kinds of failures that are reported one by one.
const FAILURES: usize = 20;
/// Interval of estimates for plain lines.
const ESTIMATES: Duration = Duration::from_secs(5);

/// The listener that shows a session.
struct Live {
    shows_progress: bool,
    /// True if each game is shown.
    shows_games: bool,
    shown: Mutex<Shown>,
    failed: Mutex<ReportedFailures>,
}

/// Kinds of failures that were reported: the variant, and the cause.
pub(crate) type ReportedFailures = HashSet<(String, Cause)>;

/// Reports the failures of a pair, the first of each kind, with all available evidence.
pub(crate) fn report_failures(
    pair: &PairEnded,
    reported: &mut ReportedFailures,
    print: impl Fn(&str),
) {
    for failed in &pair.failures {
        let (variant, cause) = (&failed.variant, failed.cause);
        if reported.len() < FAILURES && reported.insert((variant.clone(), cause)) {
            let evidence = failed.evidence.as_ref();
            let known = evidence.map(|it| format!(": {}", it.sentence(cause)));
            if cause == Cause::Pause {
                print(&format!(
                    "pair {} is played again: the machine paused during a move of `{variant}`",
                    pair.pair
                ));
                continue;
            }
            print(&format!(
                "`{variant}` failed in game {} of pair {}: {cause}{}",
                failed.game,
                pair.pair,
                known.unwrap_or_default()
            ));
        }
    }
}

/// The current view.
#[derive(Default)]
enum Shown {
    #[default]
    Nothing,
    Games(Games),
    Work(Bar),
}

/// A view of games.
struct Games {
    stage: Stage,
    screen: Screen,
    /// True if the next estimate is to be drawn.
    is_asked: bool,
    /// True before the first estimate.
    is_new: bool,
    /// True unless the display is quiet.
    shows: bool,
    /// Time of the last request for an estimate.
    asked: Instant,
    /// The last line about a test.
    line: String,
}

/// The listener of a command.
pub(crate) fn live(shows_progress: bool, shows_games: bool) -> Arc<dyn Listener> {
    write_errors_in_background();
    Arc::new(Live {
        shows_progress,
        shows_games,
        shown: Mutex::default(),
        failed: Mutex::default(),
    })
}

impl Live {
    /// Reports the games and failures of a pair.
    fn pair(&self, pair: &PairEnded, games: &Games) {
        let print = |line: &str| games.screen.suspend(|| eprint_coloured(line));
        if self.shows_games {
            let lines = (1..).zip(&pair.games);
            let lines = lines.map(|(number, game)| game_line(pair, number, game));
            lines.for_each(|line| print(&on_terminal(&line)));
        }
        let mut reported = lock(&self.failed);
        report_failures(pair, &mut reported, |failed| {
            print(&in_red(&on_terminal(failed)));
        });
    }
}

impl Listener for Live {
    fn notify(&self, event: &Event) {
        let mut shown = lock(&self.shown);
        match (event, &mut *shown) {
            (Event::Notice(notice), _) if notice.level == Level::Detail && !self.shows_progress => {
            }
            (Event::Notice(notice), Shown::Games(games)) => {
                games.screen.suspend(|| eprint_notice(notice));
            }
            (Event::Notice(notice), _) => eprint_notice(notice),
            (Event::StageBegun(stage), _) => {
                *shown = Shown::Games(Games::begin(stage, !self.shows_progress));
            }
            (Event::Pair(pair), Shown::Games(games)) => self.pair(pair, games),
            (Event::Estimate { counted, estimate }, Shown::Games(games)) => {
                games.draw(*counted, estimate);
            }
            (Event::StageEnded { .. }, Shown::Games(games)) => {
                games.screen.finish();
                *shown = Shown::Nothing;
            }
            (
                Event::Progress {
                    done,
                    per_second,
                    seconds,
                    seconds_to_go,
                    ..
                },
                Shown::Games(games),
            ) => games.tick(*done, *per_second, *seconds, *seconds_to_go),
            (Event::WorkBegun { what, done, total }, _) => {
                *shown = Shown::Work(Bar::beginning_at(*done, *total, what, !self.shows_progress));
            }
            (Event::Work { done } | Event::Progress { done, .. }, Shown::Work(bar)) => {
                bar.set(*done);
            }
            (Event::WorkEnded, Shown::Work(bar)) => {
                bar.finish();
                *shown = Shown::Nothing;
            }
            _ => {}
        }
    }

    fn wants_estimate(&self) -> bool {
        match &mut *lock(&self.shown) {
            Shown::Games(games) => games.asks(),
            _ => false,
        }
    }
}

/// Prints a notice on standard error.
pub(crate) fn eprint_notice(notice: &Notice) {
    let Notice { level, text, help } = notice;
    let level = match level {
        Level::Detail | Level::Info => "",
        Level::Note => "note: ",
        Level::Warning => "warning: ",
        Level::Help => "help: ",
    };
    let help = help.as_ref().map(|help| format!("\nhelp: {help}"));
    eprint(&format!("{level}{text}{}", help.unwrap_or_default()));
}

impl Games {
    fn begin(stage: &Stage, quiet: bool) -> Self {
        let (length, template) = match stage.purpose {
            Purpose::Ratings | Purpose::Values => (Some(stage.pairs), RATED),
            Purpose::Test { .. } => (None, TESTED),
        };
        let mut screen = Screen::new(quiet, length, template);
        screen.begin(stage.counted);
        if let Some(head) = head(stage) {
            screen.print_line(|| head);
        }
        Self {
            stage: stage.clone(),
            screen,
            is_asked: false,
            is_new: true,
            shows: !quiet,
            asked: Instant::now(),
            line: count(stage.counted, "pair", "pairs"),
        }
    }

    /// Shows the progress, even if no game has ended since.
    fn tick(&self, done: u64, per_second: f64, seconds: f64, to_go: Option<f64>) {
        let to_go = to_go.map_or_else(String::new, left);
        self.screen.prefix(&to_go);
        if self.screen.is_terminal() || !self.screen.is_due() {
            return;
        }
        let gone = rough_duration(Duration::from_secs_f64(seconds));
        let how_far = match self.stage.purpose {
            Purpose::Test { .. } => self.line.clone(),
            Purpose::Ratings | Purpose::Values => {
                let games = rate(2.0 * per_second, "games");
                format!("{done}/{} pairs, {games}", self.stage.pairs)
            }
        };
        self.screen
            .print_line(|| format!("{how_far}, {gone} gone{to_go}"));
    }

    /// Returns whether an estimate is needed: on a terminal for each refresh, elsewhere for the
    /// lines of a gate.
    fn asks(&mut self) -> bool {
        let is_first = std::mem::replace(&mut self.is_new, false);
        self.is_asked |= if self.screen.is_terminal() {
            is_first || self.screen.is_due()
        } else {
            let is_test = matches!(self.stage.purpose, Purpose::Test { .. });
            let is_due = self.asked.elapsed() >= ESTIMATES;
            self.shows && is_test && is_due
        };
        if self.is_asked {
            self.asked = Instant::now();
        }
        self.is_asked
    }

    fn draw(&mut self, played: u64, estimate: &Estimate) {
        if !std::mem::replace(&mut self.is_asked, false) {
            return;
        }
        match estimate {
            Estimate::Run(summary) => self.rated(played, summary),
            Estimate::Gate(summary) => self.tested(played, summary),
            Estimate::Tune { values } => self.learned_values(played, values),
        }
    }

    fn rated(&self, played: u64, summary: &Summary) {
        let games = rate(2.0 * self.screen.rate(played), "games");
        let room = terminal_columns().map_or(Room::Unlimited, Room::Drop);
        let table = format!("\n{}\n{games}", render_live_table(summary, room));
        self.screen.draw(played, &table);
    }

    fn learned_values(&self, played: u64, values: &[DimensionValue]) {
        let games = rate(2.0 * self.screen.rate(played), "games");
        let values = moved(values);
        self.screen.draw(played, &format!("\n{values}{games}"));
    }

    fn tested(&mut self, played: u64, summary: &GateSummary) {
        let candidates = summary.candidates.iter();
        let mut lines: Vec<String> = candidates
            .map(|candidate| progress(&summary.test, candidate))
            .collect();
        let per_second = self.screen.rate(played);
        let pairs = rate(per_second, "pairs");
        let more = needed_by_all(summary);
        lines.push(match more.and_then(|more| time_for(more, per_second)) {
            Some(time) => format!("{pairs}, about {} to go", rough_duration(time)),
            None => pairs,
        });
        self.line = lines.join("  ");
        // On a terminal the standing of each candidate follows its line, with a gauge until its
        // verdict.
        let mut shown = Vec::new();
        for (line, candidate) in lines.iter().zip(&summary.candidates) {
            shown.push(line.clone());
            let open = gauge(candidate).filter(|_| candidate.verdict.is_none());
            let below = open.into_iter().chain(results_line(candidate));
            shown.extend(below.map(|it| format!("  {it}")));
        }
        shown.extend(lines.last().cloned());
        self.screen.draw(played, &shown.join("\n"));
    }
}

/// A game as a line.
fn game_line(pair: &PairEnded, number: usize, game: &GameEnded) -> String {
    let result = ["0-1", "1/2-1/2", "1-0"][usize::from(game.half_points).min(2)];
    let margin = game.margin.unwrap_or_default();
    let late = game.late.map_or_else(String::new, |late| {
        format!(" ({late:.3} s late, the margin is {margin} s)")
    });
    format!(
        "pair {}, game {number}: {} - {} {result}, {}{late}, {}, {}",
        pair.pair,
        game.first,
        game.second,
        game.cause,
        count(game.plies as u64, "ply", "plies"),
        pair.opening
    )
}

/// Text in red, if standard error shows colours.
fn in_red(text: &str) -> String {
    if has_colours(&io::stderr()) {
        format!("\u{1b}[31m{text}\u{1b}[0m")
    } else {
        text.to_owned()
    }
}

/// The values that have moved most, one per line.
fn moved(values: &[DimensionValue]) -> String {
    let mut moved: Vec<_> = values.iter().filter(|it| it.value != it.start).collect();
    moved.sort_by_key(|it| Reverse(it.value.units.abs_diff(it.start.units)));
    let moved = moved.into_iter().take(MOVED);
    let lines = moved.map(|it| format!("{}: {} -> {}\n", it.dimension, it.start, it.value));
    lines.collect()
}

/// The line over the games of a stage, if it has one.
fn head(stage: &Stage) -> Option<String> {
    let (game, recorded) = (stage.game, stage.recorded);
    let pairs = count(stage.pairs, "pair", "pairs");
    Some(match &stage.purpose {
        Purpose::Ratings => format!(
            "{game}: {pairs} between {} from {}, {recorded} recorded",
            count(stage.variants.len() as u64, "variant", "variants"),
            count(stage.openings as u64, "opening", "openings"),
        ),
        Purpose::Test { base, candidates } => format!(
            "{game}: {candidates} on trial against `{base}`, at most {pairs} each, {recorded} \
             recorded"
        ),
        Purpose::Values => return None,
    })
}

/// The time for `more` units at `rate` per second; `None` if the rate is unknown.
fn time_for(more: u64, rate: f64) -> Option<Duration> {
    let seconds = more as f64 / rate;
    (rate > 0.0).then(|| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
}

/// The time left as text.
fn left(seconds: f64) -> String {
    let time = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
    format!(", {} to go", rough_duration(time))
}
