//! Moves as text, both ways, in the four notations that Xiangqi programs and
//! players use.
//!
//! Two of them name squares ([`coordinates`]), two describe the move as its
//! mover sees it ([`wxf`], [`chinese`]). The describing ones share [`account`]:
//! what there is to say about a move, and what a text says about it. Reading
//! compares the two for every legal move, so that an incomplete text is found
//! out as ambiguous and an impossible one as illegal.

mod account;
mod chinese;
mod coordinates;
mod wxf;

use std::str::FromStr;

use super::Xiangqi;
use crate::game::{Move, MoveError, MoveList, Position};
use account::Account;

/// A way to write a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Notation {
    /// `h2e2`: files a to i from Red's left, ranks 0 to 9 from Red's home.
    Uci,
    /// `H2-E2`, the same in the dress of the Internet Chinese Chess Server.
    #[default]
    Iccs,
    /// `C2=5`, `H8+7`: the World Xiangqi Federation's.
    Wxf,
    /// `炮二平五`, `马８进７`.
    Chinese,
}

impl Notation {
    /// Every notation.
    pub const ALL: [Notation; 4] = [
        Notation::Uci,
        Notation::Iccs,
        Notation::Wxf,
        Notation::Chinese,
    ];

    /// The lower-case name.
    pub const fn name(self) -> &'static str {
        match self {
            Notation::Uci => "uci",
            Notation::Iccs => "iccs",
            Notation::Wxf => "wxf",
            Notation::Chinese => "chinese",
        }
    }
}

impl FromStr for Notation {
    type Err = ();

    /// The notation of that name.
    fn from_str(name: &str) -> Result<Self, ()> {
        let mut all = Notation::ALL.into_iter();
        all.find(|notation| notation.name() == name).ok_or(())
    }
}

impl Xiangqi {
    /// Writes a legal move. [`parse_move`](Position::parse_move) reads it back
    /// whatever the notation, and no two legal moves of a position are written
    /// the same.
    ///
    /// Of 16 bits that are no move of the side to move, the coordinates are
    /// written.
    pub fn write_move(&self, mv: Move, notation: Notation) -> String {
        let account = match notation {
            Notation::Uci => return Self::move_text(mv),
            Notation::Iccs => return coordinates::iccs(mv),
            Notation::Wxf | Notation::Chinese => Account::of(self, mv),
        };
        match (account, notation) {
            (Some(account), Notation::Wxf) => wxf::write(account),
            (Some(account), _) => chinese::write(account, self.side_to_move()),
            (None, _) => Self::move_text(mv),
        }
    }
}

/// Reads a move in any of the notations, which no text leaves in doubt.
pub(super) fn parse(position: &Xiangqi, text: &str) -> Result<Move, MoveError> {
    let plain = plain(text);
    if let Some(mv) = coordinates::parse(&plain) {
        return if position.is_legal(mv) {
            Ok(mv)
        } else {
            Err(MoveError::Illegal(text.to_owned()))
        };
    }
    let description = wxf::parse(&plain)
        .or_else(|| chinese::parse(&plain))
        .ok_or_else(|| MoveError::Syntax(text.to_owned()))?;
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let mut fitting = moves.into_iter().filter(|&mv| {
        Account::of(position, mv).is_some_and(|account| account.answers(description))
    });
    match (fitting.next(), fitting.next()) {
        (Some(mv), None) => Ok(mv),
        (None, _) => Err(MoveError::Illegal(text.to_owned())),
        (Some(_), Some(_)) => Err(MoveError::Ambiguous(text.to_owned())),
    }
}

/// The text without blanks around it, full-width forms and typographic dashes
/// as ASCII.
fn plain(text: &str) -> String {
    let narrow = |letter: char| match letter {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(letter as u32 - 0xfee0).unwrap_or(letter),
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        other => other,
    };
    text.trim().chars().map(narrow).collect()
}
