//! One game of a PGN file, as far as its tags are known.

use std::hash::DefaultHasher;

/// Where our own exports' event begins.
const OWN_EVENT: &str = "leitai ";

/// What is known of the game that is being read.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) line: u64,
    red: Option<String>,
    white: Option<String>,
    black: Option<String>,
    black_comes_first: bool,
    game: String,
    pub(super) result: Option<String>,
    pub(super) result_of_moves: Option<&'static str>,
    round: Option<String>,
    fen: Option<String>,
    pub(super) event: Option<String>,
    pub(super) termination: String,
    pub(super) moves: Option<DefaultHasher>,
}

impl Draft {
    /// A game that begins in that line.
    pub(super) fn at(line: u64) -> Self {
        Self {
            line,
            ..Self::default()
        }
    }

    /// Whether a tag that every game has once is there already: then this one
    /// is the next game's, and the game had no moves and no result after them.
    pub(super) fn has(&self, tag: &str) -> bool {
        let slot = match tag.to_ascii_lowercase().as_str() {
            "red" => &self.red,
            "white" => &self.white,
            "black" => &self.black,
            "result" => &self.result,
            "event" => &self.event,
            _ => return false,
        };
        slot.is_some()
    }

    pub(super) fn tag(&mut self, tag: &str, value: &str) {
        let value = value.trim().to_owned();
        let once = |slot: &mut Option<String>, value| {
            slot.get_or_insert(value);
        };
        match tag.to_ascii_lowercase().as_str() {
            "red" => once(&mut self.red, value),
            "white" => once(&mut self.white, value),
            "black" => {
                self.black_comes_first |= self.white.is_none();
                once(&mut self.black, value);
            }
            "game" | "variant" => self.game.push_str(&value.to_lowercase()),
            "result" => once(&mut self.result, value),
            "round" => once(&mut self.round, value),
            "fen" => once(&mut self.fen, value),
            "event" => once(&mut self.event, value),
            "termination" => self.termination = value.to_lowercase(),
            _ => {}
        }
    }

    /// The players, first mover first, and whether `1-0` is a win of the first
    /// mover.
    pub(super) fn players(&self) -> Option<([&str; 2], bool)> {
        let known = |name: &Option<String>| {
            let name = name.as_deref()?;
            (!name.is_empty() && name != "?").then(|| name.to_owned())
        };
        known(&self.black)?;
        let black = self.black.as_deref()?;
        if known(&self.red).is_some() {
            return Some(([self.red.as_deref()?, black], true));
        }
        known(&self.white)?;
        let white = self.white.as_deref()?;
        if ["othello", "reversi"]
            .iter()
            .any(|game| self.game.contains(game))
        {
            return Some(([black, white], self.black_comes_first));
        }
        Some(([white, black], true))
    }
}

/// Half points of the side that `1-0` is a win of; `None` for a game that has
/// not ended, and for words that are no result.
pub(super) fn half_points(result: &str) -> Option<u8> {
    match result {
        "1-0" => Some(2),
        "0-1" => Some(0),
        "1/2-1/2" | "1/2" | "½-½" | "0.5-0.5" => Some(1),
        _ => None,
    }
}

/// What two games from the same opening have in common.
pub(super) fn opening(draft: &Draft) -> Option<String> {
    let fen = draft.fen.as_deref().filter(|fen| !fen.is_empty());
    if draft
        .event
        .as_deref()
        .is_some_and(|event| event.starts_with(OWN_EVENT))
    {
        // Ours have a FEN unless the opening is the usual start.
        return Some(fen.unwrap_or("start").to_owned());
    }
    fen.map(str::to_owned)
}

/// The round without the number of the game in it.
pub(super) fn round(draft: &Draft) -> Option<&str> {
    let round = draft.round.as_deref()?;
    let round = round.split('.').next().unwrap_or(round).trim();
    (!round.is_empty() && round != "?" && round != "-").then_some(round)
}
