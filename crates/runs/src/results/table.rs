//! Tables of counts: comma-separated values with a header.
//!
//! The columns may be in any order and either case: `first` and `second`, the players; then either
//! `wins`, `draws`, `losses`, single games in which `first` always had the first move; or `ll`,
//! `ld`, `mid`, `wd`, `ww`, pairs of games from the same opening with colours swapped: both lost, a
//! loss and a draw, level (two draws, or a win and a loss), a win and a draw, both won. All counts
//! are from the point of view of `first`. Other columns are ignored with a note.
//!
//! Fields may be quoted (`"A, the first"`, `""` for a quote within); blank lines are ignored.

use super::{ReadError, Result, Results};
use leitai_interchange::{Lines, TextError, shown};
use leitai_stats::{MAX_COUNT, Pentanomial, Trinomial};

const PLAYERS: [&str; 2] = ["first", "second"];
const GAMES: [&str; 3] = ["losses", "draws", "wins"];
const PAIRS: [&str; 5] = ["ll", "ld", "mid", "wd", "ww"];

const HELP: &str = "the header names the columns `first,second,wins,draws,losses`, or \
                    `first,second,ll,ld,mid,wd,ww` for pairs";

/// Indices of the columns.
struct Header {
    columns: usize,
    players: [usize; 2],
    /// The columns of [`GAMES`] or of [`PAIRS`].
    counts: Vec<usize>,
}

/// The problem of a line, and its remedy.
type LineProblem = (String, String);

fn problem_with(problem: impl Into<String>, help: impl Into<String>) -> LineProblem {
    (problem.into(), help.into())
}

/// Returns whether a file with this first line is a table: the line names both players.
pub fn is_table(line: &str) -> bool {
    let names = line.split(',');
    let names: Vec<String> = names
        .map(|name| name.trim().trim_matches('"').to_lowercase())
        .collect();
    PLAYERS
        .iter()
        .all(|player| names.iter().any(|name| name == player))
}

/// Adds the results of a table.
///
/// # Errors
/// Reading fails, or a line is invalid.
pub fn read_table(mut lines: Lines<'_>, results: &mut Results) -> Result<()> {
    let name = &lines.name().to_owned();
    let mut header = None;
    let mut rows = 0_u64;
    while let Some((number, line)) = lines.next_line()? {
        let at = |(problem, help): LineProblem| ReadError::Line {
            name: name.into(),
            line: number,
            problem: problem.into(),
            text: shown(&line).into(),
            help: help.into(),
        };
        let cells = fields(&line).map_err(at)?;
        if cells.iter().all(String::is_empty) {
            continue;
        }
        match &header {
            None => {
                let (found, ignored) = Header::read(&cells).map_err(at)?;
                if !ignored.is_empty() {
                    let ignored = ignored.join("`, `");
                    let note = format!("{name}: columns passed over: `{ignored}`");
                    results.notes.push(note);
                }
                header = Some(found);
            }
            Some(header) => {
                header.row(&cells, results).map_err(at)?;
                rows += 1;
            }
        }
    }
    results.notes.extend(lines.notes());
    if rows == 0 {
        let help = format!("{HELP}; each line below it is a meeting of two players");
        return Err(TextError::file(name, "there are no results in it", help).into());
    }
    results.end_file(name);
    Ok(())
}

impl Header {
    /// Parses the header. Also returns the columns that are ignored.
    fn read(cells: &[String]) -> Result<(Self, Vec<String>), LineProblem> {
        let known = || PLAYERS.iter().chain(&GAMES).chain(&PAIRS);
        let names: Vec<String> = cells.iter().map(|cell| cell.to_lowercase()).collect();
        for name in known() {
            if names.iter().filter(|other| other == name).count() > 1 {
                let problem = format!("duplicate column `{name}`");
                return Err(problem_with(problem, "remove one of them"));
            }
        }
        let find = |name: &str| names.iter().position(|other| other == name);
        let need = |name: &str| {
            find(name).ok_or_else(|| {
                let help = match cells {
                    [only] if only.contains([';', '\t']) => "separate the columns with commas",
                    _ => HELP,
                };
                problem_with(format!("there is no column `{name}`"), help)
            })
        };
        let players = [need(PLAYERS[0])?, need(PLAYERS[1])?];
        let some_of = |columns: &[&str]| columns.iter().any(|name| find(name).is_some());
        let counts = match (some_of(&GAMES), some_of(&PAIRS)) {
            (true, true) => {
                let problem = "there are columns of games and of pairs";
                let help = "put games and pairs into a file each: several files are merged";
                return Err(problem_with(problem, help));
            }
            (_, false) => &GAMES[..],
            (_, true) => &PAIRS[..],
        };
        let counts = counts.iter().map(|name| need(name));
        let counts = counts.collect::<Result<_, _>>()?;
        let ignored = cells.iter().zip(&names);
        let ignored = ignored.filter(|(_, name)| !known().any(|known| known == name));
        let header = Self {
            columns: cells.len(),
            players,
            counts,
        };
        Ok((header, ignored.map(|(cell, _)| cell.clone()).collect()))
    }

    fn row(&self, cells: &[String], results: &mut Results) -> Result<(), LineProblem> {
        if cells.len() != self.columns {
            let (here, there) = (cells.len(), self.columns);
            return Err(problem_with(
                format!("expected {there} fields as in the header, found {here}"),
                "write one field per column; quote names that contain a comma",
            ));
        }
        let [first, second] = self.players.map(|at| cells[at].as_str());
        if first.is_empty() || second.is_empty() {
            return Err(problem_with("a player has no name", "name both players"));
        }
        if first == second {
            let problem = format!("`{first}` meets itself");
            return Err(problem_with(
                problem,
                "a line is about two different players",
            ));
        }
        let count = |at: usize| {
            let cell = &cells[at];
            let count = cell.parse::<u64>().ok().filter(|it| *it <= MAX_COUNT);
            count.ok_or_else(|| {
                problem_with(
                    format!("`{}` is not a count", shown(cell)),
                    "a whole number from 0 to 10^15, such as 12",
                )
            })
        };
        let [first, second] = [first, second].map(|name| results.players.number(name));
        let counts = self.counts.iter().map(|&place| count(place));
        let counts = counts.collect::<Result<Vec<u64>, LineProblem>>()?;
        match counts[..] {
            [losses, draws, wins] => {
                let counts = Trinomial {
                    losses,
                    draws,
                    wins,
                };
                results.add_counted(first, second, counts);
            }
            [ll, ld, mid, wd, ww] => {
                results.add_totals(first, second, Pentanomial([ll, ld, mid, wd, ww]));
            }
            _ => {}
        }
        Ok(())
    }
}

/// Splits a line into its fields, trimmed.
fn fields(line: &str) -> Result<Vec<String>, LineProblem> {
    let mut fields = Vec::new();
    let mut rest = line.trim();
    loop {
        let (field, after) = if let Some(quoted) = rest.strip_prefix('"') {
            quoted_field(quoted)?
        } else {
            let end = rest.find(',').unwrap_or(rest.len());
            (rest[..end].trim_end().to_owned(), &rest[end..])
        };
        fields.push(field);
        match after.trim_start().strip_prefix(',') {
            Some(next) => rest = next.trim_start(),
            None if after.trim().is_empty() => return Ok(fields),
            None => {
                let problem = format!("`{}` follows a closing quote", shown(after));
                let help = "quote the whole field, and write a quote within it twice";
                return Err(problem_with(problem, help));
            }
        }
    }
}

/// Parses a field up to its closing quote. Also returns the rest of the line.
fn quoted_field(text: &str) -> Result<(String, &str), LineProblem> {
    let mut field = String::new();
    let mut rest = text;
    while let Some(end) = rest.find('"') {
        field.push_str(&rest[..end]);
        rest = &rest[end + 1..];
        let Some(after) = rest.strip_prefix('"') else {
            return Ok((field.trim().to_owned(), rest));
        };
        field.push('"');
        rest = after;
    }
    Err(problem_with(
        "a quote is not closed",
        "close the field with `\"`",
    ))
}
