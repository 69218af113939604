//! External programs as players: their commands and their dialects.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use leitai_game::card::{KnownProgram, Letters, Passing, Protocol, Rules, Ways};
use leitai_protocols::{CodecSettings, UCI};

/// The dialect of a program. Leitai translates its own form of moves and positions into this form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    /// The protocol. Read from the config, never from its resolved form: only the game knows it.
    #[serde(skip_deserializing, default = "uci")]
    pub protocol: &'static Protocol,
    /// The letters in FENs.
    pub letters: Letters,
    /// The number of the first rank in moves: 0 or 1.
    pub rank_base: u8,
    /// Fields of a FEN: 6, or 4 (without the last two, which only chess needs).
    pub fen_fields: u8,
    /// True if moves are sent to a CECP program after the word `usermove`.
    pub usermove: bool,
    /// True if a UCCI program gets times in milliseconds, false for seconds.
    pub milliseconds: bool,
    /// The treatment of passes. Part of the resolved form only if it is not the usual value.
    #[serde(default, skip_serializing_if = "Passing::is_usual")]
    pub passes: Passing,
    /// Number of nodes by which the program may exceed its limit plus a tenth: programs check their
    /// counters every few thousand nodes.
    pub node_margin: u64,
    /// True if the program restarts for every game, because no command makes it forget the last
    /// one.
    pub restart: bool,
    /// Lines sent unchanged after the greeting.
    pub init: Vec<String>,
    /// Options of the preset: set if the program offers them.
    pub usual_options: BTreeMap<String, String>,
    /// Options of the config: the program must offer them.
    pub options: BTreeMap<String, String>,
    /// Additional environment variables.
    pub environment: BTreeMap<String, String>,
    /// The rules of the program's games, if known. Not part of the resolved form, which names them
    /// elsewhere.
    #[serde(skip)]
    pub rules: Option<Rules>,
}

fn uci() -> &'static Protocol {
    UCI
}

impl Profile {
    /// The size of the table in MiB, if the options set it: the sum of all options with such a name.
    pub fn table_mib(&self) -> Option<u64> {
        // Of UCI, UCCI, USI and CECP.
        let sizes = self.numbers(&["hash", "hashsize", "usi_hash", "memory"]);
        sizes.reduce(u64::saturating_add)
    }

    /// The number of processors of a search, if the options set it.
    pub fn search_threads(&self) -> Option<u64> {
        self.numbers(&["threads", "cores"]).max()
    }

    /// The numbers of options with one of the names, which are in lower case.
    fn numbers<'a>(&'a self, names: &'a [&str]) -> impl Iterator<Item = u64> + 'a {
        let options = self.options.iter();
        let named = options.filter(|(name, _)| names.contains(&&*name.to_ascii_lowercase()));
        named.filter_map(|(_, value)| value.parse().ok())
    }

    /// The defaults of a protocol: the letters `B` and `N`, ranks from 0, FENs of six fields, bare
    /// moves.
    pub fn of(protocol: &'static Protocol) -> Self {
        Self::known(&KnownProgram::new("", Ways::of(protocol)))
    }

    /// The maximum number of nodes that is no fault under a limit.
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

    /// Returns whether the program gets times in whole seconds.
    pub fn sends_seconds(&self) -> bool {
        self.protocol.whole_seconds || self.protocol.uses("milliseconds") && !self.milliseconds
    }

    /// The settings of the protocol's codec.
    pub fn codec_settings(&self) -> CodecSettings {
        CodecSettings {
            passes: self.passes,
            usermove: self.usermove,
            milliseconds: self.milliseconds,
        }
    }

    /// The part of the profile that games depend on.
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

/// Unspecified parts of a program's profile, to be determined when the program starts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnspecifiedProfile {
    /// The known programs that it may be, with the profile for each.
    pub presets: Vec<(KnownProgram, Profile)>,
    /// True if ranks may count from 0 or from 1.
    pub ranks: bool,
    /// True if options in the config that the program does not offer are skipped.
    pub options: bool,
}

/// An external program as a player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Program {
    /// The program and its arguments as written in the config; not empty.
    pub command: Vec<String>,
    /// The program's path, resolved from the config's folder; a name without a separator is
    /// searched in `PATH`. Not part of the resolved form.
    #[serde(skip)]
    pub executable: PathBuf,
    /// The working folder as written in the config.
    pub folder: Option<String>,
    /// The working folder, resolved from the config's folder; `None` for Leitai's own. Not part of
    /// the resolved form.
    #[serde(skip)]
    pub working_folder: Option<PathBuf>,
    /// The program's dialect.
    pub profile: Profile,
    /// True if the program thinks on the opponent's time. Part of the resolved form only if it does.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub ponder: bool,
    /// The unspecified parts of the profile. Not part of the resolved form.
    #[serde(skip)]
    pub unspecified: UnspecifiedProfile,
    /// Timeout of the greeting, at least 1 ms. Not part of the resolved form: no move depends on
    /// it.
    #[serde(skip)]
    pub startup: Duration,
    /// Timeout of a move under a node or depth limit, at least 1 ms. Not part of the resolved form.
    #[serde(skip)]
    pub stall: Duration,
    /// Timeout of the start of a game, at least 1 ms; `None` for that of the greeting. Not part of
    /// the resolved form.
    #[serde(skip)]
    pub new_game: Option<Duration>,
    /// Timeout of the reply to a ping before a move, at least 1 ms; `None` for that of the move. Not
    /// part of the resolved form.
    #[serde(skip)]
    pub ping: Option<Duration>,
    /// The program's identity; `None` before the program was started to ask for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<Identity>,
}

impl Program {
    /// The words that may name files for the program: its arguments and the values of its options.
    pub fn words(&self) -> impl Iterator<Item = &String> {
        let arguments = self.command.iter().skip(1);
        arguments.chain(self.profile.options.values())
    }

    /// An option of the config by its name, whose case does not count.
    pub fn option(&self, name: &str) -> Option<(&String, &String)> {
        let mut options = self.profile.options.iter();
        options.find(|(known, _)| known.eq_ignore_ascii_case(name))
    }

    /// Replaces a word in the arguments and option values.
    pub fn replace_word(&mut self, word: &str, by: &str) {
        let arguments = self.command.iter_mut().skip(1);
        let words = arguments.chain(self.profile.options.values_mut());
        for it in words.filter(|it| *it == word) {
            by.clone_into(it);
        }
    }
}

/// The identity of the program behind a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// Its own name; empty if it does not report one.
    pub name: String,
    /// Its author; empty if it does not report one. No part of the resolved form.
    #[serde(skip)]
    pub author: String,
    /// SHA-256 of the executable, in hexadecimal.
    pub sha256: String,
    /// SHA-256 of the files named by its arguments and options, by those words.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
}
