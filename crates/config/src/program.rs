//! A player that is another program: how to start it, and how it speaks.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use leitai_game::card::{KnownProgram, Letters, Passing, Protocol, Rules, Ways};

/// How a program speaks. Leitai has one form of moves and positions; this
/// says into which form they are translated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    /// The protocol.
    pub protocol: Protocol,
    /// The letters of FENs.
    pub letters: Letters,
    /// The number of the first rank in moves: 0 or 1.
    pub rank_base: u8,
    /// Fields of a FEN: 6, or 4 (without the two that chess alone needs).
    pub fen_fields: u8,
    /// Whether moves are sent to a CECP program after the word `usermove`.
    pub usermove: bool,
    /// Whether a UCCI program is told times in milliseconds; otherwise in
    /// seconds.
    pub milliseconds: bool,
    /// What the program is told of passes. Part of the resolved form only
    /// where it is not the usual.
    #[serde(default, skip_serializing_if = "Passing::is_usual")]
    pub passes: Passing,
    /// Nodes that the program may report beyond its limit and a tenth of it:
    /// programs look at their counters every few thousand nodes.
    pub node_margin: u64,
    /// Whether the program is started anew for every game, for want of a command
    /// that makes it forget the last one.
    pub restart: bool,
    /// Lines that are sent as they stand after the greeting.
    pub init: Vec<String>,
    /// Options of the preset: set if the program offers them.
    pub usual_options: BTreeMap<String, String>,
    /// Options of the config: the program must offer them.
    pub options: BTreeMap<String, String>,
    /// Environment variables that are added.
    pub environment: BTreeMap<String, String>,
    /// The rules of the games that the program plays, where they are known. Not part of the
    /// resolved form, which names them elsewhere.
    #[serde(skip)]
    pub rules: Option<Rules>,
}

impl Profile {
    /// What holds for a protocol where nothing else is said: the letters `B`
    /// and `N`, ranks from 0, FENs of six fields, bare moves.
    pub fn of(protocol: Protocol) -> Self {
        Self::known(&KnownProgram::new("", Ways::of(protocol)))
    }

    /// The most nodes that are no fault under a limit.
    pub fn most_nodes(&self, limit: u64) -> u64 {
        limit + limit / 10 + self.node_margin
    }

    /// The profile of a known program.
    pub fn known(program: &KnownProgram) -> Self {
        let options = program.options.iter();
        let options = options.map(|&(name, value)| (name.to_owned(), value.to_owned()));
        let ways = program.ways;
        Self {
            protocol: ways.protocol,
            letters: ways.letters,
            rank_base: ways.rank_base,
            fen_fields: ways.fen_fields,
            usermove: program.usermove,
            milliseconds: true,
            passes: ways.passes,
            node_margin: program.node_margin,
            restart: program.restart,
            init: Vec::new(),
            usual_options: options.collect(),
            options: BTreeMap::new(),
            environment: BTreeMap::new(),
            rules: None,
        }
    }

    /// Whether the program is told times in whole seconds.
    pub fn tells_seconds(&self) -> bool {
        match self.protocol {
            Protocol::Uci | Protocol::UciCyclone => false,
            Protocol::Ucci => !self.milliseconds,
            Protocol::Cecp | Protocol::Gtp | Protocol::Nboard => true,
        }
    }

    /// What a game may look at.
    pub fn ways(&self) -> Ways {
        Ways {
            protocol: self.protocol,
            letters: self.letters,
            rank_base: self.rank_base,
            fen_fields: self.fen_fields,
            passes: self.passes,
            rules: self.rules,
        }
    }
}

/// What a config does not say of how a program speaks: it is found out when the program is
/// met.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unsaid {
    /// The known programs that it may turn out to be, and how it is spoken to then.
    pub presets: Vec<(KnownProgram, Profile)>,
    /// Whether ranks may be counted from 0 or from 1.
    pub ranks: bool,
    /// Whether options of the config that the program does not take are left out.
    pub options: bool,
}

/// A player that is another program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Program {
    /// The program and its arguments as the config has them; not empty.
    pub command: Vec<String>,
    /// The program as found from the config's folder; without a separator it is
    /// looked for in `PATH`. Not part of the resolved form.
    #[serde(skip)]
    pub executable: PathBuf,
    /// The working folder as the config has it.
    pub folder: Option<String>,
    /// The working folder as found from the config's folder; `None` for that of
    /// leitai. Not part of the resolved form.
    #[serde(skip)]
    pub working_folder: Option<PathBuf>,
    /// How it speaks.
    pub profile: Profile,
    /// What the config leaves open of that. Not part of the resolved form.
    #[serde(skip)]
    pub unsaid: Unsaid,
    /// How long the greeting may take, at least 1 ms. Not part of the resolved form:
    /// no move depends on it.
    #[serde(skip)]
    pub startup: Duration,
    /// How long a move may take under a node or depth limit, at least 1 ms. Not part
    /// of the resolved form.
    #[serde(skip)]
    pub stall: Duration,
    /// What was found when the program was asked who it is; `None` before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<Identity>,
}

impl Program {
    /// The words that may name files which the program reads: its arguments, and the values of
    /// options.
    pub fn words(&self) -> impl Iterator<Item = &String> {
        let arguments = self.command.iter().skip(1);
        arguments.chain(self.profile.options.values())
    }

    /// Replaces a word by another.
    pub fn replace_word(&mut self, word: &str, by: &str) {
        let arguments = self.command.iter_mut().skip(1);
        let words = arguments.chain(self.profile.options.values_mut());
        for it in words.filter(|it| *it == word) {
            by.clone_into(it);
        }
    }
}

/// Which program answered to a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// What it calls itself; empty if it does not say.
    pub name: String,
    /// SHA-256 of the file that was started, in hexadecimal.
    pub sha256: String,
    /// The same of the files that its arguments and options name, by the word that does.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
}
