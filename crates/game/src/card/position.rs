//! Positions and lines of play of any game.

use std::any::Any;
use std::fmt;

use super::{Card, Game, GameCard, Rules, Ways};
use crate::{ImageKeys, Line, Move, MoveError, Position, Side, Verdict, View, legal_moves};

/// A [`Position`] of any game, for code that does not count nodes. Moves must be legal unless the
/// method says otherwise.
pub trait AnyPosition: Any + fmt::Debug + Send + Sync {
    /// The game.
    fn card(&self) -> &'static dyn GameCard;
    /// A copy.
    fn boxed(&self) -> Box<dyn AnyPosition>;
    /// Returns whether it is the same position of the same game.
    fn equals(&self, other: &dyn AnyPosition) -> bool;
    /// See [`Position::to_fen`].
    fn to_fen(&self) -> String;
    /// See [`Position::side_to_move`].
    fn side_to_move(&self) -> Side;
    /// See [`Position::key`].
    fn key(&self) -> u64;
    /// See [`Position::image_keys`].
    fn image_keys(&self) -> ImageKeys;
    /// See [`Position::symmetric_key`].
    fn symmetric_key(&self) -> u64;
    /// See [`Position::meeting_key`].
    fn meeting_key(&self) -> u64;
    /// See [`Position::moves_from_initial`].
    fn moves_from_initial(&self) -> Option<Vec<Move>>;
    /// The legal moves; see [`Position::legal_moves`].
    fn moves(&self) -> Vec<Move>;
    /// See [`Position::count_legal_moves`].
    fn count_legal_moves(&self) -> usize;
    /// See [`Position::is_legal`].
    fn is_legal(&self, mv: Move) -> bool;
    /// Plays a legal move permanently.
    fn play(&mut self, mv: Move);
    /// The position with the other side to move, if the rules allow a null move; see
    /// [`Position::make_null`].
    fn passed(&self) -> Option<Box<dyn AnyPosition>>;
    /// See [`Position::in_check`].
    fn in_check(&self) -> bool;
    /// See [`Position::reversible_plies`].
    fn reversible_plies(&self) -> usize;
    /// See [`Position::move_number`].
    fn move_number(&self) -> Option<u32>;
    /// See [`Position::plies_played`].
    fn plies_played(&self) -> Option<u32>;
    /// See [`Position::can_win`].
    fn can_win(&self, side: Side) -> bool;
    /// See [`Position::is_dead`].
    fn is_dead(&self) -> bool;
    /// See [`Position::verdict_without_moves`].
    fn verdict_without_moves(&self) -> Verdict;
    /// See [`Position::margin`].
    fn margin(&self, side: Side, rules: &Rules) -> Option<i32>;
    /// See [`Position::parse_move`].
    ///
    /// # Errors
    /// Those of [`Position::parse_move`].
    fn parse_move(&self, text: &str) -> Result<Move, MoveError>;
    /// Leaves `depth` plies below. With `full`, finished games do not count; otherwise they count
    /// as in the game's tables: see [`perft`](crate::perft).
    fn perft(&self, depth: u32, full: bool) -> u64;
    /// Calls `see` with the positions up to `plies` plies below, once for each sequence of moves.
    fn below(&self, plies: usize, see: &mut dyn FnMut(&dyn AnyPosition));
    /// Calls `see` with the keys of these positions, which is faster.
    fn keys_below(&self, plies: usize, see: &mut dyn FnMut(u64));
    /// See [`Game::pgn_tags`].
    fn pgn_tags(&self) -> &'static [(&'static str, &'static str)];
    /// See [`Game::start_problem`].
    fn start_problem(&self, ways: &Ways) -> Option<[&'static str; 2]>;
    /// See [`Game::written`].
    fn written(&self, mv: Move, notation: usize) -> String;
    /// See [`Game::read_word`].
    ///
    /// # Errors
    /// Those of [`Game::read_word`].
    fn read_word(&self, word: &str) -> Result<Vec<Move>, String>;
    /// See [`Game::read_scored_move`].
    fn read_scored_move(&self, operation: &str) -> Option<Result<(Move, f64), String>>;
    /// See [`Game::suggest_moves`].
    fn suggest_moves(&self, word: &str) -> String;
    /// The output of [`Game::features`] in its order, without coefficients of 0.
    fn features(&self) -> Vec<(usize, i32)>;
    /// See [`Game::continuation_rules`].
    fn continuation_rules(&self, rules: &Rules) -> Rules;
    /// Returns whether a static evaluation cannot judge the position where `mv` is played, if the
    /// move is known: it captures, or a capture wins material by the exchange on its square.
    fn is_unsettled(&self, mv: Option<Move>) -> bool;
}

impl<G: Game> AnyPosition for G {
    fn card(&self) -> &'static dyn GameCard {
        Card::<G>::get()
    }

    fn boxed(&self) -> Box<dyn AnyPosition> {
        Box::new(self.clone())
    }

    fn equals(&self, other: &dyn AnyPosition) -> bool {
        typed(other) == Some(self)
    }

    fn to_fen(&self) -> String {
        Position::to_fen(self)
    }

    fn side_to_move(&self) -> Side {
        Position::side_to_move(self)
    }

    fn key(&self) -> u64 {
        Position::key(self)
    }

    fn image_keys(&self) -> ImageKeys {
        Position::image_keys(self)
    }

    fn symmetric_key(&self) -> u64 {
        Position::symmetric_key(self)
    }

    fn meeting_key(&self) -> u64 {
        Position::meeting_key(self)
    }

    fn moves_from_initial(&self) -> Option<Vec<Move>> {
        Position::moves_from_initial(self)
    }

    fn moves(&self) -> Vec<Move> {
        legal_moves(self).to_vec()
    }

    fn count_legal_moves(&self) -> usize {
        Position::count_legal_moves(self)
    }

    fn is_legal(&self, mv: Move) -> bool {
        Position::is_legal(self, mv)
    }

    fn play(&mut self, mv: Move) {
        self.make(mv);
    }

    fn passed(&self) -> Option<Box<dyn AnyPosition>> {
        let mut position = self.clone();
        position.make_null()?;
        Some(Box::new(position))
    }

    fn in_check(&self) -> bool {
        Position::in_check(self)
    }

    fn reversible_plies(&self) -> usize {
        Position::reversible_plies(self)
    }

    fn plies_played(&self) -> Option<u32> {
        Position::plies_played(self)
    }

    fn move_number(&self) -> Option<u32> {
        Position::move_number(self)
    }

    fn can_win(&self, side: Side) -> bool {
        Position::can_win(self, side)
    }

    fn is_dead(&self) -> bool {
        Position::is_dead(self)
    }

    fn verdict_without_moves(&self) -> Verdict {
        Position::verdict_without_moves(self)
    }

    fn margin(&self, side: Side, rules: &Rules) -> Option<i32> {
        Position::margin(self, side, rules.typed())
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        Position::parse_move(self, text)
    }

    fn perft(&self, depth: u32, full: bool) -> u64 {
        let finished = u64::from(!full && G::PERFT_COUNTS_FINISHED);
        self.clone().count_leaves(depth, finished)
    }

    fn below(&self, plies: usize, see: &mut dyn FnMut(&dyn AnyPosition)) {
        below(&mut self.clone(), plies, see);
    }

    fn keys_below(&self, plies: usize, see: &mut dyn FnMut(u64)) {
        keys_below(&mut self.clone(), plies, see);
    }

    fn pgn_tags(&self) -> &'static [(&'static str, &'static str)] {
        Game::pgn_tags(self)
    }

    fn start_problem(&self, ways: &Ways) -> Option<[&'static str; 2]> {
        Game::start_problem(self, ways)
    }

    fn written(&self, mv: Move, notation: usize) -> String {
        Game::written(self, mv, notation)
    }

    fn read_word(&self, word: &str) -> Result<Vec<Move>, String> {
        Game::read_word(self, word)
    }

    fn read_scored_move(&self, operation: &str) -> Option<Result<(Move, f64), String>> {
        Game::read_scored_move(self, operation)
    }

    fn suggest_moves(&self, word: &str) -> String {
        Game::suggest_moves(self, word)
    }

    fn features(&self) -> Vec<(usize, i32)> {
        let mut features = Vec::new();
        Game::features(self, &mut |number, count| {
            if count != 0 {
                features.push((number, count));
            }
        });
        features
    }

    fn continuation_rules(&self, rules: &Rules) -> Rules {
        Rules::of(&Game::continuation_rules(self, rules.typed()))
    }

    fn is_unsettled(&self, mv: Option<Move>) -> bool {
        if mv.is_some_and(|mv| self.is_capture(mv)) {
            return true;
        }
        let mut captures = <Self as Position>::Moves::default();
        self.captures(&mut captures);
        captures
            .iter()
            .any(|&it| self.exchange_at_least(it, 1, &Self::USUAL_ORDER))
    }
}

fn below<G: Game>(position: &mut G, plies: usize, see: &mut dyn FnMut(&dyn AnyPosition)) {
    if plies == 0 {
        return;
    }
    for mv in legal_moves(position) {
        let undo = position.make(mv);
        see(position);
        below(position, plies - 1, see);
        position.unmake(mv, undo);
    }
}

fn keys_below<G: Game>(position: &mut G, plies: usize, see: &mut dyn FnMut(u64)) {
    if plies == 0 {
        return;
    }
    for mv in legal_moves(position) {
        if plies == 1
            && let Some(key) = position.key_after(mv)
        {
            see(key);
            continue;
        }
        let undo = position.make(mv);
        see(position.key());
        keys_below(position, plies - 1, see);
        position.unmake(mv, undo);
    }
}

impl Clone for Box<dyn AnyPosition> {
    fn clone(&self) -> Self {
        (**self).boxed()
    }
}

impl PartialEq for dyn AnyPosition {
    fn eq(&self, other: &Self) -> bool {
        self.equals(other)
    }
}

impl dyn AnyPosition {
    /// The number of the next move in a record of a game from here: that of the position's text, if
    /// texts count moves, else 1.
    pub fn first_number(&self) -> u32 {
        let counted = self.card().facts().fen_counters;
        let played = self.plies_played().filter(|_| counted);
        played.map_or(1, |played| played / 2 + 1)
    }
}

impl Eq for dyn AnyPosition {}

/// Derived comparisons of structs with positions need this.
impl PartialEq<&Self> for Box<dyn AnyPosition> {
    fn eq(&self, other: &&Self) -> bool {
        **self == ***other
    }
}

/// The position in the types of its game; `None` for another game.
pub fn typed<G: Game>(position: &dyn AnyPosition) -> Option<&G> {
    (position as &dyn Any).downcast_ref()
}

/// A [`Line`] of any game.
pub trait AnyLine: Any + fmt::Debug + Send {
    /// A copy.
    fn boxed(&self) -> Box<dyn AnyLine>;
    /// See [`Line::start`].
    fn start(&self) -> &dyn AnyPosition;
    /// See [`Line::position`].
    fn position(&self) -> &dyn AnyPosition;
    /// See [`Line::len`].
    fn len(&self) -> usize;
    /// See [`Line::is_empty`].
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// See [`Line::moves`].
    fn moves(&self) -> Vec<Move>;
    /// See [`Line::key_after`].
    fn key_after(&self, index: usize) -> u64;
    /// Plays a legal move.
    fn play(&mut self, mv: Move);
    /// See [`Line::undo`].
    fn undo(&mut self) -> Option<Move>;
    /// See [`Line::verdict`].
    fn verdict(&self, rules: &Rules) -> Option<Verdict>;
    /// See [`Line::view`].
    fn view(&self) -> Option<View>;
}

/// The line in the types of its game; `None` for another game.
pub fn typed_line<G: Game>(line: &dyn AnyLine) -> Option<&Line<G>> {
    (line as &dyn Any).downcast_ref()
}

impl<G: Game> AnyLine for Line<G> {
    fn boxed(&self) -> Box<dyn AnyLine> {
        Box::new(self.clone())
    }

    fn start(&self) -> &dyn AnyPosition {
        self.start()
    }

    fn position(&self) -> &dyn AnyPosition {
        self.position()
    }

    fn len(&self) -> usize {
        self.len()
    }

    fn moves(&self) -> Vec<Move> {
        self.moves().collect()
    }

    fn key_after(&self, index: usize) -> u64 {
        self.key_after(index)
    }

    fn play(&mut self, mv: Move) {
        self.play(mv);
    }

    fn undo(&mut self) -> Option<Move> {
        self.undo()
    }

    fn verdict(&self, rules: &Rules) -> Option<Verdict> {
        self.verdict(rules.typed())
    }

    fn view(&self) -> Option<View> {
        self.view()
    }
}

impl Clone for Box<dyn AnyLine> {
    fn clone(&self) -> Self {
        (**self).boxed()
    }
}
