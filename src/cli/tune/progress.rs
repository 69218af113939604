//! How far a tune has come, on standard error.

use crate::cli::display::{PAIRS, Screen};
use crate::tune::Tuner;

/// How far the tune has come, on standard error.
pub(super) struct Progress {
    screen: Screen,
    pairs: u64,
    is_begun: bool,
}

impl Progress {
    pub(super) fn new(quiet: bool, pairs: u64) -> Self {
        Self {
            screen: Screen::new(quiet, Some(pairs), PAIRS),
            pairs,
            is_begun: false,
        }
    }

    pub(super) fn show(&mut self, tuner: &Tuner) {
        let told = tuner.pairs_seen();
        if !std::mem::replace(&mut self.is_begun, true) {
            self.screen.begin(told);
        }
        if self.screen.is_due() {
            let line = format!("{:.1} pairs/s", self.screen.rate(told));
            let plain = || Some(format!("{told} of {} pairs, {line}", self.pairs));
            self.screen.draw(told, || line.clone(), plain);
        }
    }

    pub(super) fn finish(&self) {
        self.screen.finish();
    }
}
