//! The summary as text for a terminal.

use std::fmt::Write as _;

use super::columns::{Room, aligned};
use super::{
    ClockScale, Latency, PairingRow, PlaySummary, PvSummary, Summary, WorkersSummary,
    equal_time_note,
};
use leitai_base::count::count;
use leitai_base::foreign::shown;
use leitai_runs::figures::number::{interval, or_dash, percent, signed};
use leitai_stats::Ranged;
use leitai_stats::normal::Z95;

/// Formats the whole summary: heading, table, head-to-head, causes of games' ends, warnings.
pub fn render(summary: &Summary, room: Room) -> String {
    let mut text = heading(summary);
    let _ = write!(text, "\n\n{}\n", table(summary, Watched::No, room));
    if summary.variants.len() > 2 {
        let _ = writeln!(text, "\n{RATING}");
    }
    if summary.games > 0 {
        let _ = writeln!(text, "\n{}", head_to_head(summary));
        for versus in &summary.pairings {
            let _ = writeln!(text, "  {}", pairing_sentence(versus));
        }
        let _ = write!(text, "\n{}", endings(summary));
        if let Some(line) = information(summary) {
            let _ = write!(text, "\n{line}");
        }
    }
    text += &play_text(&summary.play, "", room);
    for warning in failing_warning(summary).iter().chain(&summary.warnings) {
        let _ = write!(text, "\nwarning: {warning}");
    }
    text.trim_end().to_owned()
}

/// The explanation of the column of ratings.
pub(super) const RATING: &str = "rating: Elo fitted to all results together, mean 0, with its 95 % \
                                 error. The Elo of each score is in the JSON.";

/// The title of the pairings.
pub(super) fn head_to_head(summary: &Summary) -> &'static str {
    if summary.distinct_openings == 1 {
        "Head to head, from this one opening:"
    } else {
        "Head to head:"
    }
}

/// The warning about a variant whose first games all ended by failures.
pub(crate) fn failing_warning(summary: &Summary) -> Option<String> {
    summary.failing.as_ref().map(|name| {
        format!(
            "Leitai stopped: `{name}` failed in all its first games, and the results do not measure \
             its strength"
        )
    })
}

/// Limits by measured speeds.
pub(crate) fn limits(play: &PlaySummary) -> impl Iterator<Item = String> {
    let limits = equal_time_note(&play.equal_time).into_iter();
    limits.chain(play.clocks.iter().map(ClockScale::sentence))
}

/// Limits by measured speeds, move times, workers with a remark on their times, failures and
/// warnings, on separate lines; empty without any.
pub(crate) fn play_text(play: &PlaySummary, remark: &str, room: Room) -> String {
    let mut text = String::new();
    text.extend(limits(play).map(|limit| format!("\n{limit}")));
    if !play.latencies.is_empty() {
        text += "\n\nTime for a move:";
    }
    let latencies = play.latencies.iter().map(Latency::sentence);
    text.extend(latencies.map(|latency| format!("\n  {latency}")));
    if let Some(workers) = &play.workers {
        text += &workers_text(workers, room);
        if workers.by_the_clock {
            text += remark;
        }
    }
    if let Some(failures) = &play.failures {
        let _ = write!(text, "\n\n{}", failures.text());
    }
    text + &pv_warnings_text(&play.pv_warnings)
}

/// Warnings about the players' principal variations, on separate lines; empty without any.
fn pv_warnings_text(warnings: &[PvSummary]) -> String {
    if warnings.is_empty() {
        return String::new();
    }
    let mut text =
        String::from("\n\nLines of play (`[checks]` leaves checks out; the JSON has examples):\n");
    for warning in warnings {
        let _ = writeln!(text, "  {}", warning.sentence());
    }
    text
}

pub(super) fn heading(summary: &Summary) -> String {
    let pairs = summary.pairs_played - summary.duplicate_pairs;
    let openings = summary.distinct_openings as u64;
    let mut text = format!(
        "{}: {} in {}, {}",
        summary.game,
        count(summary.games, "game", "games"),
        count(pairs, "pair", "pairs"),
        count(openings, "opening", "different openings"),
    );
    if let Some(ply) = summary.start_ply {
        let _ = write!(text, " (games begin at {ply})");
    }
    if summary.duplicate_pairs > 0 {
        let duplicates = count(summary.duplicate_pairs, "duplicate pair", "duplicate pairs");
        let _ = write!(text, ", {duplicates} left out");
    }
    if summary.pairs_played < summary.pairs {
        let all = count(summary.pairs, "pair", "pairs");
        let _ = write!(text, "; {} of {all} played", summary.pairs_played);
    }
    text
}

/// Formats the table of the variants of an unfinished run, without a final line break. Its
/// intervals are anytime-valid, so the user may watch the run and stop it at will.
pub fn render_live_table(summary: &Summary, room: Room) -> String {
    table(summary, Watched::Yes, room)
}

/// Distinguishes the live table of an unfinished run from the final one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Watched {
    No,
    Yes,
}

fn table(summary: &Summary, watched: Watched, room: Room) -> String {
    aligned("", &cells(summary, watched), 2, |column| column == 1, room)
}

/// The cells of the table. Two variants are shown with the Elo of their score, which equals that of
/// their ratings; more are shown with ratings, since scores are not comparable if opponents differ.
pub(super) fn cells(summary: &Summary, watched: Watched) -> Vec<Vec<String>> {
    let rated = summary.variants.len() > 2;
    let mut variants = summary.variants.iter();
    let has_margins = variants.any(|row| row.results.margin.is_some());
    let strength = match (rated, watched) {
        (false, Watched::No) => "Elo,95 %,LOS",
        (false, Watched::Yes) => "Elo,95 % at any time,LOS",
        (true, Watched::No) => "rating,±",
        // The error of a rating holds for a fixed number of games only.
        (true, Watched::Yes) => "rating",
    };
    let mut header =
        format!("#,variant,{strength},score,games,W,D,L,draws,pairs LL/LD/level/WD/WW");
    header += if rated { "" } else { ",nElo" };
    header += if has_margins { ",discs,95 %" } else { "" };
    let mut rows = vec![super::columns::header(&header)];
    for (rank, row) in summary.variants.iter().enumerate() {
        let results = &row.results;
        let estimate = &results.estimate;
        let mut cells = vec![(rank + 1).to_string(), shown(&row.name).to_string()];
        if rated {
            cells.push(signed(row.rating.map(|rating| rating.elo)));
            if watched == Watched::No {
                let half = row.rating.and_then(|rating| rating.se).map(|se| Z95 * se);
                cells.push(or_dash(half, |half| format!("{half:.1}")));
            }
        } else {
            let limits = match watched {
                Watched::No => &estimate.elo,
                Watched::Yes => &results.any_time,
            };
            cells.extend([
                signed(estimate.elo.value),
                interval(limits),
                percent(estimate.los_cautious),
            ]);
        }
        cells.extend([
            percent(estimate.score.value),
            estimate.games.to_string(),
            results.wins.to_string(),
            results.draws.to_string(),
            results.losses.to_string(),
            percent(results.draw_rate),
            results.pentanomial.map(|count| count.to_string()).join("/"),
        ]);
        if !rated {
            cells.push(signed(estimate.nelo_full.value));
        }
        if has_margins {
            let discs = results.margin.map(|margin| margin.discs);
            cells.push(signed(discs.and_then(|discs| discs.value)));
            cells.push(or_dash(discs, |discs| interval(&discs)));
        }
        rows.push(cells);
    }
    rows
}

/// Describes a pairing in a sentence; the counts are those of the variant that is ahead.
pub fn pairing_sentence(versus: &PairingRow) -> String {
    let (first, second, results) = (&versus.first, &versus.second, &versus.results);
    let (wins, draws, losses) = (results.wins, results.draws, results.losses);
    if results.estimate.games == 0 {
        return format!("`{first}` and `{second}` have not played");
    }
    if let Some(absent) = &versus.undecided_by {
        return format!(
            "`{first}` and `{second}`: no result, because failures ended all games of \
             `{absent}` (+{wins} ={draws} -{losses})"
        );
    }
    if wins == losses {
        let evidence = interval(&results.estimate.elo);
        return format!(
            "`{first}` and `{second}` are level (95 %: {evidence}; +{wins} ={draws} -{losses})"
        );
    }
    let elo = &results.estimate.elo;
    let [value, low, high] = [elo.value, elo.high, elo.low].map(|it| it.map(|elo| 0.0 - elo));
    let mirrored = Ranged::new(value, low, high);
    let behind = results.estimate.score.value < Some(0.5);
    let (ahead, other, elo, won, lost) = if behind {
        (second, first, mirrored, losses, wins)
    } else {
        (first, second, *elo, wins, losses)
    };
    let evidence = format!("95 %: {}; +{won} ={draws} -{lost}", interval(&elo));
    let amount = elo
        .value
        .map_or_else(String::new, |value| format!(" by {value:.1} Elo"));
    if results.estimate.is_sure() {
        format!("`{ahead}` is stronger than `{other}`{amount} ({evidence})")
    } else {
        format!("`{ahead}` is ahead of `{other}`{amount}, which may be chance ({evidence})")
    }
}

/// Fewest pairs for which the information per pair is shown.
const PAIRS: u64 = 30;

/// Describes the information of the openings, from the pairing of nearly equal variants with the
/// most pairs.
pub(super) fn information(summary: &Summary) -> Option<String> {
    let near = summary.pairings.iter().filter_map(|versus| {
        let information = versus.information?;
        (information.is_near && information.pairs >= PAIRS).then_some((versus, information))
    });
    let (versus, of) = near.max_by_key(|(_, information)| information.pairs)?;
    let error = of
        .draw_rate_of_equals_error
        .map_or_else(String::new, |error| format!(" ± {:.1}", 100.0 * error));
    Some(format!(
        "Openings: information {:.2}e-5 ± {:.2}e-5 per pair and square Elo, {:.1} %{error} draws \
         between equals (standard errors, {} pairs of `{}` and `{}`{}).",
        1e5 * of.per_pair,
        1e5 * of.standard_error,
        100.0 * of.draw_rate_of_equals,
        of.pairs,
        versus.first,
        versus.second,
        if versus.shares_openings {
            ", as if pairs from one opening were independent"
        } else {
            ""
        },
    ))
}

/// The table of workers and its sentences, on separate lines.
fn workers_text(summary: &WorkersSummary, room: Room) -> String {
    let header = summary.header();
    let names = header.iter().map(|name| name.trim_start_matches('#'));
    let mut rows = vec![names.map(str::to_owned).collect()];
    rows.extend(summary.cells());
    let is_text = |column: usize| !header[column].starts_with('#');
    let table = aligned("  ", &rows, 1, is_text, room);
    let mut text = format!("\n\nWorkers:\n{table}\n");
    for sentence in summary.sentences() {
        let _ = writeln!(text, "  {sentence}");
    }
    text
}

pub(super) fn endings(summary: &Summary) -> String {
    let causes = summary.causes.iter();
    let causes: Vec<String> = causes
        .map(|it| format!("{} {}", it.games, it.cause))
        .collect();
    format!(
        "{} score {}, draws {}, {:.0} plies per game. Endings: {}.",
        summary.first_score,
        percent(summary.first_mover_score),
        percent(summary.draw_rate),
        summary.mean_plies.unwrap_or_default(),
        causes.join(", "),
    )
}
