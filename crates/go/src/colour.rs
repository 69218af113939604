//! The two colours of stones.

use leitai_base::settings::choice;

choice! {
    /// The colour of a stone, and of the player who owns it.
    #[derive(PartialOrd, Ord)]
    pub enum Colour {
        /// Black: `X` in rows, `B` in SGF.
        Black = "black",
        /// White: `O` in rows, `W` in SGF.
        White = "white",
    }
}

impl Colour {
    /// Both colours, in order.
    pub const BOTH: [Colour; 2] = [Colour::Black, Colour::White];

    /// The opponent.
    #[must_use]
    #[inline]
    pub const fn other(self) -> Colour {
        match self {
            Colour::Black => Colour::White,
            Colour::White => Colour::Black,
        }
    }

    /// 0 for black, 1 for white.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter in rows: `X` for black, `O` for white.
    pub const fn letter(self) -> char {
        match self {
            Colour::Black => 'X',
            Colour::White => 'O',
        }
    }

    /// The letter in SGF and GTP: `B` or `W`.
    pub const fn initial(self) -> char {
        match self {
            Colour::Black => 'B',
            Colour::White => 'W',
        }
    }

    /// Reads `B`, `W`, `X`, `O`, `black` or `white`, in any case.
    pub fn read(text: &str) -> Option<Colour> {
        let is = |names: &[&str]| names.iter().any(|name| text.eq_ignore_ascii_case(name));
        if is(&["b", "x", "black"]) {
            Some(Colour::Black)
        } else if is(&["w", "o", "white"]) {
            Some(Colour::White)
        } else {
            None
        }
    }
}
