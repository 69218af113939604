//! The rules of chess compared with those of python-chess: `tests/referee/chess_games.py` plays
//! random games of chess, Chess960, double Fischer random and endings.
//!
//! Set `LEITAI_PYTHON` to a Python that has the package `chess`; without it the comparison is
//! skipped.

use std::env;
use std::process::Command;

use leitai_game::card::{Rules, Ways};
use leitai_game::protocol::UCI;
use leitai_game::{Cause, Line, Position, Scope, Side};
use leitai_games::chess::{Chess, ChessRules, Draws};
use serde::Deserialize;

use crate::common::project;

#[derive(Deserialize)]
struct Game {
    chess960: bool,
    start: Said,
    plies: Vec<Ply>,
}

#[derive(Deserialize)]
struct Ply {
    uci: String,
    san: String,
    #[serde(flatten)]
    after: Said,
}

/// The other referee's answers about a position.
#[derive(Deserialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an answer of its own"
)]
struct Said {
    fen: String,
    legal: Vec<String>,
    check: bool,
    material: bool,
    can_win: [bool; 2],
    clock: u32,
    third: bool,
    fifth: bool,
}

impl Said {
    fn cause(&self, draws: Draws) -> Option<Cause> {
        let (plies, by_moves, again, by_repetition) = match draws {
            Draws::Claimed => (
                100,
                Cause::FiftyMoves,
                self.third,
                Cause::ThreefoldRepetition,
            ),
            Draws::Forced => (
                150,
                Cause::SeventyFiveMoves,
                self.fifth,
                Cause::FivefoldRepetition,
            ),
        };
        match () {
            () if self.legal.is_empty() && self.check => Some(Cause::Checkmate),
            () if self.legal.is_empty() => Some(Cause::Stalemate),
            () if self.material => Some(Cause::InsufficientMaterial),
            () if self.clock >= plies => Some(by_moves),
            () if again => Some(by_repetition),
            () => None,
        }
    }
}

fn compare(line: &Line<Chess>, said: &Said, ways: &Ways) -> Option<Cause> {
    let position = line.position();
    let fen = &said.fen;
    assert_eq!(&position.to_fen(), fen);
    let card = leitai_games::chess::card();
    let written = |&mv: &_| card.move_for(ways, mv);
    let mut legal: Vec<String> = leitai_game::card::AnyPosition::moves(position)
        .iter()
        .map(written)
        .collect();
    legal.sort();
    assert_eq!(legal, said.legal, "{fen}");
    assert_eq!(position.in_check(), said.check, "{fen}");
    for side in Side::BOTH {
        assert_eq!(
            position.can_win(side),
            said.can_win[side.index()],
            "{side:?} {fen}"
        );
    }
    let causes = [Draws::Claimed, Draws::Forced].map(|draws| {
        let rules = ChessRules {
            draws,
            ..ChessRules::default()
        };
        let verdict = line.verdict(rules);
        let cause = verdict.map(|verdict| verdict.cause);
        assert_eq!(cause, said.cause(draws), "{draws:?} {fen}");
        let has_won = verdict.is_some_and(|it| it.winner == Some(position.side_to_move().other()));
        assert_eq!(has_won, cause == Some(Cause::Checkmate), "{fen}");
        cause
    });
    causes[0]
}

#[test]
fn random_games_are_judged_alike() {
    let python = env::var_os("LEITAI_PYTHON").filter(|python| !python.is_empty());
    let Some(python) = python else {
        eprintln!("skipped: LEITAI_PYTHON names no Python with the package chess");
        return;
    };
    let games = env::var("LEITAI_CHESS_GAMES").unwrap_or_else(|_| "60".to_owned());
    let mut command = Command::new(python);
    command
        .arg(project("tests/referee/chess_games.py"))
        .args(["7", &games]);
    let output = command.output().expect("the Python of LEITAI_PYTHON runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let mut seen = Vec::new();
    for text in text.lines() {
        let game: Game = serde_json::from_str(text).expect("a game");
        let rules = ChessRules {
            chess960: game.chess960,
            ..ChessRules::default()
        };
        let ways = Ways::of(UCI).under(Rules::of(&rules));
        let start = Chess::from_fen(&game.start.fen).expect(&game.start.fen);
        let mut line = Line::new(start);
        seen.extend(compare(&line, &game.start, &ways));
        for ply in &game.plies {
            let position = line.position();
            let mv = position.parse_move(&ply.uci).expect(&ply.uci);
            assert_eq!(
                position.parse_move(&ply.san),
                Ok(mv),
                "{}",
                position.to_fen()
            );
            let card = leitai_games::chess::card();
            let line_of_any = card.line(&*card.read(&position.to_fen()).expect("its text"));
            assert_eq!(
                line_of_any.position().written(mv, 0),
                ply.san,
                "{}",
                position.to_fen()
            );
            let shredder = Chess::from_fen(&(card.facts().fen_for)(&ways, &position.to_fen()));
            assert_eq!(shredder.as_ref(), Ok(position));
            line.play(mv);
            seen.extend(compare(&line, &ply.after, &ways));
        }
        let _ = Chess::judge(&line, rules, Scope::Search { root: 0 });
    }
    for cause in [
        Cause::Checkmate,
        Cause::Stalemate,
        Cause::InsufficientMaterial,
        Cause::FiftyMoves,
        Cause::ThreefoldRepetition,
    ] {
        assert!(seen.contains(&cause), "no {cause} was compared");
    }
}
