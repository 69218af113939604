//! Reads games and positions from the text of a file.

use super::super::{Arguments, Format};
use super::{Conversion, titles};
use crate::cli::json::json;
use crate::cli::prelude::*;
use leitai_game::card::GameCard;
use leitai_interchange::epd::write_epd;
use leitai_interchange::pgn::{Game, PgnReader, RawGame, pgn_text};
use leitai_interchange::positions::EpdPosition;
use leitai_interchange::{Content, Damage, GameLocation, GameReader, Lines, SGF_HELP};
use leitai_report::convert::{ConvertSummary, PositionRow};

/// A game that was read.
enum Read {
    /// The game, and its text if the output is PGN.
    Game(Box<Game>, Option<String>),
    /// The counts of a game that is not written.
    Counted(ConvertSummary),
    Damaged(Damage),
    /// The results as games of each kind, if nothing shows the kind.
    Unnamed(Vec<(Card, Read)>),
}

impl Conversion<'_> {
    pub(super) fn text(&mut self, path: &Path, mut lines: Lines<'_>) -> Result<(), Failure> {
        // With `--game`, a book whose first line is damaged is still read as a book.
        let own = self.arguments.game.and_then(|card| {
            let usual = card.facts().forms.iter().find(|form| form.is_usual);
            usual.map(|form| Content::Own(card, form))
        });
        let content = match (Format::of(path), lines.content(games())?, own) {
            (Some(Format::Epd), ..) => Content::Positions,
            // Text that is not PGN is read as moves of the game.
            (_, Content::Games, Some(own)) if lines.is_no_pgn()? => own,
            (_, content, _) => content,
        };
        match content {
            Content::Games => self.games(PgnReader::new(lines, games())),
            Content::Positions => self.positions(lines),
            Content::Own(card, form) => {
                self.own(card, games::known().reader(card, form)?.of_text(lines))
            }
            Content::Sgf => bail!(
                "{}: it is SGF of a game that is not read\nhelp: {SGF_HELP}",
                lines.name()
            ),
            Content::Json => bail!(
                "{}: this is JSON, which is written but not read\nhelp: convert the PGN that it \
                 was made from",
                lines.name()
            ),
        }
    }

    fn games(&mut self, mut reader: PgnReader<'_>) -> Result<(), Failure> {
        let name = reader.name().to_owned();
        let arguments = self.arguments;
        let is_pgn = matches!((self.format, &self.output), (Format::Pgn, Some(_)));
        let is_check = self.output.is_none();
        let read_as = |raw: &RawGame<'_>, card: Card| {
            let rules = arguments.rules.of(card)?;
            let game = match Game::read(raw, &name, &rules) {
                Ok(game) => game,
                Err(damage) => return Ok(Read::Damaged(damage)),
            };
            let is_reported =
                game.doubt.is_some() || game.agrees() == Some(false) || game.unread.scores > 0;
            if is_check && !is_reported {
                let mut summary = ConvertSummary::default();
                summary.game(&game);
                return Ok(Read::Counted(summary));
            }
            let text = is_pgn.then(|| {
                let notation = games::notation(card, arguments.notation.as_deref())?;
                Ok::<_, Failure>(pgn_text(&game, notation))
            });
            Ok::<_, Failure>(Read::Game(Box::new(game), text.transpose()?))
        };
        let make = |raw: &RawGame<'_>| {
            let fen = raw.tags.known("FEN").unwrap_or_default();
            let named = named_game(arguments, raw.tags.game(), fen);
            if let (None, Some(unknown)) = (named, raw.tags.unknown_game()) {
                return Ok((None, Read::Damaged(unknown_game(raw, &name, unknown))));
            }
            if let Some(card) = named.or_else(|| game_of_moves(raw)) {
                return Ok((Some(card), read_as(raw, card)?));
            }
            let all = games().iter().map(|card| Ok((card, read_as(raw, card)?)));
            let all: Vec<Result<_, Failure>> = all.collect();
            // Rules from the command line may be those of one game.
            let (read, refused): (Vec<_>, Vec<_>) = all.into_iter().partition(Result::is_ok);
            if read.is_empty() {
                refused
                    .into_iter()
                    .try_for_each(|refused| refused.map(drop))?;
            }
            let read = read.into_iter().filter_map(Result::ok).collect();
            Ok((None, Read::Unnamed(read)))
        };
        let mut earlier: Option<Card> = None;
        let mut any = false;
        let threads = arguments.threads.get();
        reader.read(threads, make, |before, made: Result<_, Failure>| {
            any = true;
            let (card, read) = made?;
            earlier = card.or(earlier);
            let read = match read {
                Read::Unnamed(all) => assumed(all, earlier)?,
                read => read,
            };
            match read {
                Read::Unnamed(_) => Ok(()),
                Read::Counted(summary) => {
                    self.summary.add_games(&summary);
                    Ok(())
                }
                Read::Game(mut game, text) => {
                    game.number += before;
                    self.read(&name, Ok(*game), text)
                }
                Read::Damaged(mut damage) => {
                    damage.game = damage.game.map(|number| number + before);
                    self.read(&name, Err(damage), None)
                }
            }
        })?;
        warn(reader.notes());
        if !any {
            bail!("{name}: it has no game\nhelp: is it PGN, EPD or a record of `leitai run`?");
        }
        Ok(())
    }

    /// Reads games in a form of their own.
    pub(super) fn own(
        &mut self,
        card: Card,
        mut reader: Box<dyn GameReader + '_>,
    ) -> Result<(), Failure> {
        let rules = self.arguments.rules.of(card)?.rules;
        let name = reader.name().to_owned();
        while let Some(game) = reader.next_game(rules)? {
            self.read(&name, game, None)?;
        }
        warn(reader.notes());
        Ok(())
    }

    /// Handles a parsed game, or reports its damage.
    fn read(
        &mut self,
        name: &str,
        game: Result<Game, Damage>,
        text: Option<String>,
    ) -> Result<(), Failure> {
        match game {
            Ok(game) => self.game_as(name, game, text),
            Err(damage) => {
                self.summary.damaged_games += 1;
                self.damaged(&damage);
                Ok(())
            }
        }
    }

    fn positions(&mut self, mut lines: Lines<'_>) -> Result<(), Failure> {
        if !matches!(self.format, Format::Epd | Format::Json) && self.output.is_some() {
            let what = match self.format {
                Format::Own(card, _) => titles(card),
                _ => "PGN and CSV".to_owned(),
            };
            bail!(
                "{}: these are positions, and {what} hold games\nhelp: write them with \
                 `--to epd` or `--to json`",
                lines.name()
            );
        }
        while let Some((number, line)) = lines.next_line()? {
            let text = line.trim();
            if text.is_empty() || text.starts_with(['#', '%']) {
                continue;
            }
            let game = named_game(self.arguments, None, text).map_or_else(first_game, Ok)?;
            self.read_position(game, text, number, lines.name())?;
        }
        warn(lines.notes());
        Ok(())
    }
}

/// The game that the tags name, or the command line, or the look of the position, or the game that
/// can read it.
fn named_game(arguments: &Arguments, said: Option<Card>, position: &str) -> Option<Card> {
    let words: Vec<&str> = position.split_whitespace().collect();
    let board = words.first().copied().unwrap_or_default();
    let looks_like = |card: &Card| (card.facts().looks_like)(board);
    let reads = |card: &Card| {
        let fields = words.len().min(card.facts().fen_fields);
        card.read(position).is_ok() || card.read(&words[..fields].join(" ")).is_ok()
    };
    let game = said.or(arguments.game);
    let game = game.or_else(|| games().iter().find(looks_like));
    game.or_else(|| games().iter().find(reads).filter(|_| !words.is_empty()))
}

/// The result for a game that nothing names: as one of the game before it in its file, or else of the
/// first game.
fn assumed(all: Vec<(Card, Read)>, earlier: Option<Card>) -> Result<Read, Failure> {
    let is_earlier = |(card, _): &(Card, Read)| Some(*card) == earlier;
    let place = all.iter().position(is_earlier);
    let mut all = all.into_iter().skip(place.unwrap_or(0));
    let (card, mut read) = all.next().context("there is no game")?;
    if let (None, Read::Damaged(damage)) = (place, &mut read) {
        let title = card.facts().title;
        damage.help = format!(
            "nothing in the file names its game, and {title} is assumed: {}",
            other_games()
        )
        .into();
    }
    Ok(read)
}

/// Prints the notes of a reader.
fn warn(notes: impl IntoIterator<Item: std::fmt::Display>) {
    for note in notes {
        eprint(&format!("warning: {note}"));
    }
}

/// The game to assume if neither the file nor the command line names one.
fn first_game() -> Result<Card, Failure> {
    games().iter().next().context("there is no game")
}

/// The game that accepts the most moves from the first on, if there is no `FEN`. On a tie, a game
/// that uses the notation of PGN itself wins: its games need no tag that names them.
fn game_of_moves(raw: &RawGame<'_>) -> Option<Card> {
    if raw.tags.known("FEN").is_some() {
        return None;
    }
    let legal = |card: Card| {
        let mut line = card.line(&*card.initial());
        let words = raw.words.iter().take_while(|(_, word)| {
            let moves = line.position().read_word(word);
            let is_legal = moves.is_ok();
            for mv in moves.into_iter().flatten() {
                line.play(mv);
            }
            is_legal
        });
        words.count()
    };
    let usual = |card: Card| card.facts().pgn.known_notation("san").is_some();
    let ranked = games().iter().map(|card| (legal(card), usual(card), card));
    let ranked = ranked.filter(|(legal, ..)| *legal > 0);
    // The first of the best.
    let best = ranked.reduce(|best, other| {
        if (other.0, other.1) > (best.0, best.1) {
            other
        } else {
            best
        }
    });
    best.map(|(_, _, card)| card)
}

/// The damage of a game whose tags name an unknown game: its moves would mean other moves.
fn unknown_game(raw: &RawGame<'_>, name: &str, game: &str) -> Damage {
    let location = GameLocation {
        name,
        line: raw.line,
        game: raw.number,
    };
    let problem = format!("its tags say that it is a game of `{}`", shown(game));
    location.damage(None, problem, other_games())
}

/// The remedy for a game that is read as one of another kind.
fn other_games() -> String {
    let known = games().iter().map(GameCard::name);
    let known: Vec<String> = known.map(|game| format!("`--game {game}`")).collect();
    format!("{} reads it as another", known.join(" or "))
}

impl Conversion<'_> {
    fn read_position(
        &mut self,
        card: Card,
        text: &str,
        line: u64,
        name: &str,
    ) -> Result<(), Failure> {
        match EpdPosition::read(card, text, line, name) {
            Err(damage) => {
                self.summary.damaged_positions += 1;
                self.damaged(&damage);
            }
            Ok(epd) => {
                self.summary.positions += 1;
                if self.output.is_none() || !self.is_new(&*epd.position) {
                    return Ok(());
                }
                let text = if matches!(self.format, Format::Json) {
                    json(&PositionRow::new(name, &epd))?
                } else {
                    write_epd(&*epd.position, &epd.operations)
                };
                self.write(&text)?;
            }
        }
        Ok(())
    }
}
