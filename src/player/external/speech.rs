//! What the protocols have in common: what is asked, and what is heard.

use crate::config::{Profile, Protocol};
use crate::eval::{MATE, Score};
use crate::game::Side;
use crate::player::Budget;

use super::cecp::Cecp;
use super::offer::{Offer, OptionKind};
use super::ucci::Ucci;
use super::uci::Uci;

/// What a line of the greeting says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Greeting {
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
pub(super) enum Heard {
    /// Some of what is known of the search.
    Info(Info),
    /// The move that it plays, in its own form.
    Move(String),
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

/// What is known of a search; later words count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Info {
    pub(super) depth: Option<u32>,
    pub(super) score: Option<Score>,
    pub(super) nodes: Option<u64>,
}

impl Info {
    /// Lays what is new over what was known.
    pub(super) fn update(&mut self, new: Info) {
        self.depth = new.depth.or(self.depth);
        self.score = new.score.or(self.score);
        self.nodes = new.nodes.or(self.nodes);
    }
}

/// What a program is asked: all texts in its own form.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ask<'a> {
    /// Where the game began.
    pub(super) fen: &'a str,
    /// Whether that is the usual start.
    pub(super) usual: bool,
    /// The moves since.
    pub(super) moves: &'a [String],
    /// Whose turn it is.
    pub(super) side: Side,
    /// What may be spent.
    pub(super) budget: &'a Budget,
}

/// One protocol. The lines that it makes have no line break; it reads no file
/// and no clock.
pub(super) trait Speech: Send {
    /// What is said first.
    fn hello(&self) -> Vec<String>;
    /// What a line of the greeting says, which may be several things.
    fn greeting(&self, line: &str) -> Vec<Greeting>;
    /// Sets an option of that kind.
    fn option(&self, kind: OptionKind, name: &str, value: &str) -> String;
    /// What is to be set for the house's sake, if the program offers it.
    fn house_options(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }
    /// Hears what the program offers.
    fn learn(&mut self, _offers: &[Offer]) {}
    /// Whether the program is told times in whole seconds.
    fn tells_seconds(&self) -> bool {
        false
    }
    /// What begins a game: `ask` holds its start, its first player's limits, and no
    /// moves.
    fn new_game(&mut self, ask: &Ask) -> Vec<String>;
    /// Asks whether all is done so far.
    fn ping(&self) -> &'static str;
    /// The line that answers that.
    fn pong(&self) -> &'static str;
    /// The position and the order to think about it.
    fn go(&mut self, ask: &Ask) -> Vec<String>;
    /// Asks for the move at once.
    fn stop(&self) -> &'static str;
    /// What a line of a thinking program says.
    fn hear(&self, line: &str) -> Heard;
    /// The program has made this move, in its own form.
    fn played(&mut self, _mv: &str) {}
}

/// The speech of a profile.
pub(super) fn speech(profile: &Profile) -> Box<dyn Speech> {
    match profile.protocol {
        Protocol::Uci => Box::new(Uci { cyclone: false }),
        Protocol::UciCyclone => Box::new(Uci { cyclone: true }),
        Protocol::Ucci => Box::new(Ucci::new(profile.milliseconds)),
        Protocol::Cecp => Box::new(Cecp::new(profile.usermove)),
    }
}

/// A program's score in hundredths of a pawn, kept apart from mates.
pub(super) fn centipawns(value: i64) -> Score {
    let most = i64::from(MATE) - 1_000;
    value.clamp(-most, most) as Score
}

/// A mate in so many moves of the winner; negative for the loser.
pub(super) fn mate(moves: i64) -> Score {
    let plies = moves.unsigned_abs().min(400) as Score * 2;
    if moves > 0 {
        MATE - plies
    } else {
        plies - MATE
    }
}

/// The number that follows a word of the line.
pub(super) fn number_after<T: std::str::FromStr>(words: &[&str], name: &str) -> Option<T> {
    let at = words.iter().position(|word| *word == name)?;
    words.get(at + 1)?.parse().ok()
}
