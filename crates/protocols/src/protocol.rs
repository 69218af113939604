//! The facts about a protocol: its name, its words and its limits.

use std::fmt;

use serde::{Deserialize, Serialize, Serializer};

use leitai_base::settings::choice;

use super::codec::Codec;

choice! {
    /// The treatment of passes in a program.
    #[derive(Default, Deserialize)]
    pub enum Passing {
        /// Sends each pass and asks the program for its own. After a program rejects a pass, sends
        /// no more.
        #[default]
        Send = "send",
        /// Sends no passes: the program knows by itself which side must pass.
        Omit = "omit",
    }
}

impl Passing {
    /// Returns whether this is the default.
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

/// A kind of search limit that some protocols cannot express.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// A number of nodes.
    Nodes,
    /// A depth in plies.
    Depth,
    /// A time for each move.
    MoveTime,
    /// A clock with a number of moves per period.
    Periods,
    /// A clock with both moves per period and an increment.
    PeriodsWithIncrement,
    /// A clock with several stages.
    Stages,
    /// A clock with byoyomi.
    Byoyomi,
    /// More than one of nodes, depth and time.
    Several,
}

/// Settings of one program that a codec depends on, from the keys of a config.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodecSettings {
    /// The treatment of passes.
    pub passes: Passing,
    /// True if moves are sent after the word `usermove`.
    pub usermove: bool,
    /// True if times are sent in milliseconds, where the protocol has two units.
    pub milliseconds: bool,
}

impl Default for CodecSettings {
    fn default() -> Self {
        Self {
            passes: Passing::Send,
            usermove: false,
            milliseconds: true,
        }
    }
}

/// A protocol of engines: fixed facts, and a [`Codec`] for the conversation with one engine.
///
/// State those facts that differ from those of [`Protocol::new`]:
///
/// ```
/// # mod leitai { pub use leitai_protocols as protocol; }
/// use leitai::protocol::{Codec, CodecSettings, Limit, Protocol};
///
/// # fn codec(_: &CodecSettings) -> Box<dyn Codec> { unimplemented!() }
/// const GOMOCUP: &Protocol = &Protocol {
///     lacks: &[Limit::Nodes, Limit::Depth],
///     ..Protocol::new("gomocup", codec)
/// };
/// ```
///
/// Two protocols with the same name are the same.
#[derive(Clone, Copy)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts, each named where a protocol states it"
)]
pub struct Protocol {
    /// The name in configs: lowercase letters, digits and dashes.
    pub name: &'static str,
    /// The last line of the engine's greeting, for messages.
    pub greeting_end: &'static str,
    /// The reply to a ping, for messages.
    pub pong: &'static str,
    /// The first word of a reply to a search, in lower case; may be empty. Messages quote lines that
    /// begin with it but cannot be parsed.
    pub reply: &'static str,
    /// The command that ends an engine.
    pub quit: &'static str,
    /// The limits that the protocol cannot express; for byoyomi see [`Self::has_byoyomi`].
    pub lacks: &'static [Limit],
    /// True if the protocol can express byoyomi; [`Limit::Byoyomi`] in `lacks` has no effect.
    pub has_byoyomi: bool,
    /// The config keys that have a meaning for its programs: from `usermove`, `milliseconds`,
    /// `node_margin`, `passes` and `ponder`.
    pub keys: &'static [&'static str],
    /// True if times are whole seconds.
    pub whole_seconds: bool,
    /// True if a program may play without limits from Leitai, for example at its own level.
    pub limits_itself: bool,
    /// True if a search without limits ends by the command of [`Codec::stop`].
    pub stops: bool,
    /// True if positions can only be sent as the moves from the usual start.
    pub moves_only: bool,
    /// True if games are sent from the last irreversible move.
    pub since_irreversible: bool,
    /// True if [`MoveRequest::banned`](super::MoveRequest::banned) is sent.
    pub bans_moves: bool,
    /// True if engines write moves in any notation that the game reads.
    pub any_notation: bool,
    /// True if programs are restarted for every game, unless the config says otherwise.
    pub restarts: bool,
    /// The option by which Leitai announces that a program may be asked to ponder.
    pub ponder_option: Option<&'static str>,
    /// False if another protocol has the same greeting: then this one cannot be recognised.
    pub is_recognised: bool,
    /// The codec for an engine with these settings.
    pub codec: fn(&CodecSettings) -> Box<dyn Codec>,
}

impl Protocol {
    /// The facts of UCI under another name: all limits but byoyomi, in milliseconds, and positions as
    /// FEN.
    pub const fn new(name: &'static str, codec: fn(&CodecSettings) -> Box<dyn Codec>) -> Self {
        Self {
            name,
            greeting_end: "the end of its greeting",
            pong: "the answer to a ping",
            reply: "",
            quit: "quit",
            lacks: &[],
            has_byoyomi: false,
            keys: &["node_margin"],
            whole_seconds: false,
            limits_itself: false,
            stops: false,
            moves_only: false,
            since_irreversible: false,
            bans_moves: false,
            any_notation: false,
            restarts: false,
            ponder_option: None,
            is_recognised: true,
            codec,
        }
    }

    /// Returns whether the protocol can express the limit.
    pub fn has(&self, limit: Limit) -> bool {
        match limit {
            Limit::Byoyomi => self.has_byoyomi,
            limit => !self.lacks.contains(&limit),
        }
    }

    /// The config keys of the limits that the protocol can express.
    pub fn limit_keys(&self) -> impl Iterator<Item = &'static str> {
        let all = [
            ("nodes", Some(Limit::Nodes)),
            ("depth", Some(Limit::Depth)),
            ("movetime", Some(Limit::MoveTime)),
            ("clock", None),
        ];
        let known = all.into_iter();
        let known = known.filter(|(_, limit)| limit.is_none_or(|limit| self.has(limit)));
        known.map(|(key, _)| key)
    }

    /// Returns whether a config key has a meaning for programs of the protocol. Keys outside of
    /// [`keys`](Self::keys) belong to all.
    pub fn uses(&self, key: &str) -> bool {
        const OF_SOME: [&str; 5] = [
            "usermove",
            "milliseconds",
            "node_margin",
            "passes",
            "ponder",
        ];
        self.keys.contains(&key) || !OF_SOME.contains(&key)
    }
}

impl PartialEq for Protocol {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Protocol {}

impl fmt::Debug for Protocol {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name)
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name)
    }
}

impl Serialize for Protocol {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name)
    }
}
