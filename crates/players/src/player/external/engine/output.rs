//! The output of an engine about one search, as far as it is checked or kept.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::play::MoveReport;
use crate::player::{PvFault, PvWarning};
use leitai_config::Kept;

/// The output about one search.
#[derive(Debug, Default)]
pub(crate) struct SearchOutput {
    /// The number of lines.
    pub(crate) lines: u32,
    /// The parts to keep.
    pub(crate) kept: Kept,
    /// The last line with a score that could not be read, unless a later one could be.
    unread_score: Option<String>,
    /// True if a score was read.
    has_score: bool,
    /// The whole line with the score, if it is kept.
    scored: String,
    report: MoveReport,
}

impl SearchOutput {
    /// Forgets the output of an earlier search.
    pub(crate) fn clear(&mut self) {
        self.lines = 0;
        self.unread_score = None;
        self.has_score = false;
        self.scored.clear();
        self.report.lines.clear();
    }

    /// Adds a line.
    pub(crate) fn add(&mut self, line: &str) {
        self.lines = self.lines.saturating_add(1);
        for (place, pattern) in self.kept.lines.iter().enumerate() {
            if pattern.matches(line) {
                self.report
                    .lines
                    .resize(self.kept.lines.len(), String::new());
                self.report.lines[place] = PvWarning::cut(line);
            }
        }
    }

    /// Adds a line with data of the search; `counts` means that its score was taken.
    pub(crate) fn add_info(&mut self, line: &str, counts: bool) {
        if counts {
            self.has_score = true;
            self.unread_score = None;
            if self.kept.info {
                line.clone_into(&mut self.scored);
            }
        } else if line.contains(" score ") && !self.has_score {
            self.unread_score = Some(line.to_owned());
        }
    }

    /// The kept part of the output; `None` if nothing is kept.
    pub(crate) fn report(&self) -> Option<MoveReport> {
        let now = || {
            let since = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
            u64::try_from(since.as_millis()).ok()
        };
        self.kept.any().then(|| MoveReport {
            info: PvWarning::cut(&self.scored),
            at: if self.kept.times { now() } else { None },
            ..self.report.clone()
        })
    }

    /// The fault of a move without a readable score, and its line. A move alone has no fault.
    pub(crate) fn missing_score(&self) -> Option<(PvFault, &str)> {
        match &self.unread_score {
            Some(line) => Some((PvFault::UnreadScore, line)),
            None => (!self.has_score && self.lines > 1).then_some((PvFault::NoScore, "")),
        }
    }
}
