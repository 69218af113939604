//! How far a tune has come, on standard error.

use std::time::Instant;

use crate::cli::display::{Mode, PLAIN, REFRESH, set_message};
use crate::cli::terminal::note;
use crate::tune::Tuner;

/// How far the tune has come, on standard error.
pub(super) struct Progress {
    mode: Mode,
    pairs: u64,
    began: Instant,
    shown: Instant,
    before: Option<u64>,
}

impl Progress {
    pub(super) fn new(quiet: bool, pairs: u64) -> Self {
        let template = "{msg}\n{wide_bar} {pos}/{len} pairs  {elapsed} gone, {eta} to go";
        let now = Instant::now();
        Self {
            mode: Mode::new(quiet, Some(pairs), template),
            pairs,
            began: now,
            shown: now,
            before: None,
        }
    }

    pub(super) fn show(&mut self, tuner: &Tuner) {
        let told = tuner.pairs_seen();
        let before = *self.before.get_or_insert(told);
        let pause = match self.mode {
            Mode::Quiet => return,
            Mode::Plain => PLAIN,
            Mode::Terminal(_) => REFRESH,
        };
        if self.shown.elapsed() < pause {
            return;
        }
        self.shown = Instant::now();
        let rate = (told - before) as f64 / self.began.elapsed().as_secs_f64().max(1e-9);
        let line = format!("{rate:.1} pairs/s");
        match &self.mode {
            Mode::Terminal(bar) => {
                bar.set_position(told);
                set_message(bar, &line);
            }
            Mode::Plain => note(&format!("{told} of {} pairs, {line}", self.pairs)),
            Mode::Quiet => {}
        }
    }

    pub(super) fn finish(&self) {
        if let Mode::Terminal(bar) = &self.mode {
            bar.finish_and_clear();
        }
    }
}
