//! What the protocols have in common: what is asked, and what is heard.

use std::time::Duration;

use crate::config::{Profile, Protocol};
use crate::eval::{MATE, MAX_EVAL, Score};
use crate::game::Side;
use crate::player::{Budget, TimeBudget};

use super::cecp::Cecp;
use super::gtp::Gtp;
use super::nboard::Nboard;
use super::offer::{Offer, OptionKind};
use super::uci::Uci;

/// Most options of one program: those that have most have some two hundred.
const MOST_OPTIONS: usize = 1_000;

/// What a line of the greeting says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Greeting {
    /// The program's name.
    Name(String),
    /// Who wrote it.
    Author(String),
    /// An option that it offers.
    Offers(Offer),
    /// The greeting is over.
    Done,
}

/// What a line of a thinking program says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Heard {
    /// Some of what is known of the search.
    Info(Info),
    /// The move that it plays, in its own form, and what is said with it.
    Move(String, Info),
    /// It gives the game up.
    Resigns,
    /// It says that the game is over: who has won, or `None` for a draw.
    Claims(Option<Side>),
    /// It has no move to offer, for reasons of its own.
    Refuses,
    /// It has no move, or refuses what it was told.
    Malformed,
    /// Nothing of use.
    Nothing,
}

/// What a line says where a program gets ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Settled {
    /// All is done so far.
    Ready,
    /// It refuses something that it was told, with these words.
    Refused {
        /// What it was told.
        told: String,
        /// What it says of that.
        answer: String,
    },
    /// Something that the protocol does not know.
    Remark,
    /// Nothing of use.
    Nothing,
}

/// What is known of a search; later words count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Info {
    pub(crate) depth: Option<u32>,
    pub(crate) score: Option<Score>,
    /// Whether the score is a bound of it only.
    pub(crate) is_bound: bool,
    pub(crate) nodes: Option<u64>,
    /// How long it has thought, in milliseconds.
    pub(crate) millis: Option<u32>,
    /// Whether there is a line of play with it, in moves as they are played.
    pub(crate) has_pv: bool,
}

impl Info {
    /// Lays what is new over what was known.
    pub(crate) fn update(&mut self, new: Info) {
        self.depth = new.depth.or(self.depth);
        self.nodes = new.nodes.or(self.nodes);
        self.millis = new.millis.or(self.millis);
        self.has_pv |= new.has_pv;
        // A bound is no score while there is one.
        let has_score = self.score.is_some() && !self.is_bound;
        if new.score.is_some() && !(new.is_bound && has_score) {
            (self.score, self.is_bound) = (new.score, new.is_bound);
        }
    }
}

/// What a program is asked: all texts in its own form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ask<'a> {
    /// The game, as programs for several games call it; empty where nothing has to be said.
    pub(crate) game: &'static str,
    /// Where the game began.
    pub(crate) fen: &'a str,
    /// Whether that is the usual start.
    pub(crate) usual: bool,
    /// The moves that lead there from the usual start; none at that start itself, and
    /// `None` if nobody knows them.
    pub(crate) before: Option<&'a [String]>,
    /// The moves since.
    pub(crate) moves: &'a [String],
    /// Whether the game has moves in the algebraic notation that chess programs may ask for.
    pub(crate) has_san: bool,
    /// Whose turn it is.
    pub(crate) side: Side,
    /// What may be spent.
    pub(crate) budget: &'a Budget,
}

/// One protocol. The lines that it makes have no line break; it reads no file
/// and no clock.
pub(crate) trait ProtocolCodec: Send {
    /// What is said first.
    fn hello(&mut self) -> Vec<String>;
    /// The last word of an answer to that, as messages name it.
    fn welcome(&self) -> &'static str;
    /// What a line of the greeting says, which may be several things.
    fn greeting(&mut self, line: &str) -> Vec<Greeting>;
    /// A line of the config, as it is sent.
    fn plain(&mut self, line: &str) -> String {
        line.to_owned()
    }
    /// Most options that are heard of.
    fn most_offers(&self) -> usize {
        MOST_OPTIONS
    }
    /// Whether moves are told in standard algebraic notation, known from the first game on.
    fn wants_san(&self) -> bool {
        false
    }
    /// Sets an option of that kind.
    fn option(&mut self, kind: OptionKind, name: &str, value: &str) -> String;
    /// What is to be set for Leitai's sake, if the program offers it.
    fn required_options(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }
    /// Hears what the program offers.
    fn learn(&mut self, _offers: &[Offer]) {}
    /// Whether the program is told times in whole seconds.
    fn tells_seconds(&self) -> bool {
        false
    }
    /// The command that the program lacks and would be told its times by.
    fn lacks_for_times(&self) -> Option<&'static str> {
        None
    }
    /// What begins a game: `ask` holds its start, its first player's limits, and no
    /// moves.
    fn new_game(&mut self, ask: &Ask) -> Vec<String>;
    /// Asks whether all is done so far.
    fn ping(&mut self) -> String;
    /// The line that answers that, as messages name it.
    fn pong(&self) -> &'static str;
    /// What a line says where all is awaited to be done.
    fn settled(&mut self, line: &str) -> Settled {
        if line.trim() == self.pong() {
            Settled::Ready
        } else {
            Settled::Remark
        }
    }
    /// Asks before an order to think whether all is done so far, so that what was said
    /// before it is not taken for its answer; `None` where answers say what they answer.
    fn roll_call(&mut self) -> Option<String> {
        Some(self.ping())
    }
    /// The position and the order to think about it.
    fn go(&mut self, ask: &Ask) -> Vec<String>;
    /// The word that answers to an order to think begin with, in small letters.
    fn answer_word(&self) -> &'static str;
    /// Asks for the move at once; `None` if the protocol has no such word.
    fn stop(&mut self) -> Option<String>;
    /// What a line of a thinking program says.
    fn hear(&mut self, line: &str) -> Heard;
    /// The program has made this move, in its own form.
    fn played(&mut self, _mv: &str) {}
}

/// The speech of a profile.
pub(crate) fn speech(profile: &Profile) -> Box<dyn ProtocolCodec> {
    match profile.protocol {
        protocol @ (Protocol::Uci | Protocol::UciCyclone | Protocol::Ucci) => {
            Box::new(Uci::new(protocol, profile.milliseconds))
        }
        Protocol::Cecp => Box::new(Cecp::new(profile.usermove)),
        Protocol::Gtp => Box::new(Gtp::new(profile.passes)),
        Protocol::Nboard => Box::new(Nboard::new(profile.passes)),
    }
}

/// Limits, but for what a clock shows: a program that has been told others is told
/// everything anew.
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
            has_clock: matches!(budget.time, Some(TimeBudget::Clock { .. })),
        }
    }
}

/// What stands on the board of a program that keeps one, and under which limits. `None`
/// among the moves is one that it made itself: how it would be told of it is not known.
#[derive(Debug, Default)]
pub(crate) struct Board(Option<(String, Vec<Option<String>>, LimitKind)>);

impl Board {
    /// The game stands there from now on.
    pub(crate) fn set(&mut self, ask: &Ask) {
        let limits = LimitKind::of(ask.budget);
        let moves = ask.moves.iter().cloned().map(Some);
        self.0 = Some((ask.fen.to_owned(), moves.collect(), limits));
    }

    /// The program has made a move, in words that it may not be told it in.
    pub(crate) fn play_own(&mut self) {
        if let Some((_, moves, _)) = &mut self.0 {
            moves.push(None);
        }
    }

    /// How many of the moves stand there already; `None` if it begins otherwise, or was
    /// told other limits.
    pub(crate) fn known(&self, ask: &Ask) -> Option<usize> {
        let (fen, moves, _) = self.0.as_ref()?;
        let mut both = moves.iter().zip(ask.moves);
        let is_same = self.has_limits(ask)
            && fen == ask.fen
            && moves.len() <= ask.moves.len()
            && both.all(|(own, told)| own.as_ref().is_none_or(|own| own == told));
        is_same.then_some(moves.len())
    }

    /// Whether the program was told these limits.
    pub(crate) fn has_limits(&self, ask: &Ask) -> bool {
        let limits = self.0.as_ref().map(|(_, _, limits)| *limits);
        limits == Some(LimitKind::of(ask.budget))
    }

    /// Whether this is the last move.
    pub(crate) fn is_last(&self, mv: &str) -> bool {
        let moves = self.0.as_ref().map(|(_, moves, _)| moves);
        let last = moves.and_then(|moves| moves.last()?.as_deref());
        last == Some(mv)
    }
}

/// A program's score in hundredths of a pawn, kept apart from mates: beyond [`MAX_EVAL`]
/// scores are not told apart.
pub(crate) fn centipawns(value: i64) -> Score {
    let most = i64::from(MAX_EVAL);
    value.clamp(-most, most) as Score
}

/// A mate in so many moves of the winner; negative for the loser.
pub(crate) fn mate(moves: i64) -> Score {
    let plies = moves.unsigned_abs().min(400) as Score * 2;
    if moves > 0 {
        MATE - plies
    } else {
        plies - MATE
    }
}
