//! What a game says of itself, in its own types.

use super::words::{legal_texts, proposal};
use super::{Facts, TableOptions, Tables, Ways};
use crate::eval::Evaluation;
use crate::numbers::{EvalParams, NumberTable};
use crate::search::proof::SolverParams;
use crate::search::{MoveChooser, Tactics};
use crate::{Move, PositionError, Verdict};

/// All of a game: its rules and texts ([`Position`](crate::Position)), what moves
/// mean to a search ([`Tactics`]), and what stands here.
pub trait Game: Tactics {
    /// What is plain data about it.
    const FACTS: Facts;
    /// What coefficients of [`features`](Game::features) are counted in: one of `UNIT`
    /// adds the parameter once. Above 0.
    const UNIT: i32 = 1;

    /// The numbers of the evaluation, with the presets that configs call by name.
    fn numbers() -> &'static NumberTable;

    /// The evaluation that configs describe.
    type Evaluation: Evaluation<Self> + 'static;

    /// The evaluation with these numbers, each within its range, in games under these rules;
    /// `None` only if the numbers belong to another game.
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

    /// Whether there are tables of the game's endgames that [`tables`](Game::tables) reads.
    const HAS_TABLES: bool = false;

    /// Opens tables of endgames.
    ///
    /// # Errors
    /// There are none in these folders, or a file is damaged; the message names the path and
    /// what to do.
    fn tables(_options: &TableOptions<'_>) -> Result<Box<dyn Tables<Self>>, String> {
        Err(format!("{} has no tables of endgames", Self::NAME))
    }

    /// Why a chosen rule cannot be played by: its name, what is wrong, and the help.
    fn refused_rule(_rules: Self::Rules) -> Option<(&'static str, &'static str, String)> {
        None
    }

    /// What the command line calls a rule.
    fn rule_option(name: &'static str) -> &'static str {
        name
    }

    /// What programs for several games call this one; empty if a program that is told
    /// nothing plays it.
    fn called_for(_ways: &Ways) -> &'static str {
        match Self::FACTS.known_as {
            "" => Self::NAME,
            name => name,
        }
    }

    /// Options that a program must have and is given under these rules, with their values.
    fn options_for(_ways: &Ways) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// The text of a position as a program reads it.
    fn fen_for(_ways: &Ways, fen: &str) -> String {
        fen.to_owned()
    }

    /// A move as a program reads it.
    fn move_for(_ways: &Ways, mv: Move) -> String {
        Self::move_text(mv)
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
    /// As [`from_fen`](crate::Position::from_fen).
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

    /// Where games under these rules begin if a config names no openings, as lines of a
    /// book; none where that is the usual start alone.
    fn usual_openings(_rules: Self::Rules) -> Vec<String> {
        Vec::new()
    }

    /// What is wrong with having a program that is spoken to so begin here, and what to do
    /// about it.
    fn untold(&self, _ways: &Ways) -> Option<[&'static str; 2]> {
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
    /// place in the [`PgnStyle`](super::PgnStyle).
    fn written(&self, mv: Move, _notation: usize) -> String {
        Self::move_text(mv)
    }

    /// Tags of PGN, with their values, that a game which begins here has beside its `FEN`.
    fn pgn_tags(&self) -> &'static [(&'static str, &'static str)] {
        &[]
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
        proposal(self, word, &legal, Self::FACTS.move_words)
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
