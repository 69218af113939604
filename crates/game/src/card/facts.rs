//! Plain data about a game.

use std::borrow::Cow;

use serde::Serialize;

use super::{KnownProgram, PgnStyle, ProgramTest, Ways};
use crate::Verdict;
use crate::numbers::Preset;
use leitai_protocols::{Protocol, UCI};

/// Plain data about a game. Specify the fields that differ from the usual ones, such as
///
/// ```
/// # mod leitai { pub use leitai_game::card; }
/// use leitai::card::Facts;
///
/// const FACTS: Facts = Facts {
///     names_usual_rules: true,
///     ..Facts::new("Connect Four", "four discs in a row")
/// };
/// ```
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts, each named where a game states it"
)]
pub struct Facts {
    /// The name of the game in sentences.
    pub title: &'static str,
    /// A short description for users who do not know the name.
    pub about: &'static str,
    /// Examples for the help of commands, such as `("judge", "othello --moves f5d6")`.
    pub examples: &'static [(&'static str, &'static str)],
    /// The game's name in programs for several games; empty if they use `NAME`.
    pub known_as: &'static str,
    /// True if the resolved form of a config names even the usual rules, and not the game alone.
    /// Run identities depend on it.
    pub names_usual_rules: bool,
    /// The positions that `leitai bench` searches, as the text of a book (empty for the usual
    /// start), and the depth in plies.
    pub bench: (&'static str, u32),
    /// Named searches that suit the game better than those of all games: `full`.
    pub searches: &'static [Preset],
    /// The PGN conventions of the game.
    pub pgn: PgnStyle,
    /// File formats of the game, in addition to PGN.
    pub forms: &'static [GameFormat],
    /// Other ways to write the moves of a whole game, tried if a game cannot be read.
    pub dialects: &'static [Dialect],
    /// Questions that show whether a program can play the game.
    pub examination: ProgramTest,
    /// The protocols that external programs of the game use: those of
    /// [`protocol`](crate::protocol), and the game's own. `leitai engine` serves Leitai's players
    /// over those that it supports.
    pub protocols: &'static [&'static Protocol],
    /// Options by which other programs choose a rule when a Leitai player plays for them, and the
    /// names of the rules: `("UCI_Chess960", "chess960")`.
    pub rule_options: &'static [(&'static str, &'static str)],
    /// The config keys that describe how such programs write: from `letters`, `rank_base`,
    /// `fen_fields`, `node_margin` and `passes`.
    pub ways: &'static [&'static str],
    /// Programs of the game with known settings.
    pub programs: &'static [KnownProgram],
    /// Opening names, one line per position, sorted by key: the position's key in 16 hexadecimal
    /// digits, the classification code, and the name, separated by tabs; empty if openings have no
    /// names.
    pub opening_names: &'static str,
    /// The table of well-known books; see [`KnownBook::read_all`](super::KnownBook::read_all).
    pub known_books: &'static str,
    /// Help for configuring a program that plays the game.
    pub program_help: &'static str,
    /// A forced pass as a move's text, in games that have them.
    pub pass: &'static str,
    /// The form of a word of movetext, for messages about an invalid one.
    pub move_words: &'static str,
    /// Minimum number of fields of a position's text in a line that continues with others: 2, the
    /// board and the side to move; or 4, where any of them may look like a name.
    pub fen_fields: usize,
    /// True if counters may follow these fields: plies and moves, the fifth and sixth field.
    pub fen_counters: bool,
    /// Help for a config that omits costly terms in a game without them.
    pub no_costly_terms: &'static str,
    /// The side whose score reports show: the one that opens the game.
    pub first_score: &'static str,
    /// True if other positions may replace an opening. False if openings are problems that extra
    /// plies would change.
    pub varies: bool,
    /// Usual distribution of pair results between equal players.
    pub usual_spread: UsualSpread,
    /// Settings for the openings that a fit of the evaluation generates.
    pub fit_openings: FitOpenings,
    /// The path of the numbers to tune first, for an example.
    pub tuned_first: &'static str,
    /// True if the game has a goal that a [`prover`](super::Game::prover) can prove.
    pub has_prover: bool,
    /// True if [`tables`](super::Game::tables) can read endgame tables of the game.
    pub has_tables: bool,
    /// Nouns for choices among rules with a better name than their key, each after the key.
    pub rule_nouns: &'static [(&'static str, &'static str)],
    /// The result and its cause, for a sentence that continues with the number of plies.
    pub ending: fn(Verdict) -> String,
    /// Returns whether the first field of a position's text looks like one of this game, for texts
    /// that do not name their game.
    pub looks_like: fn(board: &str) -> bool,
    /// A line of a file with the board at its beginning, if there is one, in the game's own form.
    pub own_board: fn(line: &str) -> Cow<'_, str>,
    /// The text of a position in a program's dialect.
    pub fen_for: fn(&Ways, fen: &str) -> String,
    /// Converts a program's move to the game's notation; `None` if the text is no move.
    pub move_from: fn(&Ways, theirs: &str) -> Option<String>,
    /// Options that a program must have and that Leitai sets under these rules, with their values.
    pub options_for: fn(&Ways) -> &'static [(&'static str, &'static str)],
    /// The alternative solver to name when a config asks for a
    /// [`solver`](crate::search::Tactics::solver) or [`prover`](super::Game::prover) that the game
    /// does not have.
    pub other_solver: &'static str,
}

impl Facts {
    /// The usual facts of a game with this name in sentences and this description.
    pub const fn new(title: &'static str, about: &'static str) -> Self {
        Self {
            title,
            about,
            examples: &[],
            known_as: "",
            names_usual_rules: false,
            bench: ("", 8),
            searches: &[],
            pgn: PgnStyle::plain(title),
            forms: &[],
            dialects: &[],
            examination: ProgramTest::START_ONLY,
            protocols: &[UCI],
            rule_options: &[],
            ways: &["node_margin"],
            programs: &[],
            opening_names: "",
            known_books: "",
            program_help: "write `protocol = \"uci\"`, if the program speaks it",
            pass: "",
            move_words: "the game's own words",
            fen_fields: 2,
            fen_counters: true,
            no_costly_terms: "remove it: no evaluation of the game has such terms",
            first_score: "First mover's",
            varies: true,
            usual_spread: UsualSpread {
                draw_rate: 0.3,
                opening_bias: 100.0,
            },
            fit_openings: FitOpenings {
                plies: (4, 12),
                window: 400,
                judge: "",
            },
            tuned_first: "eval.*",
            has_prover: false,
            has_tables: false,
            rule_nouns: &[],
            ending: |verdict| verdict.to_string(),
            looks_like: |_| false,
            own_board: |line| Cow::Borrowed(line),
            fen_for: |_, fen| fen.to_owned(),
            move_from: |_, theirs| Some(theirs.to_owned()),
            options_for: |_| &[],
            other_solver: "",
        }
    }
}

/// Usual distribution of pair results between equal players.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct UsualSpread {
    /// Share of drawn games.
    pub draw_rate: f64,
    /// Advantage of one side due to the openings: root mean square, in Elo.
    pub opening_bias: f64,
}

/// Settings for generated openings of games that an evaluation is fitted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FitOpenings {
    /// Minimum and maximum number of random plies.
    pub plies: (u32, u32),
    /// Limit of the judge's score in its units: positions further from equality are no openings.
    pub window: i32,
    /// The preset that judges. No tune may change its numbers, or the same config would get other
    /// openings after a change of the default evaluation. Empty for the first preset.
    pub judge: &'static str,
}

/// A format for the games of one game: its names, and its detection in files.
#[derive(Clone, Copy, Debug)]
pub struct GameFormat {
    /// Its name on the command line; for formats that Leitai writes, also the file extension: `ggf`.
    pub name: &'static str,
    /// Its name in sentences: `GGF`.
    pub title: &'static str,
    /// The same with a preposition: `in GGF`.
    pub manner: &'static str,
    /// The description after its name in a list of formats.
    pub about: &'static str,
    /// The test whether a file has this format.
    pub begins: Begins,
    /// True for the default format of the game's files that are not PGN.
    pub is_usual: bool,
}

/// The test whether a file has a format.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Begins {
    /// A test of its first line that is no comment.
    Line(fn(line: &str) -> bool),
    /// A test of the beginning of its text, decoded.
    Text(fn(start: &str) -> bool),
    /// A test of its first bytes, at most 65,536 of them.
    Bytes(fn(start: &[u8]) -> bool),
}

impl PartialEq for GameFormat {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for GameFormat {}

/// Rewrites a word of another program as a move of the game's own notation; `None` if it is no such
/// word.
pub type Dialect = fn(word: &str) -> Option<String>;

/// A book identified by the digest of its text, and not included in this program.
#[derive(Clone, Copy, Debug)]
pub struct KnownBook {
    /// Its file name, without a folder.
    pub file: &'static str,
    /// The number of openings; 0 if unknown.
    pub openings: u64,
    /// Its author and method, in a few words; may be empty.
    pub about: &'static str,
    /// The digest of its text with line feeds as line ends: SHA-256 as 64 lowercase hexadecimal
    /// digits, or SHA-384 as 96.
    pub digest: &'static str,
}

impl KnownBook {
    /// Reads a table of books, one a line: digest, number of openings, file name, description.
    /// Other lines are skipped.
    pub fn read_all(table: &'static str) -> impl Iterator<Item = Self> {
        table.lines().filter_map(|line| {
            let mut words = line.splitn(4, ' ');
            Some(Self {
                digest: words.next()?,
                openings: words.next()?.parse().ok()?,
                file: words.next()?,
                about: words.next().unwrap_or_default(),
            })
        })
    }
}
