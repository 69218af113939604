//! What a game says of itself, in its own types.

use super::words::{legal_texts, proposal};
use super::{
    Examination, FitOpenings, KnownProgram, PgnStyle, Protocol, TextForm, UsualSpread, Ways,
};
use crate::eval::Evaluation;
use crate::game::{Move, PositionError, Verdict};
use crate::numbers::{EvalParams, NumberTable};
use crate::search::proof::SolverParams;
use crate::search::{MoveChooser, Tactics};

/// All of a game: its rules and texts ([`Position`]), what moves mean to a search
/// ([`Tactics`]), and what stands here.
pub trait Game: Tactics {
    /// What sentences call it.
    const TITLE: &'static str;
    /// A few words for who does not know the name.
    const ABOUT: &'static str;
    /// Examples for the help of commands, such as `("judge", "othello --moves f5d6")`.
    const EXAMPLES: &'static [(&'static str, &'static str)] = &[];
    /// What programs for several games call it.
    const KNOWN_AS: &'static str = Self::NAME;
    /// Whether the resolved form of a config names the rules where they are the usual
    /// ones too, and not the game alone. Identities of runs hang on it.
    const NAMES_USUAL_RULES: bool = false;
    /// Positions for `leitai bench` to search, as the text of a book, or the usual start if
    /// it is empty; and the depth in plies.
    const BENCH: (&'static str, u32) = ("", 8);
    /// How a game looks in PGN.
    const PGN: PgnStyle = PgnStyle::plain(Self::TITLE);
    /// Forms in which its games are written, beside PGN.
    const FORMS: &'static [TextForm] = &[];
    /// What a program of the game is asked to find out whether it is fit to play.
    const EXAMINATION: Examination = Examination::AT_THE_START;
    /// The protocols by which other programs play the game, and by which players of ours
    /// play for them, as far as `leitai engine` speaks them.
    const PROTOCOLS: &'static [Protocol] = &[Protocol::Uci];
    /// The keys of a config that say how such programs write: of `letters`, `rank_base`,
    /// `fen_fields`, `node_margin` and `passes`.
    const WAYS: &'static [&'static str] = &["node_margin"];
    /// Programs of the game whose ways are known.
    const PROGRAMS: &'static [KnownProgram] = &[];
    /// What to write in a config for a program that plays the game.
    const PROGRAM_HELP: &'static str = "write `protocol = \"uci\"`, if the program speaks it";
    /// A forced pass as a move's text, in games that have them.
    const PASS: &'static str = "";
    /// What a word of movetext looks like, for who has written another.
    const MOVE_WORDS: &'static str = "the game's own words";
    /// How many fields a position's text has at least, in a line that goes on with others:
    /// 2, the board and the side to move, behind which counters may come; or 4, and none.
    const FEN_FIELDS: usize = 2;
    /// What coefficients of [`features`](Game::features) are counted in: one of `UNIT`
    /// adds the parameter once. Above 0.
    const UNIT: i32 = 1;
    /// What can be done where a config leaves out costly terms that there are not.
    const NO_COSTLY_TERMS: &'static str = "remove it: no evaluation of the game has such terms";
    /// Whose score a report tells: that of the side that opens the game.
    const FIRST_SCORE: &'static str = "First mover's";
    /// Whether games may go on from an opening by random plies: not where an opening is a
    /// problem that they would make another.
    const VARIES: bool = true;
    /// How pairs of equals usually end.
    const USUAL_SPREAD: UsualSpread = UsualSpread {
        draw_rate: 0.3,
        opening_bias: 100.0,
    };
    /// The openings that a fit of the evaluation makes for itself.
    const FIT_OPENINGS: FitOpenings = FitOpenings {
        plies: (4, 12),
        window: 400,
        judge: "",
    };
    /// The path of what is tuned first, for an example.
    const TUNED_FIRST: &'static str = "eval.*";
    /// What else solves, where the game has no [`solver`](Tactics::solver) or
    /// [`prover`](Game::prover) and a config asks for one.
    const OTHER_SOLVER: &'static str = "";

    /// The numbers of the evaluation, with the presets that configs call by name.
    fn numbers() -> &'static NumberTable;

    /// The evaluation that configs describe.
    type Evaluation: Evaluation<Self> + 'static;

    /// The evaluation with these numbers, in games under these rules; `None` if
    /// the numbers belong to another game.
    fn evaluation(params: &EvalParams, rules: Self::Rules) -> Option<Self::Evaluation>;

    /// Whether the game has a goal that a [`prover`](Game::prover) can prove.
    const HAS_PROVER: bool = false;

    /// What plays for a variant with `search.solver`; `None` if the numbers belong to
    /// another game, or the game has no goal to be proved.
    fn prover(
        _solver: &SolverParams,
        _params: &EvalParams,
        _rules: Self::Rules,
    ) -> Option<Box<dyn MoveChooser<Self>>> {
        None
    }

    /// Why a chosen rule cannot be played by: its name, what is wrong, and the help.
    fn refused_rule(_rules: Self::Rules) -> Option<(&'static str, &'static str, String)> {
        None
    }

    /// What the command line calls a rule.
    fn rule_option(name: &'static str) -> &'static str {
        name
    }

    /// The text of a position as a program reads it.
    fn fen_for(_ways: &Ways, fen: &str) -> String {
        fen.to_owned()
    }

    /// The text of a move as a program reads it; as it is if it is none.
    fn move_for(_ways: &Ways, mv: &str) -> String {
        mv.to_owned()
    }

    /// A program's move as the game writes it; `None` if the text is no move.
    fn move_from(_ways: &Ways, theirs: &str) -> Option<String> {
        Some(theirs.to_owned())
    }

    /// A position that another program asks about, and the rules to search it by: these,
    /// without a limit on the length of games that this one has gone beyond, for the other
    /// program does not know it.
    ///
    /// # Errors
    /// As [`from_fen`](crate::game::Position::from_fen).
    fn asked_about(fen: &str, rules: Self::Rules) -> Result<(Self, Self::Rules), PositionError> {
        Ok((Self::from_fen(fen)?, rules))
    }

    /// The same rules where moves that another program sends have led here.
    fn rules_to_go_on(&self, rules: Self::Rules) -> Self::Rules {
        rules
    }

    /// What a choice among rules is called, if it has a better name than its key.
    fn rule_noun(_name: &str) -> Option<&'static str> {
        None
    }

    /// How a game ended, before the words that say after how many plies.
    fn ending(verdict: Verdict) -> String {
        format!("{} by {}", verdict.result_text(), verdict.cause)
    }

    /// Tells `add` the numbers of the evaluation that count here, by their places in the
    /// [table](Game::numbers), each at most once, with their coefficients: the sum of
    /// numbers times coefficients, divided by [`UNIT`](Game::UNIT), is the static value for
    /// the side to move, but for rounding and limits. None where the evaluation is not
    /// linear. An evaluation that is no more than this sum is [`Linear`](super::Linear).
    fn features(&self, _add: &mut impl FnMut(usize, i32)) {}

    /// A legal move as movetext has it, without blanks inside, in the notation of that
    /// place in the [`PgnStyle`].
    fn written(&self, mv: Move, _notation: usize) -> String {
        Self::move_text(mv)
    }

    /// The moves that a word of movetext stands for, each legal in its place.
    /// More than one where a forced pass is not written, or a word is a whole
    /// transcript.
    ///
    /// # Errors
    /// The word is no legal move; the message says so with the word in it.
    fn read_word(&self, word: &str) -> Result<Vec<Move>, String> {
        let read = self.parse_move(word);
        read.map(|mv| vec![mv]).map_err(|error| error.to_string())
    }

    /// The legal move and its score that an operation such as OBF's `H5:+6` tells;
    /// `None` if it is no such operation, or the game has none.
    ///
    /// # Errors
    /// The move is not legal here, or the score no number.
    fn read_scored_move(&self, _operation: &str) -> Option<Result<(Move, f64), String>> {
        None
    }

    /// What could have been meant by a word that is no legal move.
    fn could_mean(&self, word: &str) -> String {
        let legal = legal_texts(self, Self::move_text);
        proposal(self, word, &legal, Self::MOVE_WORDS)
    }

    /// Whether the first field of a position's text looks like one of this game, where
    /// nobody says which game it is.
    fn looks_like(_board: &str) -> bool {
        false
    }

    /// The rules under which games of other programs are read, whatever rules they were
    /// played by.
    fn lenient_rules() -> Self::Rules {
        Self::Rules::default()
    }
}
