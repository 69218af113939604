//! Chess and Chess960, on the boards of the crate cozy-chess: rules, notation, evaluation and
//! Syzygy tables.

mod board;
mod checks;
pub mod eval;
mod examination;
mod exchange;
mod fen;
pub mod forms;
mod game;
mod moves;
mod notation;
mod opening;
#[cfg(feature = "interchange")]
pub mod polyglot;
mod programs;
mod referee;
mod rules;
mod tables;
mod tactics;
mod text_key;
mod view;
mod zobrist;

#[cfg(test)]
mod tests;

pub use board::Chess;
pub use game::card;
pub use rules::{ChessRules, Draws};

use cozy_chess::{BitBoard, Board, Rank};

use leitai_game::{
    Cause, ImageKeys, Line, Move, MoveError, MoveList, Position, PositionError, Scope, Side,
    Verdict, View,
};
use moves::{pack, unpack};

/// The ranks on which pawns promote.
const LAST_RANKS: BitBoard = BitBoard(Rank::First.bitboard().0 | Rank::Eighth.bitboard().0);

impl Position for Chess {
    const NAME: &'static str = "chess";
    const SIDE_NAMES: [&'static str; 2] = ["white", "black"];

    /// The whole position before the move.
    type Undo = Self;
    type Moves = MoveList;
    type Rules = ChessRules;

    fn initial() -> Self {
        Self::of(Board::startpos(), 0, 1)
    }

    fn from_fen(text: &str) -> Result<Self, PositionError> {
        fen::parse(text)
    }

    /// Reads `e2e4 e7e5 NAME`, or the same in SAN.
    fn from_opening(text: &str) -> Option<Result<(Line<Self>, String), String>> {
        opening::read_opening(text)
    }

    fn text_key(text: &str) -> Option<u64> {
        text_key::text_key(text)
    }

    fn to_fen(&self) -> String {
        fen::write(self)
    }

    fn side_to_move(&self) -> Side {
        board::side(self.board.side_to_move())
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn image_keys(&self) -> ImageKeys {
        zobrist::images(&self.board, self.key, self.passed)
    }

    fn check_integrity(&self) -> Result<(), String> {
        board::check_integrity(self)
    }

    fn legal_moves(&self, moves: &mut MoveList) {
        let own = self.board.colors(self.board.side_to_move());
        self.board.generate_moves(|list| {
            moves.extend(list.into_iter().map(|mv| pack(mv, own.has(mv.to))));
            false
        });
    }

    fn count_legal_moves(&self) -> usize {
        legal_moves(&self.board)
    }

    fn has_legal_move(&self) -> bool {
        self.board.generate_moves(|_| true)
    }

    fn count_leaves(&mut self, depth: u32, finished: u64) -> u64 {
        leaves(&self.board, depth, finished)
    }

    fn is_legal(&self, mv: Move) -> bool {
        unpack(mv).is_some_and(|parts| {
            let own = self.board.colors(self.board.side_to_move());
            self.board.is_legal(parts.cozy()) && parts.castles == own.has(parts.to)
        })
    }

    #[inline]
    fn make(&mut self, mv: Move) -> Self {
        self.make_move(mv)
    }

    #[inline]
    fn unmake(&mut self, _: Move, undo: Self) {
        *self = undo;
    }

    #[inline]
    fn make_null(&mut self) -> Option<Self> {
        self.pass()
    }

    #[inline]
    fn unmake_null(&mut self, undo: Self) {
        *self = undo;
    }

    #[inline]
    fn in_check(&self) -> bool {
        !self.board.checkers().is_empty()
    }

    fn verdict_without_moves(&self) -> Verdict {
        if self.in_check() {
            Verdict::win(self.side_to_move().other(), Cause::Checkmate)
        } else {
            Verdict::draw(Cause::Stalemate)
        }
    }

    fn is_dead(&self) -> bool {
        referee::is_drawn(self)
    }

    fn reversible_plies(&self) -> usize {
        usize::from(self.reversible)
    }

    fn move_number(&self) -> Option<u32> {
        Some(self.number.into())
    }

    fn can_win(&self, side: Side) -> bool {
        referee::can_win(self, side)
    }

    fn view(&self, last: Option<Move>) -> Option<View> {
        Some(view::of(self, last))
    }

    fn judge(line: &Line<Self>, rules: ChessRules, scope: Scope) -> Option<Verdict> {
        referee::judge(line, rules, scope)
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        notation::parse(self, text)
    }

    /// UCI notation; castling as `e1g1` if king and rook are on the squares of plain chess,
    /// otherwise as the king capturing its rook.
    fn move_text(mv: Move) -> String {
        unpack(mv).map_or_else(|| "0000".to_owned(), |parts| parts.uci(false))
    }
}

/// Leaves below a board: the moves of the last ply are counted without playing them.
fn leaves(board: &Board, depth: u32, finished: u64) -> u64 {
    let mut nodes = 0;
    match depth {
        0 => return 1,
        1 => nodes = legal_moves(board) as u64,
        _ => {
            board.generate_moves(|list| {
                for mv in list {
                    let mut after = board.clone();
                    after.play_unchecked(mv);
                    nodes += leaves(&after, depth - 1, finished);
                }
                false
            });
        }
    }
    if nodes == 0 && finished > 0 && !board.generate_moves(|_| true) {
        return finished;
    }
    nodes
}

/// Number of legal moves.
fn legal_moves(board: &Board) -> usize {
    let mut count = 0;
    board.generate_moves(|list| {
        count += list.len();
        false
    });
    count
}
