//! The doctor's findings as text.

use std::fmt::Write as _;

use leitai_players::doctor::{Examination, Kind, Status};

/// Marks for the result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckMarks {
    /// A tick, an exclamation mark, a cross: for a terminal.
    Signs,
    /// Plain ASCII words, for files and other programs.
    Words,
}

impl CheckMarks {
    fn of(self, status: Status) -> &'static str {
        match (self, status) {
            (CheckMarks::Signs, Status::Ok) => "\u{2713}",
            (CheckMarks::Signs, Status::Warning) => "!",
            (CheckMarks::Signs, Status::Failure) => "\u{2717}",
            (CheckMarks::Words, Status::Ok) => "ok  ",
            (CheckMarks::Words, Status::Warning) => "warn",
            (CheckMarks::Words, Status::Failure) => "FAIL",
        }
    }
}

/// One player: its checks, each with its remedy, and the verdict.
pub fn render_player(player: &Examination, marks: CheckMarks) -> String {
    let mut text = match (&player.command, player.kind) {
        (Some(command), _) => format!("{}: the program `{command}`\n", player.variant),
        (None, Kind::Program) => format!("{}: a program\n", player.variant),
        (None, Kind::Player) => format!("{}: a player of its own kind\n", player.variant),
        (None, Kind::Search) => format!("{}: a search of leitai's\n", player.variant),
    };
    let indent = marks.of(Status::Ok).chars().count() + 14;
    for check in &player.checks {
        let mark = marks.of(check.status);
        let _ = writeln!(text, "  {mark} {:<11}{}", check.id, check.text);
        if let Some(help) = &check.help {
            let _ = writeln!(text, "{:indent$}help: {help}", "");
        }
    }
    text + &player.sentence + "\n"
}
