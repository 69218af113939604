//! Lines with a position and the result of its game.

use std::borrow::Cow;

use leitai_base::foreign::excerpt;
use leitai_game::Side;
use leitai_game::card::{AnyPosition, GameCard};
use leitai_interchange::epd::parse_epd;

/// Maximum number of characters quoted from a line in a message.
const SHOWN: usize = 40;

/// The form of a file's lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineForm {
    /// EPD or FEN with `c9 "1-0"`, `c2 "1-0"` or `[1.0]`, or `fen | score | 1.0`.
    Marked,
    /// Cells between commas.
    Cells {
        /// The place of the position.
        position: usize,
        /// The place of the result.
        result: usize,
        /// True if the result is the mover's in half points.
        of_mover: bool,
    },
}

/// A position with the half points of the side that usually moves first: 0 to 2.
pub(super) type Labelled = (Box<dyn AnyPosition>, u8);

impl LineForm {
    /// The form of a file with this first line, and true if the line is a header.
    ///
    /// # Errors
    /// The columns are unknown.
    pub(super) fn of(first: &str) -> Result<(Self, bool), String> {
        let cells = cells(first);
        if marked(first).is_some() || cells.len() < 2 {
            return Ok((Self::Marked, false));
        }
        let place = |name: &str| {
            cells
                .iter()
                .position(|cell| cell.eq_ignore_ascii_case(name))
        };
        let columns = |position, result, of_mover| Self::Cells {
            position,
            result,
            of_mover,
        };
        if let Some(position) = place("fen") {
            return match (place("result"), place("half_points")) {
                (Some(result), _) => Ok((columns(position, result, false), true)),
                (None, Some(points)) => Ok((columns(position, points, true), true)),
                (None, None) => {
                    Err("the header has a column `fen` but no column `result`".to_owned())
                }
            };
        }
        match cells[..] {
            [_, ref second] if half_points(second).is_some() => Ok((columns(0, 1, false), false)),
            [ref first, _] if half_points(first).is_some() => Ok((columns(1, 0, false), false)),
            _ => Err(
                "the columns have no names: begin the file with a line such as `fen,result`"
                    .to_owned(),
            ),
        }
    }

    /// The form of the lines behind a header; `None` if the line is no header.
    pub(super) fn of_header(line: &str) -> Option<Self> {
        let (form, is_header) = Self::of(line).ok()?;
        is_header.then_some(form)
    }

    /// Reads a line.
    ///
    /// # Errors
    /// The reason why the line is unreadable, as a lowercase fragment.
    pub(super) fn read(self, line: &str, card: &dyn GameCard) -> Result<Labelled, String> {
        let (text, result, of_mover) = match self {
            Self::Marked => {
                let (text, result) = marked(line).map_or((line, None), |(text, result)| {
                    (text, Some(Cow::Borrowed(result)))
                });
                (Cow::Borrowed(text), result, false)
            }
            Self::Cells {
                position,
                result,
                of_mover,
            } => {
                let mut cells = cells(line);
                let missing = || format!("no column {}", 1 + position.max(result));
                let result = cells.get(result).cloned().ok_or_else(missing)?;
                let text = cells.get_mut(position).map(std::mem::take);
                (text.ok_or_else(missing)?, Some(result), of_mover)
            }
        };
        let epd = parse_epd(&text, card.facts())?;
        let operation = || {
            let mut marks = epd.operations.iter();
            let mark = marks.find(|it| matches!(&*it.name, "c9" | "c2"))?;
            Some(Cow::Borrowed(*mark.operands().first()?))
        };
        let result = result.or_else(operation).ok_or(
            "no result: neither `c9 \"1-0\"` nor `c2 \"1-0\"` nor `[1.0]` nor `| 1.0` at the end",
        )?;
        let no_result = || format!("`{}` is no result", excerpt(&result, SHOWN));
        let position = epd.line(card)?.position().boxed();
        if of_mover {
            let own = result.parse().ok().filter(|own| *own <= 2);
            let own: u8 = own.ok_or_else(no_result)?;
            let is_first = position.side_to_move() == Side::First;
            return Ok((position, if is_first { own } else { 2 - own }));
        }
        let half_points = half_points(&result).ok_or_else(no_result)?;
        Ok((position, half_points))
    }
}

/// The position and the result of a line with fields separated by `|`, or with a result in
/// brackets. Ignores these characters inside EPD operands.
fn marked(line: &str) -> Option<(&str, &str)> {
    let at = line
        .find(['|', '[', '"'])
        .filter(|&at| line.as_bytes()[at] != b'"')?;
    let (position, rest) = line.split_at(at);
    let result = match rest.split_once(']') {
        Some((result, _)) if rest.starts_with('[') => &result[1..],
        _ if rest.starts_with('[') => return None,
        _ => rest.rsplit('|').next()?,
    };
    Some((position, result.trim()))
}

/// The half points of the side that usually moves first.
fn half_points(word: &str) -> Option<u8> {
    match word.trim() {
        "1-0" => return Some(2),
        "0-1" => return Some(0),
        "1/2-1/2" | "1/2" => return Some(1),
        _ => {}
    }
    let (whole, fraction) = word.trim().split_once('.').unwrap_or((word.trim(), "0"));
    match (whole, fraction.trim_end_matches('0')) {
        _ if fraction.is_empty() => None,
        ("1", "") => Some(2),
        ("0", "5") => Some(1),
        ("0", "") => Some(0),
        _ => None,
    }
}

/// The cells of a line of CSV (RFC 4180), without their quotes.
fn cells(line: &str) -> Vec<Cow<'_, str>> {
    let mut is_within = false;
    let cells = line.split(|letter| {
        is_within ^= letter == '"';
        letter == ',' && !is_within
    });
    let bare = |cell: &str| {
        let quoted = cell.strip_prefix('"')?.strip_suffix('"')?;
        Some(quoted.replace("\"\"", "\""))
    };
    cells
        .map(str::trim)
        .map(|cell| bare(cell).map_or(Cow::Borrowed(cell), Cow::Owned))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "8/5k2/8/8/8/8/4PK2/8";

    /// The half points of a file of one line, or the error.
    fn read(head: Option<&str>, line: &str) -> Result<u8, String> {
        let card = leitai_chess::card();
        let (form, is_head) = LineForm::of(head.unwrap_or(line))?;
        assert_eq!(is_head, head.is_some(), "{line}");
        form.read(line, card).map(|(position, points)| {
            assert!(position.to_fen().starts_with(BOARD), "{line}");
            points
        })
    }

    #[test]
    fn every_form_is_read() {
        for (line, points) in [
            ("B w - - c9 \"1-0\";", 2),
            ("B b - - bm Kf6; c9 \"0-1\"; id \"a, b\";", 0),
            ("B w - - c2 \"1/2-1/2\"; hmvc 4;", 1),
            ("B w - - c9 \"0.5\"", 1),
            ("B w - - 3 40 [0.5]", 1),
            ("B w - - c0 \"a | b [0-1], c\"; c9 \"1-0\";", 2),
            ("B b - - 3 40 [1.0] 35", 2),
            ("B w - - [0-1]", 0),
            ("B b - - 0 1 | -350 | 0.0", 0),
            ("B w - - 0 1|12|1.0", 2),
            ("B w - - 0 1 | 1-0", 2),
            ("B w - - 0 1,1-0", 2),
            ("0.5,B w - - 0 1", 1),
            ("\"B w - - 0 1\",\"0\"", 0),
        ] {
            let line = line.replace('B', BOARD);
            assert_eq!(read(None, &line), Ok(points), "{line}");
        }
        for (head, line, points) in [
            ("FEN,Result", "B w - - 0 1,1-0", 2),
            ("id,result,score,fen", "7,0.5,1,B b - - 0 1", 1),
            ("pair,fen,half_points", "0,B b - - 0 1,2", 0),
            ("pair,fen,half_points", "0,B w - - 0 1,2", 2),
            ("half_points,fen", "1,B b - - 0 1", 1),
        ] {
            let line = line.replace('B', BOARD);
            assert_eq!(read(Some(head), &line), Ok(points), "{line}");
        }
    }

    #[test]
    fn bad_lines_have_causes() {
        for (head, line, cause) in [
            (None, "B w - -", "no result"),
            (None, "B w - - id \"x\";", "no result"),
            (None, "B w - - c9 \"won\";", "`won` is no result"),
            (None, "B w - - [2.0]", "`2.0` is no result"),
            (None, "B w - - | 1-0 | *", "`*` is no result"),
            (None, "B x - - [1.0]", "`x` in place of the side to move"),
            (None, "8/8/8/8 w - - [1.0]", "4 ranks"),
            (None, "B w - - c9 \"1-0", "not closed"),
            (None, "a,b,c", "no names"),
            (None, "B w - - 0 1,0,1", "no names"),
            (Some("fen,result"), "B w - - 0 1", "no column 2"),
            (Some("fen,result"), "B w - - 0 1,won", "`won` is no result"),
            (Some("fen,half_points"), "B w - - 0 1,3", "`3` is no result"),
            (Some("fen,score"), "", "no column `result`"),
        ] {
            let line = line.replace('B', BOARD);
            let found = read(head, &line).unwrap_err();
            assert!(found.contains(cause), "{line}: {found}");
        }
    }

    #[test]
    fn the_first_side_has_the_points_in_every_game() {
        let othello = leitai_othello::card();
        let fen = othello.initial().to_fen();
        let line = format!("{fen} [1.0]");
        let (form, _) = LineForm::of(&line).unwrap();
        assert_eq!(form.read(&line, othello).unwrap().1, 2);
        let xiangqi = leitai_xiangqi::card();
        let line = format!("{} | 0-1", xiangqi.initial().to_fen());
        assert_eq!(LineForm::Marked.read(&line, xiangqi).unwrap().1, 0);
    }
}
