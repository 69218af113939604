//! Replayed games.

use std::borrow::Cow;

use super::lexer::is_annotation;
use super::{MoveComment, ParsedComment, RawGame, Tags, half_points};
use crate::moves::in_any_dialect;
use crate::{Damage, GameLocation, shown};
use leitai_game::card::{AnyLine, AnyPosition, Dialect, GameChoice, Rules};
use leitai_game::{PositionError, Side, Verdict};

/// Largest number of plies of a game; our own tournaments have the same bound. No real game is that
/// long, and counters and memory must not depend on the input.
const MAX_PLIES: usize = 10_000;

/// The reason to distrust the tag of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultDoubt {
    /// The result after the moves differs.
    Contradicted,
    /// The value of the tag is no known result.
    Unknown,
}

/// A game with legal moves only.
#[derive(Clone, Debug)]
pub struct Game {
    /// Number of the game in its file, from 1.
    pub number: u64,
    /// The line where the game begins, from 1; 0 if it does not come from text.
    pub line: u64,
    /// Its tags.
    pub tags: Tags,
    /// Start, moves, and the current position.
    pub play: Box<dyn AnyLine>,
    /// The rules that decide the verdict.
    pub rules: Rules,
    /// Half points of the first mover by the recorded result: 0 to 2; `None` if the game has no
    /// result.
    pub points: Option<u8>,
    /// A doubt about the recorded result, if any.
    pub doubt: Option<ResultDoubt>,
    /// The referee's first verdict, and the number of plies before it. The players may have
    /// continued after it.
    pub verdict: Option<(usize, Verdict)>,
    /// Known scores and depths of the moves, as the players reported them.
    pub searched: Vec<MoveComment>,
    /// Parts that were passed over.
    pub unread: Unread,
}

/// Parts of games that were passed over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unread {
    /// Number of words between moves that are no moves, such as `mate`.
    pub words: u64,
    /// Number of moves whose comments seem to have a score of an unknown form.
    pub scores: u64,
    /// The first of these moves.
    pub first_score: Option<UnreadScore>,
}

/// A move whose comment seems to have a score of an unknown form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadScore {
    /// The line of the move, from 1.
    pub line: u64,
    /// Number of the ply, from 1.
    pub ply: usize,
    /// The beginning of the comment, for display.
    pub text: String,
}

impl Game {
    /// A game without moves, judged by `rules`.
    pub fn new(start: &dyn AnyPosition, tags: Tags, rules: Rules) -> Self {
        let play = start.card().line(start);
        let over = play.position().count_legal_moves() == 0;
        Self {
            number: 0,
            line: 0,
            tags,
            points: None,
            doubt: None,
            // The start has no history: only its legal moves can give a verdict.
            verdict: over.then(|| (0, play.position().verdict_without_moves())),
            play,
            rules,
            searched: Vec::new(),
            unread: Unread::default(),
        }
    }

    /// Plays a legal move and updates the referee's verdict.
    pub fn play(&mut self, mv: leitai_game::Move) {
        self.play.play(mv);
        if self.verdict.is_none() {
            let verdict = self.play.verdict(&self.rules);
            self.verdict = verdict.map(|verdict| (self.play.len(), verdict));
        }
    }

    /// Returns whether recorded result and referee agree; `None` if one of them is missing: a game
    /// may end by resignation.
    pub fn agrees(&self) -> Option<bool> {
        let (_, verdict) = self.verdict?;
        Some(verdict.half_points(Side::First) == self.points?)
    }

    /// Adopts the referee's verdict as the result of a game that records none.
    pub fn adopt_verdict(&mut self) {
        let verdict = self.verdict.map(|(_, verdict)| verdict);
        self.points = verdict.map(|verdict| verdict.half_points(Side::First));
    }

    /// The first mover's winning margin in the points of the game, if the game has such (Othello:
    /// discs) and has ended on the board.
    pub fn margin(&self) -> Option<i32> {
        self.play.position().margin(Side::First, &self.rules)
    }

    /// Number of plies after the referee's verdict.
    pub fn played_on(&self) -> usize {
        let end = self.verdict.map_or(self.play.len(), |(ply, _)| ply);
        self.play.len() - end
    }

    /// Replays a game, with verdicts by `rules`; `name` is the file name for messages.
    ///
    /// # Errors
    /// The game is damaged, its `FEN` is no legal position, or a word of its movetext is no legal
    /// move.
    pub fn read(raw: &RawGame<'_>, name: &str, game: &GameChoice) -> Result<Self, Damage> {
        Self::read_to(raw, name, game, usize::MAX)
    }

    /// Like [`read`](Self::read), for the first `plies` moves only; the rest may be anything.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_to(
        raw: &RawGame<'_>,
        name: &str,
        game: &GameChoice,
        plies: usize,
    ) -> Result<Self, Damage> {
        // Another program's way to write the moves has to fit all of them.
        in_any_dialect(game.card, |dialect| {
            Replay { raw, name, game }.read(plies, dialect)
        })
    }
}

/// A game to be replayed.
struct Replay<'a> {
    raw: &'a RawGame<'a>,
    name: &'a str,
    game: &'a GameChoice,
}

impl Replay<'_> {
    fn read(&self, plies: usize, dialect: Option<Dialect>) -> Result<Game, Damage> {
        let (raw, GameChoice { card, rules }) = (self.raw, *self.game);
        let location = |line: u64| GameLocation {
            name: self.name,
            line,
            game: raw.number,
        };
        if let Some(problem) = raw.damage {
            let help = "correct the file: without that, its moves are uncertain";
            return Err(location(raw.line).damage(None, problem, help));
        }
        let start = match raw.tags.known("FEN") {
            None => card.initial(),
            Some(fen) => {
                let fen = fen.trim_end_matches([';', ' ']);
                card.read(fen).map_err(|PositionError { reason, .. }| {
                    let problem = format!("the FEN is not a position of {}: {reason}", card.name());
                    location(raw.line).damage(
                        None,
                        problem,
                        format!("correct the tag `FEN`: `{}`", shown(fen)),
                    )
                })?
            }
        };
        let mut game = Game::new(&*start, raw.tags.clone(), rules);
        (game.number, game.line) = (raw.number, raw.line);
        let mut comments = raw.comments.iter().peekable();
        let mut mover = start.side_to_move();
        for (number, &(line, word)) in raw.words.iter().enumerate() {
            if game.play.len() >= plies {
                break;
            }
            let here = game.play.position();
            let theirs = with_ascii_signs(word);
            let own = dialect.and_then(|dialect| dialect(&theirs));
            match here.read_word(own.as_deref().unwrap_or(&theirs)) {
                Ok(moves) => {
                    mover = here.side_to_move();
                    for mv in moves.into_iter().take(plies - game.play.len()) {
                        game.play(mv);
                    }
                }
                Err(_) if is_annotation(word) && !self.is_torn(here, number) => {
                    game.unread.words += 1;
                }
                Err(problem) => {
                    let help = here.suggest_moves(word);
                    let ply = Some(game.play.len() + 1);
                    return Err(location(line).damage(ply, shown(&problem), help));
                }
            }
            let of_it = |comment: &&(usize, &str)| comment.0 == number + 1;
            let texts = std::iter::from_fn(|| comments.next_if(of_it).map(|(_, text)| *text));
            let comment = ParsedComment::read(texts, mover);
            let plies = game.play.len();
            if let Some(text) = comment.unread {
                game.unread.scores += 1;
                game.unread.first_score.get_or_insert(UnreadScore {
                    line,
                    ply: plies,
                    text: shown(text),
                });
            }
            if let Some(said) = comment.said
                && plies > game.searched.len()
            {
                game.searched.resize(plies - 1, MoveComment::default());
                game.searched.push(said);
            }
            if game.play.len() > MAX_PLIES {
                let problem = format!("it is longer than {MAX_PLIES} plies");
                let help = "if these are several games, separate them by tags or a result (`1-0`)";
                return Err(location(line).damage(None, problem, help));
            }
        }
        (game.points, game.doubt) = recorded_result(&raw.tags, raw.result);
        Ok(game)
    }

    /// Returns whether a word and the next one are a move with a blank in it: `N f3`.
    fn is_torn(&self, here: &dyn AnyPosition, number: usize) -> bool {
        let word = |number: usize| Some(self.raw.words.get(number)?.1);
        let joined = word(number).zip(word(number + 1));
        joined.is_some_and(|(word, next)| here.read_word(&format!("{word}{next}")).is_ok())
    }
}

/// The half points of the first mover by the tag `Result`, or without one by the result after the
/// moves, and a doubt about the tag, if any.
pub fn recorded_result(tags: &Tags, by_moves: Option<&str>) -> (Option<u8>, Option<ResultDoubt>) {
    let (_, first_is_one) = tags.sides();
    let tag = tags.known("Result").filter(|tag| *tag != "*");
    let [by_tag, by_moves] = [tag, by_moves].map(|it| it.and_then(half_points));
    let doubt = match (by_tag, by_moves) {
        (Some(one), Some(other)) if one != other => Some(ResultDoubt::Contradicted),
        (None, _) if tag.is_some() => Some(ResultDoubt::Unknown),
        _ => None,
    };
    let points = by_tag.or(by_moves);
    let points = points.map(|points| if first_is_one { points } else { 2 - points });
    (points, doubt)
}

/// The letters of the pictures of pieces, from the white king on.
const PICTURES: [char; 6] = ['K', 'Q', 'R', 'B', 'N', 'P'];

/// A word with plain dashes, signs of capture and letters of pieces.
pub(super) fn with_ascii_signs(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        return Cow::Borrowed(word);
    }
    let plain = |letter: char| match letter {
        '‐' | '‑' | '‒' | '–' | '—' | '−' => '-',
        '×' | '✕' | '⨯' => 'x',
        '♔'..='♟' => PICTURES[(letter as usize - '♔' as usize) % 6],
        other => other,
    };
    word.chars().map(plain).collect()
}
