//! The stages: their results, and the commands that play them again.

use maud::{Markup, html};

use crate::page::elements::{code, section, sentence, table, text};
use crate::page::number::{grouped, time};
use leitai_runs::figures::tune::{Outcome, StageRow};

/// Renders the section about the stages; `None` without any.
pub(super) fn stages(stages: &[StageRow]) -> Option<Markup> {
    stages.first()?;
    let timed = stages.iter().any(|stage| stage.seconds.is_some());
    let row = |stage: &StageRow| {
        let outcome = html! {
            (badge(stage.outcome)) " " (sentence(&stage.words))
            @if let Some(command) = &stage.command { br; (code(command)) }
        };
        let time = timed.then(|| text(&stage.seconds.map_or("-".to_owned(), time)));
        let cells = [text(&stage.name), outcome, text(&grouped(stage.games))];
        cells.into_iter().chain(time).collect()
    };
    let header = ["Stage", "Outcome", "#Games", "#Time of all games"];
    let header = header.into_iter().take(if timed { 4 } else { 3 });
    let table = table("stages", header, stages.iter().map(row));
    Some(section("Stages", &table))
}

/// The last verdict as a sentence; empty if nothing was decided.
pub(super) fn lead(stages: &[StageRow]) -> Markup {
    let is_decided =
        |stage: &&StageRow| matches!(stage.outcome, Outcome::Accepted | Outcome::Rejected);
    html! {
        @if let Some(stage) = stages.iter().rev().find(is_decided) {
            p.lead { (badge(stage.outcome)) " " (sentence(&stage.words)) }
        }
    }
}

fn badge(outcome: Outcome) -> Markup {
    let (class, words) = match outcome {
        Outcome::Done => ("done", "● done"),
        Outcome::Accepted => ("good", "✓ accepted"),
        Outcome::Rejected => ("bad", "✗ rejected"),
        Outcome::Undecided => ("open", "? undecided"),
        Outcome::Unfinished => ("open", "… unfinished"),
    };
    html! { span.verdict.(class) { (words) } }
}
