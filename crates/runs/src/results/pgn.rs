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
use super::rated::{Numbers, RatedBlock, RatedGame, RatedResult};
use super::repeated_games::{DateAndRound, GameKey};
use super::{Game, ReadError, Result, Results};
use leitai_game::card::{GameCard, Games, Rules};
use leitai_interchange::pgn::{PgnReader, RawGame, Tally, result_text};
use leitai_interchange::{Content, GameReader, Lines, SGF_HELP, TextError};

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
    let add = |block: &mut RatedBlock, raw: &RawGame<'_>| {
        let words = raw.words.iter().map(|(_, word)| *word);
        block.add(&raw.tags, raw.line, raw.result, words);
    };
    reader.read_blocks(threads, add, |_, block| reading.take(&block, results))?;
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
                let mut block = RatedBlock::default();
                block.add(&game.tags, game.line, Some(result_text(points)), words);
                reading.take(&block, results)?;
            }
        }
    }
    damaged.extend(reader.notes());
    reading.end(damaged, results)
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
    unknown_result: Tally,
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

    fn take(&mut self, block: &RatedBlock, results: &mut Results) -> Result<()> {
        let mut numbers = Numbers::of(&block.texts);
        let mut last = None;
        for game in &block.games {
            let Some(players) = game.players else {
                // Tags alone are the beginning of a file, not a game.
                if !game.is_heading {
                    self.nameless.add(game.line);
                }
                continue;
            };
            if last.replace(game.game) != Some(game.game) {
                let played = game
                    .game
                    .map(|game| block.texts.all()[game as usize].as_str());
                results.plays(played, self.name)?;
            }
            self.take_game(game, players, &mut numbers, results);
        }
        Ok(())
    }

    fn take_game(
        &mut self,
        game: &RatedGame,
        players: [u32; 2],
        numbers: &mut Numbers<'_>,
        results: &mut Results,
    ) {
        self.games += 1;
        if game.own.as_ref().is_some_and(|own| own.is_beyond) {
            self.beyond += 1;
            if !results.takes_excluded {
                return;
            }
        }
        if game.is_contradictory {
            self.contradictory.add(game.line);
        }
        let half_points = match game.result {
            RatedResult::Points(points) => points,
            RatedResult::Unfinished => {
                self.unfinished += 1;
                return;
            }
            RatedResult::Unknown => {
                self.unknown_result.add(game.line);
                return;
            }
        };
        if players[0] == players[1] {
            self.own_opponent.add(game.line);
            return;
        }
        self.forfeits += u64::from(game.is_forfeit);
        let [first, second] = players.map(|player| numbers.player(player, results));
        let opening = game.opening;
        let opening = opening.map(|opening| numbers.opening(opening, game.cluster, results));
        let played = Game {
            first,
            second,
            file: 0,
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
            return;
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
            left_out(&self.unknown_result, ": no result is given that is one"),
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
