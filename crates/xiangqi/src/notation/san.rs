//! Short algebraic notation as in chess: `Cbe2`, `Hg7`, `c4`, `R9xa5`.
//!
//! XBoard, pychess and Fairy-Stockfish write the letter of the piece, which pawns may lack, the file,
//! the rank or both squares where pieces of a kind could be confused, `x` for a capture, and the
//! target. Ranks count from 0; [`from_one`] rewrites those that count from 1, in this notation and
//! in coordinates.

use super::super::{Kind, Square, Xiangqi};
use leitai_game::Move;

/// A move in this notation. Parts that the text leaves out fit every move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Short {
    kind: Option<Kind>,
    file: Option<usize>,
    rank: Option<usize>,
    target: Square,
}

impl Short {
    /// Returns whether the text means this move of the side to move.
    pub(super) fn fits(self, position: &Xiangqi, mv: Move) -> bool {
        let Some((from, to)) = Xiangqi::squares_of(mv) else {
            return false;
        };
        let kind = position.piece_at(from).map(|piece| piece.kind);
        to == self.target
            && self.kind.is_none_or(|it| kind == Some(it))
            && self.file.is_none_or(|it| from.file() == it)
            && self.rank.is_none_or(|it| from.rank() == it)
    }
}

/// Reads a move in ASCII; marks of check may follow.
pub(super) fn parse(text: &str) -> Option<Short> {
    let text = text.trim_end_matches(['+', '#']);
    let split = text.len().checked_sub(2)?;
    let (before, target) = text.split_at_checked(split)?;
    if !target.starts_with(|letter: char| letter.is_ascii_lowercase()) {
        return None;
    }
    let mut signs = before.bytes().peekable();
    let letter = signs.next_if(u8::is_ascii_uppercase);
    let kind = match letter {
        Some(letter) => Some(Kind::from_letter(char::from(letter))?),
        None => None,
    };
    let file = signs.next_if(|it| (b'a'..=b'i').contains(it));
    let rank = signs.next_if(u8::is_ascii_digit);
    let _ = signs.next_if(|it| matches!(it, b'x' | b'-' | b':'));
    // Both squares identify a piece without its letter.
    let is_pawn = file.is_none() || rank.is_none();
    signs.next().is_none().then_some(Short {
        kind: kind.or(is_pawn.then_some(Kind::Pawn)),
        file: file.map(|it| usize::from(it - b'a')),
        rank: rank.map(|it| usize::from(it - b'0')),
        target: Square::parse(target)?,
    })
}

/// Rewrites coordinates or a move in this notation whose ranks count from 1 to 10 with ranks from 0;
/// `None` for any other text.
pub(crate) fn from_one(word: &str) -> Option<String> {
    let word = word.trim_end_matches(['+', '#']);
    let mut own = String::with_capacity(word.len());
    let mut rest = word;
    while let Some(letter) = rest.chars().next() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            own.push(letter);
            rest = &rest[letter.len_utf8()..];
            continue;
        }
        let rank: u8 = rest[..digits].parse().ok()?;
        let rank = rank.checked_sub(1).filter(|rank| *rank < 10)?;
        own.push(char::from(b'0' + rank));
        rest = &rest[digits..];
    }
    let is_move = super::coordinates::parse(&own).is_some() || parse(&own).is_some();
    is_move.then_some(own)
}

/// Writes a legal move with the letters of chess, as short as possible.
#[cfg(test)]
pub(super) fn write(position: &Xiangqi, mv: Move) -> String {
    use leitai_game::{MoveList, Position};

    let (from, to) = Xiangqi::squares_of(mv).unwrap();
    let kind = position.piece_at(from).unwrap().kind;
    let letter = kind.letter();
    let takes = if position.piece_at(to).is_some() {
        "x"
    } else {
        ""
    };
    let (file, rank) = {
        let from = from.to_string();
        (from[..1].to_owned(), from[1..].to_owned())
    };
    let forms = [String::new(), file.clone(), rank.clone(), file + &rank];
    let texts = forms
        .iter()
        .map(|origin| format!("{letter}{origin}{takes}{to}"));
    let mut legal = MoveList::new();
    position.legal_moves(&mut legal);
    let is_sole = |text: &String| {
        let short = parse(text).unwrap();
        legal.iter().filter(|&&mv| short.fits(position, mv)).count() == 1
    };
    texts.into_iter().find(is_sole).unwrap()
}

#[cfg(test)]
mod tests {
    use super::super::Notation;
    use super::*;
    use leitai_game::{MoveError, MoveList, Position};
    use proptest::prelude::*;

    fn played(words: &str, from_rank_one: bool) -> Result<String, String> {
        let mut position = Xiangqi::initial();
        let mut played = Vec::new();
        for word in words.split(' ') {
            let own = from_rank_one.then(|| from_one(word)).flatten();
            let mv = position.parse_move(own.as_deref().unwrap_or(word));
            let mv = mv.map_err(|error| error.to_string())?;
            played.push(Xiangqi::move_text(mv));
            position.make(mv);
        }
        Ok(played.join(" "))
    }

    #[test]
    fn games_of_other_programs_are_read() {
        for (words, from_rank_one, moves) in [
            (
                "Cbe2 Hg7 Hc2 Cd7 c4 g5 Rb0 Ege7 Chf2 Afe8",
                false,
                "b2e2 h9g7 b0c2 b7d7 c3c4 g6g5 a0b0 g9e7 h2f2 f9e8",
            ),
            ("Che2 Ng7 Cxe6# Nbc7", false, "h2e2 h9g7 e2e6 b9c7"),
            ("Che3 Ng8 Rh10", true, ""),
            ("Che3 Ng8 Ng3 Rh10", true, "h2e2 h9g7 h0g2 i9h9"),
            ("b3e3 h10g8 h1g3 i10h10", true, "b2e2 h9g7 h0g2 i9h9"),
            ("H3-E3 H10-G8", true, "h2e2 h9g7"),
            ("Cb2-e2 Ph6h5 Pa3a4 h9xg7", false, ""),
            (
                "Cb2-e2 Pg6g5 a4 Nh9-g7 P4a5",
                false,
                "b2e2 g6g5 a3a4 h9g7 a4a5",
            ),
        ] {
            let read = played(words, from_rank_one).unwrap_or_default();
            assert_eq!(read, moves, "{words}");
        }
    }

    #[test]
    fn a_move_of_two_pieces_is_ambiguous() {
        let start = Xiangqi::initial();
        let read = |word: &str| start.parse_move(word);
        assert!(matches!(read("Ce2"), Err(MoveError::Ambiguous(_))));
        assert!(matches!(read("Ce3"), Err(MoveError::Illegal(_))));
        for word in ["Xe2", "Ce", "Cb2b2e2", "e2x", "C2=x", "é2"] {
            assert!(matches!(read(word), Err(MoveError::Syntax(_))), "{word}");
        }
        // Letters of pieces are files too.
        let both = Xiangqi::from_fen("3k5/9/9/9/9/9/9/2R6/C1C6/4K4 w").unwrap();
        let fits = |word: &str| both.fitting_moves(word).map(|moves| moves.len());
        assert_eq!(fits("C1b1"), Some(2));
        assert_eq!(fits("Ccb1"), Some(1));
        assert_eq!(fits("c1b1"), Some(1));
    }

    #[test]
    fn other_notations_are_no_ranks_from_one() {
        for word in ["C2=5", "炮二平五", "H8+7", "15+1", "h0g2", "a11a1", "", "e"] {
            assert_eq!(from_one(word), None, "{word}");
        }
        assert_eq!(from_one("Rh10#").as_deref(), Some("Rh9"));
        assert_eq!(from_one("R10xa6").as_deref(), Some("R9xa5"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn every_move_is_read_back(choices in prop::collection::vec(any::<prop::sample::Index>(), 0..80)) {
            let mut position = Xiangqi::initial();
            for choice in choices {
                let mut moves = MoveList::new();
                position.legal_moves(&mut moves);
                if moves.is_empty() {
                    break;
                }
                for &mv in &moves {
                    let text = write(&position, mv);
                    prop_assert_eq!(position.parse_move(&text), Ok(mv), "{}", text);
                    for &notation in Notation::ALL {
                        let text = position.write_move(mv, notation);
                        prop_assert_eq!(position.parse_move(&text), Ok(mv), "{}", text);
                    }
                }
                position.make(*choice.get(&moves));
            }
        }

        #[test]
        fn no_word_panics(word in "[A-Ka-k0-9x+#=é-]{0,8}") {
            let _ = (from_one(&word), Xiangqi::initial().parse_move(&word));
        }
    }
}
