//! Xiangqi: rules, notation and evaluation.

mod attacks;
mod board;
mod captures;
mod checks;
pub mod eval;
mod exchange;
mod fen;
pub mod forms;
mod game;
mod kind;
mod movegen;
mod notation;
mod opening;
mod programs;
mod reach;
#[cfg(feature = "interchange")]
pub mod records;
mod referee;
mod rules;
pub(crate) mod sets;
mod square;
mod tables;
mod tactics;
mod view;
mod zobrist;

#[cfg(test)]
mod tests;

pub use board::{Piece, Undo, Xiangqi};
pub use game::card;
pub use kind::Kind;
pub use notation::Notation;
pub use rules::{RepetitionRule, XiangqiRules};
pub use square::Square;

use leitai_game::{
    Cause, ImageKeys, Line, Move, MoveError, MoveList, Position, PositionError, Scope, Side,
    Verdict, View,
};

impl Position for Xiangqi {
    const NAME: &'static str = "xiangqi";
    const SIDE_NAMES: [&'static str; 2] = ["red", "black"];
    const PERFT_COUNTS_FINISHED: bool = false;

    type Undo = Undo;
    type Moves = MoveList;
    type Rules = XiangqiRules;

    fn initial() -> Self {
        board::initial()
    }

    fn from_fen(text: &str) -> Result<Self, PositionError> {
        fen::parse(text)
    }

    /// Reads `h2e2h9g7 NAME`: the squares of one move after another, with or without blanks between
    /// moves; a name and further columns may follow.
    fn from_opening(text: &str) -> Option<Result<(Line<Self>, String), String>> {
        opening::read_opening(text)
    }

    fn text_key(text: &str) -> Option<u64> {
        fen::text_key(text)
    }

    fn to_fen(&self) -> String {
        fen::write(self)
    }

    fn side_to_move(&self) -> Side {
        self.to_move
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn image_keys(&self) -> ImageKeys {
        let keys = [self.key, zobrist::mirrored_key(self)];
        keys.into_iter().collect()
    }

    fn check_integrity(&self) -> Result<(), String> {
        board::check_integrity(self)
    }

    fn legal_moves(&self, moves: &mut MoveList) {
        self.generate(u128::MAX, moves);
    }

    fn count_legal_moves(&self) -> usize {
        self.count()
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.is_legal_move(mv)
    }

    #[inline]
    fn make(&mut self, mv: Move) -> Undo {
        self.make_move(mv)
    }

    #[inline]
    fn unmake(&mut self, mv: Move, undo: Undo) {
        self.unmake_move(mv, undo);
    }

    #[inline]
    fn make_null(&mut self) -> Option<Undo> {
        (!self.checked).then(|| self.pass())
    }

    #[inline]
    fn unmake_null(&mut self, undo: Undo) {
        self.take_back_pass(undo);
    }

    #[inline]
    fn in_check(&self) -> bool {
        self.checked
    }

    fn verdict_without_moves(&self) -> Verdict {
        let cause = if self.checked {
            Cause::Checkmate
        } else {
            Cause::Stalemate
        };
        Verdict::win(self.to_move.other(), cause)
    }

    fn is_dead(&self) -> bool {
        referee::is_drawn(self)
    }

    fn plies_played(&self) -> Option<u32> {
        let moves = self.move_number.saturating_sub(1);
        Some(2 * moves + u32::from(self.side_to_move() == Side::Second))
    }

    fn reversible_plies(&self) -> usize {
        usize::from(self.clock.reversible)
    }

    fn view(&self, last: Option<Move>) -> Option<View> {
        Some(view::of(self, last))
    }

    fn judge(line: &Line<Self>, rules: XiangqiRules, scope: Scope) -> Option<Verdict> {
        referee::judge(line, rules, scope)
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        notation::parse(self, text)
    }

    fn move_text(mv: Move) -> String {
        Self::squares_of(mv).map_or_else(|| "0000".to_owned(), |(from, to)| format!("{from}{to}"))
    }
}
