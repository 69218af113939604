//! Kinds of pieces.

use leitai_game::Side;

/// A kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Kind {
    /// Pawn, 歩.
    Pawn,
    /// Lance, 香.
    Lance,
    /// Knight, 桂.
    Knight,
    /// Silver general, 銀.
    Silver,
    /// Bishop, 角.
    Bishop,
    /// Rook, 飛.
    Rook,
    /// Gold general, 金.
    Gold,
    /// King, 玉.
    King,
    /// Promoted pawn, と.
    Tokin,
    /// Promoted lance, 杏.
    ProLance,
    /// Promoted knight, 圭.
    ProKnight,
    /// Promoted silver general, 全.
    ProSilver,
    /// Promoted bishop, 馬.
    Horse,
    /// Promoted rook, 龍.
    Dragon,
}

impl Kind {
    /// Number of kinds.
    pub const COUNT: usize = 14;

    /// All kinds, in order.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Pawn,
        Self::Lance,
        Self::Knight,
        Self::Silver,
        Self::Bishop,
        Self::Rook,
        Self::Gold,
        Self::King,
        Self::Tokin,
        Self::ProLance,
        Self::ProKnight,
        Self::ProSilver,
        Self::Horse,
        Self::Dragon,
    ];

    /// The kinds in a hand, in the order of [`Self::ALL`].
    pub const IN_HAND: [Self; 7] = [
        Self::Pawn,
        Self::Lance,
        Self::Knight,
        Self::Silver,
        Self::Bishop,
        Self::Rook,
        Self::Gold,
    ];

    /// Pieces of each kind in a hand's order, with the promoted ones: 18 pawns, 4 lances and so on.
    pub const NUMBERS: [u8; 7] = [18, 4, 4, 4, 2, 2, 4];

    /// Index of the first promoted kind.
    const PROMOTED: usize = 8;

    /// The letter in SFEN of an unpromoted kind of Black.
    pub(crate) const LETTERS: &str = "PLNSBRGK";

    /// The promoted kind; `None` for kinds that cannot promote.
    #[inline]
    pub const fn promoted(self) -> Option<Self> {
        match self as usize {
            it @ 0..6 => Some(Self::ALL[it + Self::PROMOTED]),
            _ => None,
        }
    }

    /// Returns whether it is promoted.
    #[inline]
    pub const fn is_promoted(self) -> bool {
        self as usize >= Self::PROMOTED
    }

    /// The kind without promotion.
    #[inline]
    #[must_use]
    pub const fn base(self) -> Self {
        match self as usize {
            it @ Self::PROMOTED.. => Self::ALL[it - Self::PROMOTED],
            _ => self,
        }
    }

    /// Returns whether it steps like a gold general.
    #[inline]
    pub const fn is_golden(self) -> bool {
        matches!(
            self,
            Self::Gold | Self::Tokin | Self::ProLance | Self::ProKnight | Self::ProSilver
        )
    }

    /// The unpromoted kind with this letter, in any case.
    pub(crate) fn from_letter(letter: char) -> Option<Self> {
        let place = Self::LETTERS.find(letter.to_ascii_uppercase())?;
        Some(Self::ALL[place])
    }

    /// The letter of its base.
    pub(crate) fn letter(self) -> char {
        char::from(Self::LETTERS.as_bytes()[self.base() as usize])
    }
}

/// A piece of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Its side.
    pub side: Side,
    /// Its kind.
    pub kind: Kind,
}
