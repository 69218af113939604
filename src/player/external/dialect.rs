//! Leitai's moves and positions in the form that a program wants, and back.
//!
//! Of Xiangqi Leitai writes moves as `h2e2` (files a to i, ranks 0 to 9) and FENs
//! with the letters `B` and `N` in six fields; of Othello moves as `f5` and `pass`,
//! and boards as 64 of `X`, `O` and `-` with the side to move.

use crate::config::{Letters, Profile, Protocol};
use crate::game::Position;
use crate::games::othello::{Othello, read_move};

/// How one program writes moves and positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// A program of Xiangqi.
    Xiangqi {
        letters: Letters,
        rank_base: u8,
        fen_fields: u8,
    },
    /// A program of Othello that reads `f5` and `pass`.
    Small,
    /// One that reads `F5` and `PA`.
    Capital,
}

impl Dialect {
    pub(super) fn of(profile: &Profile) -> Self {
        match profile.protocol {
            Protocol::Uci | Protocol::UciCyclone | Protocol::Ucci | Protocol::Cecp => {
                Self::Xiangqi {
                    letters: profile.letters,
                    rank_base: profile.rank_base,
                    fen_fields: profile.fen_fields,
                }
            }
            Protocol::Gtp => Self::Small,
            Protocol::Nboard => Self::Capital,
        }
    }

    /// A FEN of Leitai as the program reads it.
    pub(super) fn fen(self, fen: &str) -> String {
        let Self::Xiangqi {
            letters,
            fen_fields,
            ..
        } = self
        else {
            return fen.to_owned();
        };
        let mut fields = fen.split_whitespace();
        let board = fields.next().unwrap_or_default();
        let board: String = board.chars().map(|it| letter(letters, it)).collect();
        let rest = fields.filter(|&field| fen_fields == 6 || field != "-");
        std::iter::once(board.as_str())
            .chain(rest)
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// A move of Leitai as the program reads it; as it is if it is none.
    pub(super) fn write(self, canonical: &str) -> String {
        match self {
            Self::Xiangqi { rank_base, .. } => {
                shifted(canonical, 0, rank_base).unwrap_or_else(|| canonical.to_owned())
            }
            Self::Small => canonical.to_owned(),
            Self::Capital if canonical == PASS => "PA".to_owned(),
            Self::Capital => canonical.to_ascii_uppercase(),
        }
    }

    /// A move of the program in the form of Leitai; `None` if the text is no move.
    /// Of Xiangqi, upper-case letters and a letter of promotion are no moves; of
    /// Othello, either case is one, and so are all words for a pass.
    pub(super) fn read(self, theirs: &str) -> Option<String> {
        match self {
            Self::Xiangqi { rank_base, .. } => shifted(theirs, rank_base, 0),
            Self::Small | Self::Capital => read_move(theirs).map(Othello::move_text),
        }
    }

    /// Whether a move of Leitai is a pass.
    pub(super) fn is_pass(self, canonical: &str) -> bool {
        match self {
            Self::Xiangqi { .. } => false,
            Self::Small | Self::Capital => canonical == PASS,
        }
    }
}

/// How Leitai writes a pass.
const PASS: &str = "pass";

/// A letter of a board in the letters of that school.
fn letter(letters: Letters, letter: char) -> char {
    match (letters, letter) {
        (Letters::Eh, 'B') => 'E',
        (Letters::Eh, 'b') => 'e',
        (Letters::Eh, 'N') => 'H',
        (Letters::Eh, 'n') => 'h',
        _ => letter,
    }
}

/// The move with ranks counted from `to` instead of `from`.
fn shifted(text: &str, from: u8, to: u8) -> Option<String> {
    let (start, rest) = square(text, from)?;
    let (end, rest) = square(rest, from)?;
    let one = |(file, rank): (char, u8)| format!("{file}{}", rank + to);
    rest.is_empty().then(|| one(start) + &one(end))
}

/// The square at the beginning of the text, its rank from 0 to 9, and what
/// follows.
fn square(text: &str, base: u8) -> Option<((char, u8), &str)> {
    let mut letters = text.chars();
    let file = letters.next().filter(|file| ('a'..='i').contains(file))?;
    let digits = letters.as_str();
    let length = digits.len()
        - digits
            .trim_start_matches(|c: char| c.is_ascii_digit())
            .len();
    let (number, rest) = digits.split_at(length);
    let canonical = !number.starts_with('0') || number == "0";
    let rank: u8 = number.parse().ok().filter(|_| canonical)?;
    let rank = rank.checked_sub(base).filter(|rank| *rank <= 9)?;
    Some(((file, rank), rest))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::config::Preset;
    use crate::games::xiangqi::Xiangqi;

    const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 3 1";

    #[test]
    fn every_program_gets_the_form_that_it_knows() {
        let fairy = Dialect::of(&Profile::preset(Preset::FairyStockfish));
        assert_eq!(fairy.write("h2e2"), "h3e3");
        assert_eq!(fairy.write("h9g7"), "h10g8");
        assert_eq!(fairy.read("h10g8").as_deref(), Some("h9g7"));
        assert_eq!(fairy.read("h0g2"), None, "no rank 0 there");
        assert_eq!(fairy.fen(START), START);
        let hoi = Dialect::of(&Profile::preset(Preset::Hoixiangqi));
        assert_eq!(
            hoi.fen(START),
            "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w 3 1"
        );
        assert_eq!(hoi.read("h2e2").as_deref(), Some("h2e2"));
        for text in [
            "", "h2", "h2e2q", "H2E2", "j0a0", "h02e2", "h10e2", "(none)", "é0a0",
        ] {
            assert_eq!(hoi.read(text), None, "{text}");
        }
    }

    #[test]
    fn moves_of_othello_are_read_in_any_case_and_passes_by_any_word() {
        let [rhino, ntest] =
            [Preset::GtpRhino, Preset::Ntest].map(|preset| Dialect::of(&Profile::preset(preset)));
        assert_eq!([rhino.write("f5"), rhino.write("pass")], ["f5", "pass"]);
        assert_eq!([ntest.write("f5"), ntest.write("pass")], ["F5", "PA"]);
        for dialect in [rhino, ntest] {
            for text in ["F5", "f5"] {
                assert_eq!(dialect.read(text).as_deref(), Some("f5"));
            }
            for text in ["PASS", "pass", "pa", "PS", "--"] {
                assert_eq!(dialect.read(text).as_deref(), Some("pass"));
            }
            for text in ["", "i1", "a9", "f5d6", "resign", "a", "é1"] {
                assert_eq!(dialect.read(text), None, "{text}");
            }
        }
    }

    #[test]
    fn the_board_of_either_school_is_read_as_the_same() {
        for letters in [Letters::Bn, Letters::Eh] {
            for fen_fields in [4, 6] {
                let dialect = Dialect::Xiangqi {
                    letters,
                    rank_base: 1,
                    fen_fields,
                };
                let position = Xiangqi::from_fen(START).unwrap();
                assert_eq!(Xiangqi::from_fen(&dialect.fen(START)), Ok(position));
            }
        }
    }

    proptest! {
        #[test]
        fn moves_come_back(from in 0u16..90, to in 0u16..90, rank_base in 0u8..2) {
            let dialect = Dialect::Xiangqi { letters: Letters::Bn, rank_base, fen_fields: 6 };
            let file = |square: u16| char::from(b'a' + (square % 9) as u8);
            let text = format!("{}{}{}{}", file(from), from / 9, file(to), to / 9);
            prop_assert_eq!(dialect.read(&dialect.write(&text)), Some(text));
        }

        #[test]
        fn no_text_panics(text in ".{0,40}", rank_base in 0u8..2) {
            let dialect = Dialect::Xiangqi { letters: Letters::Eh, rank_base, fen_fields: 4 };
            let _ = (dialect.read(&text), dialect.write(&text), dialect.fen(&text));
        }

        #[test]
        fn no_near_miss_panics(text in "[a-j0-9]{0,12}", rank_base in 0u8..2) {
            let dialect = Dialect::Xiangqi { letters: Letters::Eh, rank_base, fen_fields: 4 };
            if let Some(canonical) = dialect.read(&text) {
                prop_assert_eq!(dialect.write(&canonical), text);
            }
        }
    }
}
