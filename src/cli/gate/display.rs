//! The live display of a gate: where each test stands between its bounds.
//! Everything goes to standard error.

use std::time::{Duration, Instant};

use super::plan::rough;
use crate::cli::display::{Mode, PLAIN, REFRESH, print_above, set_message};
use crate::cli::terminal::note;
use crate::count::count;
use crate::gate::Trials;
use crate::report::gate::{GateSummary, progress, to_go};
use crate::tournament::{Event, Plan};

/// Shows the events of a gate.
pub(super) struct Display<'a> {
    plan: &'a Plan,
    mode: Mode,
    began: Instant,
    shown: Instant,
    before: u64,
}

impl<'a> Display<'a> {
    pub(super) fn new(plan: &'a Plan, quiet: bool) -> Self {
        let mode = Mode::new(quiet, None, "{msg}");
        let now = Instant::now();
        Self {
            plan,
            mode,
            began: now,
            shown: now,
            before: 0,
        }
    }

    pub(super) fn show(&mut self, event: &Event<'_, Trials>) {
        match event {
            Event::Begun {
                so_far, recorded, ..
            } => {
                self.before = so_far.standings().played;
                if !matches!(self.mode, Mode::Quiet) {
                    let base = &self.plan.config.variants[so_far.gate().base].name;
                    self.say(&format!(
                        "{}: {} on trial against `{base}`, at most {} each, {recorded} recorded",
                        self.plan.config.game.name(),
                        so_far.trials().len(),
                        count(so_far.rounds(), "pair", "pairs"),
                    ));
                }
            }
            Event::Pair { so_far } => {
                let pause = match self.mode {
                    Mode::Quiet => return,
                    Mode::Plain => PLAIN,
                    Mode::Terminal(_) => REFRESH,
                };
                if self.shown.elapsed() >= pause {
                    self.shown = Instant::now();
                    self.refresh(so_far);
                }
            }
        }
    }

    fn say(&self, line: &str) {
        match &self.mode {
            Mode::Terminal(bar) => print_above(bar, line),
            Mode::Plain => note(line),
            Mode::Quiet => {}
        }
    }

    fn refresh(&self, trials: &Trials) {
        let summary = GateSummary::new(self.plan, trials);
        let mut lines: Vec<String> = summary
            .candidates
            .iter()
            .map(|candidate| progress(&summary.test, candidate))
            .collect();
        let pairs = trials.standings().played - self.before;
        let rate = pairs as f64 / self.began.elapsed().as_secs_f64().max(1e-9);
        let more = summary.candidates.iter();
        let more: Option<u64> = more
            .filter_map(|c| to_go(&summary.test, c))
            .reduce(u64::saturating_add);
        lines.push(match more {
            Some(more) if rate > 0.0 => {
                let time = Duration::try_from_secs_f64(more as f64 / rate).unwrap_or(Duration::MAX);
                format!("{rate:.1} pairs/s, some {} to go", rough(time))
            }
            _ => format!("{rate:.1} pairs/s"),
        });
        match &self.mode {
            Mode::Terminal(bar) => set_message(bar, &lines.join("\n")),
            Mode::Plain => note(&lines.join("  ")),
            Mode::Quiet => {}
        }
    }

    pub(super) fn finish(&self) {
        if let Mode::Terminal(bar) = &self.mode {
            bar.finish_and_clear();
        }
    }
}
