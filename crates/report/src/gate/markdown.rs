//! A gate in Markdown, for a comment on a pull request.

use std::fmt::Write as _;

use super::{GateSummary, Outcome};
use crate::gate::text::lines;
use crate::markdown::{Code, code, fenced, sentence};
use crate::summary_markdown::play_markdown;
use leitai_runs::figures::gate::remedy;

/// Data for reproducing the verdict.
#[derive(Clone, Copy, Debug)]
pub struct Reproduction<'a> {
    /// The command.
    pub command: &'a str,
    /// The identity of the run.
    pub run: &'a str,
    /// True if a clock limits play.
    pub timed: bool,
    /// True if external engines play, whose moves Leitai cannot predict.
    pub programs: bool,
    /// True if openings were appended to the book during the run.
    pub grown: bool,
}

/// Verdict, table, warnings, and instructions for reproduction. Ends with a line break.
pub fn markdown(summary: &GateSummary, reproduction: Reproduction<'_>) -> String {
    let state = summary.verdict.map_or("undecided", Outcome::name);
    let mut text = format!("### Gate: {state}\n");
    for candidate in &summary.candidates {
        let mark = match (candidate.passed, candidate.verdict) {
            (Some(true), _) => "✅",
            (Some(false), _) => "❌",
            (None, Some(Outcome::Failed)) => "💥",
            (None, _) => "❔",
        };
        let verdict = sentence(&candidate.sentence, Code::Running);
        let _ = write!(text, "\n{mark} {verdict}\n");
        if let Some(help) = remedy(&summary.test, candidate) {
            let _ = write!(text, "\n*Help:* {help}\n");
        }
    }
    text.push('\n');
    text.push_str(&table(summary));
    text += &play_markdown(&summary.play, Code::Running);
    for warning in &summary.warnings {
        let _ = write!(text, "\n⚠️ {}\n", sentence(warning, Code::Running));
    }
    let games = if reproduction.timed {
        "other games: the clock limited play"
    } else if reproduction.programs {
        "the same openings and limits; the games are the same if each program always answers a \
         position alike"
    } else if summary.play.equal_time.is_empty() {
        "the same games, on any number of threads"
    } else {
        "the same games with this record, which has the nodes of each player, on any number of \
         threads; another record measures the speeds again"
    };
    let grown = if reproduction.grown {
        " Openings were appended to the book during the run: `--grown-from` gives their number and \
         round, so that an empty record gets the same order."
    } else {
        ""
    };
    let _ = write!(
        text,
        "\n<details><summary>How to reproduce</summary>\n\n{}\n\nRun `{}`, leitai {}: \
         {games}.{grown}\n\n</details>\n",
        fenced(reproduction.command),
        reproduction.run,
        env!("CARGO_PKG_VERSION"),
    );
    text
}

/// One column per candidate, one row per figure.
fn table(summary: &GateSummary) -> String {
    let candidates = || summary.candidates.iter();
    let row = |label: &str, cells: Vec<String>| format!("| {label} | {} |\n", cells.join(" | "));
    let names = candidates().map(|it| code(&it.name, Code::InTable));
    let mut text = row("", names.collect());
    text.push_str(&row("---", vec!["---".to_owned(); candidates().len()]));
    let columns: Vec<Vec<(&str, String)>> = candidates().map(lines).collect();
    let labels = columns.first().map_or(&[][..], Vec::as_slice);
    for (number, (label, _)) in labels.iter().enumerate() {
        let cells = columns.iter().map(|column| &column[number].1);
        let cells = cells.map(|cell| sentence(cell, Code::InTable));
        text.push_str(&row(label, cells.collect()));
    }
    text
}
