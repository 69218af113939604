//! Protocols and dialects of external programs.

use serde::Deserialize;

use super::Rules;
use leitai_base::settings::choice;

choice! {
    /// The protocol that a program speaks.
    #[derive(Deserialize)]
    pub enum Protocol {
        /// The Universal Chess Interface.
        Uci = "uci",
        /// UCI with bare positions, `startpos ...` and `fen ...`: the form of the interface
        /// Cyclone.
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
    /// The letters for elephant and horse in a FEN.
    #[derive(Deserialize)]
    pub enum Letters {
        /// `B` and `N`, as in Leitai.
        Bn = "BN",
        /// `E` and `H`.
        Eh = "EH",
    }
}

impl Protocol {
    /// Returns whether a game's setting applies to programs of this protocol: some protocols have
    /// no node limits, and some no words for passes.
    pub fn has_use_for(self, way: &str) -> bool {
        let is_of_commands = matches!(self, Protocol::Gtp | Protocol::Nboard);
        match way {
            "node_margin" => !is_of_commands,
            "passes" => is_of_commands,
            _ => true,
        }
    }
}

impl Passing {
    /// Returns whether this is the default.
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

/// A program's notation of moves and positions, as far as games depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ways {
    /// The protocol.
    pub protocol: Protocol,
    /// The letters in FENs.
    pub letters: Letters,
    /// The number of the first rank in moves: 0 or 1.
    pub rank_base: u8,
    /// Fields of a FEN: 6, or 4 (without the last two, which only chess needs).
    pub fen_fields: u8,
    /// The treatment of passes.
    pub passes: Passing,
    /// The rules of the program's games, if known.
    pub rules: Option<Rules>,
}

impl Ways {
    /// The defaults of a protocol: the letters `B` and `N`, ranks from 0, FENs of six fields.
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

    /// The same notation under these rules.
    #[must_use]
    pub const fn under(self, rules: Rules) -> Self {
        Self {
            rules: Some(rules),
            ..self
        }
    }
}

/// A program with known settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownProgram {
    /// Its name in configs.
    pub name: &'static str,
    /// Its notation.
    pub ways: Ways,
    /// True if moves are sent after the word `usermove`.
    pub usermove: bool,
    /// True if the program restarts for every game.
    pub restart: bool,
    /// Number of nodes by which it may exceed its limit plus a tenth.
    pub node_margin: u64,
    /// Options that Leitai sets if the program offers them.
    pub options: &'static [(&'static str, &'static str)],
}

impl KnownProgram {
    /// A program with this notation and no other known settings.
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

    /// Returns whether a program with this name matches: the name begins with the name of the
    /// preset, ignoring case and all characters except letters and digits.
    pub fn is_called(&self, name: &str) -> bool {
        let plain = |text: &str| -> String {
            let letters = text.chars().filter(|it| it.is_alphanumeric());
            letters.flat_map(char::to_lowercase).collect()
        };
        plain(name).starts_with(&plain(self.name))
    }
}
