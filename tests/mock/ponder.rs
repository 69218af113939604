//! The mock's thinking on its opponent's time, correct or faulty.

use std::process::exit;

use leitai::game::Line;
use leitai::games::xiangqi::Xiangqi;

use crate::playing::{chosen, other, print_line};

/// What the mock ponders.
#[derive(Default)]
pub(crate) struct Ponder {
    /// True once the option is set.
    pub(crate) is_allowed: bool,
    /// True between `go ponder` and the end of that search.
    is_pondering: bool,
    /// True if it has moved already, which no engine may.
    is_early: bool,
}

impl Ponder {
    /// Asserts that no search runs: a program need not stop by itself.
    pub(crate) fn assert_idle(&self) {
        assert!(!self.is_pondering, "a command while it ponders");
    }

    pub(crate) fn new_game(&mut self) {
        self.assert_idle();
        self.is_early = false;
    }

    #[expect(clippy::exit, reason = "programs that crash are what is tested")]
    pub(crate) fn go(&mut self, mode: &str, words: &[&str], line: &Line<Xiangqi>) {
        self.assert_idle();
        if words.get(1) != Some(&"ponder") {
            self.is_early = false;
            return answer(mode, line);
        }
        assert!(self.is_allowed, "it was not allowed to ponder");
        if mode == "ponder-crash" && line.len() >= 3 {
            exit(3);
        }
        print_line("info depth 77 nodes 7777 score cp 500");
        self.is_early = mode == "ponder-early";
        self.is_pondering = !self.is_early;
        if self.is_early {
            answer(mode, line);
        }
    }

    pub(crate) fn hit(&mut self, mode: &str, line: &Line<Xiangqi>) {
        assert!(self.is_pondering || self.is_early, "a hit of nothing");
        if std::mem::take(&mut self.is_pondering) {
            answer(mode, line);
        }
    }

    pub(crate) fn stop(&mut self, mode: &str, line: &Line<Xiangqi>) {
        if mode != "ponder-deaf" && std::mem::take(&mut self.is_pondering) {
            print_line("info depth 88 nodes 8888 score cp 800");
            answer(mode, line);
        }
    }
}

/// Moves, and names a reply: the one that the mock makes in other modes, or another one.
fn answer(mode: &str, line: &Line<Xiangqi>) {
    let mv = chosen(line);
    let mut after = line.clone();
    after.play(mv);
    let is_miss = ["ponder-miss", "ponder-deaf"].contains(&mode);
    let reply = if is_miss { other(&after) } else { chosen(&after) };
    let [mv, reply] = [mv, reply].map(Xiangqi::move_text);
    print_line(&format!("bestmove {mv} ponder {reply}"));
}
