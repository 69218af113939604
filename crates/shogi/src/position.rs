//! The rules of Shogi as [`Position`].

use leitai_game::{
    Cause, ImageKeys, Line, Move, MoveError, MoveList, Position, PositionError, Scope, Side,
    Verdict, View,
};

use super::board::{Shogi, Undo};
use super::generate::Each;
use super::rules::ShogiRules;
use super::square::Squares;
use super::{notation, referee, sfen, view, zobrist};

/// Capacity of a list of moves; a position has at most 593.
const MOST_MOVES: usize = 600;

impl Position for Shogi {
    const NAME: &'static str = "shogi";
    const SIDE_NAMES: [&'static str; 2] = ["black", "white"];
    type Undo = Undo;
    type Moves = MoveList<MOST_MOVES>;
    type Rules = ShogiRules;

    fn initial() -> Self {
        sfen::start()
    }

    fn from_fen(text: &str) -> Result<Self, PositionError> {
        sfen::parse(text)
    }

    fn to_fen(&self) -> String {
        sfen::write(self)
    }

    fn side_to_move(&self) -> Side {
        self.turn()
    }

    #[inline]
    fn key(&self) -> u64 {
        self.stored_key()
    }

    /// The position and its mirror image.
    fn image_keys(&self) -> ImageKeys {
        let (key, mirrored) = zobrist::keys(self);
        [key, mirrored].into_iter().collect()
    }

    fn check_integrity(&self) -> Result<(), String> {
        self.integrity()
    }

    fn legal_moves(&self, moves: &mut Self::Moves) {
        self.generate(Squares::ALL, &mut Each(|mv| moves.push(mv)));
    }

    fn count_legal_moves(&self) -> usize {
        self.count_moves()
    }

    fn has_legal_move(&self) -> bool {
        self.can_move()
    }

    fn count_leaves(&mut self, depth: u32, finished: u64) -> u64 {
        self.leaves(depth, finished)
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.allows(mv)
    }

    #[inline]
    fn make(&mut self, mv: Move) -> Undo {
        self.play(mv)
    }

    #[inline]
    fn unmake(&mut self, mv: Move, undo: Undo) {
        self.take_back(mv, undo);
    }

    #[inline]
    fn make_null(&mut self) -> Option<Undo> {
        self.pass()
    }

    #[inline]
    fn unmake_null(&mut self, undo: Undo) {
        self.take_back_pass(undo);
    }

    #[inline]
    fn in_check(&self) -> bool {
        !self.checkers().is_empty()
    }

    /// A side without a move has lost.
    fn verdict_without_moves(&self) -> Verdict {
        let cause = if self.in_check() {
            Cause::Checkmate
        } else {
            Cause::Stalemate
        };
        Verdict::win(self.turn().other(), cause)
    }

    /// Captured pieces come back, so that any move can be part of a repetition.
    fn reversible_plies(&self) -> usize {
        self.reversible().into()
    }

    fn view(&self, last: Option<Move>) -> Option<View> {
        Some(view::of(self, last))
    }

    fn judge(line: &Line<Self>, rules: ShogiRules, scope: Scope) -> Option<Verdict> {
        referee::judge(line, rules, scope)
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        notation::parse(self, text)
    }

    /// USI.
    fn move_text(mv: Move) -> String {
        notation::usi(mv)
    }
}
