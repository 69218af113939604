//! Reads all inputs and writes the requested format.

mod reading;

use std::collections::{HashMap, HashSet};

use super::record::convert_record;
use super::{Arguments, Form, Format};
use crate::cli::input::open_input;
use crate::cli::json::json;
use crate::cli::prelude::*;
use leitai_base::foreign::{raw_path, shown as shown_words};
use leitai_game::card::AnyPosition;
use leitai_interchange::pgn::{Game, ResultDoubt, UnreadScore, pgn_text};
use leitai_interchange::{Damage, Source, shown};
use leitai_report::Export;
use leitai_report::convert::{
    CSV_HEADER, ConvertSummary, GamePoint, GameRow, ParallelResults, TRAINING_HEADER,
    TrainingFilter, binary, binary_header, csv_row, epd_line, is_opening, pair_of_own_game,
    training, training_row,
};
use leitai_session::output::Writing;

/// The maximum number of damaged games, and of contradictions, that are reported one by one.
const MAX_WARNINGS: u64 = 20;

/// The number of games that are converted to positions at a time, on all threads.
const WAITING: usize = 256;

/// A conversion in progress.
pub(super) struct Conversion<'a> {
    arguments: &'a Arguments,
    format: Format,
    /// A file or standard output, or `None` with `--check`.
    output: Option<Writing>,
    /// Keys of the written positions, if each is written only once.
    seen: HashSet<u64>,
    /// Positions written after an earlier one of their game.
    continuing: u64,
    /// For training: the positions to keep, the games that wait, the batch that other threads
    /// convert, and the header of the output.
    wanted: TrainingFilter,
    pairs: Pairs,
    waiting: Vec<(Game, (u64, u8))>,
    making: Option<ParallelResults<Result<Positions, Failure>>>,
    head: Vec<u8>,
    /// The games whose unread scores were reported.
    unread_games: u64,
    pub(super) summary: ConvertSummary,
}

impl<'a> Conversion<'a> {
    pub(super) fn new(arguments: &'a Arguments, format: Format, output: Option<Writing>) -> Self {
        Self {
            arguments,
            format,
            output,
            seen: HashSet::new(),
            continuing: 0,
            wanted: arguments.choice.wanted(),
            pairs: Pairs::default(),
            waiting: Vec::new(),
            making: None,
            head: Vec::new(),
            unread_games: 0,
            summary: ConvertSummary::default(),
        }
    }

    /// The options for reading a record.
    pub(super) fn wants(&self) -> Export {
        Export {
            beyond: self.arguments.of.beyond,
            times: self.arguments.times,
        }
    }

    pub(super) fn file(&mut self, path: &Path) -> Result<(), Failure> {
        let name = raw_path(path);
        self.pairs.first = self.pairs.free;
        self.pairs.read.clear();
        match open_input(path)? {
            Source::Record => convert_record(path, self.arguments.of.run.as_deref(), &name, self)?,
            Source::Text(lines) => self.text(path, lines)?,
            Source::Own(card, form, bytes) => {
                let reader = games::known().reader(card, form)?.of_bytes(bytes);
                self.own(card, reader)?;
            }
        }
        self.summary.files += 1;
        Ok(())
    }

    /// Writes the games that wait, and reports the number of problems beyond the limit.
    pub(super) fn finish(&mut self) -> Result<(), Failure> {
        if let Format::Positions(form) = self.format {
            // The first call writes the batch in progress, the second one the games that wait.
            self.training(form)?;
            self.training(form)?;
            if self.summary.written == 0 && self.output.is_some() {
                bail!(
                    "no position meets the conditions: nothing is written\n\
                     help: choose other plies or scores, or other games"
                );
            }
            let written = count(self.summary.written, "position", "positions");
            eprint(&format!("{written} written"));
        }
        let summary = &self.summary;
        for (count, what) in [
            (summary.damaged(), "damaged games or lines"),
            (summary.contradicted, "results that contradict the referee"),
            (summary.doubtful(), "tags of results that are doubtful"),
        ] {
            if count > MAX_WARNINGS {
                eprint(&format!("and {} more {what}", count - MAX_WARNINGS));
            }
        }
        if self.continuing > 0 {
            eprint(&format!(
                "warning: {} others of the same game: as openings they lead into each \
                 other, and pairs from them are not independent\nhelp: `--ply N` writes one \
                 position of each game",
                count(self.continuing, "position follows", "positions follow")
            ));
        }
        let choice = &self.arguments.choice;
        if summary.written == 0 && self.output.is_some() && choice.is_book() {
            let plies = match (choice.ply, &choice.plies) {
                (Some(ply), _) => format!(" after {ply} plies"),
                (None, Some(range)) => format!(" after {} to {} plies", range.start(), range.end()),
                (None, None) => String::new(),
            };
            bail!(
                "no game has a position{plies} that a game can begin from: nothing is written\n\
                 help: choose other plies, or other games"
            );
        }
        self.output.take().map_or(Ok(()), Writing::finish)
    }

    /// Counts a game and writes its part of the output.
    pub(super) fn game(&mut self, name: &str, game: Game) -> Result<(), Failure> {
        self.game_as(name, game, None)
    }

    /// Like [`game`](Self::game), with the game's PGN if it was made before.
    fn game_as(&mut self, name: &str, game: Game, text: Option<String>) -> Result<(), Failure> {
        self.summary.game(&game);
        if game.agrees() == Some(false)
            && self.summary.contradicted <= MAX_WARNINGS
            && let Some((ply, verdict)) = game.verdict
        {
            let line = match game.line {
                0 => String::new(),
                line => format!(", line {line}"),
            };
            let name = shown_words(name);
            eprint(&format!(
                "warning: {name}{line}, game {}: the recorded result is not the referee's, {} by \
                 {} after ply {ply}",
                game.number,
                verdict.result_text(),
                verdict.cause
            ));
        }
        if let Some(doubt) = game.doubt
            && self.summary.doubtful() <= MAX_WARNINGS
        {
            let name = shown_words(name);
            let tag = shown(game.tags.get("Result").unwrap_or_default());
            let what = match doubt {
                ResultDoubt::Contradicted => "contradicts the end of its moves; the tag counts",
                ResultDoubt::Unknown => "is not a result; the end of its moves counts",
            };
            eprint(&format!(
                "warning: {name}, line {}, game {}: the tag Result `{tag}` {what}",
                game.line, game.number
            ));
        }
        if let Some(UnreadScore { line, ply, text }) = &game.unread.first_score
            && self.unread_games < MAX_WARNINGS
        {
            self.unread_games += 1;
            let name = shown_words(name);
            eprint(&format!(
                "warning: {name}, line {line}, game {}: the comment on ply {ply} seems to have a \
                 score, in a form that is not read: `{text}`",
                game.number
            ));
        }
        if self.output.is_none() {
            return Ok(());
        }
        match self.format {
            Format::Pgn if text.is_some() => self.write(&text.unwrap_or_default()),
            Format::Pgn => {
                let card = game.play.start().card();
                let notation = games::notation(card, self.arguments.notation.as_deref())?;
                self.write(&pgn_text(&game, notation))
            }
            Format::Json => self.write(&json(&GameRow::new(name, &game))?),
            Format::Csv => {
                if self.summary.written == 0 {
                    self.line(CSV_HEADER)?;
                }
                self.write(csv_row(name, &game).trim_end_matches('\n'))
            }
            Format::Epd => self.positions_of(name, &game),
            Format::Positions(form) => {
                let pair = self.pairs.of(&game);
                self.waiting.push((game, pair));
                if self.waiting.len() < WAITING {
                    return Ok(());
                }
                self.training(form)
            }
            Format::Own(card, own) => {
                let write = own
                    .write
                    .with_context(|| format!("{} is only read", own.form.title))?;
                let Some(text) = write.text(&game) else {
                    if game.play.position().card() == card {
                        bail!(
                            "{name}: game {} cannot be written {}\nhelp: write it with `--to pgn`",
                            game.number,
                            own.form.manner
                        );
                    }
                    bail!(
                        "{} are formats of {}, and this is another game\nhelp: write it with `--to \
                         pgn`",
                        titles(card),
                        card.facts().title
                    );
                };
                if self.summary.written > 0 && !own.between.is_empty() {
                    self.line(own.between)?;
                }
                self.write(&text)
            }
        }
    }

    /// Starts converting the games that wait, and writes the previous batch.
    fn training(&mut self, form: Form) -> Result<(), Failure> {
        let Some(writing) = &mut self.output else {
            return Ok(());
        };
        let wanted = self.wanted.clone();
        let games = std::mem::take(&mut self.waiting);
        let next = ParallelResults::start(games, move |(game, pair)| {
            positions(form, game, *pair, &wanted)
        });
        let made = self.making.replace(next).map(ParallelResults::wait);
        for part in made.into_iter().flatten() {
            let (head, bytes, count) = part?;
            if count == 0 {
                continue;
            }
            if self.summary.written == 0 {
                writing.write(&head)?;
                self.head = head;
            } else if self.head != head {
                bail!(
                    "the boards have no rows in their texts, or are not all of one game and size, which \
                     a binary file needs\nhelp: write JSON or CSV"
                );
            }
            writing.write(&bytes)?;
            self.summary.written += count;
        }
        Ok(())
    }

    fn positions_of(&mut self, name: &str, game: &Game) -> Result<(), Failure> {
        let mut position = game.play.start().boxed();
        let mut moves = game.play.moves().into_iter();
        if let Some(plies) = self.arguments.choice.ply {
            if game.play.len() < plies {
                self.summary.short += 1;
                return Ok(());
            }
            for mv in moves.take(plies) {
                position.play(mv);
            }
            if !is_opening(&*position) {
                self.summary.no_openings += 1;
                return Ok(());
            }
            return self.position(name, game, &*position, GamePoint::Opening(plies));
        }
        if !self.arguments.choice.every {
            return self.position(name, game, game.play.position(), GamePoint::End);
        }
        let before = self.summary.written;
        let plies = self.arguments.choice.plies.clone();
        for ply in 0..=game.play.len() {
            if plies.as_ref().is_none_or(|plies| plies.contains(&ply)) {
                if is_opening(&*position) {
                    self.position(name, game, &*position, GamePoint::After(ply))?;
                } else {
                    self.summary.no_openings += 1;
                }
            }
            if let Some(mv) = moves.next() {
                position.play(mv);
            }
        }
        self.continuing += (self.summary.written - before).saturating_sub(1);
        Ok(())
    }

    fn position(
        &mut self,
        name: &str,
        game: &Game,
        position: &dyn AnyPosition,
        place: GamePoint,
    ) -> Result<(), Failure> {
        if self.is_new(position) {
            self.write(&epd_line(name, game, position, place))?;
        }
        Ok(())
    }

    /// Returns whether to write a position; an opening is written only once.
    fn is_new(&mut self, position: &dyn AnyPosition) -> bool {
        let once = self.arguments.choice.unique || self.arguments.choice.ply.is_some();
        let new = !once || self.seen.insert(position.symmetric_key());
        self.summary.duplicates += u64::from(!new);
        new
    }

    fn write(&mut self, text: &str) -> Result<(), Failure> {
        self.line(text)?;
        self.summary.written += 1;
        Ok(())
    }

    fn line(&mut self, text: &str) -> Result<(), Failure> {
        if let Some(writing) = &mut self.output {
            writing.write(text)?;
            writing.write("\n")?;
        }
        Ok(())
    }

    fn damaged(&self, damage: &Damage) {
        if self.summary.damaged() <= MAX_WARNINGS {
            eprint(&format!("error: {damage}"));
        }
    }
}

/// Pair numbers, unique across files. Those of a record keep their order, shifted beyond earlier
/// files; games from text are numbered in turn, the two games of a Leitai pair as one.
#[derive(Default)]
struct Pairs {
    /// The first number of this file, and the next free one.
    first: u64,
    free: u64,
    /// Pairs of Leitai's games from text, by event and round.
    read: HashMap<(String, u64), u64>,
}

impl Pairs {
    /// The pair of a game, and the game's index within it.
    fn of(&mut self, game: &Game) -> (u64, u8) {
        let (pair, number) = match pair_of_own_game(game) {
            Some((pair, number)) if game.line == 0 => (self.first + pair, number),
            Some((pair, number)) => {
                let event = game.tags.get("Event").unwrap_or_default().to_owned();
                let read = self.read.entry((event, pair));
                (*read.or_insert(self.free), number)
            }
            None => (self.free, 0),
        };
        self.free = self.free.max(pair + 1);
        (pair, number)
    }
}

/// The titles of a game's own formats.
fn titles(card: Card) -> String {
    let titles: Vec<_> = card.facts().forms.iter().map(|form| form.title).collect();
    titles.join(" and ")
}

/// The training positions of a game: the header of the output, the encoded positions, and their
/// number.
type Positions = (Vec<u8>, Vec<u8>, u64);

/// Encodes the wanted positions of a game.
fn positions(
    form: Form,
    game: &Game,
    pair: (u64, u8),
    wanted: &TrainingFilter,
) -> Result<Positions, Failure> {
    let head = match form {
        Form::Jsonl => Vec::new(),
        Form::Csv => format!("{TRAINING_HEADER}\n").into_bytes(),
        Form::Binary => binary_header(game.play.start()),
    };
    let (mut bytes, mut count) = (Vec::new(), 0);
    training(game, pair, wanted, |row, position| {
        match form {
            Form::Jsonl => {
                serde_json::to_writer(&mut bytes, row)?;
                bytes.push(b'\n');
            }
            Form::Csv => bytes.extend_from_slice(training_row(row).as_bytes()),
            Form::Binary => binary(row, position, &mut bytes),
        }
        count += 1;
        Ok::<_, Failure>(())
    })?;
    Ok((head, bytes, count))
}
