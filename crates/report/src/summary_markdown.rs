//! The summary of a run as Markdown, for a comment or a forum.

use std::fmt::Write as _;

use crate::markdown::{Code, fenced, sentence, table};
use crate::terminal::{
    RATING, Watched, cells, endings, failing_warning, head_to_head, heading, information, limits,
    pairing_sentence,
};
use crate::{FailureSummary, Latency, PlaySummary, Summary};

/// Formats the whole summary: heading, table, head-to-head, causes of games' ends, warnings.
pub fn render_markdown(summary: &Summary) -> String {
    let line = |text: &str| sentence(text, Code::Tagless);
    let table = table(&cells(summary, Watched::No), |column| column == 1);
    let mut text = format!("{}\n\n{table}\n", line(&heading(summary)));
    if summary.variants.len() > 2 {
        let _ = writeln!(text, "\n{RATING}");
    }
    if summary.games > 0 {
        let _ = writeln!(text, "\n{}\n", head_to_head(summary));
        for versus in &summary.pairings {
            let _ = writeln!(text, "- {}", line(&pairing_sentence(versus)));
        }
        let _ = writeln!(text, "\n{}", line(&endings(summary)));
        if let Some(openings) = information(summary) {
            let _ = writeln!(text, "\n{}", line(&openings));
        }
    }
    text += &play_markdown(&summary.play, Code::Tagless);
    for warning in failing_warning(summary).iter().chain(&summary.warnings) {
        let _ = write!(text, "\n⚠️ {}\n", line(warning));
    }
    text
}

/// Limits by measured speeds, move times, failures and warnings, as paragraphs.
pub(crate) fn play_markdown(play: &PlaySummary, place: Code) -> String {
    let mut text = String::new();
    for remark in limits(play).chain(play.latencies.iter().map(Latency::sentence)) {
        let _ = write!(text, "\n{}\n", sentence(&remark, place));
    }
    for failure in play.failures.iter().flat_map(FailureSummary::sentences) {
        let _ = write!(text, "\n⚠️ {}\n", sentence(&failure, place));
    }
    for warning in &play.pv_warnings {
        let example = fenced(&warning.example().join("\n"));
        let warning = sentence(&warning.sentence(), place);
        let _ = write!(text, "\n⚠️ {warning}\n\n{example}\n");
    }
    text
}
