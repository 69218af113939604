//! A mock that speaks GTP, correctly or badly: it plays Othello, and panics if it is out of step
//! with the referee.

use std::io::{self, BufRead, Write};
use std::process::exit;
use std::thread::sleep;
use std::time::Duration;

use leitai_game::{Line, Move, Position, Side};
use leitai_games::othello::{Othello, PASS};

use crate::playing::{chosen, print_line};

/// The supported commands.
const COMMANDS: &str = "protocol_version\nname\nversion\nlist_commands\nquit\nboardsize\n\
    clear_board\nplay\ngenmove\nset_game\nlevel\ntime_settings\ntime_left";

struct Mock<'m> {
    mode: &'m str,
    line: Line<Othello>,
    /// The number of the next answer.
    number: String,
}

pub(crate) fn play(mode: &str) {
    let mut mock = Mock {
        mode,
        line: Line::new(Othello::initial()),
        number: String::new(),
    };
    if mode == "silent" {
        std::thread::park();
    }
    // Ends the line that the test harness has begun to print.
    print_line("");
    if mode == "babbles" {
        print_line("Welcome to Mock\n\n   = a line of equals");
    }
    for command in io::stdin().lock().lines() {
        let Ok(command) = command else { break };
        let (number, rest) = command.split_once(' ').expect("a number first");
        assert!(number.parse::<u32>().is_ok(), "{command}");
        mock.number = match mode {
            "no-numbers" => String::new(),
            "blank-numbers" => format!(" {number}"),
            _ => number.to_owned(),
        };
        let words: Vec<&str> = rest.split_whitespace().collect();
        mock.obey(&words);
    }
}

impl Mock<'_> {
    fn answer(&self, text: &str) {
        if self.mode == "babbles" {
            print_line("thinking hard\n");
        }
        print_line(&format!("={} {text}\n", self.number));
    }

    fn refuse(&self, text: &str) {
        print_line(&format!("?{} {text}\n", self.number));
    }

    fn obey(&mut self, words: &[&str]) {
        match words {
            ["name"] => self.answer("Mock"),
            ["version"] => self.answer("1"),
            ["protocol_version"] => self.answer("2"),
            ["list_commands"] if self.mode == "endless-options" => {
                print_line(&format!("={} play", self.number));
                for command in 0_u64.. {
                    print_line(&format!("c{command}"));
                }
            }
            ["list_commands"] if self.mode == "unlisted" => self.refuse("unknown command"),
            ["list_commands"] if self.mode == "timeless" => self.answer("play\ngenmove"),
            ["list_commands"] => self.answer(COMMANDS),
            ["set_game", _] if self.mode == "plays-go" => self.refuse("unknown game"),
            ["set_game", "Othello"] | ["boardsize", "8"] => self.answer(""),
            ["level", number] if number.parse::<u32>().is_ok_and(|level| level < 10) => {
                self.answer("");
            }
            ["clear_board"] => {
                self.line = Line::new(Othello::initial());
                self.answer("");
            }
            ["time_settings", "0", "1", "1"] | ["time_left", "black" | "white", "1", "1"] => {
                self.answer("");
            }
            ["play", colour, mv] => self.play(colour, mv),
            ["genmove", colour] => self.genmove(colour),
            ["quit"] => exit(0),
            _ => self.refuse("unknown command"),
        }
    }

    /// Makes the pass that the protocol omits.
    fn pass_silently(&mut self) {
        if self.line.position().is_legal(PASS) {
            self.line.play(PASS);
        }
    }

    fn play(&mut self, colour: &str, mv: &str) {
        if mv == "pass" {
            assert_ne!(self.mode, "never-heard-of-passes", "it is told a pass");
            if self.mode == "rejects-passes" {
                return self.refuse("syntax error");
            }
        } else if matches!(self.mode, "never-heard-of-passes" | "rejects-passes") {
            self.pass_silently();
        }
        if self.mode == "refuses-moves" && mv != "pass" && self.line.len() >= 14 {
            return self.refuse("illegal move");
        }
        assert_eq!(colour, self.mover(), "whose turn it is");
        let mv = self.line.position().parse_move(mv);
        self.line.play(mv.expect("a legal move"));
        self.answer("");
    }

    fn mover(&self) -> &'static str {
        match self.line.position().side_to_move() {
            Side::First => "black",
            Side::Second => "white",
        }
    }

    fn genmove(&mut self, colour: &str) {
        let position = self.line.position();
        if position.is_legal(PASS) {
            let is_silent = matches!(self.mode, "never-heard-of-passes" | "rejects-passes");
            if colour != self.mover() && is_silent {
                self.pass_silently();
            } else {
                assert_ne!(self.mode, "never-heard-of-passes", "it is asked to pass");
            }
        }
        assert_eq!(colour, self.mover(), "whose turn it is");
        let late = self.line.len() >= 14;
        match self.mode {
            "crash" => exit(3),
            "crash-later" if late => exit(3),
            "hangs" => return,
            "late" if late => sleep(Duration::from_millis(1_400)),
            "slow" if late => sleep(Duration::from_millis(300)),
            "illegal" if late => return self.answer("a0"),
            "elsewhere" if late => return self.answer("d4"),
            "stale" if late => {
                let stale = self.line.moves().rfind(|&mv| mv != PASS);
                let stale = stale.map(Othello::move_text).unwrap_or_default();
                return self.answer(&stale);
            }
            "wrong-colour" if late => return self.answer(&self.other_sides_move()),
            "passes-always" if late => return self.answer("pass"),
            "rubbish" if late => return self.answer("what a position!"),
            "bytes" if late => {
                let _ = io::stdout().write_all(b"=\x00\x01\xfe\xff\x1b[2J\n\n");
                let _ = io::stdout().flush();
                return;
            }
            "no-move" if late => return self.answer(""),
            "cannot" if late => return self.refuse("cannot move"),
            "resigns" if late => return self.answer("RESIGN"),
            _ => {}
        }
        let mv = chosen(&self.line);
        self.line.play(mv);
        let text = Othello::move_text(mv).to_uppercase();
        self.answer(&text);
        if self.mode == "two-answers" {
            self.answer("a1");
        }
    }

    /// A legal move of the other side.
    fn other_sides_move(&self) -> String {
        let position = self.line.position();
        let mut other = *position;
        other.make_null();
        let moves = (0..64).map(Move);
        let mut moves = moves.filter(|&mv| other.is_legal(mv) && !position.is_legal(mv));
        moves
            .next()
            .map_or_else(|| "d4".to_owned(), Othello::move_text)
    }
}
