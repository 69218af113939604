//! Ratings as CSV.

use super::{MeetingRow, RatingList, RatingRow};
use crate::csv::{Column, or_empty, own, table, words};

const COLUMNS: &[Column<RatingRow>] = &[
    ("player", |row| words(&row.name)),
    ("elo", |row| or_empty(rounded(row.elo))),
    ("se", |row| or_empty(rounded(row.se))),
    ("elo_low", |row| or_empty(rounded(row.elo_low))),
    ("elo_high", |row| or_empty(rounded(row.elo_high))),
    ("games", |row| own(row.games)),
    ("score", |row| {
        or_empty(row.score.map(|score| format!("{score:.4}")))
    }),
    ("wins", |row| or_empty(row.wins)),
    ("draws", |row| or_empty(row.draws)),
    ("losses", |row| or_empty(row.losses)),
    ("los_next", |row| {
        or_empty(row.los_next.map(|los| format!("{los:.4}")))
    }),
    ("component", |row| own(row.component)),
    ("note", |row| words(row.note.as_deref().unwrap_or_default())),
];

const MEETING_COLUMNS: &[Column<MeetingRow>] = &[
    ("player", |row| words(&row.name)),
    ("against", |row| words(&row.against)),
    ("games", |row| own(row.games)),
    ("wins", |row| or_empty(row.wins)),
    ("draws", |row| or_empty(row.draws)),
    ("losses", |row| or_empty(row.losses)),
    ("score", |row| own(format_args!("{:.4}", row.score))),
    ("difference", |row| or_empty(rounded(row.difference))),
    ("difference_low", |row| {
        or_empty(rounded(row.difference_low))
    }),
    ("difference_high", |row| {
        or_empty(rounded(row.difference_high))
    }),
    ("los", |row| {
        or_empty(row.los.map(|los| format!("{los:.4}")))
    }),
];

/// Writes a line for each player and opponent, in the order of the list.
pub fn meetings_csv(list: &RatingList) -> String {
    table(MEETING_COLUMNS, list.head_to_head.iter().cloned())
}

/// Writes a line for each player, in the order of the list. A missing value is an empty cell.
pub fn ratings_csv(list: &RatingList) -> String {
    table(COLUMNS, list.ratings.iter().cloned())
}

fn rounded(elo: Option<f64>) -> Option<String> {
    // Adding 0 removes the sign of a negative zero.
    elo.map(|elo| format!("{:.2}", (100.0 * elo).round() / 100.0 + 0.0))
}
