//! A gate as text for a terminal.

use std::fmt::Write as _;

use super::{Candidate, GateSummary, Outcome};
use crate::columns::Room;
use crate::terminal::play_text;
use leitai_base::count::count;
use leitai_runs::figures::gate::{remedy, unbiased};
use leitai_runs::figures::number::{interval, percent, signed};
use leitai_stats::Ranged;

/// The verdict, then its evidence, candidate by candidate.
pub fn render_gate(summary: &GateSummary, room: Room) -> String {
    let state = summary.verdict.map_or("undecided", Outcome::name);
    let mut text = format!("{}: {state}\n", summary.game);
    for candidate in &summary.candidates {
        text.push('\n');
        text.push_str(&render(summary, candidate));
    }
    text.truncate(text.trim_end().len());
    text += &play_text(
        &summary.play,
        "  The test treats pairs of all workers as independent: its verdict holds for these \
         workers.\n",
        room,
    );
    text.truncate(text.trim_end().len());
    for (number, warning) in summary.warnings.iter().enumerate() {
        let between = if number == 0 { "\n\n" } else { "\n" };
        let _ = write!(text, "{between}warning: {warning}");
    }
    text
}

fn render(summary: &GateSummary, candidate: &Candidate) -> String {
    let mut text = format!("{}\n", candidate.sentence);
    if let Some(help) = remedy(&summary.test, candidate) {
        let _ = writeln!(text, "  help: {help}");
    }
    if candidate.pairs == 0 {
        return text;
    }
    for (label, value) in lines(candidate) {
        let _ = writeln!(text, "  {label:<14}{value}");
    }
    text
}

/// The start positions of its pairs.
fn openings(candidate: &Candidate) -> String {
    let (book, all) = (candidate.book_openings, candidate.distinct_openings);
    let mut text = match all.saturating_sub(book) {
        0 => format!("{all} different"),
        more => format!("{book} from the book, {more} replacements in later laps"),
    };
    if let duplicates @ 1.. = candidate.duplicate_pairs {
        let duplicates = count(duplicates, "duplicate pair", "duplicate pairs");
        let _ = write!(text, ", {duplicates} left out");
    }
    if let Some(start) = candidate.start_ply {
        let _ = write!(text, "; games begin at {start}");
    }
    text
}

/// The evidence for a candidate's verdict, as labels and values. After a stop there is one estimate, the one without
/// the bias of the stopping rule if there is one; before, those for a fixed length and for any time. The JSON has all.
pub(crate) fn lines(candidate: &Candidate) -> Vec<(&'static str, String)> {
    let results = &candidate.results;
    let estimate = &results.estimate;
    let biased = if candidate.verdict.is_some() {
        "biased after stopping"
    } else {
        "for a match of fixed length"
    };
    let ranged = |range: &Ranged, label: &str| {
        let value = signed(range.value);
        format!("{value} (95 %: {}), {label}", interval(range))
    };
    let pairs = count(candidate.pairs, "pair", "pairs");
    let [ll, ld, level, wd, ww] = results.pentanomial;
    let by_outcome = format!("LL {ll}, LD {ld}, level {level}, WD {wd}, WW {ww}");
    let games = format!(
        "{}: {} won, {} drawn, {} lost",
        estimate.games, results.wins, results.draws, results.losses
    );
    let mut lines = vec![("games", games), ("pairs", by_outcome)];
    if let Some(after) = &candidate.after_stop {
        let note = after.note.map_or("", |_| ", roughly");
        let text = ranged(&unbiased(after), &format!("median-unbiased{note}"));
        lines.push(("Elo", text));
    } else {
        let (nelo, los) = (
            signed(estimate.nelo_full.value),
            percent(estimate.los_cautious),
        );
        lines.push(("Elo", ranged(&estimate.elo, biased)));
        lines.push(("nElo, LOS", format!("{nelo}, {los}, {biased}")));
        let any_time = format!("95 %: {}", interval(&results.any_time));
        lines.push(("Elo, any time", any_time));
    }
    let margin = results.margin.iter();
    lines.extend(margin.map(|margin| ("discs", ranged(&margin.discs, biased))));
    let variance = candidate.pair_variance_ratio.iter();
    lines.extend(variance.map(|ratio| {
        let text = format!("{ratio:.2} of that of independent games");
        ("pair variance", text)
    }));
    lines.push(("openings", openings(candidate)));
    if let alike @ 1.. = results.alike_pairs {
        lines.push(("identical", format!("{alike} of {pairs}")));
    }
    if candidate.unrelated_pairs < candidate.pairs {
        let text = format!("{} of {pairs}", candidate.unrelated_pairs);
        lines.push(("unrelated", text));
    }
    lines
}
