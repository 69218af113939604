//! Parser of `info` lines of UCI and UCCI: items in any order, each a keyword and its
//! values. Unknown items are skipped.

use super::codec::{Info, Span, centipawns, mate};

#[cfg(test)]
mod tests;

/// The keywords that begin an item, and so end a principal variation.
const ITEMS: [&str; 20] = [
    "depth",
    "seldepth",
    "time",
    "nodes",
    "pv",
    "multipv",
    "score",
    "currmove",
    "currmovenumber",
    "hashfull",
    "nps",
    "tbhits",
    "sbhits",
    "cpuload",
    "string",
    "message",
    "refutation",
    "currline",
    "wdl",
    "ebf",
];

/// Moves are no keywords: they have digits.
fn is_item(word: &str) -> bool {
    word.bytes().all(|it| it.is_ascii_lowercase()) && ITEMS.contains(&word)
}

/// Parses an `info` line; `None` for other lines and `info string`. Returns an empty [`Info`] if
/// `multipv` is above 1.
pub(crate) fn parse_info_line(line: &str) -> Option<Info> {
    parse_info(line, |moves| moves)
}

/// Parses such a line of a protocol in which `to_moves` converts the number of a mate to moves of
/// the winner.
pub(crate) fn parse_info(line: &str, to_moves: fn(i64) -> i64) -> Option<Info> {
    let mut words = line.split_ascii_whitespace().peekable();
    // Arbitrary text follows `string`.
    if words.next() != Some("info") || words.peek() == Some(&"string") {
        return None;
    }
    let mut info = Info::default();
    while let Some(word) = words.next() {
        match word {
            // With several principal variations, the engine plays the first.
            "multipv" if words.peek().and_then(|it| number(it)) > Some(1) => {
                return Some(Info::default());
            }
            "depth" => info.depth = natural(words.peek()).map(small).or(info.depth),
            "nodes" => info.nodes = natural(words.peek()).or(info.nodes),
            "time" => info.millis = natural(words.peek()).map(small).or(info.millis),
            "score" => match words.next_if(|it| !is_item(it)) {
                Some("mate") => {
                    let moves = words.peek().and_then(|it| number(it)).map(to_moves);
                    // A mate of unknown length.
                    let unknown = match words.peek() {
                        Some(&"+") => Some(centipawns(i64::MAX)),
                        Some(&"-") => Some(centipawns(i64::MIN)),
                        _ => None,
                    };
                    info.score = moves.map(mate).or(unknown).or(info.score);
                    info.mate = moves.or(info.mate);
                }
                Some("cp") => {
                    let value = words.peek().and_then(|it| number(it));
                    info.score = value.map(centipawns).or(info.score);
                }
                // In UCCI `cp` may be missing.
                Some(value) => info.score = number(value).map(centipawns).or(info.score),
                None => {}
            },
            "lowerbound" | "upperbound" => info.is_bound = true,
            "pv" => {
                info.pv = Span::default();
                while let Some(mv) = words.next_if(|it| !is_item(it)) {
                    info.pv.extend(line, mv);
                }
            }
            // Arbitrary text follows.
            "string" | "message" => break,
            _ => {}
        }
    }
    info.is_bound &= info.score.is_some();
    info.mate = info.mate.filter(|_| !info.is_bound);
    Some(info)
}

/// An integer, clamped to the range of the type.
pub(super) fn number(word: &str) -> Option<i64> {
    let (digits, most) = match word.strip_prefix('-') {
        Some(digits) => (digits, i64::MIN),
        None => (word.strip_prefix('+').unwrap_or(word), i64::MAX),
    };
    let is_number = !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit());
    is_number.then(|| word.parse().unwrap_or(most))
}

/// An integer from 0, clamped to the largest value of the type.
fn natural(word: Option<&&str>) -> Option<u64> {
    let word = word.filter(|word| !word.starts_with('-') && number(word).is_some())?;
    Some(word.parse().unwrap_or(u64::MAX))
}

/// The number, clamped to the largest value of the smaller type.
fn small(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
