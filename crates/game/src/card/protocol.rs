//! Protocols and dialects of external programs.

use serde::Deserialize;

use super::{GameCard, Rules};
use leitai_base::settings::choice;
use leitai_protocols::{Passing, Protocol};

choice! {
    /// The letters for elephant and horse in a FEN.
    #[derive(Deserialize)]
    pub enum Letters {
        /// `B` and `N`, as in Leitai.
        Bn = "BN",
        /// `E` and `H`.
        Eh = "EH",
    }
}

/// The protocols of these games, in their order, each once.
pub fn protocols_of(
    games: impl IntoIterator<Item = &'static dyn GameCard>,
) -> Vec<&'static Protocol> {
    let mut all: Vec<&Protocol> = Vec::new();
    for protocol in games.into_iter().flat_map(|card| card.facts().protocols) {
        if !all.contains(protocol) {
            all.push(protocol);
        }
    }
    all
}

/// The known programs of these games, in their order, each name once: a program may play several
/// games.
pub fn programs_of(
    games: impl IntoIterator<Item = &'static dyn GameCard>,
) -> Vec<&'static KnownProgram> {
    let mut all: Vec<&KnownProgram> = Vec::new();
    for program in games.into_iter().flat_map(|card| card.facts().programs) {
        if !all.iter().any(|known| known.name == program.name) {
            all.push(program);
        }
    }
    all
}

/// A program's notation of moves and positions, as far as games depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ways {
    /// The protocol.
    pub protocol: &'static Protocol,
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
    pub const fn of(protocol: &'static Protocol) -> Self {
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
            restart: ways.protocol.restarts,
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
