//! The stages: their results, and the commands that play them again.

use std::fmt::Write as _;

use crate::page::number::{grouped, time};
use crate::page::words::sentence;
use crate::xml::escape;
use leitai_runs::figures::tune::{Outcome, StageRow};

/// Renders the section about the stages; empty without any.
pub(super) fn section(stages: &[StageRow]) -> String {
    if stages.is_empty() {
        return String::new();
    }
    let timed = stages.iter().any(|stage| stage.seconds.is_some());
    let rows: String = stages.iter().map(|stage| row(stage, timed)).collect();
    let time = if timed {
        "<th class=\"number\">Time of all games</th>"
    } else {
        ""
    };
    format!(
        "<section>\n<h2>Stages</h2>\n<div class=\"wide\">\n<table class=\"stages\">\n<thead><tr>\
         <th>Stage</th><th>Outcome</th><th class=\"number\">Games</th>{time}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n</div>\n\
         </section>\n"
    )
}

/// The last verdict as a sentence; empty if nothing was decided.
pub(super) fn lead(stages: &[StageRow]) -> String {
    let is_decided =
        |stage: &&StageRow| matches!(stage.outcome, Outcome::Accepted | Outcome::Rejected);
    let last = stages.iter().rev().find(is_decided);
    last.map_or_else(String::new, |stage| {
        let (badge, words) = (badge(stage.outcome), sentence(&stage.words));
        format!("<p class=\"lead\">{badge} {words}</p>\n")
    })
}

fn badge(outcome: Outcome) -> String {
    let (class, mark, word) = match outcome {
        Outcome::Done => ("done", "●", "done"),
        Outcome::Accepted => ("good", "✓", "accepted"),
        Outcome::Rejected => ("bad", "✗", "rejected"),
        Outcome::Undecided => ("open", "?", "undecided"),
        Outcome::Unfinished => ("open", "…", "unfinished"),
    };
    format!("<span class=\"verdict {class}\">{mark} {word}</span>")
}

fn row(stage: &StageRow, timed: bool) -> String {
    let mut text = format!(
        "<tr><th>{}</th><td>{} {}",
        escape(&stage.name),
        badge(stage.outcome),
        sentence(&stage.words)
    );
    if let Some(command) = &stage.command {
        let _ = write!(text, "<br><code>{}</code>", escape(command));
    }
    let _ = write!(
        text,
        "</td><td class=\"number\">{}</td>",
        grouped(stage.games)
    );
    if timed {
        let time = stage.seconds.map_or("-".to_owned(), time);
        let _ = write!(text, "<td class=\"number\">{time}</td>");
    }
    text.push_str("</tr>\n");
    text
}
