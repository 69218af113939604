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

mod draft;
mod tags;

use std::collections::HashSet;
use std::hash::{Hash, Hasher};
use std::io::BufRead;

use self::draft::{Draft, half_points, opening, round};
use self::tags::{Event, Scanner};
use super::text::{Lines, shown};
use super::{Game, ReadError, Results};

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
        let draft = self.draft.get_or_insert_with(|| Draft::at(line));
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
