//! The seven kinds of pieces.

use leitai_base::settings::choice;

choice! {
    /// A kind of piece.
    #[derive(PartialOrd, Ord)]
    pub enum Kind {
        /// 帅 / 将
        King = "king",
        /// 仕 / 士
        Advisor = "advisor",
        /// 相 / 象, written `B` (other school: `E`).
        Elephant = "elephant",
        /// 马, written `N` (other school: `H`).
        Horse = "horse",
        /// 车
        Rook = "rook",
        /// 炮
        Cannon = "cannon",
        /// 兵 / 卒
        Pawn = "pawn",
    }
}

impl Kind {
    /// 0 to 6.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The upper-case FEN letter (`K A B N R C P`).
    pub const fn letter(self) -> char {
        b"KABNRCP"[self as usize] as char
    }

    /// The kind of a FEN letter of either school and either case.
    pub const fn from_letter(letter: char) -> Option<Kind> {
        Some(match letter.to_ascii_uppercase() {
            'K' => Kind::King,
            'A' => Kind::Advisor,
            'B' | 'E' => Kind::Elephant,
            'N' | 'H' => Kind::Horse,
            'R' => Kind::Rook,
            'C' => Kind::Cannon,
            'P' => Kind::Pawn,
            _ => return None,
        })
    }
}
