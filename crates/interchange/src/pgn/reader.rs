//! Games of a file, read on all threads.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::mpsc::{Receiver, sync_channel};

use memchr::memchr_iter;
use memchr::memmem;

use super::RawGame;
use super::lexer::{Lexer, Oddities, TextEnd, is_safe_cut};
use crate::{Lines, TextError, shown};
use leitai_base::count::count;
use leitai_base::foreign::shown as shown_name;
use leitai_base::threads::pool;
use leitai_game::card::Games;

/// Smallest number of bytes that a thread takes at once.
const BLOCK: usize = 1 << 16;

/// Largest number of bytes of a game with its comments.
const LONGEST: usize = 16 << 20;

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
        self.join(Self { count: 1, line });
    }

    /// Adds the count of later lines.
    pub fn join(&mut self, later: Self) {
        if self.count == 0 {
            self.line = later.line;
        }
        self.count += later.count;
    }
}

/// Reads the games of a file in bounded memory.
#[derive(Debug)]
pub struct PgnReader<'r> {
    lines: Lines<'r>,
    games: Games,
    /// The number of games so far.
    number: u64,
    oddities: Oddities,
}

/// A text of whole games, and the number of its first line.
struct Block {
    text: String,
    line: u64,
}

/// The contents of a block.
struct Content<B> {
    made: B,
    /// The number of games.
    games: u64,
    oddities: Oddities,
}

impl Block {
    fn read<B: Default>(&self, games: &Games, add: &impl Fn(&mut B, &RawGame<'_>)) -> Content<B> {
        Content::of(
            &mut Lexer::new(&self.text, self.line, TextEnd::Whole),
            games,
            add,
        )
    }
}

impl<B: Default> Content<B> {
    /// Adds all games of a lexer.
    fn of(lexer: &mut Lexer<'_>, games: &Games, add: &impl Fn(&mut B, &RawGame<'_>)) -> Self {
        let mut raw = RawGame::default();
        let (mut made, mut number) = (B::default(), 0);
        while lexer.next(&mut raw) {
            raw.tags.settle(games);
            add(&mut made, &raw);
            number += 1;
        }
        Self {
            made,
            games: number,
            oddities: std::mem::take(&mut lexer.oddities),
        }
    }
}

impl<'r> PgnReader<'r> {
    /// The games in `lines`; their tags may name one of `games`.
    pub fn new(lines: Lines<'r>, games: &Games) -> Self {
        Self {
            lines,
            games: games.clone(),
            number: 0,
            oddities: Oddities::default(),
        }
    }

    /// Passes the result of `make` for each game to `take`, in the order of the file. `make` runs on
    /// `threads` threads. The first argument of `take` is the number of games before the block, to
    /// be added to the number of the raw game.
    ///
    /// # Errors
    /// The file cannot be read, or `take` fails.
    pub fn read<T: Send, E: From<TextError>>(
        &mut self,
        threads: NonZeroUsize,
        make: impl Fn(&RawGame<'_>) -> T + Sync,
        mut take: impl FnMut(u64, T) -> Result<(), E>,
    ) -> Result<(), E> {
        let add = |all: &mut Vec<T>, raw: &RawGame<'_>| all.push(make(raw));
        self.read_blocks(threads, add, |before, all| {
            all.into_iter().try_for_each(|game| take(before, game))
        })
    }

    /// Like [`read`](Self::read) for blocks of games: `add` collects those of a block on one
    /// thread.
    ///
    /// # Errors
    /// The file cannot be read, or `take` fails.
    pub fn read_blocks<B: Default + Send, E: From<TextError>>(
        &mut self,
        threads: NonZeroUsize,
        add: impl Fn(&mut B, &RawGame<'_>) + Sync,
        mut take: impl FnMut(u64, B) -> Result<(), E>,
    ) -> Result<(), E> {
        let games = self.games.clone();
        let (games, add) = (&games, &add);
        // Small files need no threads.
        let is_small = self.lines.ahead(BLOCK + 1)?.len() <= BLOCK;
        if threads.get() == 1 || is_small {
            while let Some(next) = self.next_block()? {
                let content = match next {
                    Next::Whole(block) => block.read(games, add),
                    Next::Open(least) => self.open_games(least, add)?,
                };
                self.pass(content, &mut take)?;
            }
            return Ok(());
        }
        let pool = pool(threads);
        pool.in_place_scope(|scope| {
            let mut waiting: VecDeque<Receiver<Content<B>>> = VecDeque::new();
            loop {
                let (mut open, mut end) = (None, None);
                while waiting.len() < 2 * threads.get() && open.is_none() && end.is_none() {
                    match self.next_block() {
                        Ok(None) => end = Some(Ok(())),
                        // The games before an error count.
                        Err(error) => end = Some(Err(error)),
                        Ok(Some(Next::Open(least))) => open = Some(least),
                        Ok(Some(Next::Whole(block))) => {
                            let (sender, receiver) = sync_channel(1);
                            scope.spawn(move |_| {
                                // The receiver is gone after an error.
                                let _ = sender.send(block.read(games, add));
                            });
                            waiting.push_back(receiver);
                        }
                    }
                }
                while let Some(receiver) = waiting.pop_front() {
                    if let Ok(content) = receiver.recv() {
                        self.pass(content, &mut take)?;
                    }
                    if open.is_none() && end.is_none() {
                        break;
                    }
                }
                if let Some(end) = end {
                    return Ok(end?);
                }
                if let Some(least) = open {
                    let content = self.open_games(least, add)?;
                    self.pass(content, &mut take)?;
                }
            }
        })
    }

    /// The results of `make` for all games, on one thread.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn all<T: Send>(
        &mut self,
        make: impl Fn(&RawGame<'_>) -> T + Sync,
    ) -> Result<Vec<T>, TextError> {
        let mut all = Vec::new();
        self.read(NonZeroUsize::MIN, make, |_, made| {
            all.push(made);
            Ok::<_, TextError>(())
        })?;
        Ok(all)
    }

    /// Passes the games of a block on.
    fn pass<B, E>(
        &mut self,
        content: Content<B>,
        take: &mut impl FnMut(u64, B) -> Result<(), E>,
    ) -> Result<(), E> {
        self.oddities.join(content.oddities);
        let before = self.number;
        self.number += content.games;
        take(before, content.made)
    }

    /// The next text of whole games; `None` at the end of the file.
    fn next_block(&mut self) -> Result<Option<Next>, TextError> {
        let line = self.lines.number() + 1;
        let text = self.lines.ahead(BLOCK)?;
        let (end, is_end) = (last_cut(text), text.len() < BLOCK);
        let end = match end {
            _ if text.is_empty() => return Ok(None),
            _ if is_end => text.len(),
            Some(end) => end,
            None => return Ok(Some(Next::Open(BLOCK))),
        };
        let lines = lines_in(&text[..end]);
        let text = self.lines.split(end, lines);
        Ok(Some(Next::Whole(Block { text, line })))
    }

    /// Reads games up to the last whole one, in a text without a safe place to cut.
    fn open_games<B: Default>(
        &mut self,
        mut least: usize,
        add: &impl Fn(&mut B, &RawGame<'_>),
    ) -> Result<Content<B>, TextError> {
        let line = self.lines.number() + 1;
        loop {
            let text = self.lines.ahead(least)?;
            let end = match text.len() {
                length if length < least => TextEnd::Whole,
                length if length < LONGEST => TextEnd::Open,
                _ => TextEnd::TooLong,
            };
            let mut lexer = Lexer::new(text, line, end);
            let content = Content::of(&mut lexer, &self.games, add);
            let (taken, next) = lexer.place();
            if taken == 0 && end == TextEnd::Open {
                least = 2 * text.len();
                continue;
            }
            self.lines.take(taken, next - line);
            return Ok(content);
        }
    }

    /// The file's name.
    pub fn name(&self) -> &str {
        self.lines.name()
    }

    /// Notes on the file, once all games have been read.
    pub fn notes(&self) -> Vec<String> {
        let name = shown_name(self.lines.name());
        let Oddities {
            malformed,
            nested,
            open_comment,
        } = &self.oddities;
        let malformed = (malformed.count > 0).then(|| {
            let tags = count(malformed.count, "malformed tag was", "malformed tags were");
            let line = malformed.line;
            format!("{name}: {tags} ignored (the first in line {line})")
        });
        let nested = (nested.count > 0).then(|| {
            let comments = count(nested.count, "comment contains", "comments contain");
            let line = nested.line;
            format!(
                "{name}: {comments} `{{` (the first in line {line}): if `}}` is missing before it, \
                 the text between them was not read"
            )
        });
        let unclosed = open_comment.as_ref().map(|(line, text)| {
            format!(
                "{name}, line {line}: a comment begins that is never closed, and the rest of the \
                 file was not read: `{}`",
                shown(text)
            )
        });
        let notes = [malformed, nested, unclosed].into_iter().flatten();
        notes.chain(self.lines.notes()).collect()
    }
}

/// The next part of a file.
enum Next {
    /// Whole games.
    Whole(Block),
    /// Text without a safe place to cut, with the number of bytes to read.
    Open(usize),
}

/// The last safe place to cut a text: before a line that begins a game in any context.
fn last_cut(text: &str) -> Option<usize> {
    let mut before = text.len();
    while let Some(place) = memmem::rfind(&text.as_bytes()[..before], b"\n[") {
        let is_after_blank = text[..place]
            .rsplit('\n')
            .next()
            .is_some_and(|line| line.trim().is_empty());
        let line = text[place + 1..]
            .split_inclusive('\n')
            .next()
            .unwrap_or_default();
        if is_after_blank && line.ends_with('\n') && is_safe_cut(line.trim_end_matches('\n')) {
            return Some(place + 1);
        }
        before = place;
    }
    None
}

fn lines_in(text: &str) -> u64 {
    memchr_iter(b'\n', text.as_bytes()).count() as u64
}
