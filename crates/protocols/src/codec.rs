//! The trait that every protocol implements: requests and replies.

use std::time::Duration;

use leitai_base::score::{MATE, MAX_EVAL, Score};
use leitai_base::side::Side;

use super::budget::{Budget, TimeBudget};
use super::offer::{Offer, OptionKind};

/// Largest number of options of one engine; the most known is about two hundred.
const MAX_OPTIONS: usize = 1_000;

/// An engine's description of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Introduction {
    /// The engine's name; empty if not reported.
    pub name: String,
    /// The engine's author; empty if not reported.
    pub author: String,
    /// The options, in the engine's order.
    pub offers: Vec<Offer>,
    /// A verb phrase for reports, such as `reports no feature within 2 s`, if silence ended the
    /// greeting.
    pub unfinished: Option<&'static str>,
    /// Time from the start to the end of the greeting.
    pub greeting: Duration,
    /// Time from then, with options set, until the engine was ready.
    pub ready: Duration,
    /// The engine's output while its options were set.
    pub remarks: Vec<String>,
}

/// The contents of a line during a search.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Message {
    /// Partial search data.
    Info(Info),
    /// The engine's move in its own notation, with search data.
    Move(String, Info),
    /// Resignation.
    Resigns,
    /// A claim that the game is over: the winner, or `None` for a draw.
    Claims(Option<Side>),
    /// No move, for the engine's own reasons.
    Refuses,
    /// No valid move, or a rejected command.
    Malformed,
    /// An irrelevant line.
    Nothing,
}

/// The contents of a line while the engine gets ready.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadyMessage {
    /// The engine has processed all commands.
    Ready,
    /// The engine rejects a command: the command, and the engine's message.
    Refused(String, String),
    /// A line outside of the protocol.
    Remark,
    /// An irrelevant line.
    Nothing,
}

/// Data of one line, or of a search (see [`update`](Self::update)); `mate` and `pv` are of one line
/// only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Score for the side to move; see [`centipawns`] and [`mate`].
    pub score: Option<Score>,
    /// True if the score is only a bound.
    pub is_bound: bool,
    /// Number of nodes searched.
    pub nodes: Option<u64>,
    /// The largest number of nodes of any line.
    pub most_nodes: Option<u64>,
    /// Search time in milliseconds.
    pub millis: Option<u32>,
    /// Moves until mate as the engine reports them; negative or 0 if the engine itself is mated.
    /// `None` for bounds.
    pub mate: Option<i64>,
    /// The moves of the principal variation in the line, in the notation of moves.
    pub pv: Span,
}

/// A part of a line, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    start: usize,
    end: usize,
}

impl Span {
    /// The text of the part.
    pub fn of(self, line: &str) -> &str {
        line.get(self.start..self.end).unwrap_or_default()
    }

    /// Returns whether the part is empty.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Extends the part to the end of `word`, a subslice of `line`; an empty part begins at `word`.
    pub fn extend(&mut self, line: &str, word: &str) {
        let place = (word.as_ptr() as usize).wrapping_sub(line.as_ptr() as usize);
        if self.is_empty() {
            self.start = place;
        }
        self.end = place.wrapping_add(word.len());
    }
}

impl Info {
    /// Replaces known values by those of a new line; returns whether its score was taken.
    ///
    /// Score, depth and nodes are those of one line: the last one with an exact score, or else the
    /// last one with a bound. Lines without a score count only before the first score.
    pub fn update(&mut self, new: Info) -> bool {
        self.millis = new.millis.or(self.millis);
        self.most_nodes = self.most_nodes.max(new.nodes);
        let has_exact = self.score.is_some() && !self.is_bound;
        let has_score = new.score.is_some();
        let counts = if has_score {
            !(new.is_bound && has_exact)
        } else {
            self.score.is_none()
        };
        if counts {
            self.depth = new.depth.or(self.depth);
            self.nodes = new.nodes.or(self.nodes);
        }
        if counts && has_score {
            (self.score, self.is_bound) = (new.score, new.is_bound);
        }
        counts && has_score
    }
}

/// A request for a move: all texts in the engine's own notation.
#[derive(Clone, Copy, Debug)]
pub struct MoveRequest<'a> {
    /// The name of the game for engines that play several games; empty if no name is needed.
    pub game: &'static str,
    /// Start position of the game.
    pub fen: &'a str,
    /// True if `fen` is the usual start.
    pub usual: bool,
    /// The moves from the usual start to the start position; empty at the usual start, and `None`
    /// if unknown.
    pub before: Option<&'a [String]>,
    /// The moves since the start position.
    pub moves: &'a [String],
    /// Legal moves that would lose at once by a rule of the game, if the protocol can exclude them.
    pub banned: &'a [String],
    /// True if the game supports algebraic notation, which chess engines may request.
    pub has_san: bool,
    /// The side to move.
    pub side: Side,
    /// The limits of the move.
    pub budget: &'a Budget,
}

/// The conversation with one engine. Lines have no line break.
///
/// Four methods are required: `hello`, `read_greeting`, `go` and `parse_search_line`. A codec sees only
/// text: its answers depend on the lines and requests so far.
pub trait Codec: Send {
    /// The first commands to the engine.
    fn hello(&mut self) -> Vec<String>;
    /// Adds the contents of a greeting line to the introduction; returns whether the greeting ends.
    fn read_greeting(&mut self, line: &str, introduction: &mut Introduction) -> bool;
    /// A verb phrase for reports, such as `reports no feature within 2 s`, if silence may end the
    /// greeting.
    fn unfinished_greeting(&self) -> Option<&'static str> {
        None
    }
    /// Converts a line of the config's `init` to the form for sending.
    fn plain(&mut self, line: &str) -> String {
        line.to_owned()
    }
    /// Largest number of accepted options.
    fn most_offers(&self) -> usize {
        MAX_OPTIONS
    }
    /// Returns whether moves are sent in standard algebraic notation; known from the first game on.
    fn wants_san(&self) -> bool {
        false
    }
    /// The command that sets an option of the given kind; `name VALUE` by default. Called only for
    /// options in [`Introduction::offers`].
    fn option(&mut self, _kind: OptionKind, name: &str, value: &str) -> String {
        format!("{name} {value}")
    }
    /// Lets the engine think on the opponent's time from the first game on.
    fn enable_pondering(&mut self) {}
    /// Options that Leitai needs to set, if the engine has them.
    fn required_options(&self) -> Vec<(&'static str, &'static str)> {
        Vec::new()
    }
    /// Receives the engine's options.
    fn note_options(&mut self, _offers: &[Offer]) {}
    /// Returns whether an engine with the [noted options](Self::note_options) gets times in whole
    /// seconds, where the protocol has milliseconds too.
    fn sends_seconds(&self) -> bool {
        false
    }
    /// The time command that the engine lacks, if any.
    fn lacks_for_times(&self) -> Option<&'static str> {
        None
    }
    /// The commands that start a game: `ask` holds its start, its first player's limits, and no
    /// moves.
    fn new_game(&mut self, _ask: &MoveRequest) -> Vec<String> {
        Vec::new()
    }
    /// The command that asks whether all commands are processed; `None` if the engine has none.
    fn ping(&mut self) -> Option<String> {
        None
    }
    /// Parses a line while waiting for the reply to [`ping`](Self::ping).
    fn parse_ready_line(&mut self, _line: &str) -> ReadyMessage {
        ReadyMessage::Nothing
    }
    /// The command sent before a search to detect that earlier commands are processed, so that
    /// earlier output is not mistaken for the reply; `None` if replies identify their command, or
    /// the engine has no ping.
    fn sync_command(&mut self) -> Option<String> {
        self.ping()
    }
    /// Returns whether the engine may end a game unasked, or output before a search may be mistaken
    /// for its reply.
    fn may_protest(&self) -> bool {
        true
    }
    /// The commands for the position and the search.
    fn go(&mut self, ask: &MoveRequest) -> Vec<String>;
    /// The opponent's reply that the engine expects, in its own notation, from the line of its move;
    /// `None` unless the protocol asks the engine to ponder on it.
    fn expected_reply<'line>(&self, _line: &'line str) -> Option<&'line str> {
        None
    }
    /// The commands for the position after the [expected reply](Self::expected_reply), and to ponder
    /// on it.
    fn ponder(&mut self, _ask: &MoveRequest) -> Vec<String> {
        Vec::new()
    }
    /// The command at the end of a game to an engine that ponders by itself; `None` if it does not.
    fn rest(&mut self) -> Option<&'static str> {
        None
    }
    /// The command that reports the engine's result, from 0 to 2 half points; `None` if the protocol
    /// has none.
    fn game_over(&mut self, _half_points: u8) -> Option<String> {
        None
    }
    /// The command to move at once; `None` if the protocol has none.
    fn stop(&mut self) -> Option<String> {
        None
    }
    /// Parses a line during a search.
    fn parse_search_line(&mut self, line: &str) -> Message;
    /// Notes a move that the engine made, in its own notation.
    fn note_own_move(&mut self, _mv: &str) {}
}

/// Parses a line while waiting for `pong` with the number of the last ping; `is_nothing` means that
/// any other line is irrelevant.
pub(crate) fn pong_reply(line: &str, pings: u32, is_nothing: bool) -> ReadyMessage {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        ["pong", number, ..] if number.parse() == Ok(pings) => ReadyMessage::Ready,
        ["pong", ..] => ReadyMessage::Nothing,
        _ if is_nothing => ReadyMessage::Nothing,
        _ => ReadyMessage::Remark,
    }
}

/// The limits of a move without the remaining clock time. If they change, an engine with a board of
/// its own gets the whole game again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitKind {
    depth: Option<u32>,
    per_move: Option<Duration>,
    /// True if the side to move has a clock.
    pub has_clock: bool,
}

impl LimitKind {
    /// The limits of a move.
    pub fn of(budget: &Budget) -> Self {
        Self {
            depth: budget.depth,
            per_move: match budget.time {
                Some(TimeBudget::Move(time)) => Some(time),
                _ => None,
            },
            has_clock: matches!(budget.time, Some(TimeBudget::Clock(_))),
        }
    }
}

/// The game on the engine's own board, and its limits. `None` among the moves is one that the
/// engine made itself: the form for sending it is unknown.
#[derive(Debug, Default)]
pub struct Board(Option<(String, Vec<Option<String>>, LimitKind)>);

impl Board {
    /// Sets the board to the game of `ask`.
    pub fn set(&mut self, ask: &MoveRequest) {
        let limits = LimitKind::of(ask.budget);
        let moves = ask.moves.iter().cloned().map(Some);
        self.0 = Some((ask.fen.to_owned(), moves.collect(), limits));
    }

    /// Adds a move of the engine, whose words may differ from the form for sending it.
    pub fn play_own(&mut self) {
        if let Some((_, moves, _)) = &mut self.0 {
            moves.push(None);
        }
    }

    /// The number of moves that are on the board already; `None` if the start, a move or the limits
    /// differ.
    pub fn known(&self, ask: &MoveRequest) -> Option<usize> {
        let (fen, moves, _) = self.0.as_ref()?;
        let mut both = moves.iter().zip(ask.moves);
        let is_same = self.has_limits(ask)
            && fen == ask.fen
            && moves.len() <= ask.moves.len()
            && both.all(|(own, sent)| own.as_ref().is_none_or(|own| own == sent));
        is_same.then_some(moves.len())
    }

    /// Returns whether the engine knows these limits.
    pub fn has_limits(&self, ask: &MoveRequest) -> bool {
        let limits = self.0.as_ref().map(|(_, _, limits)| *limits);
        limits == Some(LimitKind::of(ask.budget))
    }

    /// Returns whether `mv` is the last move on the board.
    pub fn is_last(&self, mv: &str) -> bool {
        let game = self.0.as_ref();
        game.and_then(|(_, moves, _)| moves.last()?.as_deref()) == Some(mv)
    }
}

/// Converts hundredths of a pawn to a score, within ±[`MAX_EVAL`] and so never a mate.
pub fn centipawns(value: i64) -> Score {
    let most = i64::from(MAX_EVAL);
    value.clamp(-most, most) as Score
}

/// The score of a mate in `moves` moves of the winner; 0 or less if the engine is mated.
pub fn mate(moves: i64) -> Score {
    let plies = moves.unsigned_abs().min(400) as Score * 2;
    let score = MATE - plies;
    if moves > 0 { score } else { -score }
}
