//! The description of the game of Go block capture.

use super::reading::{BlockProver, CaptureEvaluation, CaptureParams, numbers};
use super::{Capture, GoRules};
use leitai_game::Position;
use leitai_game::card::{
    Card, Facts, FitOpenings, Game, GameCard, PgnStyle, ProgramTest, TestPosition, UsualSpread,
};
use leitai_game::numbers::{EvalParams, NumberTable};
use leitai_game::search::MoveChooser;
use leitai_game::search::proof::SolverParams;

/// The game as an object. Never inlined: each caller would compile all of it again.
#[inline(never)]
pub fn card() -> &'static dyn GameCard {
    Card::<Capture>::get()
}

impl Game for Capture {
    const FACTS: Facts = Facts {
        examples: &[
            ("study", "configs/go-zhang-chen-2007.toml"),
            ("judge", "go --moves \"D5 C4 D3 pass\" --ply-limit 40"),
            (
                "show",
                "go --fen \"...../..X../.XOX./...../..... X C3 -\" --json",
            ),
        ],
        names_usual_rules: true,
        bench: (include_str!("bench.epd"), 5),
        pgn: PgnStyle {
            players: ["Attacker", "Defender"],
            ..PgnStyle::plain("Go block capture")
        },
        examination: ProgramTest {
            places: &PLACES,
            rich: [0, 1, 4],
            plies: [40, 16],
            ..ProgramTest::START_ONLY
        },
        // The attacker counts as first; either side may move first.
        first_score: "Attackers'",
        varies: false,
        // In most problems the same side loses with any players: one pair in twenty is decided.
        usual_spread: UsualSpread {
            draw_rate: 0.0,
            opening_bias: 630.0,
        },
        fit_openings: FitOpenings {
            plies: (2, 6),
            window: 100,
            judge: "zhang-chen-2007",
        },
        program_help: "write `protocol = \"uci\"`, if the program speaks it \
                                        (programs of Go that speak `gtp` know of no target: a \
                                        `[study]` of solvers asks them problems)",
        pass: "pass",
        has_prover: true,
        // The winner, not the side that moved first.
        ending: |verdict| {
            let winner = verdict.winner;
            let winner = winner.map_or("nobody", |side| Capture::SIDE_NAMES[side.index()]);
            format!("{winner} wins ({})", verdict.cause)
        },
        looks_like: |board| {
            board.contains('/') && board.bytes().all(|letter| b".XO/".contains(&letter))
        },
        tuned_first: "eval.eval_first",
        move_words: "points such as D4, row 1 at the bottom",
        fen_fields: 4,
        fen_counters: false,
        no_costly_terms: "remove it: there are no such terms in Go block capture",
        other_solver: "set `search.solver` to solve Go problems",
        ..Facts::new(
            "Go block capture",
            "Block capture: one attacks a block, the other defends it",
        )
    };

    type Evaluation = CaptureEvaluation;

    fn numbers() -> &'static NumberTable {
        &numbers::TABLE
    }

    fn evaluation(params: &EvalParams, _: GoRules) -> Option<CaptureEvaluation> {
        CaptureParams::of(params).map(|params| CaptureEvaluation::new(&params))
    }

    fn prover(
        solver: &SolverParams,
        params: &EvalParams,
        rules: GoRules,
    ) -> Option<Box<dyn MoveChooser<Self>>> {
        let params = CaptureParams::of(params)?;
        Some(Box::new(BlockProver::new(solver, &params, rules)))
    }

    fn rule_option(name: &'static str) -> &'static str {
        match name {
            "escape_liberties" => "escape-liberties",
            "ply_limit" => "ply-limit",
            other => other,
        }
    }

    fn refused_rule(rules: GoRules) -> Option<(&'static str, &'static str, String)> {
        let (least, most) = GoRules::ESCAPE_LIBERTIES.into_inner();
        (rules.escape_liberties == 1).then(|| {
            (
                "escape_liberties",
                "every block has a liberty: each game would be over at once",
                format!("write {least} to {most}, or 0 so that no number of liberties ends a game"),
            )
        })
    }
}

/// Both sides to move, a pass, and a ko.
const PLACES: [TestPosition; 5] = [
    TestPosition::at("at the usual start", "", &[]),
    TestPosition::at("after the attacker's first move", "", &["D5"]),
    TestPosition::at("after a pass of the defender's", "", &["D5", "pass"]),
    TestPosition::at(
        "where a ko cannot be taken back",
        "...../.XO../X.XO./.XO../..... O C4 -",
        &["B3"],
    ),
    TestPosition::at(
        "in a ladder",
        "......./......./..X..../.XO..../.X...../......./....... X C4 -",
        &["D4"],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use leitai_game::Side;
    use leitai_game::card::Card;

    #[test]
    fn the_squares_have_their_names() {
        let card = Card::<Capture>::get();
        let lines = PLACES.each_ref().map(|place| place.line(card));
        for (place, line) in PLACES.iter().zip(&lines) {
            assert_eq!(line.len(), place.moves.len(), "{}", place.name);
            assert_eq!(line.verdict(&card.rules()), None, "{}", place.name);
            assert!(line.position().count_legal_moves() > 1, "{}", place.name);
        }
        let sides = lines.each_ref().map(|line| line.position().side_to_move());
        let (first, second) = (Side::First, Side::Second);
        assert_eq!(sides, [first, second, first, first, second]);
        let ko = lines[3].position();
        assert!(ko.parse_move("C3").is_err() && ko.parse_move("D4").is_ok());
    }
}
