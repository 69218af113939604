//! A game as one object.

use std::fmt;
use std::marker::PhantomData;

use super::thinker::GamePlayer;
use super::{
    AnyLine, AnyPosition, Facts, Game, OpenTables, Rules, TableOptions, Thinker, Ways, typed,
};
use crate::eval::Evaluation;
use crate::numbers::{EvalParams, NumberTable};
use crate::search::{SearchParams, Stage};
use crate::{Line, Move, PositionError};
use leitai_base::settings::Settings;

/// The result of a line of an opening file: the game up to the opening and its name, or the reason
/// why the line is invalid.
pub type ReadOpening = Result<(Box<dyn AnyLine>, String), String>;

/// A [`Game`] without its types.
pub trait GameCard: Send + Sync {
    /// See [`Position::NAME`](crate::Position::NAME).
    fn name(&self) -> &'static str;
    /// See [`Game::FACTS`].
    fn facts(&self) -> &'static Facts;
    /// See [`Position::SIDE_NAMES`](crate::Position::SIDE_NAMES).
    fn side_names(&self) -> [&'static str; 2];
    /// The usual rules.
    fn rules(&self) -> Rules;
    /// See [`Game::refused_rule`].
    fn refused_rule(&self, rules: &Rules) -> Option<(&'static str, &'static str, String)>;
    /// See [`Game::rule_option`].
    fn rule_option(&self, name: &str) -> &'static str;
    /// See [`Position::initial`](crate::Position::initial).
    fn initial(&self) -> Box<dyn AnyPosition>;
    /// See [`Position::from_fen`](crate::Position::from_fen).
    ///
    /// # Errors
    /// Those of `from_fen`.
    fn read(&self, text: &str) -> Result<Box<dyn AnyPosition>, PositionError>;
    /// See [`Position::from_opening`](crate::Position::from_opening).
    fn read_opening(&self, text: &str) -> Option<ReadOpening>;
    /// See [`Position::text_key`](crate::Position::text_key).
    fn text_key(&self, text: &str) -> Option<u64>;
    /// See [`Game::usual_openings`].
    fn usual_openings(&self, rules: &Rules) -> Vec<String>;
    /// See [`Position::move_text`](crate::Position::move_text).
    fn move_text(&self, mv: Move) -> String;
    /// A line from the position, which must be of this game.
    fn line(&self, start: &dyn AnyPosition) -> Box<dyn AnyLine>;
    /// See [`Game::move_for`].
    fn move_for(&self, ways: &Ways, mv: Move) -> String;
    /// See [`Game::program_game_name`].
    fn program_game_name(&self, ways: &Ways) -> &'static str;
    /// See [`Game::read_request`].
    ///
    /// # Errors
    /// Those of `read_request`.
    fn read_request(
        &self,
        fen: &str,
        rules: &Rules,
    ) -> Result<(Box<dyn AnyPosition>, Rules), PositionError>;
    /// See [`Game::numbers`].
    fn numbers(&self) -> &'static NumberTable;
    /// See [`Game::UNIT`].
    fn unit(&self) -> i32;
    /// Returns whether the evaluation with these numbers has costly terms, see
    /// [`Evaluation::is_costly`]; `None` if no evaluation can have these numbers.
    fn has_costly_terms(&self, eval: &EvalParams) -> Option<bool>;
    /// See [`Tactics::HAS_SOLVER`](crate::search::Tactics::HAS_SOLVER).
    fn has_solver(&self) -> bool;
    /// See [`Game::tables`].
    ///
    /// # Errors
    /// Those of [`Game::tables`].
    fn tables(&self, options: &TableOptions<'_>) -> Result<OpenTables, String>;
    /// See [`Stage::idle_in`].
    fn idle_stage(&self, stage: Stage) -> Option<&'static str>;
    /// A player with these settings; `None` if they are of another game, or name a solver that the
    /// game does not have.
    fn thinker(
        &self,
        search: &SearchParams,
        eval: &EvalParams,
        rules: &Rules,
    ) -> Option<Box<dyn Thinker>>;
}

/// The card of a game.
#[derive(Clone, Copy, Debug)]
pub struct Card<G>(PhantomData<fn() -> G>);

impl<G: Game> Card<G> {
    /// The only card of the game.
    pub fn get() -> &'static dyn GameCard {
        &Self(PhantomData)
    }
}

impl<G: Game> GameCard for Card<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn facts(&self) -> &'static Facts {
        const { &G::FACTS }
    }

    fn side_names(&self) -> [&'static str; 2] {
        G::SIDE_NAMES
    }

    fn rules(&self) -> Rules {
        Rules::of(&G::Rules::default())
    }

    fn refused_rule(&self, rules: &Rules) -> Option<(&'static str, &'static str, String)> {
        G::refused_rule(rules.typed())
    }

    fn rule_option(&self, name: &str) -> &'static str {
        let rules = self.rules();
        let rule = rules.list().iter().find(|setting| setting.name == name);
        rule.map_or("", |setting| G::rule_option(setting.name))
    }

    fn initial(&self) -> Box<dyn AnyPosition> {
        Box::new(G::initial())
    }

    fn read(&self, text: &str) -> Result<Box<dyn AnyPosition>, PositionError> {
        Ok(Box::new(G::from_fen(text)?))
    }

    fn read_opening(&self, text: &str) -> Option<ReadOpening> {
        let read = G::from_opening(text)?;
        Some(read.map(|(line, name)| (Box::new(line) as Box<dyn AnyLine>, name)))
    }

    fn text_key(&self, text: &str) -> Option<u64> {
        G::text_key(text)
    }

    fn usual_openings(&self, rules: &Rules) -> Vec<String> {
        G::usual_openings(rules.typed())
    }

    fn move_text(&self, mv: Move) -> String {
        G::move_text(mv)
    }

    fn line(&self, start: &dyn AnyPosition) -> Box<dyn AnyLine> {
        let start = typed::<G>(start).unwrap_or_else(|| panic!("a position of another game"));
        Box::new(Line::new(start.clone()))
    }

    fn move_for(&self, ways: &Ways, mv: Move) -> String {
        G::move_for(ways, mv)
    }

    fn program_game_name(&self, ways: &Ways) -> &'static str {
        G::program_game_name(ways)
    }

    fn read_request(
        &self,
        fen: &str,
        rules: &Rules,
    ) -> Result<(Box<dyn AnyPosition>, Rules), PositionError> {
        let (position, rules) = G::read_request(fen, rules.typed())?;
        Ok((Box::new(position), Rules::of(&rules)))
    }

    fn numbers(&self) -> &'static NumberTable {
        G::numbers()
    }

    fn unit(&self) -> i32 {
        G::UNIT
    }

    fn has_costly_terms(&self, eval: &EvalParams) -> Option<bool> {
        Some(G::evaluation(eval, G::Rules::default())?.is_costly())
    }

    fn has_solver(&self) -> bool {
        G::HAS_SOLVER
    }

    fn tables(&self, options: &TableOptions<'_>) -> Result<OpenTables, String> {
        G::tables(options).map(OpenTables::new)
    }

    fn idle_stage(&self, stage: Stage) -> Option<&'static str> {
        stage.idle_in::<G>()
    }

    fn thinker(
        &self,
        search: &SearchParams,
        eval: &EvalParams,
        rules: &Rules,
    ) -> Option<Box<dyn Thinker>> {
        Some(Box::new(GamePlayer::<G>::new(search, eval, rules.typed())?))
    }
}

impl fmt::Debug for dyn GameCard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl PartialEq for dyn GameCard {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for dyn GameCard {}
