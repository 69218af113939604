//! Players of variants, for any game.

use super::{AnyLine, Game, Rules, typed_line};
use crate::Line;
use crate::numbers::EvalParams;
use crate::search::{MoveChooser, RootMoves, Search, SearchLimits, SearchParams, SearchReport};

/// A search, a solver or another kind of player, with its memory of the present game. Lines must be
/// of its game.
pub trait Thinker: Send {
    /// Forgets the memory of the game.
    fn new_game(&mut self);

    /// The best move at the end of `line`, which must not be over, within `limits` and until `stop`
    /// is set. Calls `on_iteration` after each finished iteration of a search.
    fn run(
        &mut self,
        line: &dyn AnyLine,
        limits: &SearchLimits,
        stop: &dyn Fn() -> bool,
        on_iteration: Option<&mut dyn FnMut(&SearchReport)>,
    ) -> SearchReport;

    /// The best lines: see [`Search::run_lines`]. Players other than searches return one line.
    fn run_lines(
        &mut self,
        line: &dyn AnyLine,
        limits: &SearchLimits,
        roots: &RootMoves,
        stop: &dyn Fn() -> bool,
        on_iteration: &mut dyn FnMut(&[SearchReport]),
    ) -> Vec<SearchReport>;

    /// Plays by other rules from now on, for players whose evaluation does not depend on them.
    fn set_rules(&mut self, rules: &Rules);

    /// Forgets everything and plays as another variant from now on, exactly as a new player would.
    /// Returns false if that is impossible, and then changes nothing.
    fn reconfigure(&mut self, search: &SearchParams, eval: &EvalParams) -> bool;
}

/// The thinker of a game.
pub(super) struct GamePlayer<G: Game> {
    rules: G::Rules,
    kind: PlayerKind<G>,
}

enum PlayerKind<G: Game> {
    Search(Box<Search<G, G::Evaluation>>),
    Other(Box<dyn MoveChooser<G>>),
}

impl<G: Game> GamePlayer<G> {
    pub(super) fn new(search: &SearchParams, eval: &EvalParams, rules: G::Rules) -> Option<Self> {
        let kind = if let Some(solver) = &search.solver {
            PlayerKind::Other(G::prover(solver, eval, rules)?)
        } else {
            let evaluation = G::evaluation(eval, rules)?;
            PlayerKind::Search(Box::new(Search::new(search.clone(), evaluation)))
        };
        Some(Self { rules, kind })
    }

    pub(super) fn other(chooser: Box<dyn MoveChooser<G>>, rules: G::Rules) -> Self {
        let kind = PlayerKind::Other(chooser);
        Self { rules, kind }
    }
}

fn expected<G: Game>(line: &dyn AnyLine) -> &Line<G> {
    typed_line(line).unwrap_or_else(|| panic!("a line of another game"))
}

impl<G: Game> Thinker for GamePlayer<G> {
    fn new_game(&mut self) {
        match &mut self.kind {
            PlayerKind::Search(search) => search.new_game(),
            PlayerKind::Other(other) => other.new_game(),
        }
    }

    fn run(
        &mut self,
        line: &dyn AnyLine,
        limits: &SearchLimits,
        stop: &dyn Fn() -> bool,
        on_iteration: Option<&mut dyn FnMut(&SearchReport)>,
    ) -> SearchReport {
        let line = expected(line);
        match &mut self.kind {
            PlayerKind::Search(search) => {
                search.run_until(line, self.rules, limits, stop, on_iteration)
            }
            PlayerKind::Other(other) => other.run(line, limits, stop),
        }
    }

    fn run_lines(
        &mut self,
        line: &dyn AnyLine,
        limits: &SearchLimits,
        roots: &RootMoves,
        stop: &dyn Fn() -> bool,
        on_iteration: &mut dyn FnMut(&[SearchReport]),
    ) -> Vec<SearchReport> {
        let line = expected(line);
        match &mut self.kind {
            PlayerKind::Search(search) => {
                search.run_lines(line, self.rules, limits, roots, stop, on_iteration)
            }
            PlayerKind::Other(_) if line.position().count_legal_moves() == 0 => Vec::new(),
            PlayerKind::Other(other) => vec![other.run(line, limits, stop)],
        }
    }

    fn set_rules(&mut self, rules: &Rules) {
        self.rules = rules.typed();
    }

    fn reconfigure(&mut self, search: &SearchParams, eval: &EvalParams) -> bool {
        if let (PlayerKind::Search(search_player), None) = (&mut self.kind, &search.solver) {
            // Keeps the memory of its tables.
            let Some(evaluation) = G::evaluation(eval, self.rules) else {
                return false;
            };
            search_player.reconfigure(search.clone(), evaluation);
            return true;
        }
        let Some(other) = Self::new(search, eval, self.rules) else {
            return false;
        };
        *self = other;
        true
    }
}
