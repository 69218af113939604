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
use std::io::BufRead;

use super::gate_note;
use super::repeated_games::{DateAndRound, GameKey};
use super::{Game, Result, Results};
use leitai_game::card::Games;
use leitai_players::interchange::pgn::{
    BEYOND_TAG, CLUSTER_TAG, GATE, OWN_EVENT, PgnReader, RUN_TAG, RawGame, Tags, Tally, half_points,
};
use leitai_players::interchange::{Content, Lines, TextError};

/// Values of `Termination` for games that were not decided on the board.
const FORFEITS: [&str; 6] = [
    "forfeit",
    "stall",
    "abandon",
    "disconnect",
    "crash",
    "illegal",
];

/// Adds the games of a PGN file; `name` is the file's in messages.
///
/// # Errors
/// `FileReader` fails, or the file contains no game.
pub fn read_pgn(
    reader: impl BufRead,
    name: &str,
    games: &Games,
    results: &mut Results,
) -> Result<()> {
    let mut lines = Lines::new(reader, name);
    let refuse = |problem: &str, help: &str| Err(TextError::file(name, problem, help).into());
    match lines.content(games)? {
        Content::Games => {}
        Content::Positions => {
            return refuse(
                "these are positions (EPD or FEN), and ratings come from results",
                "give games with players and results: PGN, a record of `leitai run`, or a table \
                 with a header; `leitai convert` reads positions",
            );
        }
        Content::Own(card, _) => {
            let manners: Vec<_> = card.facts().forms.iter().map(|form| form.manner).collect();
            return refuse(
                &format!(
                    "these are games of {} {}, and ratings are made from PGN, records and tables",
                    card.facts().title,
                    manners.join(" or "),
                ),
                "convert them with `leitai convert FILE --to pgn`",
            );
        }
        Content::Json => {
            return refuse(
                "this is JSON, and ratings are made from PGN, records and tables",
                "give the PGN that it was made from, or convert the games with `--to pgn`",
            );
        }
    }
    let mut reader = PgnReader::new(lines, games);
    let mut reading = FileReader::new(name);
    while let Some(game) = reader.next_game()? {
        if game.tags.players().is_some() {
            results.plays(game_of(&game.tags).as_deref(), name)?;
        }
        reading.take(&game, results);
    }
    if reading.games == 0 {
        return refuse(
            "there is no game with players in it",
            "is it PGN, with tags such as [White \"name\"]? A table of counts begins with a line \
             `first,second,wins,draws,losses`",
        );
    }
    reading.end_pair(None, results);
    results.notes.extend(reading.notes());
    results.notes.extend(reading.beyond(results.takes_excluded));
    results.notes.extend(reader.notes());
    results.end_file(name);
    Ok(())
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
    /// Moves of earlier games, to find repetitions.
    seen: HashSet<GameKey>,
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

    fn take(&mut self, game: &RawGame, results: &mut Results) {
        let tags = &game.tags;
        let Some(players) = tags.players() else {
            // Tags alone are the beginning of a file, not a game.
            if !game.words.is_empty() || game.result.is_some() || tags.get("Result").is_some() {
                self.nameless.add(game.line);
            }
            return;
        };
        self.games += 1;
        if is_own(tags) && tags.get(BEYOND_TAG).is_some() {
            self.beyond += 1;
            if !results.takes_excluded {
                return;
            }
        }
        let by_moves = game.result.unwrap_or_default();
        let result = match tags.get("Result") {
            None | Some("" | "?" | "*") => by_moves,
            Some(result) => {
                let other = half_points(by_moves);
                if other.is_some() && other != half_points(result) {
                    self.contradictory.add(game.line);
                }
                result
            }
        };
        let Some(points) = half_points(result) else {
            if result.is_empty() || result == "*" {
                self.unfinished += 1;
            } else {
                self.strange_result.add(game.line);
            }
            return;
        };
        if players[0] == players[1] {
            self.own_opponent.add(game.line);
            return;
        }
        let termination = tags.get("Termination").unwrap_or_default().to_lowercase();
        self.forfeits += u64::from(FORFEITS.iter().any(|word| termination.contains(word)));
        let [first, second] = players.map(|name| results.players.number(name));
        let opening = opening(tags).map(|opening| results.opening(opening, cluster(tags)));
        let (_, first_is_one) = tags.sides();
        let half_points = if first_is_one { points } else { 2 - points };
        let event = tags.get("Event").unwrap_or_default();
        let number = tags.get("Round").unwrap_or_default();
        let moves: Vec<&str> = game.words.iter().map(|(_, word)| word).collect();
        let transcript = GameKey::of((first, second, opening, half_points, &moves));
        let round = round(tags).map(|round| results.rounds.number(&format!("{event}\n{round}")));
        let played = Game {
            first,
            second,
            half_points,
            opening,
            round,
        };
        if is_own(tags) && !number.is_empty() {
            self.is_gate |= tags.get(RUN_TAG) == Some(GATE);
            let place = GameKey::of((event, number));
            // A game without moves is identified only by its place in the run.
            let key = if moves.is_empty() { place } else { transcript };
            let known = results
                .known
                .take(&[place, key].map(|key| (key, DateAndRound::default())));
            let own = OwnGame {
                game: played,
                moves: GameKey::of((event, key)),
                known,
            };
            if number.ends_with(".1") {
                self.end_pair(None, results);
                self.half = Some(own);
            } else {
                self.end_pair(Some(own), results);
            }
            return;
        }
        let given = |name: &str| tags.get(name).filter(|value| !value.contains('?'));
        let when = DateAndRound {
            date: given("Date").map(GameKey::of),
            round: given("Round")
                .filter(|round| *round != "-")
                .map(GameKey::of),
        };
        results.known.nameless += u64::from(moves.is_empty() && when.round.is_none());
        let key = if moves.is_empty() {
            when.round
                .map(|_| GameKey::of((transcript, tags.iter().collect::<Vec<_>>())))
        } else {
            self.repeated += u64::from(!self.seen.insert(transcript));
            Some(transcript)
        };
        if key.is_some_and(|key| results.known.take(&[(key, when)])) {
            results.known.repeated += 1;
        } else {
            results.add_game(played);
        }
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

/// The game that the tags name: one of ours, or the value of `Variant`. Standard chess has several
/// names.
fn game_of(tags: &Tags) -> Option<String> {
    if let Some(game) = tags.game() {
        return Some(game.name().to_owned());
    }
    let variant = tags.get("Variant").or_else(|| tags.get("Game"))?;
    let variant = variant.trim().to_lowercase();
    let is_chess = ["chess", "standard", "normal", "from position"].contains(&&*variant);
    match variant {
        _ if is_chess => Some("chess".to_owned()),
        unknown if unknown.is_empty() || unknown.contains('?') => None,
        variant => Some(variant),
    }
}

/// The round without the game's number within it.
fn round(tags: &Tags) -> Option<&str> {
    let round = tags.get("Round")?;
    let round = round.split('.').next().unwrap_or(round).trim();
    (!round.is_empty() && round != "?" && round != "-").then_some(round)
}
