//! From the text of a file to its games and positions.

use std::io::BufRead;
use std::path::Path;

use anyhow::bail;

use super::super::{Arguments, Format};
use super::{Conversion, Convertible};
use crate::cli::common::{Failure, Game as GameName, for_game, note};
use crate::cli::json::json;
use crate::config::GameChoice;
use crate::game::Position;
use crate::games::go::{Capture, GoRules};
use crate::games::othello::ggf::{GgfReader, read_ggf};
use crate::games::othello::{Othello, OthelloRules};
use crate::games::xiangqi::XiangqiRules;
use crate::interchange::epd::EpdPosition;
use crate::interchange::pgn::{Game, PgnReader, RawGame};
use crate::interchange::{Content, Damage, Lines, TranscriptReader};
use crate::player::Playable;
use crate::report::convert::PositionRow;
use crate::schedule::{is_go, write_epd};

impl Conversion<'_> {
    pub(super) fn text<R: BufRead>(
        &mut self,
        path: &Path,
        mut lines: Lines<R>,
    ) -> Result<(), Failure> {
        // A book whose first line is damaged is a book all the same.
        let content = match (Format::of(path), lines.content()?) {
            (Some(Format::Epd), _) => Content::Positions,
            // Whatever is no PGN of Othello is meant as moves.
            (_, Content::Games)
                if self.arguments.game == Some(GameName::Othello) && lines.is_no_pgn() =>
            {
                Content::Transcripts
            }
            (_, content) => content,
        };
        match content {
            Content::Games => self.games(PgnReader::new(lines)),
            Content::Positions => self.positions(lines),
            Content::Ggf => self.ggf(GgfReader::new(lines)),
            Content::Transcripts => self.transcripts(TranscriptReader::new(lines)),
            Content::Json => bail!(
                "{}: this is JSON, which is written but not read\nhelp: convert the PGN that it \
                 was made from",
                lines.name()
            ),
        }
    }

    fn games<R: BufRead>(&mut self, mut reader: PgnReader<R>) -> Result<(), Failure> {
        let mut any = false;
        while let Some(raw) = reader.next_game()? {
            any = true;
            let fen = raw.tags.known("FEN").unwrap_or_default();
            let game = self.name_of(raw.tags.game(), fen);
            for_game!(game, read_game(self, &raw, reader.name()))?;
        }
        for told in reader.notes() {
            note(&format!("warning: {told}"));
        }
        if !any {
            bail!(
                "{}: there is no game in it\nhelp: is it PGN, EPD or a record of `leitai run`?",
                reader.name()
            );
        }
        Ok(())
    }

    fn ggf<R: BufRead>(&mut self, mut reader: GgfReader<R>) -> Result<(), Failure> {
        let rules = rules_of::<Othello>(self.arguments);
        while let Some(raw) = reader.next_game()? {
            let game = read_ggf(&raw, reader.name(), rules);
            self.read(reader.name(), game)?;
        }
        for told in reader.notes() {
            note(&format!("warning: {told}"));
        }
        Ok(())
    }

    fn transcripts<R: BufRead>(&mut self, mut reader: TranscriptReader<R>) -> Result<(), Failure> {
        let rules = rules_of::<Othello>(self.arguments);
        while let Some(game) = reader.next_game(rules)? {
            self.read(reader.name(), game)?;
        }
        for told in reader.notes() {
            note(&format!("warning: {told}"));
        }
        Ok(())
    }

    /// A game that was read, or why not.
    fn read<P: Convertible>(
        &mut self,
        name: &str,
        game: Result<Game<P>, Damage>,
    ) -> Result<(), Failure> {
        match game {
            Ok(game) => self.game(name, &game),
            Err(damage) => {
                self.summary.damaged_games += 1;
                self.damaged(&damage);
                Ok(())
            }
        }
    }

    /// Which game is meant: what the tags say, or the command line, or what the
    /// position looks like.
    fn name_of(&self, told: Option<&str>, position: &str) -> GameName {
        let known = match told {
            Some(name) if name == Othello::NAME => Some(GameName::Othello),
            Some(name) if name == Capture::NAME => Some(GameName::Go),
            Some(_) => Some(GameName::Xiangqi),
            None => self.arguments.game,
        };
        let board = position.split_whitespace().next().unwrap_or_default();
        known.unwrap_or(if is_go(board) {
            GameName::Go
        } else if board.is_empty() || board.contains('/') {
            GameName::Xiangqi
        } else {
            GameName::Othello
        })
    }

    fn positions<R: BufRead>(&mut self, mut lines: Lines<R>) -> Result<(), Failure> {
        if !matches!(self.format, Format::Epd | Format::Json) && self.output.is_something() {
            let what = match self.format {
                Format::Ggf | Format::Txt => "GGF and transcripts",
                _ => "PGN and CSV",
            };
            bail!(
                "{}: these are positions, and {what} are of games\nhelp: write them with \
                 `--to epd` or `--to json`",
                lines.name()
            );
        }
        while let Some((number, line)) = lines.next_line()? {
            let text = line.trim();
            if text.is_empty() || text.starts_with(['#', '%']) {
                continue;
            }
            let game = self.name_of(None, text);
            for_game!(game, read_position(self, text, number, lines.name()))?;
        }
        for told in lines.notes() {
            note(&format!("warning: {told}"));
        }
        Ok(())
    }
}

fn read_game<P: Convertible>(
    conversion: &mut Conversion<'_>,
    raw: &RawGame,
    name: &str,
) -> Result<(), Failure> {
    let rules = rules_of::<P>(conversion.arguments);
    conversion.read(name, Game::<P>::read(raw, name, rules))
}

/// The rules for games of files.
fn rules_of<P: Playable>(arguments: &Arguments) -> P::Rules {
    let xiangqi = XiangqiRules {
        repetition: arguments.rule.into(),
        ..XiangqiRules::default()
    };
    let othello = OthelloRules {
        empties: arguments.empties.into(),
    };
    let choices = [
        GameChoice::Xiangqi(xiangqi),
        GameChoice::Othello(othello),
        GameChoice::Go(GoRules::default()),
    ];
    choices.into_iter().find_map(P::rules).unwrap_or_default()
}

fn read_position<P: Convertible>(
    conversion: &mut Conversion<'_>,
    text: &str,
    line: u64,
    name: &str,
) -> Result<(), Failure> {
    match EpdPosition::<P>::read(text, line, name) {
        Err(damage) => {
            conversion.summary.damaged_positions += 1;
            conversion.damaged(&damage);
        }
        Ok(epd) => {
            conversion.summary.positions += 1;
            if !conversion.output.is_something() || !conversion.is_new(&epd.position) {
                return Ok(());
            }
            let text = if conversion.format == Format::Json {
                json(&PositionRow::new(name, &epd))?
            } else {
                write_epd(&epd.position, &epd.operations)
            };
            conversion.write(&text)?;
        }
    }
    Ok(())
}
