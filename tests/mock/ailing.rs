//! A Xiangqi program with one defect, selected by its environment.

use std::fmt::Write as _;
use std::io::{self, BufRead, Write as _};
use std::process::{Command, Stdio, exit};
use std::thread::sleep;
use std::time::Duration;

use leitai_game::{Line, MoveList, Position};
use leitai_games::xiangqi::Xiangqi;

struct Mock {
    ailment: String,
    line: Line<Xiangqi>,
    /// Searches since the start of the program; a new game does not reset them.
    searches: usize,
    /// True during an infinite search.
    endless: bool,
}

#[expect(clippy::exit, reason = "programs that crash are what is tested")]
pub(crate) fn play(ailment: &str) {
    let mut mock = Mock {
        ailment: ailment.to_owned(),
        line: Line::new(Xiangqi::initial()),
        searches: 0,
        endless: false,
    };
    match ailment {
        "crash-in-handshake" => {
            let _ = writeln!(io::stderr(), "cannot find my network");
            exit(3);
        }
        "speaks-ucci-late" => sleep(Duration::from_millis(2_500)),
        // The child leaves the process group, so that it survives the program.
        "leaves-a-child" => leave_a_child(),
        _ => {}
    }
    for command in io::stdin().lock().lines() {
        let Ok(command) = command else { break };
        if !mock.obey(&command) {
            break;
        }
    }
    if ailment == "forks-on-quit" {
        leave_a_child();
        // Waits until the child has left the group.
        sleep(Duration::from_millis(50));
    }
    if ailment == "ignores-quit" {
        std::thread::park();
    }
}

fn leave_a_child() {
    let child = Command::new("setsid")
        .args(["sleep", "3"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    // Deliberately not awaited: that is the defect.
    let _ = child.expect("setsid").id();
}

impl Mock {
    /// Executes a command; returns whether to continue.
    fn obey(&mut self, command: &str) -> bool {
        let words: Vec<&str> = command.split_whitespace().collect();
        match words.as_slice() {
            _ if self.ailment == "silent" => {}
            ["uci"] if !self.ailment.starts_with("speaks-ucci") => print_line(
                "id name Mock 1\nid author Nobody\n\
                 option name Hash type spin default 16 min 1 max 64\n\
                 option name Threads type spin default 4 min 1 max 8\n\
                 option name Style type combo default Calm var Calm var Wild\nuciok",
            ),
            ["ucci"] if self.ailment.starts_with("speaks-ucci") => {
                print_line("id name Mock 1\nucciok");
            }
            ["setoption", ..] if self.ailment == "refuses-options" => {
                print_line("No such option: Hash");
            }
            ["isready"] if self.ailment == "hangs-after-greeting" => {}
            ["isready"] if self.ailment == "ends-after-greeting" => exit(3),
            ["isready"] => print_line("readyok"),
            ["position", rest @ ..] => self.position(rest),
            ["go", "infinite"] => self.endless = true,
            ["go", limit @ ..] => self.go(limit),
            ["stop"] if self.endless => {
                self.endless = false;
                print_line("info depth 9 score cp 5 nodes 1000");
                self.answer();
            }
            ["quit"] if self.ailment != "ignores-quit" => return false,
            _ => {}
        }
        true
    }

    fn position(&mut self, words: &[&str]) {
        let moves = words.iter().position(|word| *word == "moves");
        let fen = &words[1..moves.unwrap_or(words.len())];
        if self.ailment == "four-fields" && fen.len() == 6 {
            let _ = writeln!(io::stderr(), "bad position");
            exit(1);
        }
        let fen = match fen {
            [board, side, rest @ ..] if rest.len() == 2 => {
                format!("{board} {side} - - {}", rest.join(" "))
            }
            fen => fen.join(" "),
        };
        let fen = if self.ailment == "stays-at-the-start" {
            Xiangqi::initial().to_fen()
        } else {
            fen
        };
        self.line = Line::new(Xiangqi::from_fen(&fen).expect("a position"));
        for text in &words[moves.map_or(words.len(), |at| at + 1)..] {
            let canonical = self.shifted(text, -1);
            // Like programs that do not know the move.
            let Ok(mv) = self.line.position().parse_move(&canonical) else {
                break;
            };
            self.line.play(mv);
        }
    }

    fn go(&mut self, limit: &[&str]) {
        self.searches += 1;
        match limit {
            ["nodes", ..] if self.ailment == "knows-no-nodes" => {
                self.endless = true;
                return;
            }
            ["nodes", nodes] => print_line(&format!("info depth 3 score cp 7 nodes {nodes}")),
            ["depth", depth] => print_line(&format!("info depth {depth} score cp 7 nodes 300")),
            ["movetime", time] if self.ailment == "late" => {
                sleep(Duration::from_millis(
                    time.parse::<u64>().expect("a time") + 120,
                ));
            }
            _ => {}
        }
        self.answer();
    }

    fn answer(&self) {
        let mut moves = MoveList::new();
        self.line.position().legal_moves(&mut moves);
        let chosen = match self.ailment.as_str() {
            "remembers" => self.searches,
            "differs" => std::process::id() as usize,
            _ => 0,
        };
        let mv = moves[chosen % moves.len()];
        let text = self.shifted(&Xiangqi::move_text(mv), 1);
        let late_in_the_game = self.line.len() > 6;
        match self.ailment.as_str() {
            "illegal" => print_line("bestmove a0a9"),
            "illegal-later" if late_in_the_game => {
                let _ = writeln!(io::stderr(), "internal error 17");
                print_line("bestmove a0a9");
            }
            "answers-twice" => print_line(&format!("bestmove {text}\nbestmove {text}")),
            _ => print_line(&format!("bestmove {text}")),
        }
    }

    /// The move with ranks counted from 1, if that is the defect.
    fn shifted(&self, text: &str, by: i32) -> String {
        if self.ailment != "ranks-from-one" {
            return text.to_owned();
        }
        let mut shifted = String::new();
        let mut rest = text;
        while let Some(file) = rest.chars().next() {
            let digits = &rest[1..];
            let end = digits.find(char::is_alphabetic).unwrap_or(digits.len());
            let rank: i32 = digits[..end].parse().expect("a rank");
            let _ = write!(shifted, "{file}{}", rank + by);
            rest = &digits[end..];
        }
        shifted
    }
}

fn print_line(text: &str) {
    let mut out = io::stdout().lock();
    if writeln!(out, "{text}").and_then(|()| out.flush()).is_err() {
        // Ignores all further input.
        std::thread::park();
    }
}
