//! The common interface of the protocols: requests and replies.

use std::time::Duration;

use crate::player::{Budget, TimeBudget};
use leitai_config::{Profile, Protocol};
use leitai_game::Side;
use leitai_game::eval::{MATE, MAX_EVAL, Score};

use super::cecp::Cecp;
use super::gtp::Gtp;
use super::nboard::Nboard;
use super::offer::{Offer, OptionKind};
use super::probe::Introduction;
use super::uci::Uci;

/// Largest number of options of one engine; the most known is about two hundred.
const MAX_OPTIONS: usize = 1_000;

/// The fixed words of a protocol.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProtocolWords {
    /// The last line of the engine's greeting, for messages.
    pub(crate) greeting_end: &'static str,
    /// The reply to a ping, for messages.
    pub(crate) pong: &'static str,
    /// The first word of a reply to a search command, in lower case.
    pub(crate) reply: &'static str,
}

impl ProtocolWords {
    pub(crate) fn of(protocol: Protocol) -> Self {
        let [greeting_end, pong, reply] = match protocol {
            Protocol::Uci | Protocol::UciCyclone => ["uciok", "readyok", "bestmove"],
            Protocol::Ucci => ["ucciok", "readyok", "bestmove"],
            Protocol::Cecp => ["feature done=1", "pong", "move"],
            Protocol::Gtp => [
                "= (the answer to `list_commands`)",
                "= (the answer to `protocol_version`)",
                "=",
            ],
            Protocol::Nboard => ["pong", "pong", "==="],
        };
        Self {
            greeting_end,
            pong,
            reply,
        }
    }
}

/// The contents of a line during a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Message {
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
pub(crate) enum ReadyMessage {
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
pub(crate) struct Info {
    pub(crate) depth: Option<u32>,
    pub(crate) score: Option<Score>,
    /// True if the score is only a bound.
    pub(crate) is_bound: bool,
    pub(crate) nodes: Option<u64>,
    /// The largest number of nodes of any line.
    pub(crate) most_nodes: Option<u64>,
    /// Search time in milliseconds.
    pub(crate) millis: Option<u32>,
    /// Moves until mate as the engine reports them; negative or 0 if the engine itself is mated.
    /// `None` for bounds.
    pub(crate) mate: Option<i64>,
    /// The moves of the principal variation in the line, in the notation of moves.
    pub(crate) pv: Span,
}

/// A part of a line, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    start: usize,
    end: usize,
}

impl Span {
    /// The text of the part.
    pub(crate) fn of(self, line: &str) -> &str {
        line.get(self.start..self.end).unwrap_or_default()
    }

    pub(crate) fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Extends the part to the end of `word`, a subslice of `line`; an empty part begins at `word`.
    pub(crate) fn extend(&mut self, line: &str, word: &str) {
        let place = word.as_ptr() as usize - line.as_ptr() as usize;
        if self.is_empty() {
            self.start = place;
        }
        self.end = place + word.len();
    }
}

impl Info {
    /// Replaces known values by those of a new line; returns whether its score was taken.
    ///
    /// Score, depth and nodes are those of one line: the last one with an exact score, or else the
    /// last one with a bound. Lines without a score count only before the first score.
    pub(crate) fn update(&mut self, new: Info) -> bool {
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
pub(crate) struct MoveRequest<'a> {
    /// The name of the game for engines that play several games; empty if no name is needed.
    pub(crate) game: &'static str,
    /// Start position of the game.
    pub(crate) fen: &'a str,
    /// True if that is the usual start.
    pub(crate) usual: bool,
    /// The moves from the usual start to the start position; empty at the usual start, and `None`
    /// if unknown.
    pub(crate) before: Option<&'a [String]>,
    /// The moves since the start position.
    pub(crate) moves: &'a [String],
    /// Legal moves that would lose at once by a rule of the game, if the protocol can exclude them.
    pub(crate) banned: &'a [String],
    /// True if the game supports algebraic notation, which chess engines may request.
    pub(crate) has_san: bool,
    /// The side to move.
    pub(crate) side: Side,
    /// The limits of the move.
    pub(crate) budget: &'a Budget,
}

/// One protocol. Its lines have no line break; it reads no file and no clock.
pub(crate) trait ProtocolCodec: Send {
    /// The first commands to the engine.
    fn hello(&mut self) -> Vec<String>;
    /// Adds the contents of a greeting line to the introduction; returns whether the greeting ends.
    fn read_greeting(&mut self, line: &str, introduction: &mut Introduction) -> bool;
    /// A verb phrase for reports, such as `reports no feature within 2 s`, if silence may end the
    /// greeting.
    fn unfinished_greeting(&self) -> Option<&'static str> {
        None
    }
    /// Converts a line of the config to the form for sending.
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
    /// The command that sets an option of the given kind.
    fn option(&mut self, kind: OptionKind, name: &str, value: &str) -> String;
    /// Lets the engine think on the opponent's time from the first game on.
    fn enable_pondering(&mut self) {}
    /// Options that Leitai needs to set, if the engine has them.
    fn required_options(&self) -> Vec<(&'static str, &'static str)> {
        Vec::new()
    }
    /// Receives the engine's options.
    fn note_options(&mut self, _offers: &[Offer]) {}
    /// Returns whether times are sent in whole seconds.
    fn sends_seconds(&self) -> bool {
        true
    }
    /// The time command that the engine lacks, if any.
    fn lacks_for_times(&self) -> Option<&'static str> {
        None
    }
    /// The commands that start a game: `ask` holds its start, its first player's limits, and no
    /// moves.
    fn new_game(&mut self, ask: &MoveRequest) -> Vec<String>;
    /// The command that asks whether all commands are processed; `None` if the engine has none.
    fn ping(&mut self) -> Option<String>;
    /// Parses a line while waiting for the reply to [`ping`](Self::ping).
    fn parse_ready_line(&mut self, line: &str) -> ReadyMessage;
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
    /// The command to move at once; `None` if the protocol has none.
    fn stop(&mut self) -> Option<String>;
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

/// The protocol of a profile.
pub(crate) fn codec_for(profile: &Profile) -> Box<dyn ProtocolCodec> {
    match profile.protocol {
        protocol @ (Protocol::Uci | Protocol::UciCyclone | Protocol::Ucci) => {
            Box::new(Uci::new(protocol, profile.milliseconds))
        }
        Protocol::Cecp => Box::new(Cecp::new(profile.usermove)),
        Protocol::Gtp => Box::new(Gtp::new(profile.passes)),
        Protocol::Nboard => Box::new(Nboard::new(profile.passes)),
    }
}

/// Limits without the remaining time. An engine that knows other limits gets the whole game again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LimitKind {
    depth: Option<u32>,
    per_move: Option<Duration>,
    pub(crate) has_clock: bool,
}

impl LimitKind {
    pub(crate) fn of(budget: &Budget) -> Self {
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
pub(crate) struct Board(Option<(String, Vec<Option<String>>, LimitKind)>);

impl Board {
    /// Sets the board to the game of `ask`.
    pub(crate) fn set(&mut self, ask: &MoveRequest) {
        let limits = LimitKind::of(ask.budget);
        let moves = ask.moves.iter().cloned().map(Some);
        self.0 = Some((ask.fen.to_owned(), moves.collect(), limits));
    }

    /// Adds a move of the engine, whose words may differ from the form for sending it.
    pub(crate) fn play_own(&mut self) {
        if let Some((_, moves, _)) = &mut self.0 {
            moves.push(None);
        }
    }

    /// The number of moves that are on the board already; `None` if the game begins otherwise, or
    /// has other limits.
    pub(crate) fn known(&self, ask: &MoveRequest) -> Option<usize> {
        let (fen, moves, _) = self.0.as_ref()?;
        let mut both = moves.iter().zip(ask.moves);
        let is_same = self.has_limits(ask)
            && fen == ask.fen
            && moves.len() <= ask.moves.len()
            && both.all(|(own, sent)| own.as_ref().is_none_or(|own| own == sent));
        is_same.then_some(moves.len())
    }

    /// Returns whether the engine knows these limits.
    pub(crate) fn has_limits(&self, ask: &MoveRequest) -> bool {
        let limits = self.0.as_ref().map(|(_, _, limits)| *limits);
        limits == Some(LimitKind::of(ask.budget))
    }

    /// Returns whether this is the last move.
    pub(crate) fn is_last(&self, mv: &str) -> bool {
        let game = self.0.as_ref();
        game.and_then(|(_, moves, _)| moves.last()?.as_deref()) == Some(mv)
    }
}

/// An engine's score in hundredths of a pawn, kept apart from mates: beyond [`MAX_EVAL`] scores are
/// equal.
pub(crate) fn centipawns(value: i64) -> Score {
    let most = i64::from(MAX_EVAL);
    value.clamp(-most, most) as Score
}

/// A mate in the given number of moves of the winner; negative for the loser.
pub(crate) fn mate(moves: i64) -> Score {
    let plies = moves.unsigned_abs().min(400) as Score * 2;
    let score = MATE - plies;
    if moves > 0 { score } else { -score }
}
