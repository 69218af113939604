//! Lines that could not be parsed as a reply.

use std::collections::VecDeque;

/// Number of lines kept of each kind.
const KEPT: usize = 2;
/// Number of characters kept of a line.
const LONGEST: usize = 300;

/// The last lines since the search command that are outside of the protocol.
#[derive(Debug, Default)]
pub(super) struct UnreadLines {
    /// Lines with the first word of a reply.
    attempts: VecDeque<String>,
    others: VecDeque<String>,
}

impl UnreadLines {
    pub(super) fn clear(&mut self) {
        self.attempts.clear();
        self.others.clear();
    }

    /// Adds a line; `reply_word` is the first word of the engine's replies.
    pub(super) fn add(&mut self, line: &str, reply_word: &str) {
        let line = line.trim();
        let lower = line.to_ascii_lowercase();
        // `Illegal move: sd 3` is a complaint.
        let is_complaint = ["illegal", "invalid", "error"]
            .iter()
            .any(|it| lower.starts_with(it));
        let is_attempt = lower.contains(reply_word) && !is_complaint;
        let is_remark = line.is_empty() || line.starts_with("info ");
        let lines = match (is_attempt, is_remark) {
            (true, _) => &mut self.attempts,
            (false, true) => return,
            (false, false) => &mut self.others,
        };
        if lines.len() == KEPT {
            lines.pop_front();
        }
        lines.push_back(line.chars().take(LONGEST).collect());
    }

    /// The malformed replies, or else the other lines; an unfinished line comes last.
    pub(super) fn lines(&self, half: Option<String>) -> Vec<String> {
        let lines = [&self.attempts, &self.others][usize::from(self.attempts.is_empty())];
        let half = half.map(|line| format!("{line} (without the end of the line)"));
        lines.iter().cloned().chain(half).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_at_an_answer_come_before_other_lines() {
        let mut unread = UnreadLines::default();
        let mut lines = |added: &[&str]| {
            for line in added {
                unread.add(line, "bestmove");
            }
            unread.lines(None)
        };
        assert_eq!(lines(&["", "info string hash 16", "info depth x"]), [""; 0]);
        assert_eq!(lines(&["one", "two", "three"]), ["two", "three"]);
        for attempt in [
            "mock> bestmove e2e4",
            "info string done bestmove e2e4",
            "Bestmove e2e4",
        ] {
            assert_eq!(lines(&[attempt, "hm"]).last().unwrap(), attempt);
        }
        unread.clear();
        for complaint in [
            "Illegal move: sd 2",
            "Invalid move: st 1",
            "Error (move): x",
        ] {
            unread.add(complaint, "move");
        }
        unread.add("I move e2e4", "move");
        assert_eq!(unread.lines(None), ["I move e2e4"]);
        let last = unread.lines(Some("bestmo".to_owned())).pop().unwrap();
        assert_eq!(last, "bestmo (without the end of the line)");
        unread.clear();
        assert_eq!(unread.lines(None), [""; 0]);
    }
}
