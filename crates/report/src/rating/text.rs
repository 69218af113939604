//! Ratings as text, for a terminal and as Markdown.

use std::fmt::Write as _;

use super::matrices::tables;
use super::{RatingList, RatingRow};
use crate::columns::{Room, aligned};
use crate::interval;
use crate::markdown::{self, Code};
use leitai_base::count::{count, with_sign};
use leitai_base::foreign::shown;
use leitai_runs::figures::number::{or_dash, percent};
use leitai_runs::results::ClusterBy;
use leitai_stats::{FirstMoveBasis, Ranged};

/// Greatest number of one-sided meetings in the text.
const MEETINGS: usize = 10;

/// Formats the ratings for a terminal.
pub fn render_ratings(list: &RatingList, room: Room) -> String {
    let table = |rows: &[Vec<String>]| aligned("", rows, 2, |column| has_names(rows, column), room);
    render(list, "\n", table, str::to_owned)
}

/// Formats the ratings as Markdown.
pub fn render_ratings_markdown(list: &RatingList) -> String {
    let table = |rows: &[Vec<String>]| {
        format!(
            "\n{}",
            markdown::table(rows, |column| has_names(rows, column))
        )
    };
    let format_note = |text: &str| markdown::sentence(text, Code::Tagless);
    render(list, "\n\n", table, format_note)
}

/// Returns whether a column has names of players.
fn has_names(rows: &[Vec<String>], column: usize) -> bool {
    ["name", "against"].contains(&&*rows[0][column])
}

/// Renders the list. `separator` separates the notes below the tables; `format_note` formats each note.
fn render(
    list: &RatingList,
    separator: &str,
    table: impl Fn(&[Vec<String>]) -> String,
    format_note: impl Fn(&str) -> String,
) -> String {
    let mut text = heading(list);
    let several = list.components.iter().filter(|c| c.len() > 1).count() > 1;
    let mut lists: Vec<(String, Vec<&RatingRow>)> = Vec::new();
    let rows = list.ratings.iter();
    if several {
        for number in 0..list.components.len() {
            let own = rows.clone().filter(|row| row.component == number);
            lists.push((format!("Component {}:\n", number + 1), own.collect()));
        }
        lists.retain(|(_, rows)| rows.len() > 1);
        let alone = rows.filter(|row| list.components[row.component].len() < 2);
        lists.push(("In no component:\n".to_owned(), alone.collect()));
        lists.retain(|(_, rows)| !rows.is_empty());
    } else {
        lists.push((String::new(), rows.collect()));
    }
    for (title, rows) in lists {
        let _ = write!(text, "\n\n{title}{}", table(&cells(&rows)));
    }
    for (title, rows) in tables(list) {
        let _ = write!(text, "\n\n{title}\n{}", table(&rows));
    }
    let _ = write!(text, "\n\n{}", format_note(&footing(list)));
    for line in meetings(list) {
        let _ = write!(text, "{separator}{}", format_note(&line));
    }
    for note in &list.notes {
        let label = if note.starts_with("warning: ") {
            ""
        } else {
            "note: "
        };
        let _ = write!(text, "{separator}{label}{}", format_note(note));
    }
    text
}

fn heading(list: &RatingList) -> String {
    let mut text = format!(
        "{}, {}",
        count(list.ratings.len() as u64, "player", "players"),
        count(list.games, "game", "games")
    );
    if list.pairs > 0 {
        let _ = write!(text, ", {}", count(list.pairs, "pair", "pairs"));
        if list.unpaired_games > 0 {
            let single = count(list.unpaired_games, "single game", "single games");
            let _ = write!(text, " and {single}");
        }
    }
    if let Some(openings) = list.openings {
        let openings = count(openings as u64, "opening", "different openings");
        let _ = write!(text, ", {openings}");
    }
    text
}

fn cells(rows: &[&RatingRow]) -> Vec<Vec<String>> {
    let resampled = rows.iter().any(|row| row.bootstrap_se.is_some());
    let mut header = vec![
        "#", "name", "rating", "95 %", "LOS next", "score", "games", "W", "D", "L", "draws", "se",
        "Elo",
    ];
    if resampled {
        header.extend(["bootstrap 95 %", "first"]);
    }
    let mut table = vec![header.into_iter().map(str::to_owned).collect()];
    let count = |count: Option<u64>| or_dash(count, |count| count.to_string());
    for (rank, row) in rows.iter().enumerate() {
        let drawn = row.draws.filter(|_| row.games > 0);
        let drawn = drawn.map(|draws| draws as f64 / row.games as f64);
        let mut cells = vec![
            (rank + 1).to_string(),
            shown(&row.name).to_string(),
            or_dash(row.elo, signed),
            interval(&Ranged::new(row.elo, row.elo_low, row.elo_high)),
            percent(row.los_next),
            percent(row.score),
            row.games.to_string(),
            count(row.wins),
            count(row.draws),
            count(row.losses),
            percent(drawn),
            or_dash(row.se, |se| format!("{se:.1}")),
            or_dash(row.performance, signed),
        ];
        if resampled {
            let range = row.bootstrap_low.zip(row.bootstrap_high);
            cells.push(or_dash(range, |(low, high)| {
                format!("{} .. {}", signed(low), signed(high))
            }));
            cells.push(percent(row.first_probability));
        }
        table.push(cells);
    }
    table
}

fn footing(list: &RatingList) -> String {
    let anchors = list.anchors.iter();
    let anchors = anchors.map(|anchor| format!("`{}` at {}", anchor.name, anchor.elo));
    let scale = match anchors.collect::<Vec<_>>().as_slice() {
        [] => "mean 0".to_owned(),
        [one] => one.clone(),
        several => format!("{} on average", several.join(", ")),
    };
    let [one, many] = match list.cluster {
        ClusterBy::Opening if list.openings.is_some_and(|all| all as u64 == list.clusters) => {
            ["opening", "openings"]
        }
        ClusterBy::Opening => ["cluster of openings", "clusters of openings"],
        ClusterBy::Game => ["single game", "single games"],
        _ if list.pairs == 0 => ["single game", "single games"],
        _ => ["pair", "pairs"],
    };
    let mut text = format!(
        "rating: Elo fitted to all results together, {scale}, errors from {}. \
         Elo: that of the score alone. LOS next: the likelihood that it is stronger than the next.",
        count(list.clusters, one, many)
    );
    let first_move = match (list.first_advantage_basis, list.first_advantage) {
        (FirstMoveBasis::Fixed, Some(0.0)) => " The first move's advantage is left out.".to_owned(),
        (FirstMoveBasis::Fixed, Some(elo)) => {
            format!(" The first move counts {} Elo, as given.", signed(elo))
        }
        (_, Some(elo)) => {
            let range = list.first_advantage_low.zip(list.first_advantage_high);
            let range = range.map_or_else(String::new, |(low, high)| {
                format!(" (95 %: {} .. {})", signed(low), signed(high))
            });
            format!(" The first move is worth {} Elo{range}.", signed(elo))
        }
        (_, None) => String::new(),
    };
    text.push_str(&first_move);
    text
}

fn meetings(list: &RatingList) -> Vec<String> {
    let mut lines: Vec<String> = list
        .one_sided
        .iter()
        .take(MEETINGS)
        .map(|sided| {
            let (above, below, games) = (&sided.above, &sided.below, sided.games);
            let limit = sided.elo_at_least.map_or_else(String::new, |elo| {
                format!(": ahead by at least {} Elo (97.5 %)", signed(elo))
            });
            let games = match games {
                1 => "its only game".to_owned(),
                more => format!("all {more} games"),
            };
            format!("`{above}` won {games} against `{below}`{limit}")
        })
        .collect();
    if let more @ 1.. = list.one_sided.len().saturating_sub(MEETINGS) {
        lines.push(format!(
            "and {more} more such meetings: `--json` has them all"
        ));
    }
    lines
}

fn signed(value: f64) -> String {
    with_sign(value, 1)
}
