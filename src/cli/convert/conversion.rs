//! Reading everything, and writing it as was asked.

mod reading;

use std::collections::{HashMap, HashSet};
use std::path::Path;

use anyhow::bail;

use super::record::convert_record;
use super::{Arguments, Form, Format};
use crate::card::AnyPosition;
use crate::cli::failure::Failure;
use crate::cli::games::Card;
use crate::cli::input::{Input, open_input};
use crate::cli::json::json;
use crate::cli::terminal::note;
use crate::count::count;
use crate::foreign::{raw_path, shown as shown_words};
use crate::interchange::pgn::{Doubt, Game};
use crate::interchange::{Damage, Lines, shown};
use crate::output::Writing;
use crate::report::Export;
use crate::report::convert::{
    CSV_HEADER, ConvertSummary, GameRow, Making, Place, TRAINING_HEADER, Wanted, binary,
    binary_head, csv_row, epd_line, is_opening, own_pair, pgn_text, training, training_row,
};

/// Most damaged games and contradictions, each, that are told one by one.
const TOLD: u64 = 20;

/// So many games are made into positions at a time, on all threads.
const WAITING: usize = 256;

/// A conversion on its way.
pub(super) struct Conversion<'a> {
    arguments: &'a Arguments,
    format: Format,
    /// A file or standard output, or nothing at all.
    output: Option<Writing>,
    /// Keys of the positions written, where each goes out only once.
    seen: HashSet<u64>,
    /// Positions written behind an earlier one of their game.
    continuing: u64,
    /// Which positions are wanted for a training, the games whose are still to be made, those
    /// that are being made, and what stands before all.
    wanted: Wanted,
    pairs: Pairs,
    waiting: Vec<(Game, (u64, u8))>,
    making: Option<Making<Result<Positions, Failure>>>,
    head: Vec<u8>,
    /// The counts so far.
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
            summary: ConvertSummary::default(),
        }
    }

    /// What is wanted of a record.
    pub(super) fn wants(&self) -> Export {
        Export {
            beyond: self.arguments.of.beyond,
            times: self.arguments.times,
        }
    }

    /// Converts a file.
    pub(super) fn file(&mut self, path: &Path) -> Result<(), Failure> {
        let name = raw_path(path);
        self.pairs.begin_file();
        match open_input(path)? {
            Input::Record => convert_record(path, self.arguments.of.run.as_deref(), &name, self)?,
            Input::Text(reader) => self.text(path, Lines::new(reader, &name))?,
        }
        self.summary.files += 1;
        Ok(())
    }

    /// Writes what still waits, and tells what was not told one by one.
    pub(super) fn finish(&mut self) -> Result<(), Failure> {
        if let Format::Positions(form) = self.format {
            // Those that wait, and those that are being made.
            self.training(form)?;
            self.training(form)?;
            if self.summary.written == 0 && self.output.is_some() {
                bail!(
                    "no position is as it is wanted: nothing is written\n\
                     help: choose other plies or scores, or other games"
                );
            }
            let written = count(self.summary.written, "position", "positions");
            note(&format!("{written} written"));
        }
        let summary = &self.summary;
        for (count, what) in [
            (summary.damaged(), "damaged games or lines"),
            (summary.contradicted, "results against the referee"),
            (summary.doubtful(), "tags of results that are doubtful"),
        ] {
            if count > TOLD {
                note(&format!("and {} more {what}", count - TOLD));
            }
        }
        if self.continuing > 0 {
            note(&format!(
                "warning: {} behind others of the same game: as openings they lead into each \
                 other, and pairs from them are not independent\nhelp: `--ply N` writes one \
                 position of each game",
                count(self.continuing, "position stands", "positions stand")
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

    /// Counts a game and writes what was asked of it.
    pub(super) fn game(&mut self, name: &str, game: Game) -> Result<(), Failure> {
        self.summary.game(&game);
        if game.agrees() == Some(false)
            && self.summary.contradicted <= TOLD
            && let Some((ply, verdict)) = game.verdict
        {
            let line = match game.line {
                0 => String::new(),
                line => format!(", line {line}"),
            };
            let name = shown_words(name);
            note(&format!(
                "warning: {name}{line}, game {}: the recorded result is not the referee's, {} by \
                 {} after ply {ply}",
                game.number,
                verdict.result_text(),
                verdict.cause
            ));
        }
        if let Some(doubt) = game.doubt
            && self.summary.doubtful() <= TOLD
        {
            let name = shown_words(name);
            let tag = shown(game.tags.get("Result").unwrap_or_default());
            let what = match doubt {
                Doubt::Contradicted => "is not what the end of its moves says; the tag counts",
                Doubt::Unknown => "is no result; the end of its moves counts",
            };
            note(&format!(
                "warning: {name}, line {}, game {}: the tag Result `{tag}` {what}",
                game.line, game.number
            ));
        }
        if self.output.is_none() {
            return Ok(());
        }
        match self.format {
            Format::Pgn => {
                let text = pgn_text(
                    &game,
                    game.play
                        .start()
                        .card()
                        .facts()
                        .pgn
                        .notation(self.arguments.notation.as_deref().unwrap_or_default()),
                );
                self.write(&text)
            }
            Format::Json => {
                let text = json(&GameRow::new(name, &game))?;
                self.write(&text)
            }
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
                let Some(text) = (own.write)(&game) else {
                    bail!(
                        "{} are forms of {}, and this is another game\nhelp: write it with `--to \
                         pgn`",
                        titles(card),
                        card.facts().title
                    );
                };
                self.write(&text)
            }
        }
    }

    /// Begins to make the positions of the games that wait, and writes those of the games before
    /// them.
    fn training(&mut self, form: Form) -> Result<(), Failure> {
        let Some(writing) = &mut self.output else {
            return Ok(());
        };
        let wanted = self.wanted.clone();
        let games = std::mem::take(&mut self.waiting);
        let next = Making::begin(games, move |(game, pair)| {
            positions(form, game, *pair, &wanted)
        });
        let made = self.making.replace(next).map(Making::end);
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
                    "the boards are not all of the same game and size: a binary file has one size\n\
                     help: write JSON or CSV"
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
            return self.position(name, game, &*position, Place::Opening(plies));
        }
        if !self.arguments.choice.every {
            return self.position(name, game, game.play.position(), Place::End);
        }
        let before = self.summary.written;
        let plies = self.arguments.choice.plies.clone();
        for ply in 0..=game.play.len() {
            if plies.as_ref().is_none_or(|plies| plies.contains(&ply)) {
                if is_opening(&*position) {
                    self.position(name, game, &*position, Place::After(ply))?;
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
        place: Place,
    ) -> Result<(), Failure> {
        if self.is_new(position) {
            self.write(&epd_line(name, game, position, place))?;
        }
        Ok(())
    }

    /// Whether a position is to be written; an opening only once.
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
        if self.summary.damaged() <= TOLD {
            note(&format!("error: {damage}"));
        }
    }
}

/// The numbers of pairs, which no two files share. Those of a record are its own, behind those of
/// earlier files; games that were read are counted, the two of a pair of ours as one.
#[derive(Default)]
struct Pairs {
    /// The first of this file, and one that none has yet.
    first: u64,
    free: u64,
    /// Those of our own games that were read, by event and round.
    read: HashMap<(String, u64), u64>,
}

impl Pairs {
    fn begin_file(&mut self) {
        self.first = self.free;
        self.read.clear();
    }

    /// The pair of a game and which of its games it is.
    fn of(&mut self, game: &Game) -> (u64, u8) {
        let (pair, number) = match own_pair(game) {
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

/// What the forms of a game's own are called.
fn titles(card: Card) -> String {
    let titles: Vec<_> = card.facts().forms.iter().map(|form| form.title).collect();
    titles.join(" and ")
}

/// The positions of a game for a training: what stands before those of all games, their own bytes,
/// and how many they are.
type Positions = (Vec<u8>, Vec<u8>, u64);

/// The positions of a game that are wanted.
fn positions(
    form: Form,
    game: &Game,
    pair: (u64, u8),
    wanted: &Wanted,
) -> Result<Positions, Failure> {
    let head = match form {
        Form::Jsonl => Vec::new(),
        Form::Csv => format!("{TRAINING_HEADER}\n").into_bytes(),
        Form::Binary => binary_head(game.play.start()),
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
