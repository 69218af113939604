//! Games in PGN, of any game: the tag pairs are read, the moves passed over.
//!
//! Read are `White`, `Black`, `Red` (the players), `Result`, `Round`, `FEN`,
//! `Event`, `Game` and `Variant`, `Termination`. The first mover is
//! Red, else White; in Othello it is Black, and `1-0` is a win of the player
//! whose tag comes first, which is how our own exports say it. A game without a
//! `Result` tag has the result at the end of its moves.
//!
//! The opening is the `FEN`; an `Opening` tag is a classification and does not
//! tell the position. A round is what stands before the first dot: `12.1` and
//! `12.2` are the same round.

mod tags;

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::BufRead;

use self::tags::{Event, Scanner};
use super::text::{Lines, shown};
use super::{Game, ReadError, Results};

/// Where our own exports' event begins.
const OWN_EVENT: &str = "leitai ";

/// Adds the games of a PGN file; `name` is the file's in messages.
///
/// # Errors
/// Reading fails, or there is no game in it.
pub fn read_pgn(reader: impl BufRead, name: &str, results: &mut Results) -> Result<(), ReadError> {
    let mut lines = Lines::new(reader, name);
    let mut scanner = Scanner::default();
    let mut reading = Reading::new(name);
    while let Some((number, line)) = lines.next()? {
        scanner.line(&line, |event| reading.take(event, number, results));
    }
    reading.take(Event::End, 0, results);
    if reading.games == 0 {
        return Err(ReadError::File {
            name: name.to_owned(),
            problem: "there is no game with players in it".to_owned(),
            help: "is it PGN, with tags such as [White \"name\"]? For a table of counts give \
                   `--csv`"
                .to_owned(),
        });
    }
    let unclosed = scanner.open_comment().map(|text| {
        format!(
            "{name}: a comment is never closed, and what follows in it was not read: `{}`",
            shown(text)
        )
    });
    results.notes.extend(reading.notes().chain(unclosed));
    results.notes.extend(lines.note());
    Ok(())
}

/// What is known of the game that is being read.
#[derive(Debug, Default)]
struct Draft {
    line: u64,
    red: Option<String>,
    white: Option<String>,
    black: Option<String>,
    black_comes_first: bool,
    game: String,
    result: Option<String>,
    result_of_moves: Option<&'static str>,
    round: Option<String>,
    fen: Option<String>,
    event: Option<String>,
    termination: String,
    moves: Option<DefaultHasher>,
}

impl Draft {
    /// Whether a tag that every game has once is there already: then this one
    /// is the next game's, and the game had no moves and no result after them.
    fn has(&self, tag: &str) -> bool {
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

    fn tag(&mut self, tag: &str, value: &str) {
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
    fn players(&self) -> Option<([&str; 2], bool)> {
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
fn half_points(result: &str) -> Option<u8> {
    match result {
        "1-0" => Some(2),
        "0-1" => Some(0),
        "1/2-1/2" | "1/2" | "½-½" | "0.5-0.5" => Some(1),
        _ => None,
    }
}

/// The reading of one file.
struct Reading<'n> {
    name: &'n str,
    draft: Option<Draft>,
    /// Moves of the games seen, to find repetitions.
    seen: HashSet<(usize, usize, Option<usize>, u64)>,
    games: u64,
    unfinished: u64,
    strange_result: Tally,
    nameless: Tally,
    own_opponent: Tally,
    contradictory: Tally,
    malformed: Tally,
    repeated: u64,
    forfeits: u64,
}

/// How often something happened, and where first.
#[derive(Default)]
struct Tally {
    count: u64,
    line: u64,
}

impl Tally {
    fn add(&mut self, line: u64) {
        if self.count == 0 {
            self.line = line;
        }
        self.count += 1;
    }
}

impl<'n> Reading<'n> {
    fn new(name: &'n str) -> Self {
        Self {
            name,
            draft: None,
            seen: HashSet::new(),
            games: 0,
            unfinished: 0,
            strange_result: Tally::default(),
            nameless: Tally::default(),
            own_opponent: Tally::default(),
            contradictory: Tally::default(),
            malformed: Tally::default(),
            repeated: 0,
            forfeits: 0,
        }
    }

    fn take(&mut self, event: Event<'_>, line: u64, results: &mut Results) {
        if let (Event::Tag(tag, _), Some(draft)) = (event, &self.draft)
            && draft.has(tag)
        {
            self.take(Event::End, line, results);
        }
        let draft = self.draft.get_or_insert_with(|| Draft {
            line,
            ..Draft::default()
        });
        match event {
            Event::Tag(tag, value) => draft.tag(tag, value),
            Event::Malformed => self.malformed.add(line),
            Event::Move(text) => text.hash(draft.moves.get_or_insert_default()),
            Event::Result(result) => draft.result_of_moves = Some(result),
            Event::End => {
                if let Some(draft) = self.draft.take() {
                    self.finish(&draft, results);
                }
            }
        }
    }

    fn finish(&mut self, draft: &Draft, results: &mut Results) {
        let Some((players, first_is_one)) = draft.players() else {
            // Nothing at all is the beginning of a file, not a game.
            if draft.moves.is_some() || draft.result.is_some() || draft.result_of_moves.is_some() {
                self.nameless.add(draft.line);
            }
            return;
        };
        self.games += 1;
        let by_moves = draft.result_of_moves.unwrap_or_default();
        let result = match draft.result.as_deref() {
            None | Some("" | "?" | "*") => by_moves,
            Some(result) => {
                let other = half_points(by_moves);
                if other.is_some() && other != half_points(result) {
                    self.contradictory.add(draft.line);
                }
                result
            }
        };
        let Some(points) = half_points(result) else {
            if result.is_empty() || result == "*" {
                self.unfinished += 1;
            } else {
                self.strange_result.add(draft.line);
            }
            return;
        };
        if players[0] == players[1] {
            self.own_opponent.add(draft.line);
            return;
        }
        let forfeit = [
            "forfeit",
            "stall",
            "abandon",
            "disconnect",
            "crash",
            "illegal",
        ];
        self.forfeits += u64::from(forfeit.iter().any(|word| draft.termination.contains(word)));
        let [first, second] = players.map(|name| results.players.number(name));
        let opening = opening(draft).map(|opening| results.openings.number(&opening));
        if let Some(moves) = &draft.moves {
            let key = (first, second, opening, moves.finish());
            self.repeated += u64::from(!self.seen.insert(key));
        }
        let round = round(draft).map(|round| {
            let event = draft.event.as_deref().unwrap_or_default();
            let within = format!("{}\n{event}\n{round}", self.name);
            results.rounds.number(&within)
        });
        results.add_game(Game {
            first,
            second,
            half_points: if first_is_one { points } else { 2 - points },
            opening,
            round,
        });
    }

    fn notes(&self) -> impl Iterator<Item = String> {
        let name = self.name;
        let at = |tally: &Tally, what: &str| {
            let Tally { count, line } = *tally;
            (count > 0).then(|| format!("{name}: {count} {what} (the first at line {line})"))
        };
        let of = |count: u64, what: &str| (count > 0).then(|| format!("{name}: {count} {what}"));
        [
            of(self.unfinished, "games without a result (`*`) are left out"),
            at(
                &self.strange_result,
                "games are left out: their result is none",
            ),
            at(
                &self.nameless,
                "games are left out: their players have no names",
            ),
            at(
                &self.own_opponent,
                "games are left out: a player met itself",
            ),
            at(
                &self.contradictory,
                "games end otherwise than their `Result` tag says: the tag counts",
            ),
            at(
                &self.malformed,
                "lines begin like a tag and are none: passed over",
            ),
            of(
                self.repeated,
                "games repeat an earlier game of the same players move by move: if the players \
                 are deterministic they are no evidence, and the errors too small",
            ),
            of(
                self.forfeits,
                "games ended by a forfeit, a crash or a lost connection: counted as they stand",
            ),
        ]
        .into_iter()
        .flatten()
    }
}

/// What two games from the same opening have in common.
fn opening(draft: &Draft) -> Option<String> {
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
fn round(draft: &Draft) -> Option<&str> {
    let round = draft.round.as_deref()?;
    let round = round.split('.').next().unwrap_or(round).trim();
    (!round.is_empty() && round != "?" && round != "-").then_some(round)
}
