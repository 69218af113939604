//! The board of cozy-chess, with Leitai's own key and clocks.

use cozy_chess::{BitBoard, Board, Color, File, Piece, Rank, Square, get_pawn_attacks};

use super::moves::{Parts, unpack};
use super::zobrist;
use leitai_game::{Move, Side};

/// A position of Chess or Chess960.
#[derive(Clone, Debug)]
pub struct Chess {
    /// The move counters of this board are not used: they end at 100.
    pub(super) board: Board,
    pub(super) key: u64,
    /// The file of a pawn that a legal move can take en passant.
    pub(super) passed: Option<File>,
    /// Plies since the last capture or pawn move.
    pub(super) clock: u16,
    /// The move number, from 1, counted once for both players.
    pub(super) number: u16,
    /// Plies since the last capture, pawn move or null move.
    pub(super) reversible: u16,
}

/// Compares positions with their clocks. A square that a pawn passed counts only if a pawn can be
/// taken en passant there.
impl PartialEq for Chess {
    fn eq(&self, other: &Self) -> bool {
        let clocks = |it: &Self| (it.key, it.clock, it.number);
        let pieces = |it: &Self| Piece::ALL.map(|piece| it.board.pieces(piece));
        let whose = |it: &Self| Color::ALL.map(|color| it.board.colors(color));
        let rights = |it: &Self| Color::ALL.map(|color| *it.board.castle_rights(color));
        clocks(self) == clocks(other)
            && pieces(self) == pieces(other)
            && whose(self) == whose(other)
            && rights(self) == rights(other)
            && self.board.side_to_move() == other.board.side_to_move()
            && self.passed == other.passed
    }
}

impl Eq for Chess {}

impl Chess {
    /// The position of a board with these clocks.
    pub(super) fn of(board: Board, clock: u16, number: u16) -> Self {
        let passed = passed(&board);
        Self {
            key: zobrist::key(&board, passed),
            board,
            passed,
            clock,
            number,
            reversible: clock,
        }
    }

    /// The board in the type of the crate cozy-chess.
    #[doc(hidden)]
    pub fn board(&self) -> &Board {
        &self.board
    }

    pub(super) fn make_move(&mut self, mv: Move) -> Self {
        let before = self.clone();
        let Some(parts) = unpack(mv) else {
            return before;
        };
        self.play(parts);
        before
    }

    fn play(&mut self, parts: Parts) {
        let board = &self.board;
        let color = board.side_to_move();
        let moved = board.piece_on(parts.from);
        let resets = moved == Some(Piece::Pawn) || board.colors(!color).has(parts.to);
        self.key ^= zobrist::changed(board, parts, self.passed);
        self.board.play_unchecked(parts.cozy());
        self.passed = passed(&self.board);
        self.key ^= zobrist::rights(&self.board) ^ zobrist::passed(self.passed);
        self.clock = if resets {
            0
        } else {
            self.clock.saturating_add(1)
        };
        self.reversible = if resets {
            0
        } else {
            self.reversible.saturating_add(1)
        };
        self.number = self.number.saturating_add(u16::from(color == Color::Black));
    }

    /// Gives the turn away; `None` in check, and if a pawn could be taken en passant, because that
    /// chance would be gone when the turn came back.
    pub(super) fn pass(&mut self) -> Option<Self> {
        if self.passed.is_some() {
            return None;
        }
        let board = self.board.null_move()?;
        let before = self.clone();
        self.number = self
            .number
            .saturating_add(u16::from(board.side_to_move() == Color::White));
        self.board = board;
        self.key ^= zobrist::SIDE;
        self.reversible = 0;
        Some(before)
    }

    /// Returns whether a king or rook with the right to castle is on another square than in plain
    /// chess.
    pub(super) fn castles_unusually(&self) -> bool {
        Color::ALL.into_iter().any(|color| {
            let rights = self.board.castle_rights(color);
            let elsewhere = |rook: Option<File>, usual| rook.is_some_and(|file| file != usual);
            let any = rights.short.or(rights.long).is_some();
            elsewhere(rights.short, File::H)
                || elsewhere(rights.long, File::A)
                || any && self.board.king(color).file() != File::E
        })
    }

    /// The rook for castling from `from` to `to`, if the king on `from` may castle there.
    pub(super) fn castling_rook(&self, from: Square, to: Square) -> Option<Square> {
        let color = self.board.side_to_move();
        let rights = self.board.castle_rights(color);
        let file = match to.file() {
            File::G => rights.short,
            File::C => rights.long,
            _ => None,
        };
        let is_king = self.board.king(color) == from && from.rank() == to.rank();
        file.filter(|_| is_king)
            .map(|file| Square::new(file, from.rank()))
    }

    /// The pieces of a kind and side.
    #[inline]
    pub(super) fn pieces(&self, color: Color, piece: Piece) -> BitBoard {
        self.board.colored_pieces(color, piece)
    }

    /// Returns whether a move that is legal, or made of arbitrary bits, captures, en passant
    /// included.
    #[inline]
    pub(super) fn takes(&self, parts: Parts) -> bool {
        let board = &self.board;
        board.colors(!board.side_to_move()).has(parts.to) || self.is_en_passant(parts)
    }

    #[inline]
    pub(super) fn is_en_passant(&self, parts: Parts) -> bool {
        let board = &self.board;
        board.en_passant().is_some_and(|file| {
            parts.to == en_passant_square(board, file)
                && self
                    .pieces(board.side_to_move(), Piece::Pawn)
                    .has(parts.from)
                && parts.from.file() != file
        })
    }
}

/// The square behind the pawn that has just moved by two squares.
pub(super) fn en_passant_square(board: &Board, file: File) -> Square {
    Square::new(file, Rank::Sixth.relative_to(board.side_to_move()))
}

/// The file of a pawn that a legal move can take en passant.
#[inline]
fn passed(board: &Board) -> Option<File> {
    let file = board.en_passant()?;
    let color = board.side_to_move();
    let square = en_passant_square(board, file);
    let takers = get_pawn_attacks(square, !color) & board.colored_pieces(color, Piece::Pawn);
    let takes = board.generate_moves_for(takers, |moves| moves.to.has(square));
    takes.then_some(file)
}

/// The colour of a side: White moves first.
#[inline]
pub(super) const fn color(side: Side) -> Color {
    match side {
        Side::First => Color::White,
        Side::Second => Color::Black,
    }
}

/// The side of a colour.
#[inline]
pub(super) const fn side(color: Color) -> Side {
    match color {
        Color::White => Side::First,
        Color::Black => Side::Second,
    }
}

/// Recomputes the key from the board.
pub(super) fn check_integrity(position: &Chess) -> Result<(), String> {
    let key = zobrist::key(&position.board, passed(&position.board));
    if position.passed != passed(&position.board) {
        Err(format!("the passed pawn is on {:?}", position.passed))
    } else if key == position.key {
        Ok(())
    } else {
        Err(format!("key {:#x} instead of {key:#x}", position.key))
    }
}
