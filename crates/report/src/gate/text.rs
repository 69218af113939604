//! A gate as text for a terminal.

use std::fmt::Write as _;

use super::{Candidate, GateSummary, Outcome};
use crate::terminal::play_text;
use leitai_base::count::count;
use leitai_runs::figures::gate::{remedy, unbiased};
use leitai_runs::figures::number::{interval, or_dash, percent, signed};
use leitai_stats::Ranged;

/// The verdict, then its evidence, candidate by candidate.
pub fn render_gate(summary: &GateSummary) -> String {
    let state = summary.verdict.map_or("undecided", Outcome::name);
    let mut text = format!("{}: {state}\n", summary.game);
    for candidate in &summary.candidates {
        text.push('\n');
        text.push_str(&render(summary, candidate));
    }
    text += &play_text(
        &summary.play,
        "  The test treats pairs of all workers as independent: its verdict holds for these \
         workers.\n",
    );
    for warning in &summary.warnings {
        let _ = write!(text, "\nwarning: {warning}");
    }
    text.trim_end().to_owned()
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
    let different = match all.saturating_sub(book) {
        0 => format!("{all} different"),
        more => format!("{book} from the book, {more} replacements in later laps"),
    };
    let start = candidate.start_ply;
    let start = start.map_or_else(String::new, |ply| format!("; games begin at {ply}"));
    format!(
        "{different}, {} left out{start}",
        count(
            candidate.duplicate_pairs,
            "duplicate pair",
            "duplicate pairs"
        )
    )
}

/// The evidence for a candidate's verdict, as labels and values.
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
    let (nelo, los) = (
        signed(estimate.nelo_full.value),
        percent(estimate.los_cautious),
    );
    let mut lines = vec![
        ("games", games),
        ("pairs", by_outcome),
        ("Elo", ranged(&estimate.elo, biased)),
        ("nElo, LOS", format!("{nelo}, {los}, {biased}")),
    ];
    let margin = results.margin.iter();
    lines.extend(margin.map(|margin| ("discs", ranged(&margin.discs, biased))));
    lines.extend(candidate.after_stop.iter().map(|after| {
        let note = after.note.map_or("", |_| ", roughly");
        (
            "Elo",
            ranged(&unbiased(after), &format!("median-unbiased{note}")),
        )
    }));
    let variance = or_dash(candidate.pair_variance_ratio, |ratio| {
        format!("{ratio:.2} of that of independent games")
    });
    let any_time = format!("95 %: {}", interval(&results.any_time));
    lines.extend([
        ("Elo, any time", any_time),
        ("pair variance", variance),
        ("openings", openings(candidate)),
        ("identical", format!("{} of {pairs}", results.alike_pairs)),
        (
            "unrelated",
            format!("{} of {pairs}", candidate.unrelated_pairs),
        ),
    ]);
    lines
}
