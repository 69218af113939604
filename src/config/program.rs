//! A player that is another program: how to start it, and how it speaks.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The protocol that a program speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    /// The Universal Chess Interface.
    Uci,
    /// The same with bare positions, `startpos ...` and `fen ...`: the form of the
    /// interface Cyclone.
    UciCyclone,
    /// The Universal Chinese Chess Protocol, version 3.
    Ucci,
    /// The Chess Engine Communication Protocol, version 2 (`XBoard`, `WinBoard`).
    Cecp,
    /// The Go Text Protocol, version 2, as programs for Othello speak it.
    Gtp,
    /// The protocol of the interface `NBoard`, version 2.
    Nboard,
}

impl Protocol {
    /// Every protocol with the name that configs use.
    pub const NAMED: [(&'static str, Protocol); 6] = [
        ("uci", Protocol::Uci),
        ("uci-cyclone", Protocol::UciCyclone),
        ("ucci", Protocol::Ucci),
        ("cecp", Protocol::Cecp),
        ("gtp", Protocol::Gtp),
        ("nboard", Protocol::Nboard),
    ];

    /// The name that configs use.
    pub fn name(self) -> &'static str {
        let named = Self::NAMED.iter().find(|(_, known)| *known == self);
        named.map_or("", |(name, _)| name)
    }

    /// The name of the game that programs play by it.
    pub const fn game(self) -> &'static str {
        match self {
            Protocol::Uci | Protocol::UciCyclone | Protocol::Ucci | Protocol::Cecp => "xiangqi",
            Protocol::Gtp | Protocol::Nboard => "othello",
        }
    }
}

/// What a program of Othello is told of passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Passing {
    /// Each of them, and it is asked for its own. One that rejects a pass is told
    /// no more of them.
    #[default]
    Send,
    /// Nothing: it knows by itself who has to pass.
    Omit,
}

impl Passing {
    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "serde hands over a reference"
    )]
    fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

/// Which letters stand for elephant and horse in a FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Letters {
    /// `B` and `N`, as Leitai does.
    Bn,
    /// `E` and `H`.
    Eh,
}

/// How a program speaks. Leitai has one form of moves and positions; this
/// says into which form they are translated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Profile {
    /// The protocol.
    pub protocol: Protocol,
    /// The letters of FENs.
    pub letters: Letters,
    /// The number of Red's home rank in moves: 0 or 1.
    pub rank_base: u8,
    /// Fields of a FEN: 6, or 4 (without the two that chess alone needs).
    pub fen_fields: u8,
    /// Whether moves are sent to a CECP program after the word `usermove`.
    pub usermove: bool,
    /// Whether a UCCI program is told times in milliseconds; otherwise in
    /// seconds.
    pub milliseconds: bool,
    /// What a program of Othello is told of passes. Part of the resolved form only
    /// where it is not the usual.
    #[serde(skip_serializing_if = "Passing::is_usual")]
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
}

impl Profile {
    /// What holds for a protocol where nothing else is said: the letters `B`
    /// and `N`, ranks from 0, FENs of six fields, bare moves.
    pub fn of(protocol: Protocol) -> Self {
        Self {
            protocol,
            letters: Letters::Bn,
            rank_base: 0,
            fen_fields: 6,
            usermove: false,
            milliseconds: true,
            passes: Passing::default(),
            node_margin: 5_000,
            restart: protocol == Protocol::Ucci,
            init: Vec::new(),
            usual_options: BTreeMap::new(),
            options: BTreeMap::new(),
            environment: BTreeMap::new(),
        }
    }

    /// The most nodes that are no fault under a limit.
    pub fn most_nodes(&self, limit: u64) -> u64 {
        limit + limit / 10 + self.node_margin
    }

    /// The profile of a known program.
    pub fn preset(preset: Preset) -> Self {
        let usual = |pairs: &[(&str, &str)]| {
            let pairs = pairs.iter();
            pairs
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect()
        };
        match preset {
            Preset::FairyStockfish => Self {
                rank_base: 1,
                usual_options: usual(&[("UCI_Variant", "xiangqi"), ("Use NNUE", "false")]),
                ..Self::of(Protocol::Uci)
            },
            Preset::Pikafish => Self::of(Protocol::Uci),
            Preset::ElephantEye => Self {
                usual_options: usual(&[("usebook", "false")]),
                node_margin: 20_000,
                ..Self::of(Protocol::Ucci)
            },
            Preset::Hoixiangqi => Self {
                letters: Letters::Eh,
                fen_fields: 4,
                usermove: true,
                // `new` leaves traces: the same search finds another move after it.
                restart: true,
                ..Self::of(Protocol::Cecp)
            },
            Preset::Sjaakii => Self {
                letters: Letters::Eh,
                // It claims draws, and draws lots, unless it is told not to.
                usual_options: usual(&[
                    ("Claim repetitions", "0"),
                    ("Random amplitude (0 to disable)", "0"),
                    ("Randomise opening moves", "0"),
                ]),
                ..Self::of(Protocol::Cecp)
            },
            Preset::GtpRhino => Self {
                // `? syntax error`, and it takes the next move without it.
                passes: Passing::Omit,
                ..Self::of(Protocol::Gtp)
            },
            Preset::Edax => Self::of(Protocol::Gtp),
            Preset::Ntest => Self {
                // It learns from game to game.
                restart: true,
                ..Self::of(Protocol::Nboard)
            },
        }
    }
}

/// Programs whose way to speak is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// Fairy-Stockfish, by UCI.
    FairyStockfish,
    /// `HoiXiangqi` of the package `HoiChess`, by CECP.
    Hoixiangqi,
    /// `ElephantEye`, by UCCI.
    ElephantEye,
    /// Pikafish, by UCI.
    Pikafish,
    /// Sjaak II, by CECP.
    Sjaakii,
    /// `gtp-rhino` of the package `GRhino`, by GTP.
    GtpRhino,
    /// Edax, by GTP.
    Edax,
    /// `NTest`, by the protocol of `NBoard`.
    Ntest,
}

impl Preset {
    /// Every preset with the name that configs use.
    pub const NAMED: [(&'static str, Preset); 8] = [
        ("fairy-stockfish", Preset::FairyStockfish),
        ("hoixiangqi", Preset::Hoixiangqi),
        ("elephanteye", Preset::ElephantEye),
        ("pikafish", Preset::Pikafish),
        ("sjaakii", Preset::Sjaakii),
        ("gtp-rhino", Preset::GtpRhino),
        ("edax", Preset::Edax),
        ("ntest", Preset::Ntest),
    ];
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

/// Which program answered to a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// What it calls itself; empty if it does not say.
    pub name: String,
    /// SHA-256 of the file that was started, in hexadecimal.
    pub sha256: String,
    /// The same of the files that its arguments name, by argument.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
}
