//! What is plain data about a game.

use super::{
    Examination, FitOpenings, KnownBook, KnownProgram, PgnStyle, Protocol, TextForm, UsualSpread,
};
use crate::numbers::Preset;

/// What is plain data about a game: write what differs from the usual, such as
///
/// ```
/// use leitai_game::card::Facts;
///
/// const FACTS: Facts = Facts {
///     names_usual_rules: true,
///     ..Facts::of("Connect Four", "four discs in a row")
/// };
/// ```
#[derive(Debug)]
pub struct Facts {
    /// What sentences call it.
    pub title: &'static str,
    /// A few words for who does not know the name.
    pub about: &'static str,
    /// Examples for the help of commands, such as `("judge", "othello --moves f5d6")`.
    pub examples: &'static [(&'static str, &'static str)],
    /// What programs for several games call it, if not by its name; empty if so.
    pub known_as: &'static str,
    /// Whether the resolved form of a config names the rules where they are the usual
    /// ones too, and not the game alone. Identities of runs hang on it.
    pub names_usual_rules: bool,
    /// Positions for `leitai bench` to search, as the text of a book, or the usual start if
    /// it is empty; and the depth in plies.
    pub bench: (&'static str, u32),
    /// Searches by name that suit the game better than those that all games have: `full`.
    pub searches: &'static [Preset],
    /// How a game looks in PGN.
    pub pgn: PgnStyle,
    /// Forms in which its games are written, beside PGN.
    pub forms: &'static [TextForm],
    /// What a program of the game is asked to find out whether it is fit to play.
    pub examination: Examination,
    /// The protocols by which other programs play the game, and by which players of ours
    /// play for them, as far as `leitai engine` speaks them.
    pub protocols: &'static [Protocol],
    /// Options by which other programs choose a rule when a player of ours plays for them,
    /// and the names of the rules: `("UCI_Chess960", "chess960")`.
    pub rule_options: &'static [(&'static str, &'static str)],
    /// The keys of a config that say how such programs write: of `letters`, `rank_base`,
    /// `fen_fields`, `node_margin` and `passes`.
    pub ways: &'static [&'static str],
    /// Programs of the game whose ways are known.
    pub programs: &'static [KnownProgram],
    /// Books of the game that everybody knows, by the digests of their texts.
    pub known_books: &'static [KnownBook],
    /// What to write in a config for a program that plays the game.
    pub program_help: &'static str,
    /// A forced pass as a move's text, in games that have them.
    pub pass: &'static str,
    /// What a word of movetext looks like, for who has written another.
    pub move_words: &'static str,
    /// How many fields a position's text has at least, in a line that goes on with others:
    /// 2, the board and the side to move; or 4, of which any may look like a name.
    pub fen_fields: usize,
    /// Whether counters may come behind them: plies and moves, the fifth and sixth field.
    pub fen_counters: bool,
    /// What can be done where a config leaves out costly terms that there are not.
    pub no_costly_terms: &'static str,
    /// Whose score a report tells: that of the side that opens the game.
    pub first_score: &'static str,
    /// Whether other positions may take an opening's place: not where an opening is a problem
    /// that other plies would make another.
    pub varies: bool,
    /// How pairs of equals usually end.
    pub usual_spread: UsualSpread,
    /// The openings that a fit of the evaluation makes for itself.
    pub fit_openings: FitOpenings,
    /// The path of what is tuned first, for an example.
    pub tuned_first: &'static str,
    /// What else solves, where the game has no [`solver`](crate::search::Tactics::solver) or
    /// [`prover`](super::Game::prover) and a config asks for one.
    pub other_solver: &'static str,
}

impl Facts {
    /// The usual for a game that sentences call so, and a few words about it.
    pub const fn of(title: &'static str, about: &'static str) -> Self {
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
            examination: Examination::AT_THE_START,
            protocols: &[Protocol::Uci],
            rule_options: &[],
            ways: &["node_margin"],
            programs: &[],
            known_books: &[],
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
            other_solver: "",
        }
    }
}
