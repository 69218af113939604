//! Reads and writes moves in the four notations of Xiangqi programs and players.
//!
//! It also reads the short notation of programs that play chess too ([`san`]).
//!
//! Two of them name squares ([`coordinates`]), two describe the move from the mover's point of view
//! ([`wxf`], [`chinese`]). The describing notations share [`account`]: the description of a move,
//! and that of a text. The reader compares the two for every legal move, so that it detects
//! incomplete texts as ambiguous and impossible ones as illegal.

mod chinese;
mod coordinates;
mod move_description;
pub(crate) mod san;
mod wxf;

use super::Xiangqi;
use leitai_base::settings::choice;
use leitai_game::{Move, MoveError, MoveList, Position};
use move_description::MoveDescription;

choice! {
    /// A way to write a move.
    #[derive(Default)]
    #[non_exhaustive]
    pub enum Notation {
        /// `h2e2`: files a to i from Red's left, ranks 0 to 9 from Red's home.
        Uci = "uci",
        /// `H2-E2`, the same in the format of the Internet Chinese Chess Server.
        #[default]
        Iccs = "iccs",
        /// `C2=5`, `H8+7`: the notation of the World Xiangqi Federation.
        Wxf = "wxf",
        /// `炮二平五`, `马８进７`.
        Chinese = "chinese",
    }
}

impl Xiangqi {
    /// Writes a legal move. [`parse_move`](Position::parse_move) reads it back in any notation, and
    /// no two legal moves of a position have the same text.
    ///
    /// For 16 bits that are no move of the side to move, writes the coordinates.
    pub fn write_move(&self, mv: Move, notation: Notation) -> String {
        let account = match notation {
            Notation::Uci => return Self::move_text(mv),
            Notation::Iccs => return coordinates::iccs(mv),
            Notation::Wxf | Notation::Chinese => MoveDescription::of(self, mv),
        };
        match (account, notation) {
            (Some(account), Notation::Wxf) => wxf::write(account),
            (Some(account), _) => chinese::write(account, self.side_to_move()),
            (None, _) => Self::move_text(mv),
        }
    }
}

/// Reads a move in any of the notations; no text is ambiguous between them.
pub(super) fn parse(position: &Xiangqi, text: &str) -> Result<Move, MoveError> {
    let fitting = position
        .fitting_moves(text)
        .ok_or_else(|| MoveError::Syntax(text.into()))?;
    match fitting[..] {
        [mv] => Ok(mv),
        [] => Err(MoveError::Illegal(text.into())),
        _ => Err(MoveError::Ambiguous(text.into())),
    }
}

impl Xiangqi {
    /// The legal moves that fit a text: one, unless the text is illegal or ambiguous between
    /// pieces. `None` if it is a move in none of the notations.
    pub fn fitting_moves(&self, text: &str) -> Option<MoveList> {
        let plain = plain(text);
        let legal = |fits: &dyn Fn(Move) -> bool| {
            let mut moves = MoveList::new();
            self.legal_moves(&mut moves);
            moves.retain(|&mut mv| fits(mv));
            moves
        };
        let squares = coordinates::parse(&plain);
        // Letters of pieces are letters of files too: `C2e2`.
        let short = san::parse(&plain).filter(|_| squares.is_none() || is_mixed(&plain));
        if let Some(short) = short {
            let moves = legal(&|mv| short.fits(self, mv));
            if !moves.is_empty() || squares.is_none() {
                return Some(moves);
            }
        }
        if let Some(squares) = squares {
            let legal = self.is_legal(squares).then_some(squares);
            return Some(legal.into_iter().collect());
        }
        let description = wxf::parse(&plain).or_else(|| chinese::parse(&plain))?;
        Some(legal(&|mv| {
            MoveDescription::of(self, mv).is_some_and(|account| account.answers(description))
        }))
    }

    /// The likely notation of a text, valid move or not: Chinese letters, a square at the
    /// beginning, or else the federation's.
    pub fn likely_notation(text: &str) -> Notation {
        let plain = plain(text);
        let mut letters = plain.chars();
        let file = letters
            .next()
            .filter(|c| ('a'..='i').contains(&c.to_ascii_lowercase()));
        let rank = letters.next().filter(char::is_ascii_digit);
        // `a2+1` is an advisor's move, `a2a3` and `a2-a3` are squares.
        let sign = letters.next().is_some_and(|c| "+=.".contains(c));
        let one_more = plain.len() < 5 && plain.contains('-');
        if !plain.is_ascii() {
            Notation::Chinese
        } else if file.is_none() || rank.is_none() || sign || one_more {
            Notation::Wxf
        } else if plain.contains('-') {
            Notation::Iccs
        } else {
            Notation::Uci
        }
    }
}

/// Returns whether a text begins with a capital letter and has a small one.
fn is_mixed(text: &str) -> bool {
    let is_small = |letter: u8| letter.is_ascii_lowercase();
    text.starts_with(|it: char| it.is_ascii_uppercase()) && text.bytes().any(is_small)
}

/// The text without surrounding blanks, with full-width forms and typographic dashes as ASCII.
fn plain(text: &str) -> String {
    let narrow = |letter: char| match letter {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(letter as u32 - 0xfee0).unwrap_or(letter),
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        other => other,
    };
    text.trim().chars().map(narrow).collect()
}
