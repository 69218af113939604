//! The description of the game of Xiangqi.

use super::eval::{PHASES, XiangqiEvaluation, XiangqiParams, features, numbers};
use super::forms::FORMATS;
use super::notation::san::from_one;
use super::{Notation, Xiangqi, XiangqiRules, programs, referee};
use leitai_game::card::{
    Card, Facts, FitOpenings, Game, GameCard, NotationStyle, PgnStyle, ProgramTest, TestPosition,
    UsualSpread, Ways, legal_texts, move_of_word, proposal, red_or_white,
};
use leitai_game::numbers::{EvalParams, NumberTable, Preset};
use leitai_game::{Move, Position, PositionError};
use leitai_protocols::{CECP, UCCI, UCI, UCI_CYCLONE};

/// The game as an object. Never inlined: each caller would compile all of it again.
#[inline(never)]
pub fn card() -> &'static dyn GameCard {
    Card::<Xiangqi>::get()
}

impl Game for Xiangqi {
    const FACTS: Facts = Facts {
        examples: &[
            ("study", "configs/study-orderings.toml"),
            ("study", "configs/study-heuristics.toml --no-times --json"),
            ("convert", "chinese.pgn --notation iccs -o games.pgn"),
            (
                "convert",
                "run.sqlite --to pgn --notation chinese > games.pgn",
            ),
            ("judge", "xiangqi --moves \"h2e2 h9g7\""),
            (
                "openings generate",
                "xiangqi --plies 8 --seed 7 --out mine.epd",
            ),
            ("openings check", "xiangqi mine.epd --play 200 --json"),
            ("show", "xiangqi --moves \"h2e2 h9g7\" --glyphs"),
            ("engine", "--game xiangqi --protocol ucci"),
        ],
        names_usual_rules: true,
        bench: (include_str!("bench.epd"), 10),
        searches: &[Preset::new("full", include_str!("searches/full.toml"))],
        pgn: PgnStyle {
            game: "Chinese Chess",
            is_game_first: true,
            names: &[
                "chinesechess",
                "xiangqi",
                "cchess",
                "中国象棋",
                "中國象棋",
                "象棋",
            ],
            players: ["Red", "Black"],
            opening_code: "ECCO",
            notations: &[
                NotationStyle::new("iccs", "ICCS", "`H2-E2`"),
                NotationStyle::new("wxf", "WXF", "`C2=5`"),
                NotationStyle::new("chinese", "Chinese", "炮二平五"),
                NotationStyle::new("uci", "UCI", "`h2e2`"),
            ],
            sides: Some(red_or_white),
        },
        forms: &FORMATS,
        dialects: &[from_one],
        examination: ProgramTest {
            places: &PLACES,
            rich: [0, 1, 4],
            plies: [40, 16],
            other_ways: "`rank_base`, `fen_fields` or `letters`",
        },
        usual_spread: UsualSpread {
            draw_rate: 0.22,
            opening_bias: 155.0,
        },
        fit_openings: FitOpenings {
            plies: (8, 20),
            window: 400,
            judge: "leitai-1",
        },
        protocols: &[UCI, UCI_CYCLONE, UCCI, CECP],
        ways: &["letters", "rank_base", "fen_fields", "node_margin"],
        programs: &programs::KNOWN,
        rule_nouns: &[("repetition", "repetition rule")],
        fen_for: programs::fen_for,
        // Rejects upper-case letters and promotion letters.
        move_from: |ways, theirs| programs::shifted(theirs, ways.rank_base, 0),
        program_help: "write `protocol = \"uci\"`, `\"ucci\"` or `\"cecp\"`, whichever the program speaks",
        tuned_first: "eval.material.*",
        move_words: "squares from a0 to i9",
        no_costly_terms: "remove it, or choose an evaluation that has such \
                                           terms: `eval = { preset = \"leitai\" }`",
        ..Facts::new("Xiangqi", "Chinese chess")
    };
    const UNIT: i32 = PHASES;

    type Evaluation = XiangqiEvaluation;

    fn numbers() -> &'static NumberTable {
        &numbers::TABLE
    }

    fn evaluation(params: &EvalParams, _: XiangqiRules) -> Option<XiangqiEvaluation> {
        XiangqiParams::of(params).map(|params| XiangqiEvaluation::new(&params))
    }

    fn move_for(ways: &Ways, mv: Move) -> String {
        let text = Self::move_text(mv);
        programs::shifted(&text, 0, ways.rank_base).unwrap_or(text)
    }

    /// Reads a clock beyond the move limit as 0.
    fn read_request(fen: &str, rules: XiangqiRules) -> Result<(Self, XiangqiRules), PositionError> {
        match programs::with_clock_in_range(fen, referee::MOVE_LIMIT) {
            None => Ok((Self::from_fen(fen)?, rules)),
            Some(fen) => Ok((Self::from_fen(&fen)?, rules.without_move_limit())),
        }
    }

    fn continuation_rules(&self, rules: XiangqiRules) -> XiangqiRules {
        if self.quiet_plies() < u32::from(referee::MOVE_LIMIT) {
            rules
        } else {
            rules.without_move_limit()
        }
    }

    fn rule_option(name: &'static str) -> &'static str {
        match name {
            "repetition" => "rule",
            "move_limit" => "move-limit",
            other => other,
        }
    }

    fn features(&self, add: &mut impl FnMut(usize, i32)) {
        for (number, count) in features(self) {
            add(number, count);
        }
    }

    fn written(&self, mv: Move, notation: usize) -> String {
        self.write_move(mv, NOTATIONS[notation.min(NOTATIONS.len() - 1)])
    }

    fn read_word(&self, word: &str) -> Result<Vec<Move>, String> {
        move_of_word(self, word, "Xiangqi (squares, SAN, WXF, Chinese)")
    }

    fn suggest_moves(&self, word: &str) -> String {
        let fitting = self.fitting_moves(word).unwrap_or_default();
        if !fitting.is_empty() {
            let fitting: Vec<_> = fitting.into_iter().map(Self::move_text).collect();
            return format!("it could be {}", fitting.join(" or "));
        }
        if let Some(mv) = from_one(word).filter(|mv| self.parse_move(mv).is_ok()) {
            return format!(
                "counted from rank 1 it would be `{mv}`: coordinates here count from rank 0"
            );
        }
        let notation = Self::likely_notation(word);
        let legal = legal_texts(self, |mv| self.write_move(mv, notation));
        let how = match notation {
            Notation::Iccs | Notation::Uci => Self::FACTS.move_words,
            Notation::Wxf => "WXF",
            Notation::Chinese => "Chinese",
        };
        proposal(self, word, &legal, how)
    }
}

/// In the order of the notations in the style.
const NOTATIONS: [Notation; 4] = [
    Notation::Iccs,
    Notation::Wxf,
    Notation::Chinese,
    Notation::Uci,
];

/// Test positions, the usual start first. Together they require moves on both home ranks, with both
/// sides to move, and have elephants and horses off their squares, so that misread positions cause
/// illegal moves.
const PLACES: [TestPosition; 5] = [
    TestPosition::at("at the usual start", "", &[]),
    TestPosition::at("after 1. h2e2 h9g7 2. h0g2", "", &["h2e2", "h9g7", "h0g2"]),
    TestPosition::at(
        "with two legal moves",
        "3k5/9/4P4/9/9/9/9/4B4/4A4/2R1KA3 b - - 0 1",
        &[],
    ),
    TestPosition::at(
        "in check",
        "2bak4/4a4/4b3n/p3p3p/2p3p2/6P2/P1P1P3P/C1N1B1N2/4A4/2r1KABR1 w - - 2 20",
        &[],
    ),
    TestPosition::at(
        "in an opening",
        "r1bakabnr/9/1cn4c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R b - - 3 2",
        &[],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use leitai_game::Side;
    use leitai_game::card::{AnyLine, Card};

    fn line(place: &TestPosition) -> Box<dyn AnyLine> {
        place.line(Card::<Xiangqi>::get())
    }

    #[test]
    fn the_squares_have_their_names() {
        let [_, moved, few, check, opening] = PLACES.each_ref().map(line);
        assert_eq!(moved.len(), 3);
        assert_eq!(few.position().to_fen(), PLACES[2].fen);
        assert_eq!(few.position().count_legal_moves(), 2);
        assert_eq!(check.position().to_fen(), PLACES[3].fen);
        assert!(check.position().in_check());
        assert_eq!(opening.position().to_fen(), PLACES[4].fen);
        assert_eq!(opening.position().side_to_move(), Side::Second);
    }

    #[test]
    fn every_answer_names_both_home_ranks_somewhere() {
        // Otherwise a program that counts ranks differently could answer all of them.
        let all_name = |place: &TestPosition, rank: char| {
            let moves = line(place).position().moves();
            let mut moves = moves.iter();
            moves.all(|&mv| Xiangqi::move_text(mv).contains(rank))
        };
        assert!(all_name(&PLACES[2], '9') && all_name(&PLACES[3], '0'));
    }

    #[test]
    fn proposals_are_like_the_word_and_in_its_notation() {
        let start = Xiangqi::initial();
        let suggest_moves = |word: &str| Game::suggest_moves(&start, word);
        for (word, first) in [
            ("C2=8", "legal (WXF): `C2="),
            ("炮二平八", "legal (Chinese): `炮二平"),
            ("h2e3", "legal (squares from a0 to i9): `h2e2`"),
            ("H2-E3", "legal (squares from a0 to i9): `H2-E2`"),
            ("e3e5", "legal (squares from a0 to i9): `e3e4`"),
        ] {
            let help = suggest_moves(word);
            assert!(help.contains(first), "{word}: {help}");
            assert!(help.contains("is to move at rnbakabnr/"), "{help}");
        }
        assert!(
            suggest_moves("h3e3").contains("counted from rank 1"),
            "h3e3"
        );
        assert!(suggest_moves("h10e10").contains("legal"), "black's");
        let pawns = "3k5/9/9/2P3P2/2P3P2/9/9/9/9/4K4 w";
        let pawns = Xiangqi::from_fen(pawns).unwrap();
        let help = Game::suggest_moves(&pawns, "前兵进一");
        assert!(help.contains("could be") && help.contains("c6c7"), "{help}");
    }
}
