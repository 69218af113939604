//! Parser of the text after `info` in UCI and UCCI: items in any order, each a keyword and its
//! values. Unknown items are skipped.

use super::codec::{Info, centipawns, mate};

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

/// A parsed info line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Thought<'l> {
    /// The data for a game; empty for all lines except the first principal variation.
    pub(crate) info: Info,
    /// Moves until mate as the engine reports them; negative or 0 if the engine itself is mated.
    /// `None` for bounds.
    pub(crate) mate: Option<i64>,
    /// The moves of the principal variation, separated by blanks; empty if there is none.
    pub(crate) pv: &'l str,
}

/// Parses the text after `info`.
pub(crate) fn thought(text: &str) -> Thought<'_> {
    let mut thought = Thought::default();
    let info = &mut thought.info;
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        match word {
            // With several principal variations, the engine plays the first.
            "multipv" if words.peek().and_then(|it| number(it)) > Some(1) => {
                return Thought::default();
            }
            "depth" => info.depth = natural(words.peek()).map(small).or(info.depth),
            "nodes" => info.nodes = natural(words.peek()).or(info.nodes),
            "time" => info.millis = natural(words.peek()).map(small).or(info.millis),
            "score" => match words.next_if(|it| !is_item(it)) {
                Some("mate") => {
                    let moves = words.peek().and_then(|it| number(it));
                    info.score = moves.map(mate).or(info.score);
                    thought.mate = moves.or(thought.mate);
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
                let first = words.peek().map_or(text.len(), |it| place(text, it));
                let mut end = first;
                while let Some(mv) = words.next_if(|it| !is_item(it)) {
                    end = place(text, mv) + mv.len();
                }
                thought.pv = &text[first..end];
            }
            // Arbitrary text follows.
            "string" | "message" => break,
            _ => {}
        }
    }
    info.has_pv = !thought.pv.is_empty();
    info.is_bound &= info.score.is_some();
    thought.mate = thought.mate.filter(|_| !info.is_bound);
    thought
}

/// Position of a word in the text.
fn place(text: &str, word: &str) -> usize {
    word.as_ptr() as usize - text.as_ptr() as usize
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
