//! The tactical properties of moves in Chess.

use cozy_chess::{Color, Piece, PieceMoves};

use super::board::Chess;
use super::exchange::worth;
use super::moves::{Parts, pack, squares, unpack};
use super::zobrist;
use leitai_game::search::{OrderValues, Tactics};
use leitai_game::{Move, MoveList, Position};

/// Number of slots for the start and target squares of a side.
const FROM_TO: usize = 64 * 64;

impl Tactics for Chess {
    const HAS_CAPTURES: bool = true;
    const HAS_CHECKS: bool = true;
    const HISTORY_SLOTS: usize = 2 * 6 * 64;
    const FROM_TO_SLOTS: usize = 2 * FROM_TO;

    #[inline]
    fn history_slot(&self, mv: Move) -> usize {
        let (from, to) = squares(mv);
        let piece = self.board.piece_on(from).map_or(0, |piece| piece as usize);
        let color = self.board.side_to_move() as usize;
        (color * 6 + piece) * 64 + to as usize
    }

    #[inline]
    fn from_to_slot(&self, Move(bits): Move) -> usize {
        self.board.side_to_move() as usize * FROM_TO + usize::from(bits) % FROM_TO
    }

    #[inline]
    fn structure(&self) -> [u64; 3] {
        let board = &self.board;
        let key = |color: Color, pieces: &[Piece]| {
            let mix = |key: u64, &piece: &Piece| {
                (key ^ board.colored_pieces(color, piece).0)
                    .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                    .rotate_left(29)
            };
            pieces
                .iter()
                .fold(1, mix)
                .wrapping_mul(0xd6e8_feb8_6659_fd93)
        };
        let [white, black] = [Color::White, Color::Black].map(|color| {
            let pawns = key(color, &[Piece::Pawn]);
            let others = [
                Piece::Knight,
                Piece::Bishop,
                Piece::Rook,
                Piece::Queen,
                Piece::King,
            ];
            (pawns, key(color, &others))
        });
        let pawns = white.0.wrapping_add(black.0.rotate_left(17));
        [pawns.wrapping_mul(0x9e37_79b9_7f4a_7c15), white.1, black.1]
    }

    /// False in check, and with king and pawns alone, where zugzwang is common.
    #[inline]
    fn can_pass(&self) -> bool {
        let board = &self.board;
        let small = board.pieces(Piece::Pawn) | board.pieces(Piece::King);
        !self.in_check() && !(board.colors(board.side_to_move()) & !small).is_empty()
    }

    /// Known for moves that do not affect castling rights, except double pawn steps.
    #[inline]
    fn key_after(&self, mv: Move) -> Option<u64> {
        let parts = unpack(mv)?;
        let board = &self.board;
        let rights = zobrist::rights(board);
        let castles = board.pieces(Piece::King) | board.pieces(Piece::Rook);
        let is_touched = castles.has(parts.from) || castles.has(parts.to);
        let ranks = (parts.from.rank() as u8).abs_diff(parts.to.rank() as u8);
        let is_double = ranks == 2 && board.pieces(Piece::Pawn).has(parts.from);
        (!is_double && (rights == 0 || !is_touched))
            .then(|| self.key ^ zobrist::changed(board, parts, self.passed) ^ rights)
    }

    /// Captures, and promotions to a queen.
    #[inline]
    fn is_capture(&self, mv: Move) -> bool {
        unpack(mv).is_some_and(|parts| self.is_forcing(parts))
    }

    fn captures(&self, moves: &mut MoveList) {
        let board = &self.board;
        let theirs = board.colors(!board.side_to_move());
        board.generate_moves(|list: PieceMoves| {
            let mut list = list;
            if list.piece != Piece::Pawn {
                list.to &= theirs;
            }
            for mv in list {
                let mv = pack(mv, false);
                if list.piece != Piece::Pawn || self.is_capture(mv) {
                    moves.push(mv);
                }
            }
            false
        });
    }

    fn quiets(&self, moves: &mut MoveList) {
        let board = &self.board;
        let own = board.colors(board.side_to_move());
        let theirs = board.colors(!board.side_to_move());
        board.generate_moves(|list: PieceMoves| {
            let mut list = list;
            if list.piece != Piece::Pawn {
                list.to &= !theirs;
                moves.extend(list.into_iter().map(|mv| pack(mv, own.has(mv.to))));
                return false;
            }
            list.to &= !theirs | super::LAST_RANKS;
            let quiet = list.into_iter().map(|mv| pack(mv, false));
            moves.extend(quiet.filter(|&mv| !self.is_capture(mv)));
            false
        });
    }

    #[inline]
    fn gives_check(&self, mv: Move) -> bool {
        let Some(parts) = unpack(mv) else {
            return false;
        };
        self.is_check(parts)
    }

    fn quiet_checks(&self, moves: &mut MoveList) {
        self.list_quiet_checks(moves);
    }

    /// In pawns: knight and bishop 3, rook 5, queen 9, king 100; a promotion gains the difference
    /// between the new piece and a pawn.
    #[inline]
    fn static_gain(&self, mv: Move, _: &OrderValues) -> i32 {
        let Some(parts) = unpack(mv) else {
            return 0;
        };
        let gain = self.gain(parts);
        if self.can_take_back(parts) {
            let moved = self.board.piece_on(parts.from);
            gain - parts.promotion.or(moved).map_or(0, worth)
        } else {
            gain
        }
    }

    #[inline]
    fn exchange(&self, mv: Move, _: &OrderValues) -> i32 {
        unpack(mv).map_or(0, |parts| self.swap_off(parts))
    }

    #[inline]
    fn exchange_at_least(&self, mv: Move, threshold: i32, _: &OrderValues) -> bool {
        let Some(parts) = unpack(mv) else {
            return threshold <= 0;
        };
        let gain = self.gain(parts);
        if gain < threshold {
            return false;
        }
        let moved = self.board.piece_on(parts.from);
        let risk = parts.promotion.or(moved).map_or(0, worth);
        gain - risk >= threshold || self.swap_off(parts) >= threshold
    }

    #[inline]
    fn victim_and_attacker(&self, mv: Move, _: &OrderValues) -> (i32, i32) {
        let Some(parts) = unpack(mv) else {
            return (0, 0);
        };
        let moved = self.board.piece_on(parts.from).map_or(0, worth);
        (self.gain(parts), moved)
    }

    /// Queen, rook, bishop, knight, pawn, king.
    #[inline]
    fn piece_rank(&self, mv: Move, _: &OrderValues) -> u8 {
        match self.board.piece_on(squares(mv).0) {
            Some(Piece::Queen) => 0,
            Some(Piece::Rook) => 1,
            Some(Piece::Bishop) => 2,
            Some(Piece::Knight) => 3,
            Some(Piece::Pawn) => 4,
            Some(Piece::King) => 5,
            None => u8::MAX,
        }
    }

    /// Moves of one kind go forward first, then sideways, then back.
    #[inline]
    fn static_rank(&self, mv: Move, order: &OrderValues) -> u8 {
        let (from, to) = squares(mv);
        let way = match self.board.side_to_move() {
            Color::White => from.rank().cmp(&to.rank()),
            Color::Black => to.rank().cmp(&from.rank()),
        };
        let kind = self.piece_rank(mv, order);
        kind.saturating_mul(3).saturating_add_signed(way as i8 + 1)
    }
}

impl Chess {
    #[inline]
    pub(super) fn is_forcing(&self, parts: Parts) -> bool {
        self.takes(parts) || parts.promotion == Some(Piece::Queen)
    }
}
