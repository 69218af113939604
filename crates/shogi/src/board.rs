//! The board, the hands, and making moves.

use leitai_game::{Move, Side};

use super::attacks;
use super::moves::{Parts, unpack};
use super::piece::{Kind, Piece};
use super::square::{SQUARES, Square, Squares};
use super::zobrist;

/// A position of Shogi. Black (先手) moves first and up the board.
#[derive(Clone, Debug)]
pub struct Shogi {
    board: [Option<Piece>; SQUARES],
    sides: [Squares; 2],
    kinds: [Squares; Kind::COUNT],
    /// Pieces in hand by side and kind.
    hands: [[u8; 7]; 2],
    side: Side,
    key: u64,
    /// The pieces that give check to the side to move.
    checkers: Squares,
    /// The number of the next move, from 1.
    number: u16,
    /// Moves since the start or the last null move.
    reversible: u16,
}

/// Positions are equal by their texts: moves before them do not count.
impl PartialEq for Shogi {
    fn eq(&self, other: &Self) -> bool {
        self.board == other.board
            && self.hands == other.hands
            && self.side == other.side
            && self.number == other.number
    }
}

/// The data that undoes a move.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    victim: Option<Kind>,
    checkers: Squares,
    reversible: u16,
    number: u16,
}

impl Undo {
    /// Returns whether the side that moved was in check.
    pub(crate) fn was_in_check(self) -> bool {
        !self.checkers.is_empty()
    }
}

impl Shogi {
    /// A board with these pieces. Does not test whether the rules allow it.
    pub(crate) fn of(
        pieces: impl IntoIterator<Item = (Square, Piece)>,
        hands: [[u8; 7]; 2],
        side: Side,
        number: u16,
    ) -> Self {
        let mut position = Self {
            board: [None; SQUARES],
            sides: [Squares::NONE; 2],
            kinds: [Squares::NONE; Kind::COUNT],
            hands,
            side,
            key: 0,
            checkers: Squares::NONE,
            number,
            reversible: 0,
        };
        for (square, piece) in pieces {
            position.put(square, piece);
        }
        position.key = zobrist::key(&position);
        position.checkers = position.checkers_of(side);
        position
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// The number of pieces of each of [`Kind::IN_HAND`] in a hand.
    #[inline]
    pub fn hand(&self, side: Side) -> [u8; 7] {
        self.hands[side.index()]
    }

    /// The squares of a side's pieces of a kind.
    #[inline]
    pub(crate) fn pieces(&self, side: Side, kind: Kind) -> Squares {
        self.kinds[kind as usize] & self.sides[side.index()]
    }

    /// The squares of a side's pieces.
    #[inline]
    pub(crate) fn of_side(&self, side: Side) -> Squares {
        self.sides[side.index()]
    }

    #[inline]
    pub(crate) fn occupied(&self) -> Squares {
        self.sides[0] | self.sides[1]
    }

    /// The square of a side's king.
    #[inline]
    pub(crate) fn king(&self, side: Side) -> Option<Square> {
        self.pieces(side, Kind::King).first()
    }

    #[inline]
    pub(crate) fn turn(&self) -> Side {
        self.side
    }

    #[inline]
    pub(crate) fn checkers(&self) -> Squares {
        self.checkers
    }

    #[inline]
    pub(crate) fn stored_key(&self) -> u64 {
        self.key
    }

    pub(crate) fn number(&self) -> u16 {
        self.number
    }

    pub(crate) fn reversible(&self) -> u16 {
        self.reversible
    }

    fn put(&mut self, square: Square, piece: Piece) {
        self.board[square.index()] = Some(piece);
        self.toggle(square, piece);
    }

    #[inline]
    fn toggle(&mut self, square: Square, piece: Piece) {
        let bit = square.bit();
        let side = &mut self.sides[piece.side.index()];
        *side = *side ^ bit;
        let kind = &mut self.kinds[piece.kind as usize];
        *kind = *kind ^ bit;
    }

    /// Changes a number of pieces in hand, with the key.
    #[inline]
    fn change_hand(&mut self, side: Side, kind: Kind, by: i8) {
        let count = &mut self.hands[side.index()][kind as usize];
        self.key ^= zobrist::in_hand(side, kind, *count);
        *count = count.wrapping_add_signed(by);
        self.key ^= zobrist::in_hand(side, kind, *count);
    }

    /// All pieces of a side that attack a square if only `occupied` squares block lines.
    #[inline]
    pub(crate) fn attackers(&self, side: Side, square: Square, occupied: Squares) -> Squares {
        let of = |kind: Kind| self.kinds[kind as usize];
        let other = side.other();
        let golden = of(Kind::Gold)
            | of(Kind::Tokin)
            | of(Kind::ProLance)
            | of(Kind::ProKnight)
            | of(Kind::ProSilver);
        let royal = of(Kind::King) | of(Kind::Horse) | of(Kind::Dragon);
        let mut found = (attacks::pawn(other, square) & of(Kind::Pawn))
            | (attacks::knight(other, square) & of(Kind::Knight))
            | (attacks::silver(other, square) & of(Kind::Silver))
            | (attacks::gold(other, square) & golden)
            | (attacks::king(square) & royal);
        let own = self.sides[side.index()];
        let bishops = (of(Kind::Bishop) | of(Kind::Horse)) & own;
        if !bishops.is_empty() {
            found |= attacks::bishop(square, occupied) & bishops;
        }
        let rooks = (of(Kind::Rook) | of(Kind::Dragon)) & own;
        if !rooks.is_empty() {
            found |= attacks::rook(square, occupied) & rooks;
        }
        let lances = of(Kind::Lance) & own;
        if !lances.is_empty() {
            found |= attacks::lance(other, square, occupied) & lances;
        }
        found & own
    }

    /// Returns whether a side attacks a square.
    #[inline]
    pub(crate) fn attacks(&self, side: Side, square: Square, occupied: Squares) -> bool {
        !self.attackers(side, square, occupied).is_empty()
    }

    /// The pieces that attack the king of a side.
    pub(crate) fn checkers_of(&self, side: Side) -> Squares {
        self.king(side).map_or(Squares::NONE, |king| {
            self.attackers(side.other(), king, self.occupied())
        })
    }

    /// The only piece on each line from a king to a rook, bishop or lance of `side`: own ones would
    /// discover a check, others are pinned.
    #[inline]
    pub(crate) fn blockers(&self, king: Square, side: Side) -> Squares {
        let own = |kind: Kind| self.pieces(side, kind);
        let occupied = self.occupied();
        let none = Squares::NONE;
        let mut blockers = none;
        let straight = own(Kind::Rook) | own(Kind::Dragon);
        let mut snipers = none;
        if !straight.is_empty() {
            snipers |= attacks::rook(king, none) & straight;
        }
        let diagonal = own(Kind::Bishop) | own(Kind::Horse);
        if !diagonal.is_empty() {
            snipers |= attacks::bishop(king, none) & diagonal;
        }
        snipers |= attacks::lance(side.other(), king, none) & own(Kind::Lance);
        for sniper in snipers {
            let between = attacks::between(king, sniper) & occupied;
            if !between.is_empty() && !between.has_several() {
                blockers |= between;
            }
        }
        blockers
    }

    /// Plays a legal move; other numbers have no effect but the turn.
    #[inline]
    pub(crate) fn play(&mut self, mv: Move) -> Undo {
        let checks = self.is_check(mv);
        let mut undo = self.undo();
        let (us, them) = (self.side, self.side.other());
        match unpack(mv) {
            Some(Parts::Step { from, to, promotes }) => {
                let Some(moved) = self.board[from.index()] else {
                    return undo;
                };
                if let Some(victim) = self.board[to.index()] {
                    undo.victim = Some(victim.kind);
                    self.toggle(to, victim);
                    self.key ^= zobrist::on_board(to, victim);
                    self.change_hand(us, victim.kind.base(), 1);
                }
                let kind = if promotes {
                    moved.kind.promoted()
                } else {
                    None
                };
                let kind = kind.unwrap_or(moved.kind);
                let placed = Piece { side: us, kind };
                self.board[from.index()] = None;
                self.board[to.index()] = Some(placed);
                self.toggle(from, moved);
                self.toggle(to, placed);
                self.key ^= zobrist::on_board(from, moved) ^ zobrist::on_board(to, placed);
            }
            Some(Parts::Drop { kind, to }) => {
                let placed = Piece { side: us, kind };
                self.change_hand(us, kind, -1);
                self.board[to.index()] = Some(placed);
                self.toggle(to, placed);
                self.key ^= zobrist::on_board(to, placed);
            }
            None => {}
        }
        self.key ^= zobrist::TURN;
        self.side = them;
        self.checkers = if checks {
            self.checkers_of(them)
        } else {
            Squares::NONE
        };
        self.number = self.number.saturating_add(1);
        self.reversible = self.reversible.saturating_add(1);
        undo
    }

    /// The data that restores this position.
    #[inline]
    pub(crate) fn undo(&self) -> Undo {
        Undo {
            victim: None,
            checkers: self.checkers,
            reversible: self.reversible,
            number: self.number,
        }
    }

    /// Undoes a move.
    #[inline]
    pub(crate) fn take_back(&mut self, mv: Move, undo: Undo) {
        let us = self.side.other();
        self.key ^= zobrist::TURN;
        self.side = us;
        self.checkers = undo.checkers;
        self.reversible = undo.reversible;
        self.number = undo.number;
        match unpack(mv) {
            Some(Parts::Step { from, to, promotes }) => {
                let Some(placed) = self.board[to.index()] else {
                    return;
                };
                let kind = if promotes {
                    placed.kind.base()
                } else {
                    placed.kind
                };
                let moved = Piece { side: us, kind };
                self.toggle(to, placed);
                self.toggle(from, moved);
                self.key ^= zobrist::on_board(from, moved) ^ zobrist::on_board(to, placed);
                self.board[from.index()] = Some(moved);
                self.board[to.index()] = None;
                if let Some(kind) = undo.victim {
                    let side = self.side.other();
                    let victim = Piece { side, kind };
                    self.put(to, victim);
                    self.key ^= zobrist::on_board(to, victim);
                    self.change_hand(us, kind.base(), -1);
                }
            }
            Some(Parts::Drop { kind, to }) => {
                let placed = Piece { side: us, kind };
                self.toggle(to, placed);
                self.key ^= zobrist::on_board(to, placed);
                self.board[to.index()] = None;
                self.change_hand(us, kind, 1);
            }
            None => {}
        }
    }

    /// Gives the turn to the other side; `None` in check.
    #[inline]
    pub(crate) fn pass(&mut self) -> Option<Undo> {
        let undo = self.checkers.is_empty().then(|| self.undo())?;
        self.key ^= zobrist::TURN;
        self.side = self.side.other();
        self.number = self.number.saturating_add(1);
        self.reversible = 0;
        Some(undo)
    }

    /// Undoes a pass.
    #[inline]
    pub(crate) fn take_back_pass(&mut self, undo: Undo) {
        self.key ^= zobrist::TURN;
        self.side = self.side.other();
        self.reversible = undo.reversible;
        self.number = undo.number;
    }

    /// Recomputes all data from the board.
    pub(crate) fn integrity(&self) -> Result<(), String> {
        let pieces = Square::all().filter_map(|at| Some((at, self.piece_on(at)?)));
        let fresh = Self {
            reversible: self.reversible,
            ..Self::of(pieces, self.hands, self.side, self.number)
        };
        for (is_equal, field) in [
            (fresh.sides == self.sides, "sides"),
            (fresh.kinds == self.kinds, "kinds"),
            (fresh.key == self.key, "key"),
            (fresh.checkers == self.checkers, "checkers"),
        ] {
            if !is_equal {
                return Err(format!("{field} differ"));
            }
        }
        Ok(())
    }

    /// Returns whether a pseudo-legal move gives check.
    #[inline]
    pub(crate) fn is_check(&self, mv: Move) -> bool {
        let (us, them) = (self.side, self.side.other());
        let (Some(king), Some(parts)) = (self.king(them), unpack(mv)) else {
            return false;
        };
        match parts {
            Parts::Drop { kind, to } => attacks::of(us, kind, to, self.occupied()).has(king),
            Parts::Step { from, to, promotes } => {
                let Some(moved) = self.board[from.index()] else {
                    return false;
                };
                let kind = if promotes {
                    moved.kind.promoted()
                } else {
                    None
                };
                let occupied = (self.occupied() & !from.bit()) | to.bit();
                if attacks::of(us, kind.unwrap_or(moved.kind), to, occupied).has(king) {
                    return true;
                }
                // A check by a piece behind.
                let line = attacks::line(king, from);
                if line.is_empty() || line.has(to) {
                    return false;
                }
                self.is_discovered(king, line & !from.bit(), occupied)
            }
        }
    }

    /// Returns whether a slider of the side to move attacks the king along a line.
    fn is_discovered(&self, king: Square, line: Squares, occupied: Squares) -> bool {
        let us = self.side;
        let own = |kind: Kind| self.pieces(us, kind);
        let rooks = (own(Kind::Rook) | own(Kind::Dragon)) & line;
        let bishops = (own(Kind::Bishop) | own(Kind::Horse)) & line;
        let lances = own(Kind::Lance) & line;
        (!rooks.is_empty() && !(attacks::rook(king, occupied) & rooks).is_empty())
            || (!bishops.is_empty() && !(attacks::bishop(king, occupied) & bishops).is_empty())
            || !(attacks::lance(us.other(), king, occupied) & lances).is_empty()
    }
}
