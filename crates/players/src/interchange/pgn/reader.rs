//! Assembly of games from lines.

use std::collections::VecDeque;
use std::io::BufRead;

use super::RawGame;
use super::lexer::{Event, Lexer};
use crate::interchange::{Lines, TextError, shown};
use leitai_base::count::count;
use leitai_game::card::Games;

/// The count of an event, and its first line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The count.
    pub count: u64,
    /// The first line, or 0.
    pub line: u64,
}

impl Tally {
    /// Counts one more occurrence.
    pub fn add(&mut self, line: u64) {
        if self.count == 0 {
            self.line = line;
        }
        self.count += 1;
    }
}

/// Reads the games of a file one by one, in bounded memory.
#[derive(Debug)]
pub struct PgnReader<R> {
    lines: Lines<R>,
    lexer: Lexer,
    assembly: Assembly,
    /// Lines that begin like a tag and are none.
    pub malformed: Tally,
    games: Games,
}

/// Games under construction.
#[derive(Debug, Default)]
struct Assembly {
    open: Option<RawGame>,
    finished: VecDeque<RawGame>,
    games: u64,
}

impl<R: BufRead> PgnReader<R> {
    /// The games in `lines`; their tags may name one of `games`.
    pub fn new(lines: Lines<R>, games: &Games) -> Self {
        Self {
            lines,
            lexer: Lexer::default(),
            assembly: Assembly::default(),
            malformed: Tally::default(),
            games: games.clone(),
        }
    }

    /// The next game; `None` at the end of the file. Every game has at least a tag, a word or a
    /// result.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn next_game(&mut self) -> Result<Option<RawGame>, TextError> {
        let mut game = self.next_raw()?;
        if let Some(game) = &mut game {
            game.tags.settle(&self.games);
        }
        Ok(game)
    }

    fn next_raw(&mut self) -> Result<Option<RawGame>, TextError> {
        loop {
            if let Some(game) = self.assembly.finished.pop_front() {
                return Ok(Some(game));
            }
            let Some((number, line)) = self.lines.next_line()? else {
                self.lexer.finish(&mut |event| self.assembly.take(event, 0));
                return Ok(self.assembly.finished.pop_front());
            };
            self.lexer.line(&line, |event| {
                if event == Event::Malformed {
                    self.malformed.add(number);
                }
                self.assembly.take(event, number);
            });
        }
    }

    /// The file's name.
    pub fn name(&self) -> &str {
        self.lines.name()
    }

    /// Notes on the file, once all games have been read.
    pub fn notes(&self) -> Vec<String> {
        let name = self.lines.name();
        let (number, line) = (self.malformed.count, self.malformed.line);
        let malformed = (number > 0).then(|| {
            let lines = count(number, "malformed tag was", "malformed tags were");
            format!("{name}: {lines} ignored (the first in line {line})")
        });
        let unclosed = self.lexer.open_comment().map(|text| {
            format!(
                "{name}: a comment is never closed, and the text in it was not read: `{}`",
                shown(text)
            )
        });
        let notes = malformed.into_iter().chain(unclosed);
        notes.chain(self.lines.notes()).collect()
    }
}

impl Assembly {
    fn take(&mut self, event: Event<'_>, line: u64) {
        if let (Event::Tag(tag, _), Some(open)) = (event, &self.open)
            && open.has(tag)
        {
            self.finish();
        }
        if matches!(event, Event::End | Event::Unclosed(_)) && self.open.is_none() {
            return;
        }
        let open = self.open.get_or_insert_with(|| RawGame::at(line));
        match event {
            Event::Tag(name, value) => open.tag(name, value),
            Event::Malformed => {}
            Event::Move(word) => open.word(word, line),
            Event::Comment(text) => open.comment(text),
            Event::Result(result) => open.result = Some(result),
            Event::Unclosed(problem) => open.damage(problem),
            Event::End => self.finish(),
        }
    }

    fn finish(&mut self) {
        if let Some(mut game) = self.open.take()
            && !game.is_nothing()
        {
            self.games += 1;
            game.number = self.games;
            self.finished.push_back(game);
        }
    }
}
