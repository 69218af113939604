//! A gate in Markdown, fit for a comment on a pull request.

use std::fmt::Write as _;

use super::words::help;
use super::{Candidate, GateSummary, Outcome};
use crate::report::FailureSummary;
use crate::report::gate::text::lines;

/// How somebody else gets the same verdict.
#[derive(Clone, Copy, Debug)]
pub struct Reproduction<'a> {
    /// The command.
    pub command: &'a str,
    /// The run's identity.
    pub run: &'a str,
    /// Whether the games come out the same.
    pub reproducible: bool,
    /// Whether openings were appended to the book on the way.
    pub grown: bool,
}

/// Verdict, table, warnings, how to reproduce it. Ends with a line break.
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
        let _ = write!(text, "\n{mark} {}\n", prose(&candidate.sentence));
        if let Some(help) = help(&summary.test, candidate) {
            let _ = write!(text, "\n*Help:* {help}\n");
        }
    }
    text.push('\n');
    text.push_str(&table(summary));
    for scale in &summary.clocks {
        let _ = write!(text, "\n{}\n", prose(&scale.sentence()));
    }
    for sentence in summary.failures.iter().flat_map(FailureSummary::sentences) {
        let _ = write!(text, "\n⚠️ {}\n", prose(&sentence));
    }
    for warning in &summary.warnings {
        let _ = write!(text, "\n⚠️ {}\n", prose(warning));
    }
    let games = if reproduction.reproducible {
        "the same games, on any number of threads"
    } else {
        "other games: the clock limited play"
    };
    let grown = if reproduction.grown {
        " Openings were appended to the book on the way: `--grown-from` says to how many, and after \
         which round, so that they are played in the same order into an empty record."
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
    let candidates: Vec<&Candidate> = summary.candidates.iter().collect();
    let row = |label: &str, cells: Vec<String>| format!("| {label} | {} |\n", cells.join(" | "));
    let names = candidates.iter().map(|c| cell(&code(&c.name))).collect();
    let mut text = row("", names);
    text.push_str(&row("---", vec!["---".to_owned(); candidates.len()]));
    let columns: Vec<Vec<(&str, String)>> = candidates.into_iter().map(lines).collect();
    let labels = columns.first().map_or(&[][..], Vec::as_slice);
    for (number, (label, _)) in labels.iter().enumerate() {
        let cells = columns.iter().map(|column| cell(&column[number].1));
        text.push_str(&row(label, cells.collect()));
    }
    text
}

/// A name as code, whatever is in it.
fn code(name: &str) -> String {
    let name = one_line(name);
    let fence = "`".repeat(longest_run(&name) + 1);
    let space = if name.starts_with('`') || name.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{fence}{space}{name}{space}{fence}")
}

/// A sentence, in which names stand between backticks already: nothing between
/// them needs to be escaped.
fn prose(text: &str) -> String {
    let mut code = true;
    let text = one_line(text);
    let pieces = text.split('`').map(|piece| {
        code = !code;
        if code {
            piece.to_owned()
        } else {
            piece.replace('<', "&lt;")
        }
    });
    pieces.collect::<Vec<_>>().join("`")
}

/// What stands in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

fn longest_run(text: &str) -> usize {
    let runs = text.split(|c| c != '`').map(str::len);
    runs.max().unwrap_or_default()
}

/// Text as a block of code, whatever is in it.
fn fenced(text: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    format!("{fence}\n{text}\n{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_code() {
        assert_eq!(code("new"), "`new`");
        assert_eq!(prose("`<a>` is < b\n"), "`<a>` is &lt; b ");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`a"), "`` `a ``");
        assert_eq!(cell(&code("a|b\nc")), "`a\\|b c`");
        assert_eq!(fenced("x ``` y"), "````\nx ``` y\n````");
    }
}
