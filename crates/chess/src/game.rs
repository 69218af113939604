//! The declarations of Chess.

use cozy_chess::Board;

use super::board::Chess;
use super::eval::{ChessEvaluation, PHASES, features, numbers};
use super::examination::EXAMINATION;
use super::forms::FORMATS;
use super::moves::unpack;
use super::rules::ChessRules;
use super::tables;
use super::{fen, notation, programs};
use leitai_game::card::{
    Card, Facts, FitOpenings, Game, GameCard, NotationStyle, PgnStyle, TableOptions, Tables,
    UsualSpread, Ways, legal_texts, move_of_word, proposal,
};
use leitai_game::numbers::{EvalParams, NumberTable, Preset};
use leitai_game::{Move, Position};
use leitai_protocols::{CECP, UCI};

/// The card of the game. Never inlined, or each caller would compile all of it again.
#[inline(never)]
pub fn card() -> &'static dyn GameCard {
    Card::<Chess>::get()
}

impl Game for Chess {
    const FACTS: Facts = Facts {
        examples: &[
            (
                "judge",
                "chess --moves \"e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7\" --json",
            ),
            (
                "perft",
                "chess --depth 5                    4865609, as published",
            ),
        ],
        pgn: PgnStyle {
            game: "Chess",
            is_game_first: false,
            names: &[
                "normal",
                "standard",
                "standardchess",
                "regular",
                "classical",
                "orthodox",
                "orthochess",
                "fromposition",
                "chess960",
                "chess9lx",
                "960",
                "frc",
                "dfrc",
                "fischerandom",
                "fischerandomchess",
                "fischerrandom",
                "fischerrandomchess",
                "doublechess960",
                "doublefischerandom",
                "doublefischerrandom",
                "freestyle",
                "freestylechess",
                "wildfr",
                "wild22",
                "westernchess",
                "internationalchess",
                "国际象棋",
                "國際象棋",
            ],
            notations: &[
                NotationStyle::new("san", "SAN", "`Nf3`"),
                NotationStyle::new("uci", "UCI", "`g1f3`"),
                NotationStyle::new("lan", "LAN", "`Ng1f3`"),
            ],
            ..PgnStyle::plain("Chess")
        },
        forms: &FORMATS,
        protocols: &[UCI, CECP],
        rule_options: &[("UCI_Chess960", "chess960")],
        fen_fields: 4,
        opening_names: include_str!("opening_names.tsv"),
        known_books: include_str!("books.txt"),
        names_usual_rules: true,
        bench: (include_str!("bench.epd"), 11),
        searches: &[Preset::new("full", include_str!("searches/full.toml"))],
        examination: EXAMINATION,
        usual_spread: UsualSpread {
            draw_rate: 0.35,
            opening_bias: 60.0,
        },
        fit_openings: FitOpenings {
            plies: (6, 14),
            window: 300,
            judge: "plain",
        },
        programs: &programs::KNOWN,
        has_tables: true,
        looks_like: |board| {
            board.split('/').count() == 8 && board.contains('k') && board.contains('K')
        },
        // Shredder-FEN in Chess960.
        fen_for: |ways, fen| {
            let position = is_chess960(ways).then(|| Chess::from_fen(fen).ok());
            position
                .flatten()
                .map_or_else(|| fen.to_owned(), |it| fen::shredder(&it))
        },
        options_for: |ways| match ways.protocol.name {
            "uci" if is_chess960(ways) => &[("UCI_Chess960", "true")],
            _ => &[],
        },
        program_help: "write `protocol = \"uci\"` or `\"cecp\"`, whichever the program speaks",
        tuned_first: "eval.material.*",
        no_costly_terms: "remove it, or choose an evaluation that has such terms: \
                          `eval = { preset = \"leitai\" }`",
        move_words: "SAN, or squares from a1 to h8",
        ..Facts::new("Chess", "international chess")
    };

    const UNIT: i32 = PHASES;

    type Evaluation = ChessEvaluation;

    fn numbers() -> &'static NumberTable {
        &numbers::TABLE
    }

    fn evaluation(params: &EvalParams, _: ChessRules) -> Option<ChessEvaluation> {
        ChessEvaluation::of(params)
    }

    fn features(&self, add: &mut impl FnMut(usize, i32)) {
        features(self, add);
    }

    /// In Chess960 the king castles by capturing its own rook.
    fn move_for(ways: &Ways, mv: Move) -> String {
        unpack(mv).map_or_else(|| Self::move_text(mv), |parts| parts.uci(is_chess960(ways)))
    }

    fn program_game_name(ways: &Ways) -> &'static str {
        if is_chess960(ways) {
            "fischerandom"
        } else {
            ""
        }
    }

    /// Castling that plain chess does not allow.
    fn start_problem(&self, ways: &Ways) -> Option<[&'static str; 2]> {
        let wrong = !is_chess960(ways) && self.castles_unusually();
        wrong.then_some([
            "it has castling rights of Chess960, and programs play plain chess",
            "write `chess960 = true` under `[rules]` (fastchess: `-variant fischerandom`)",
        ])
    }

    /// Syzygy tables.
    fn tables(options: &TableOptions<'_>) -> Result<Box<dyn Tables>, String> {
        tables::open(options)
    }

    /// The 960 start positions of Chess960, named by their numbers.
    fn usual_openings(rules: ChessRules) -> Vec<String> {
        let starts = 0..if rules.chess960 { 960 } else { 0 };
        let line = |number| {
            let start = Self::of(Board::chess960_startpos(number), 0, 1);
            format!("{}; id \"start {number}\";", start.to_fen())
        };
        starts.map(line).collect()
    }

    fn written(&self, mv: Move, notation: usize) -> String {
        match notation {
            0 => notation::san(self, mv),
            2 => notation::lan(self, mv),
            _ => Self::move_text(mv),
        }
    }

    fn pgn_tags(&self) -> &'static [(&'static str, &'static str)] {
        if self.castles_unusually() {
            &[("Variant", "Chess960"), ("SetUp", "1")]
        } else {
            &[("SetUp", "1")]
        }
    }

    fn read_word(&self, word: &str) -> Result<Vec<Move>, String> {
        move_of_word(self, word, "Chess (SAN, UCI)")
    }

    fn suggest_moves(&self, word: &str) -> String {
        let fitting = notation::fitting(self, word).unwrap_or_default();
        if !fitting.is_empty() {
            let fitting: Vec<_> = fitting
                .into_iter()
                .map(|mv| notation::san(self, mv))
                .collect();
            return format!("it could be {}", fitting.join(" or "));
        }
        let legal = legal_texts(self, |mv| notation::san(self, mv));
        proposal(self, word, &legal, "SAN")
    }
}

fn is_chess960(ways: &Ways) -> bool {
    ways.rules
        .is_some_and(|rules| rules.typed::<ChessRules>().chess960)
}
