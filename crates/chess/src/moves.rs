//! A move in 16 bits: start square, target square and kind.

use cozy_chess::{File, Move as CozyMove, Piece, Rank, Square};

use leitai_game::Move;

/// The promotion pieces. The upper four bits hold their number, from 1; 0 is a plain move,
/// including en passant.
const PROMOTIONS: [Piece; 4] = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];
const CASTLING: u16 = PROMOTIONS.len() as u16 + 1;

/// The promotion piece for a letter.
pub(super) fn promoted(letter: char) -> Option<Piece> {
    let mut pieces = PROMOTIONS.into_iter();
    pieces.find(|&piece| char::from(piece) == letter)
}

/// A decoded move. Castling goes from the king's square to that of its own rook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parts {
    pub(super) from: Square,
    pub(super) to: Square,
    pub(super) promotion: Option<Piece>,
    pub(super) castles: bool,
}

/// The move of these parts.
#[inline]
pub(super) fn pack(mv: CozyMove, castles: bool) -> Move {
    let kind = match mv.promotion {
        None if castles => CASTLING,
        None => 0,
        // Knight, bishop, rook and queen are consecutive.
        Some(piece) => piece as u16 - Piece::Knight as u16 + 1,
    };
    Move(mv.from as u16 | (mv.to as u16) << 6 | kind << 12)
}

/// The parts of a move; `None` for bits that are no move of Chess.
#[inline]
pub(super) fn unpack(Move(bits): Move) -> Option<Parts> {
    let kind = bits >> 12;
    let promotion = match kind {
        0 | CASTLING => None,
        kind => Some(*PROMOTIONS.get(usize::from(kind) - 1)?),
    };
    Some(Parts {
        from: square(bits),
        to: square(bits >> 6),
        promotion,
        castles: kind == CASTLING,
    })
}

/// The start and target squares of arbitrary bits.
#[inline]
pub(super) fn squares(Move(bits): Move) -> (Square, Square) {
    (square(bits), square(bits >> 6))
}

#[inline]
fn square(bits: u16) -> Square {
    Square::index(usize::from(bits & 63))
}

impl Parts {
    /// The move in the type of cozy-chess.
    #[inline]
    pub(super) fn cozy(self) -> CozyMove {
        CozyMove {
            from: self.from,
            to: self.to,
            promotion: self.promotion,
        }
    }

    /// The target square of a castling king.
    pub(super) fn castled(self) -> Square {
        let file = if self.is_short() { File::G } else { File::C };
        Square::new(file, self.from.rank())
    }

    /// Returns whether the king castles towards the h-file.
    pub(super) fn is_short(self) -> bool {
        self.from.file() < self.to.file()
    }

    /// Returns whether king and rook castle from their squares in plain chess.
    fn is_usual(self) -> bool {
        let rook = if self.is_short() { File::H } else { File::A };
        self.from.file() == File::E
            && self.to.file() == rook
            && matches!(self.from.rank(), Rank::First | Rank::Eighth)
    }

    /// The move in UCI. Castling is a king move by two squares (`e1g1`) if king and rook are on the
    /// squares of plain chess, unless `takes_rook`; otherwise the king captures its own rook
    /// (`e1h1`), the form of `UCI_Chess960`.
    pub(super) fn uci(self, takes_rook: bool) -> String {
        let to = if self.castles && self.is_usual() && !takes_rook {
            self.castled()
        } else {
            self.to
        };
        let mut text = String::with_capacity(5);
        for square in [self.from, to] {
            text.extend([char::from(square.file()), char::from(square.rank())]);
        }
        text.extend(self.promotion.map(char::from));
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_a_move_or_none() {
        for bits in 0..=u16::MAX {
            if let Some(parts) = unpack(Move(bits)) {
                assert_eq!(pack(parts.cozy(), parts.castles), Move(bits));
            } else {
                assert!(bits >> 12 > CASTLING);
            }
        }
        assert_eq!(unpack(Move::NULL), None);
    }
}
