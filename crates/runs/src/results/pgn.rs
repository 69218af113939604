//! Games in PGN, of any game: the tag pairs are read, the moves only compared.
//!
//! The reader uses `White`, `Black`, `Red` (the players), `Result`, `Round`, `FEN`, `Event`, `Game`
//! and `Variant`, `Termination`. The first mover is Red, else White; in Othello it is Black, and
//! `1-0` is a win of the player whose tag comes first, as in our own exports. A game without a
//! `Result` tag has the result at the end of its moves.
//!
//! The opening is the `FEN`; an `Opening` tag is a classification without a position. `Cluster` in
//! our own exports is the opening that represents its related openings. The round is the part
//! before the first dot: `12.1` and `12.2` are the same round.
//!
//! In our own exports, a pair that repeats an earlier one of the same players move for move is not
//! counted, as in the record.

use std::collections::HashSet;
use std::num::NonZeroUsize;

use super::gate_note;
use super::repeated_games::{DateAndRound, GameKey};
use super::{Game, ReadError, Result, Results};
use leitai_game::card::{GameCard, Games, Rules};
use leitai_interchange::pgn::{
    BEYOND_TAG, CLUSTER_TAG, GATE, OWN_EVENT, PgnReader, RUN_TAG, RawGame, Tags, Tally,
    half_points, result_text,
};
use leitai_interchange::{Content, GameReader, Lines, SGF_HELP, TextError};

/// Values of `Termination` for games that were not decided on the board.
const FORFEITS: [&str; 6] = [
    "forfeit",
    "stall",
    "abandon",
    "disconnect",
    "crash",
    "illegal",
];

/// Adds the games of a PGN file, which is read on that many threads.
///
/// # Errors
/// The file cannot be read, it contains no game, or an earlier file has another game.
pub fn read_pgn(
    mut lines: Lines<'_>,
    games: &Games,
    threads: NonZeroUsize,
    results: &mut Results,
) -> Result<()> {
    let name = lines.name().to_owned();
    let refuse = |problem: &str, help: &str| Err(TextError::file(&name, problem, help).into());
    match lines.content(games)? {
        Content::Games | Content::Own(..) => {}
        Content::Positions => {
            return refuse(
                "these are positions (EPD or FEN), and ratings come from results",
                "give games with players and results: PGN, a record of `leitai run`, or a table \
                 with a header; `leitai convert` reads positions",
            );
        }
        Content::Sgf => return refuse("it is SGF of a game that is not read", SGF_HELP),
        Content::Json => {
            return refuse(
                "this is JSON, and ratings are made from games, records and tables",
                "give the PGN that it was made from, or convert the games with `--to pgn`",
            );
        }
    }
    let mut reader = PgnReader::new(lines, games);
    let mut reading = FileReader::new(&name);
    let make = |raw: &RawGame<'_>| {
        let words = raw.words.iter().map(|(_, word)| *word);
        RatedGame::of(&raw.tags, raw.line, raw.result, words)
    };
    reader.read(threads, make, |_, game| reading.take(&game, results))?;
    let notes = reader.notes();
    reading.end(notes, results)
}

/// Adds the games of a file in a form of its game's own.
///
/// # Errors
/// The file cannot be read, it contains no game with players, or an earlier file has another game.
pub fn read_own(
    mut reader: Box<dyn GameReader + '_>,
    card: &'static dyn GameCard,
    rules: Rules,
    results: &mut Results,
) -> Result<()> {
    let name = reader.name().to_owned();
    let mut reading = FileReader::new(&name);
    let mut damaged = Vec::new();
    while let Some(game) = reader.next_game(rules)? {
        match game {
            Err(damage) => damaged.push(format!("{damage}; it is left out")),
            Ok(game) => {
                let moves = game.play.moves().into_iter().map(|mv| card.move_text(mv));
                let moves: Vec<String> = moves.collect();
                let words = moves.iter().map(String::as_str);
                let (_, first_is_one) = game.tags.sides();
                let points = game.points.map(|it| if first_is_one { it } else { 2 - it });
                let result = Some(result_text(points));
                reading.take(
                    &RatedGame::of(&game.tags, game.line, result, words),
                    results,
                )?;
            }
        }
    }
    damaged.extend(reader.notes());
    reading.end(damaged, results)
}

/// The data of a game for a rating.
#[derive(Default)]
struct RatedGame {
    line: u64,
    /// True if there are only tags, and no result among them.
    is_heading: bool,
    players: Option<[Box<str>; 2]>,
    /// The game that the tags name.
    game: Option<Box<str>>,
    result: RatedResult,
    /// True if the tag and the end of the moves say different results.
    is_contradictory: bool,
    is_forfeit: bool,
    /// The opening, and in our own exports the one that represents the related openings.
    opening: Option<Box<str>>,
    cluster: Option<Box<str>>,
    round: Option<u64>,
    /// The game's identity: its players, opening, result and moves.
    transcript: GameKey,
    /// Its tags, if it has no moves.
    tags: Option<GameKey>,
    when: DateAndRound,
    own: Option<Box<OwnTags>>,
}

/// The result of a game.
#[derive(Clone, Copy, Default)]
enum RatedResult {
    /// Half points of the player with the first move.
    Points(u8),
    #[default]
    Unfinished,
    Strange,
}

/// Tags of a game of one of our own runs.
struct OwnTags {
    /// Its run, and its place in it, if it has one.
    event: GameKey,
    place: Option<GameKey>,
    /// True for the first game of a pair.
    is_first: bool,
    is_gate: bool,
    /// True if the results of its run exclude it.
    is_beyond: bool,
}

impl RatedGame {
    fn of<'t>(
        tags: &Tags,
        line: u64,
        result: Option<&'static str>,
        mut moves: impl Iterator<Item = &'t str> + Clone,
    ) -> Self {
        let has_moves = moves.clone().next().is_some();
        let tagged = tags.get("Result");
        let Some(players) = tags.players() else {
            return Self {
                line,
                is_heading: !has_moves && result.is_none() && tagged.is_none(),
                ..Self::default()
            };
        };
        let by_moves = result.unwrap_or_default();
        let (said, is_contradictory) = match tagged {
            None | Some("" | "?" | "*") => (by_moves, false),
            Some(said) => {
                let other = half_points(by_moves);
                (said, other.is_some() && other != half_points(said))
            }
        };
        let (_, first_is_one) = tags.sides();
        let points = half_points(said);
        let half_points = points.map(|points| if first_is_one { points } else { 2 - points });
        let termination = tags.get("Termination").unwrap_or_default().to_lowercase();
        let event = tags.get("Event").unwrap_or_default();
        let number = tags.get("Round").unwrap_or_default();
        let opening = opening(tags);
        let given = |name: &str| tags.get(name).filter(|value| !value.contains('?'));
        let is_own = is_own(tags);
        Self {
            line,
            is_heading: false,
            game: game_of(tags).map(Box::from),
            result: match half_points {
                Some(points) => RatedResult::Points(points),
                None if said.is_empty() || said == "*" => RatedResult::Unfinished,
                None => RatedResult::Strange,
            },
            is_contradictory,
            is_forfeit: FORFEITS.iter().any(|word| termination.contains(word)),
            round: round(tags).map(|round| GameKey::of((event, round)).number()),
            transcript: GameKey::of_moves((players, opening, half_points), &mut moves),
            tags: (!has_moves).then(|| GameKey::of(tags.iter().collect::<Vec<_>>())),
            when: DateAndRound::of(given("Date"), given("Round").filter(|it| *it != "-")),
            own: is_own.then(|| {
                Box::new(OwnTags {
                    event: GameKey::of(event),
                    place: (!number.is_empty()).then(|| GameKey::of((event, number))),
                    is_first: number.ends_with(".1"),
                    is_gate: tags.get(RUN_TAG) == Some(GATE),
                    is_beyond: tags.get(BEYOND_TAG).is_some(),
                })
            }),
            cluster: cluster(tags).map(Box::from),
            opening: opening.map(Box::from),
            players: Some(players.map(Box::from)),
        }
    }
}

/// A game of one of our own runs.
struct OwnGame {
    game: Game,
    /// `GameKey` from the run and the moves.
    moves: GameKey,
    /// True if an earlier file contains it.
    known: bool,
}

/// State of reading one file.
#[derive(Default)]
struct FileReader<'n> {
    name: &'n str,
    /// The unpaired first game of one of our own pairs, and all earlier pairs.
    half: Option<OwnGame>,
    pairs: HashSet<[GameKey; 2]>,
    repeated_pairs: u64,
    games: u64,
    unfinished: u64,
    strange_result: Tally,
    nameless: Tally,
    own_opponent: Tally,
    contradictory: Tally,
    repeated: u64,
    forfeits: u64,
    /// Games that the results of their run exclude.
    beyond: u64,
    is_gate: bool,
}

impl<'n> FileReader<'n> {
    fn new(name: &'n str) -> Self {
        Self {
            name,
            ..Self::default()
        }
    }

    fn take(&mut self, game: &RatedGame, results: &mut Results) -> Result<()> {
        let Some(players) = &game.players else {
            // Tags alone are the beginning of a file, not a game.
            if !game.is_heading {
                self.nameless.add(game.line);
            }
            return Ok(());
        };
        results.plays(game.game.as_deref(), self.name)?;
        self.games += 1;
        if game.own.as_ref().is_some_and(|own| own.is_beyond) {
            self.beyond += 1;
            if !results.takes_excluded {
                return Ok(());
            }
        }
        if game.is_contradictory {
            self.contradictory.add(game.line);
        }
        let half_points = match game.result {
            RatedResult::Points(points) => points,
            RatedResult::Unfinished => {
                self.unfinished += 1;
                return Ok(());
            }
            RatedResult::Strange => {
                self.strange_result.add(game.line);
                return Ok(());
            }
        };
        if players[0] == players[1] {
            self.own_opponent.add(game.line);
            return Ok(());
        }
        self.forfeits += u64::from(game.is_forfeit);
        let [first, second] = [0, 1].map(|side| results.players.number(&players[side]));
        let opening = game.opening.as_ref();
        let opening = opening.map(|opening| results.opening(opening, game.cluster.as_deref()));
        let played = Game {
            first,
            second,
            half_points,
            opening,
            round: game.round,
        };
        if let Some(own) = &game.own
            && let Some(place) = own.place
        {
            self.is_gate |= own.is_gate;
            // A game without moves is identified only by its place in the run.
            let key = if game.tags.is_none() {
                game.transcript
            } else {
                place
            };
            let known = results
                .known
                .take(&[place, key].map(|key| (key, DateAndRound::default())))
                .before;
            let half = OwnGame {
                game: played,
                moves: GameKey::of((own.event, key)),
                known,
            };
            if own.is_first {
                self.end_pair(None, results);
                self.half = Some(half);
            } else {
                self.end_pair(Some(half), results);
            }
            return Ok(());
        }
        let key = if let Some(tags) = game.tags {
            // A game without moves is identified by its tags, if they include the round.
            let has_round = game.when.has_round();
            results.known.nameless += u64::from(!has_round);
            has_round.then(|| GameKey::of((game.transcript, tags)))
        } else {
            Some(game.transcript)
        };
        let seen = key.map(|key| results.known.take(&[(key, game.when)]));
        let seen = seen.unwrap_or_default();
        self.repeated += u64::from(seen.here && game.tags.is_none());
        if seen.before {
            results.known.repeated += 1;
        } else {
            results.add_game(played);
        }
        Ok(())
    }

    /// Adds the last unpaired game, and the notes of the file.
    fn end(mut self, notes: Vec<String>, results: &mut Results) -> Result<()> {
        if self.games == 0 {
            let problem = "there is no game with players in it";
            let help = "is it PGN, with tags such as [White \"name\"]? A table of counts begins \
                        with a line `first,second,wins,draws,losses`";
            return Err(ReadError::Text(TextError::file(self.name, problem, help)));
        }
        self.end_pair(None, results);
        results.notes.extend(self.notes());
        results.notes.extend(self.beyond(results.takes_excluded));
        results.notes.extend(notes);
        results.end_file(self.name);
        Ok(())
    }

    /// Adds the pair that `second` completes, or the single unpaired game, unless they were counted
    /// before.
    fn end_pair(&mut self, second: Option<OwnGame>, results: &mut Results) {
        let halves = [self.half.take(), second];
        if let [Some(one), Some(two)] = &halves
            && one.game.round == two.game.round
            && !self.pairs.insert([one.moves, two.moves])
        {
            self.repeated_pairs += 1;
            return;
        }
        for own in halves.into_iter().flatten() {
            if own.known {
                results.known.repeated += 1;
            } else {
                results.add_game(own.game);
            }
        }
    }

    /// A note about the games that the results of their run exclude.
    fn beyond(&self, taken: bool) -> Option<String> {
        let games = leitai_base::count::count(
            self.beyond,
            "game comes after the verdict or after a missing pair",
            "games come after the verdict or after a missing pair",
        );
        let became = if taken {
            "included (`--beyond`)"
        } else {
            "excluded; `--beyond` includes such games"
        };
        (self.beyond > 0).then(|| format!("{}: {games}: {became}", self.name))
    }

    fn notes(&self) -> impl Iterator<Item = String> {
        let name = self.name;
        let say = |count: u64, one: &str, many: &str, what: &str, line: Option<u64>| {
            let at = line.map_or_else(String::new, |line| format!(" (the first at line {line})"));
            (count > 0).then(|| {
                format!(
                    "{name}: {}{what}{at}",
                    leitai_base::count::count(count, one, many)
                )
            })
        };
        let left_out = |tally: &Tally, why: &str| {
            let (one, many) = ("game is left out", "games are left out");
            say(tally.count, one, many, why, Some(tally.line))
        };
        [
            say(
                self.unfinished,
                "game without a result (`*`) is left out",
                "games without a result (`*`) are left out",
                "",
                None,
            ),
            left_out(&self.strange_result, ": no result is given that is one"),
            left_out(&self.nameless, ": players without names"),
            left_out(&self.own_opponent, ": a player met itself"),
            say(
                self.contradictory.count,
                "game ends differently from its `Result` tag",
                "games end differently from their `Result` tags",
                ": the tag counts",
                Some(self.contradictory.line),
            ),
            say(
                self.repeated,
                "game repeats an earlier one of the same players",
                "games repeat an earlier one of the same players",
                " move by move: if the players are deterministic, this is not further evidence, \
                 and the errors are too small",
                None,
            ),
            say(
                self.repeated_pairs,
                "pair repeats an earlier one move by move: it is not evidence and is left out",
                "pairs repeat an earlier one move by move: they are not evidence and are left out",
                "",
                None,
            ),
            say(
                self.forfeits,
                "game ended by a forfeit, a crash or a lost connection: it counts unchanged",
                "games ended by a forfeit, a crash or a lost connection: they count unchanged",
                "",
                None,
            ),
            self.is_gate.then(|| gate_note(name)),
        ]
        .into_iter()
        .flatten()
    }
}

/// The opening, by which games are related.
fn opening(tags: &Tags) -> Option<&str> {
    let fen = tags.get("FEN").filter(|fen| !fen.is_empty());
    if is_own(tags) {
        // Our exports have a FEN unless the opening is the usual start.
        return Some(fen.unwrap_or("start"));
    }
    fen
}

/// In our own exports, the opening that represents the related openings of this one.
fn cluster(tags: &Tags) -> Option<&str> {
    tags.get(CLUSTER_TAG).filter(|_| is_own(tags))
}

/// Returns whether a game is of one of our own runs.
fn is_own(tags: &Tags) -> bool {
    tags.get("Event")
        .is_some_and(|event| event.starts_with(OWN_EVENT))
}

/// The game that the tags name: one of ours, or the value of `Variant`.
fn game_of(tags: &Tags) -> Option<String> {
    let known = tags.game().map(|game| game.name().to_owned());
    known.or_else(|| tags.unknown_game().map(str::to_lowercase))
}

/// The round without the game's number within it.
fn round(tags: &Tags) -> Option<&str> {
    let round = tags.get("Round")?;
    let round = round.split('.').next().unwrap_or(round).trim();
    (!round.is_empty() && round != "?" && round != "-").then_some(round)
}
