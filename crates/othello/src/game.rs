//! The description of the game of Othello.

use std::borrow::Cow;

use super::eval::{OthelloEvaluation, OthelloParams, UNIT, features, numbers};
use super::forms::FORMATS;
use super::{Othello, OthelloRules, read_move, read_transcript, split_board};
use leitai_game::card::{
    Card, Facts, FitOpenings, Game, GameCard, KnownProgram, Passing, PgnStyle, ProgramTest, Tags,
    TestPosition, UsualSpread, Ways,
};
use leitai_game::numbers::{EvalParams, NumberTable};
use leitai_game::{Move, Position};
use leitai_protocols::{GTP, NBOARD, UCI};

/// The game as an object. Never inlined: each caller would compile all of it again.
#[inline(never)]
pub fn card() -> &'static dyn GameCard {
    Card::<Othello>::get()
}

impl Game for Othello {
    const FACTS: Facts = Facts {
        examples: &[
            ("judge", "othello --moves f5d6c3d3c4 --json"),
            (
                "judge",
                "othello --fen \"<64 squares> X\" --moves \"a1 pass b2\" --empties nobody",
            ),
            (
                "openings generate",
                "othello --count 2000 --window -15..15 --out level.txt",
            ),
            ("openings check", "othello level.txt"),
            (
                "perft",
                "othello --depth 10                 24571284, as published",
            ),
            (
                "perft",
                "othello --depth 10 --full-depth    24571056: 228 games end before",
            ),
            (
                "perft",
                "othello --depth 6 --divide --fen \"<64 squares> X\"",
            ),
            ("show", "othello --moves \"f5 d6\" --svg=board.svg"),
            (
                "convert",
                "ggs.ggf --to txt                         Othello: f5d6c3…, a line each",
            ),
            (
                "convert",
                "run.sqlite --to ggf -o games.ggf         Othello, for NBoard and others",
            ),
            ("convert", "fforum-40-59.obf --to json | jq .scores"),
        ],
        known_as: "Othello",
        bench: (include_str!("bench.epd"), 9),
        pgn: PgnStyle {
            game: "Othello",
            is_game_first: false,
            names: &["othello", "reversi", "8x8", "黑白棋", "オセロ"],
            players: ["Black", "White"],
            opening_code: "ECO",
            notations: &[],
            sides: Some(sides),
        },
        forms: &FORMATS,
        examination: ProgramTest {
            places: &PLACES,
            // Not the usual start: its four moves are equivalent, and programs choose among them at
            // random.
            rich: [1, 3, 4],
            // Passes come late: play a whole game, which is never longer.
            plies: [120, 120],
            other_ways: "`passes`",
        },
        usual_spread: UsualSpread {
            draw_rate: 0.025,
            opening_bias: 90.0,
        },
        fit_openings: FitOpenings {
            plies: (6, 14),
            window: 100,
            judge: "squares",
        },
        protocols: &[GTP, NBOARD, UCI],
        ways: &["passes", "node_margin"],
        programs: &[
            // `gtp-rhino` of the package `GRhino`. It answers a pass with `? syntax error`, and
            // accepts the next move without one.
            KnownProgram::new(
                "gtp-rhino",
                Ways {
                    passes: Passing::Omit,
                    ..Ways::of(GTP)
                },
            ),
            KnownProgram::new("edax", Ways::of(GTP)),
            // It learns from game to game.
            KnownProgram {
                restart: true,
                ..KnownProgram::new("ntest", Ways::of(NBOARD))
            },
        ],
        program_help: "write `protocol = \"gtp\"`, `\"nboard\"` or `\"uci\"`, \
                                        whichever the program speaks (a `preset` of Othello is \
                                        `gtp-rhino`, `edax` or `ntest`)",
        pass: "pass",
        rule_nouns: &[("empties", "owner of the empty squares")],
        looks_like: |board| !board.is_empty() && !board.contains('/'),
        own_board,
        // Reads moves in either case, and all words for a pass.
        move_from: |_, theirs| read_move(theirs).map(Othello::move_text),
        tuned_first: "eval.squares[*]",
        move_words: "squares from a1 to h8",
        no_costly_terms: "remove it: no evaluation of Othello has such terms",
        other_solver: "`search.endgame` solves endgames of Othello",
        ..Facts::new("Othello", "Reversi")
    };
    const UNIT: i32 = UNIT;

    type Evaluation = OthelloEvaluation;

    fn numbers() -> &'static NumberTable {
        &numbers::TABLE
    }

    fn evaluation(params: &EvalParams, rules: OthelloRules) -> Option<OthelloEvaluation> {
        OthelloParams::of(params).map(|params| OthelloEvaluation::new(&params, rules))
    }

    /// `NBoard` writes moves as `F5` and `PA`, other protocols as `f5` and `pass`.
    fn move_for(ways: &Ways, mv: Move) -> String {
        let text = Self::move_text(mv);
        match text.as_str() {
            _ if ways.protocol != NBOARD => text,
            "pass" => "PA".to_owned(),
            _ => text.to_ascii_uppercase(),
        }
    }

    fn features(&self, add: &mut impl FnMut(usize, i32)) {
        for (number, count) in features(self) {
            add(number, count);
        }
    }

    fn read_word(&self, word: &str) -> Result<Vec<Move>, String> {
        match read_transcript(self, word) {
            Ok(line) => Ok(line.moves().collect()),
            Err(error) => Err(format!("`{}`: {}", error.text, error.fault)),
        }
    }

    fn read_scored_move(&self, operation: &str) -> Option<Result<(Move, f64), String>> {
        let (word, score) = operation.split_once(':')?;
        let (word, score) = (word.trim(), score.trim());
        let number = score.parse::<f64>().ok().filter(|score| score.is_finite());
        Some(match (self.parse_move(word), number) {
            (Err(error), _) => Err(error.to_string()),
            (_, None) => Err(format!("the score `{score}` of `{word}` is not a number")),
            (Ok(mv), Some(score)) => Ok((mv, score)),
        })
    }
}

/// The line with a board in one word, as of the server GGS in several.
fn own_board(line: &str) -> Cow<'_, str> {
    match split_board(line) {
        Some((Cow::Owned(board), rest)) => Cow::Owned(format!("{board} {rest}")),
        _ => Cow::Borrowed(line),
    }
}

/// Black moves first, and `1-0` is a win of the player whose tag comes first.
fn sides(tags: &Tags) -> ([&'static str; 2], bool) {
    let mut names = tags.iter().map(|(name, _)| name.to_ascii_lowercase());
    let first = names.find(|name| name == "black" || name == "white");
    (["Black", "White"], first.is_none_or(|name| name == "black"))
}

/// Both sides to move, a pass that the program has to make, and a pass of either side that it has
/// to follow.
const PLACES: [TestPosition; 5] = [
    TestPosition::at("at the usual start", "", &[]),
    TestPosition::at("after f5d6c3", "", &["f5", "d6", "c3"]),
    TestPosition::at(
        "where it has to pass",
        "",
        &["c4", "c3", "f5", "b4", "a4", "a5", "c2", "a3"],
    ),
    TestPosition::at(
        "after a pass of black's",
        "",
        &["c4", "c3", "f5", "b4", "a4", "a5", "c2", "a3", "pass"],
    ),
    TestPosition::at(
        "after a pass of white's",
        "",
        &[
            "f5", "d6", "c3", "g5", "g6", "g7", "h5", "e3", "h7", "b2", "g8", "pass",
        ],
    ),
];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::PASS;
    use super::super::eval::{OthelloParams, numbers};
    use super::super::tests::any_position;
    use super::*;
    use leitai_game::Side;
    use leitai_game::card::Card;
    use leitai_game::eval::{Evaluation, MAX_EVAL};

    #[test]
    fn the_passes_have_their_listed_plies() {
        let lines = PLACES
            .each_ref()
            .map(|place| place.line(Card::<Othello>::get()));
        for (place, line) in PLACES.iter().zip(&lines) {
            assert_eq!(line.len(), place.moves.len(), "{}", place.name);
        }
        assert!(lines[2].position().is_legal(PASS));
        let turns = [1, 3, 4].map(|index: usize| lines[index].position().side_to_move());
        assert_eq!(turns, [Side::Second, Side::Second, Side::First]);
    }

    #[test]
    fn words_may_be_several_moves() {
        let start = Othello::initial();
        let moves = Game::read_word(&start, "F5d6C3").unwrap();
        let moves: Vec<_> = moves.into_iter().map(Othello::move_text).collect();
        assert_eq!(moves, ["f5", "d6", "c3"]);
        assert_eq!(
            Game::read_word(&start, "a1").unwrap_err(),
            "`a1`: black turns no disc there"
        );
        let help = Game::suggest_moves(&start, "a1");
        assert!(help.contains("`c4`"), "{help}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn features_are_the_evaluation(
            position in any_position(),
            values in prop::collection::vec(-200..=200, numbers::NUMBERS),
        ) {
            let given = values.iter().copied().map(i64::from);
            let params = EvalParams::new(&numbers::TABLE, given);
            let params = OthelloParams::of(&params).unwrap();
            let features = features(&position).into_iter();
            let sum: i32 = features.map(|(index, count)| values[index] * count).sum();
            let evaluation = OthelloEvaluation::new(&params, OthelloRules::default());
            prop_assert_eq!(
                (sum / Othello::UNIT).clamp(-MAX_EVAL, MAX_EVAL),
                evaluation.evaluate(&position, ())
            );
        }
    }
}
