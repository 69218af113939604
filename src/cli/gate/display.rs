//! The live display of a gate: where each test stands between its bounds.
//! Everything goes to standard error.

use std::time::Duration;

use super::plan::rough;
use crate::cli::display::Screen;
use crate::count::count;
use crate::gate::Trials;
use crate::report::gate::{GateSummary, progress, to_go};
use crate::tournament::{Event, Plan};

/// Shows the events of a gate.
pub(super) struct Display<'a> {
    plan: &'a Plan,
    screen: Screen,
}

impl<'a> Display<'a> {
    pub(super) fn new(plan: &'a Plan, quiet: bool) -> Self {
        let screen = Screen::new(quiet, None, "{msg}");
        Self { plan, screen }
    }

    pub(super) fn show(&mut self, event: &Event<'_, Trials>) {
        match event {
            Event::Begun {
                so_far, recorded, ..
            } => {
                self.screen.begin(so_far.standings.played);
                let base = &self.plan.config.variants[so_far.gate.base].name;
                self.screen.say(|| {
                    format!(
                        "{}: {} on trial against `{base}`, at most {} each, {recorded} recorded",
                        self.plan.config.game.name(),
                        so_far.candidates.len(),
                        count(so_far.rounds, "pair", "pairs"),
                    )
                });
            }
            Event::Pair { so_far } if self.screen.is_due() => self.refresh(so_far),
            Event::Pair { .. } => {}
        }
    }

    fn refresh(&self, trials: &Trials) {
        let summary = GateSummary::new(self.plan, trials);
        let mut lines: Vec<String> = summary
            .candidates
            .iter()
            .map(|candidate| progress(&summary.test, candidate))
            .collect();
        let played = trials.standings.played;
        let rate = self.screen.rate(played);
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
        let plain = || Some(lines.join("  "));
        self.screen.draw(played, || lines.join("\n"), plain);
    }

    pub(super) fn finish(&self) {
        self.screen.finish();
    }
}
