//! Conversion of Leitai's moves and positions to an engine's notation and back.

use leitai_config::Profile;
use leitai_game::Move;
use leitai_game::card::{GameCard, Ways};

/// Notation of moves and positions of one engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Dialect {
    card: &'static dyn GameCard,
    ways: Ways,
}

impl Dialect {
    pub(crate) fn of(card: &'static dyn GameCard, profile: &Profile) -> Self {
        let ways = profile.ways();
        Self { card, ways }
    }

    /// Converts a FEN of Leitai.
    pub(crate) fn fen(self, fen: &str) -> String {
        self.card.fen_for(&self.ways, fen)
    }

    /// Converts a move of Leitai.
    pub(crate) fn write(self, mv: Move) -> String {
        self.card.move_for(&self.ways, mv)
    }

    /// The engine's name for the game; empty if it plays no other.
    pub(crate) fn game(self) -> &'static str {
        self.card.called_for(&self.ways)
    }

    /// Converts a move of the engine to Leitai's notation; `None` if the text is no move.
    pub(crate) fn read(self, theirs: &str) -> Option<String> {
        self.card.move_from(&self.ways, theirs)
    }

    /// Returns whether a move of Leitai is a pass.
    pub(crate) fn is_pass(self, canonical: &str) -> bool {
        !canonical.is_empty() && canonical == self.card.facts().pass
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use leitai_game::Position as _;
    use leitai_game::card::{Letters, Protocol};
    use leitai_othello::read_move;
    use leitai_xiangqi::{Square, Xiangqi};

    /// The move between the squares of the text, legal or not.
    fn between(text: &str) -> Move {
        let number = |at: usize, first: u8| i32::from(text.as_bytes()[at] - first);
        let square = |at: usize| Square::at(number(at, b'a'), number(at + 1, b'0')).unwrap();
        Xiangqi::move_between(square(0), square(2))
    }

    fn known(card: &'static dyn GameCard, name: &str) -> Dialect {
        let mut known = card.facts().programs.iter();
        let known = known.find(|program| program.name == name).unwrap();
        Dialect::of(card, &Profile::known(known))
    }

    fn xiangqi(letters: Letters, rank_base: u8, fen_fields: u8) -> Dialect {
        let ways = Ways {
            letters,
            rank_base,
            fen_fields,
            ..Ways::of(Protocol::Uci)
        };
        Dialect {
            card: leitai_xiangqi::card(),
            ways,
        }
    }

    const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 3 1";

    #[test]
    fn every_program_gets_the_form_that_it_knows() {
        let fairy = known(leitai_xiangqi::card(), "fairy-stockfish");
        assert_eq!(fairy.write(between("h2e2")), "h3e3");
        assert_eq!(fairy.write(between("h9g7")), "h10g8");
        assert_eq!(fairy.read("h10g8").as_deref(), Some("h9g7"));
        assert_eq!(fairy.read("h0g2"), None, "no rank 0 there");
        assert_eq!(fairy.fen(START), START);
        let hoi = known(leitai_xiangqi::card(), "hoixiangqi");
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
        let [rhino, ntest] = ["gtp-rhino", "ntest"].map(|name| known(leitai_othello::card(), name));
        let both = ["f5", "pass"].map(|text| read_move(text).unwrap());
        assert_eq!(both.map(|mv| rhino.write(mv)), ["f5", "pass"]);
        assert_eq!(both.map(|mv| ntest.write(mv)), ["F5", "PA"]);
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
                let dialect = xiangqi(letters, 1, fen_fields);
                let position = Xiangqi::from_fen(START).unwrap();
                assert_eq!(Xiangqi::from_fen(&dialect.fen(START)), Ok(position));
            }
        }
    }

    proptest! {
        #[test]
        fn moves_come_back(from in 0u16..90, to in 0u16..90, rank_base in 0u8..2) {
            let dialect = xiangqi(Letters::Bn, rank_base, 6);
            let file = |square: u16| char::from(b'a' + (square % 9) as u8);
            let text = format!("{}{}{}{}", file(from), from / 9, file(to), to / 9);
            prop_assert_eq!(dialect.read(&dialect.write(between(&text))), Some(text));
        }

        #[test]
        fn no_text_panics(text in ".{0,40}", rank_base in 0u8..2) {
            let dialect = xiangqi(Letters::Eh, rank_base, 4);
            let _ = (dialect.read(&text), dialect.fen(&text));
        }

        #[test]
        fn no_near_miss_panics(text in "[a-j0-9]{0,12}", rank_base in 0u8..2) {
            let dialect = xiangqi(Letters::Eh, rank_base, 4);
            if let Some(canonical) = dialect.read(&text) {
                prop_assert_eq!(dialect.write(between(&canonical)), text);
            }
        }
    }
}
