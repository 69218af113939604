//! Replays a GGF game.

use super::RawGgf;
use super::reader::Property;
use crate::records::{OTHER, play_after_pass};
use crate::{Othello, card};
use leitai_game::card::Rules;
use leitai_game::{Position, Side};
use leitai_interchange::pgn::{Game, Tags, result_text};
use leitai_interchange::{Damage, GameLocation, shown};

/// Properties with their tags. Others keep their name after `GGF`.
pub(crate) const TAGS: [(&str, &str); 14] = [
    ("PC", "Site"),
    ("PB", "Black"),
    ("PW", "White"),
    ("RB", "BlackElo"),
    ("RW", "WhiteElo"),
    ("RE", "Score"),
    ("TI", "TimeControl"),
    ("TB", "BlackTimeControl"),
    ("TW", "WhiteTimeControl"),
    ("TY", "Type"),
    ("KB", "BlackKomi"),
    ("KW", "WhiteKomi"),
    ("KM", "Komi"),
    ("ID", "GameId"),
];

/// Replays a game; `name` is that of the file in messages, `rules` determine the score.
///
/// Times and evaluations of moves are dropped. Passes may be written or left out. The result is
/// that of `RE`, or else that of the board.
///
/// # Errors
/// The game is damaged, not Othello on 8 x 8 squares, an anti game, its board is invalid, or a move
/// is illegal or the other side's.
pub fn read_ggf(raw: &RawGgf, name: &str, rules: Rules) -> Result<Game, Damage> {
    let location = |line: u64| GameLocation {
        name,
        line,
        game: raw.number,
    };
    let damage = |problem: String, help: &str| {
        Err(location(raw.line).damage(None, problem, help.to_owned()))
    };
    if let Some(reason) = raw.damage {
        return damage(
            reason.to_owned(),
            "correct the file: it is unclear which moves belong to the game",
        );
    }
    if let Some(game) = raw.get("GM")
        && !["othello", "reversi"].contains(&game.trim().to_lowercase().as_str())
    {
        let problem = format!("it is a game of `{}`", shown(game));
        return damage(problem, "leitai reads GGF of Othello only");
    }
    let kind = raw.get("TY").unwrap_or_default().trim();
    if kind.trim_start_matches(['s', 'S']).contains(['a', 'A']) {
        let problem = format!(
            "`TY[{}]` is an anti game, where fewer discs win",
            shown(kind)
        );
        return damage(problem, "only the usual game is read");
    }
    let start = match raw.get("BO").map(board).transpose() {
        Ok(start) => start.unwrap_or_else(Othello::initial),
        Err((problem, help)) => return damage(problem, &help),
    };
    let (tags, points) = tags(raw);
    let mut game = Game::new(&start, tags, rules);
    (game.number, game.line) = (raw.number, raw.line);
    let moves: Vec<(Side, &Property)> = raw.properties.iter().filter_map(side_of_move).collect();
    for (index, (side, property)) in moves.iter().enumerate() {
        let location = location(property.line);
        play_after_pass(&mut game, *side, &property.value, moves.len() - index)
            .map_err(|(ply, problem, help)| location.damage(Some(ply), problem, help))?;
    }
    game.points = points;
    if points.is_none() {
        game.adopt_verdict();
    }
    Ok(game)
}

/// The side of a property that is a move.
fn side_of_move(property: &Property) -> Option<(Side, &Property)> {
    match property.name.as_str() {
        "B" | "b" => Some((Side::First, property)),
        "W" | "w" => Some((Side::Second, property)),
        _ => None,
    }
}

/// The position of `BO`: the number of files, the squares, the side to move.
fn board(value: &str) -> Result<Othello, (String, String)> {
    let value = value.trim();
    let digits = value.len()
        - value
            .trim_start_matches(|it: char| it.is_ascii_digit())
            .len();
    let (size, squares) = value.split_at(digits);
    if size != "8" {
        let problem = format!("`BO[{}]` is not a board of 8 x 8 squares", shown(value));
        let help = "it begins with `8`, then 64 squares of `*`, `O`, `-`, then the side to move";
        return Err((problem, help.to_owned()));
    }
    Othello::from_fen(squares).map_err(|error| {
        let help = format!("it is `BO[{}]`", shown(value));
        (
            format!("the board is not a position: {}", error.reason),
            help,
        )
    })
}

/// The tags of a game, and black's half points from `RE`.
fn tags(raw: &RawGgf) -> (Tags, Option<u8>) {
    let mut tags = Tags::of(card());
    tags.push("Game", Othello::NAME);
    let mut points = None;
    for property in &raw.properties {
        let value = property.value.trim();
        let name = property.name.as_str();
        if matches!(name, "GM" | "BO") || side_of_move(property).is_some() {
            continue;
        }
        if name == "DT" {
            let (day, time) = date(value);
            tags.push("Date", day);
            if !time.is_empty() {
                tags.push("Time", time);
            }
            continue;
        }
        if name == "RE" && points.is_none() {
            let (half_points, cause) = result(value);
            points = half_points;
            if let Some(cause) = cause {
                tags.push("Termination", cause);
            }
        }
        match TAGS.iter().find(|(known, _)| *known == name) {
            Some((_, tag)) => tags.push(tag, value),
            None => tags.push(&format!("{OTHER}{name}"), value),
        }
    }
    // `1-0` is a win of the player whose tag comes first.
    let (_, black_is_first) = tags.sides();
    let written = points.map(|points| if black_is_first { points } else { 2 - points });
    tags.push("Result", result_text(written));
    (tags, points)
}

/// `2010.10.17_05:23:05.MDT`: the day, and the rest.
fn date(value: &str) -> (&str, &str) {
    let is_day = |text: &str| {
        let mut parts = text.split('.');
        let all_digits = |part: &str| part.bytes().all(|it| it.is_ascii_digit());
        text.len() == 10 && parts.clone().count() == 3 && parts.all(all_digits)
    };
    match value.split_once(['_', ' ']) {
        Some((day, time)) if is_day(day) => (day, time),
        _ => (value, ""),
    }
}

/// Half points from `+6.00` for black, and the reason for the end from the following letter.
fn result(value: &str) -> (Option<u8>, Option<&'static str>) {
    let (score, flag) = value.split_once(':').unwrap_or((value, ""));
    let points = match score.trim().parse::<f64>() {
        Ok(score) if score > 0.0 => Some(2),
        Ok(score) if score < 0.0 => Some(0),
        Ok(0.0) => Some(1),
        _ => None,
    };
    let cause = match flag.trim() {
        "r" => Some("resignation"),
        "t" => Some("time-forfeit"),
        "s" => Some("agreed score"),
        _ => None,
    };
    (points, cause)
}
