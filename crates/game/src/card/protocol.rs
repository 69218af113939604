//! How other programs speak of games.

use serde::Deserialize;

use super::Rules;
use leitai_base::settings::choice;

choice! {
    /// The protocol that a program speaks.
    #[derive(Deserialize)]
    pub enum Protocol {
        /// The Universal Chess Interface.
        Uci = "uci",
        /// The same with bare positions, `startpos ...` and `fen ...`: the form of the
        /// interface Cyclone.
        UciCyclone = "uci-cyclone",
        /// The Universal Chinese Chess Protocol, version 3.
        Ucci = "ucci",
        /// The Chess Engine Communication Protocol, version 2 (`XBoard`, `WinBoard`).
        Cecp = "cecp",
        /// The Go Text Protocol, version 2.
        Gtp = "gtp",
        /// The protocol of the interface `NBoard`, version 2.
        Nboard = "nboard",
    }
}

impl Protocol {
    /// Whether programs of the protocol have a use for one of a game's ways: limits of
    /// nodes, and words for passes, are not in all of them.
    pub fn has_use_for(self, way: &str) -> bool {
        let is_of_commands = matches!(self, Protocol::Gtp | Protocol::Nboard);
        match way {
            "node_margin" => !is_of_commands,
            "passes" => is_of_commands,
            _ => true,
        }
    }
}

choice! {
    /// What a program is told of passes.
    #[derive(Default, Deserialize)]
    pub enum Passing {
        /// Each of them, and it is asked for its own. One that rejects a pass is told
        /// no more of them.
        #[default]
        Send = "send",
        /// Nothing: it knows by itself who has to pass.
        Omit = "omit",
    }
}

impl Passing {
    /// Whether it is what programs are told unless a config says otherwise.
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

choice! {
    /// Which letters stand for elephant and horse in a FEN.
    #[derive(Deserialize)]
    pub enum Letters {
        /// `B` and `N`, as Leitai does.
        Bn = "BN",
        /// `E` and `H`.
        Eh = "EH",
    }
}

/// How a program writes moves and positions, as far as a game may look at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ways {
    /// The protocol.
    pub protocol: Protocol,
    /// The letters of FENs.
    pub letters: Letters,
    /// The number of the first rank in moves: 0 or 1.
    pub rank_base: u8,
    /// Fields of a FEN: 6, or 4 (without the two that chess alone needs).
    pub fen_fields: u8,
    /// What the program is told of passes.
    pub passes: Passing,
    /// The rules of the games that it plays, where they are known.
    pub rules: Option<Rules>,
}

impl Ways {
    /// Those of a protocol where nothing else is said: the letters `B` and `N`, ranks from
    /// 0, FENs of six fields.
    pub const fn of(protocol: Protocol) -> Self {
        Self {
            protocol,
            letters: Letters::Bn,
            rank_base: 0,
            fen_fields: 6,
            passes: Passing::Send,
            rules: None,
        }
    }

    /// The same under these rules.
    #[must_use]
    pub const fn under(self, rules: Rules) -> Self {
        Self {
            rules: Some(rules),
            ..self
        }
    }
}

/// A program whose ways are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownProgram {
    /// What configs call it.
    pub name: &'static str,
    /// How it writes.
    pub ways: Ways,
    /// Whether moves are sent to it after the word `usermove`.
    pub usermove: bool,
    /// Whether it is started anew for every game.
    pub restart: bool,
    /// Nodes that it may report beyond its limit and a tenth of it.
    pub node_margin: u64,
    /// Options that are set if it offers them.
    pub options: &'static [(&'static str, &'static str)],
}

impl KnownProgram {
    /// A program that speaks like this, with nothing else to know of it.
    pub const fn new(name: &'static str, ways: Ways) -> Self {
        Self {
            name,
            ways,
            usermove: false,
            restart: matches!(ways.protocol, Protocol::Ucci),
            node_margin: 5_000,
            options: &[],
        }
    }

    /// Whether a program that calls itself so is this one: what it says begins with the name
    /// of the preset, whatever stands between its letters.
    pub fn is_called(&self, name: &str) -> bool {
        let plain = |text: &str| -> String {
            let letters = text.chars().filter(|it| it.is_alphanumeric());
            letters.flat_map(char::to_lowercase).collect()
        };
        plain(name).starts_with(&plain(self.name))
    }
}
