//! The declarations of a game, in its own types.

use super::suggestions::{legal_texts, proposal};
use super::{Facts, TableOptions, Tables, Ways};
use crate::eval::Evaluation;
use crate::numbers::{EvalParams, NumberTable};
use crate::search::proof::SolverParams;
use crate::search::{MoveChooser, Tactics};
use crate::{Move, PositionError};

/// A complete game: its rules and texts ([`Position`](crate::Position)), the tactical meaning
/// of its moves ([`Tactics`]), and the items of this trait.
pub trait Game: Tactics {
    /// Plain data about the game.
    const FACTS: Facts;
    /// The unit of coefficients of [`features`](Game::features): a coefficient of `UNIT` adds the
    /// parameter once. Above 0.
    const UNIT: i32 = 1;

    /// The numbers of the evaluation, with the presets that configs call by name.
    fn numbers() -> &'static NumberTable;

    /// The evaluation that configs describe.
    type Evaluation: Evaluation<Self> + 'static;

    /// The evaluation with these numbers, each within its range, in games under these rules; `None`
    /// only if the numbers belong to another game.
    fn evaluation(params: &EvalParams, rules: Self::Rules) -> Option<Self::Evaluation>;

    /// The player of a variant with `search.solver`; `None` if the numbers belong to another game,
    /// or the game has no goal to prove.
    fn prover(
        _solver: &SolverParams,
        _params: &EvalParams,
        _rules: Self::Rules,
    ) -> Option<Box<dyn MoveChooser<Self>>> {
        None
    }

    /// Opens endgame tables.
    ///
    /// # Errors
    /// The folders contain no tables, or a file is damaged. The message names the path and a
    /// remedy.
    fn tables(_options: &TableOptions<'_>) -> Result<Box<dyn Tables>, String> {
        Err(format!("{} has no tables of endgames", Self::NAME))
    }

    /// The reason why the game cannot be played under a chosen rule: the rule's name, the problem
    /// and the help.
    fn refused_rule(_rules: Self::Rules) -> Option<(&'static str, &'static str, String)> {
        None
    }

    /// The name of a rule on the command line.
    fn rule_option(name: &'static str) -> &'static str {
        name
    }

    /// The name of this game in programs for several games; empty if a program plays it without
    /// being configured for it.
    fn program_game_name(_ways: &Ways) -> &'static str {
        match Self::FACTS.known_as {
            "" => Self::NAME,
            name => name,
        }
    }

    /// A move in the program's dialect.
    fn move_for(_ways: &Ways, mv: Move) -> String {
        Self::move_text(mv)
    }

    /// The position in another program's request, and the rules for searching it: the given rules,
    /// without a limit on the game length that this game has already exceeded, because the other
    /// program does not know the limit.
    ///
    /// # Errors
    /// Those of [`from_fen`](crate::Position::from_fen).
    fn read_request(fen: &str, rules: Self::Rules) -> Result<(Self, Self::Rules), PositionError> {
        Ok((Self::from_fen(fen)?, rules))
    }

    /// The rules for continuing from a position that another program reached by sending moves.
    fn continuation_rules(&self, rules: Self::Rules) -> Self::Rules {
        rules
    }

    /// The openings under these rules for configs without openings, as lines of a book; empty if
    /// games begin only at the usual start.
    fn usual_openings(_rules: Self::Rules) -> Vec<String> {
        Vec::new()
    }

    /// The problem with starting a program from this position under these settings, and the help.
    fn start_problem(&self, _ways: &Ways) -> Option<[&'static str; 2]> {
        None
    }

    /// Calls `add` with the numbers of the evaluation that count here, by index in the
    /// [table](Game::numbers), each at most once, with their coefficients. The sum of numbers times
    /// coefficients, divided by [`UNIT`](Game::UNIT), is the static value for the side to move,
    /// except for rounding and limits. Calls it never if the evaluation is not linear.
    /// [`Linear`](super::Linear) is an evaluation that consists of this sum alone.
    fn features(&self, _add: &mut impl FnMut(usize, i32)) {}

    /// A legal move as a word of movetext, without blanks inside, in the notation with this index
    /// in the [`PgnStyle`](super::PgnStyle).
    fn written(&self, mv: Move, _notation: usize) -> String {
        Self::move_text(mv)
    }

    /// PGN tags, with their values, of a game that begins here, in addition to its `FEN`.
    fn pgn_tags(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// The moves that a word of movetext denotes, each legal in its place. There are several if the
    /// notation omits forced passes, or if a word is a whole transcript.
    ///
    /// # Errors
    /// The word is no legal move; the message quotes the word.
    fn read_word(&self, word: &str) -> Result<Vec<Move>, String> {
        let read = self.parse_move(word);
        read.map(|mv| vec![mv]).map_err(|error| error.to_string())
    }

    /// The legal move and its score in an operation such as OBF's `H5:+6`; `None` if it is another
    /// operation, or the game has none.
    ///
    /// # Errors
    /// The move is not legal here, or the score is no number.
    fn read_scored_move(&self, _operation: &str) -> Option<Result<(Move, f64), String>> {
        None
    }

    /// Suggestions for a word that is no legal move.
    fn suggest_moves(&self, word: &str) -> String {
        let legal = legal_texts(self, Self::move_text);
        proposal(self, word, &legal, Self::FACTS.move_words)
    }
}
