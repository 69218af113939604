//! The declarations of Shogi.

use leitai_game::Move;
use leitai_game::card::{
    Card, Facts, FitOpenings, Game, GameCard, KnownProgram, NotationStyle, PgnStyle, Tags,
    UsualSpread, Ways, legal_texts, move_of_word, proposal,
};
use leitai_game::numbers::{EvalParams, NumberTable, Preset};
use leitai_game::{Position as _, Verdict};
use leitai_protocols::{UCI, USI};

use super::board::Shogi;
use super::eval::{PHASES, ShogiEvaluation, TABLE, features};
use super::forms::FORMATS;
use super::rules::ShogiRules;

/// The card of the game. Never inlined, or each caller would compile all of it again.
#[inline(never)]
pub fn card() -> &'static dyn GameCard {
    Card::<Shogi>::get()
}

/// The player that is named first moves first: many programs call it White, as in chess.
fn sides(tags: &Tags) -> ([&'static str; 2], bool) {
    let mut names = tags.iter().map(|(name, _)| name.to_ascii_lowercase());
    match names.find(|name| name == "black" || name == "white") {
        Some(first) if first == "white" => (["White", "Black"], true),
        _ => (["Black", "White"], true),
    }
}

impl Game for Shogi {
    const FACTS: Facts = Facts {
        examples: &[
            ("judge", "shogi --moves \"7g7f 3c3d 8h2b+ 3a2b\" --json"),
            (
                "perft",
                "shogi --depth 5                    19861490, as published",
            ),
        ],
        pgn: PgnStyle {
            notations: &[NotationStyle::new("usi", "USI", "`7g7f`")],
            names: &["将棋", "將棋", "shougi", "japanesechess"],
            players: ["Black", "White"],
            sides: Some(sides),
            ..PgnStyle::plain("Shogi")
        },
        forms: &FORMATS,
        protocols: &[USI, UCI],
        programs: &[KnownProgram {
            options: &[("UCI_Variant", "shogi"), ("Use NNUE", "false")],
            ..KnownProgram::new("fairy-stockfish", Ways::of(USI))
        }],
        bench: (include_str!("bench.txt"), 8),
        searches: &[Preset::new("full", include_str!("searches/full.toml"))],
        usual_spread: UsualSpread {
            draw_rate: 0.02,
            opening_bias: 60.0,
        },
        fit_openings: FitOpenings {
            plies: (8, 40),
            window: 1200,
            judge: "plain",
        },
        fen_fields: 3,
        fen_counters: false,
        first_score: "Black's",
        looks_like: |board| {
            board.split('/').count() == 9 && board.contains('k') && board.contains('K')
        },
        program_help: "write `protocol = \"usi\"`, if the program speaks it",
        tuned_first: "eval.material.*",
        move_words: "USI, or Japanese as in KIF",
        ending: |verdict: Verdict| verdict.to_string(),
        ..Facts::new("Shogi", "Japanese chess with drops")
    };

    type Evaluation = ShogiEvaluation;

    const UNIT: i32 = PHASES;

    fn numbers() -> &'static NumberTable {
        &TABLE
    }

    fn evaluation(params: &EvalParams, _: ShogiRules) -> Option<ShogiEvaluation> {
        ShogiEvaluation::of(params)
    }

    fn features(&self, add: &mut impl FnMut(usize, i32)) {
        features(self, add);
    }

    fn read_word(&self, word: &str) -> Result<Vec<Move>, String> {
        move_of_word(self, word, "Shogi (USI, KIF, CSA)")
    }

    fn suggest_moves(&self, word: &str) -> String {
        let legal = legal_texts(self, Self::move_text);
        proposal(self, word, &legal, "USI")
    }
}
