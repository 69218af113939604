//! Go block capture: a game ends with the target, by its liberties, or by its history.

use serde::Serialize;

use super::Arguments;
use crate::cli::Exit;
use crate::cli::board::{read_move, say_rows};
use crate::cli::common::{Outcome, say, say_json};
use crate::count::count;
use crate::game::{Cause, Line, Position, Verdict, View};
use crate::games::go::{Capture, GoRules};

#[derive(Serialize)]
struct Answer {
    result: &'static str,
    winner: Option<&'static str>,
    cause: Option<Cause>,
    /// Plies played until the verdict.
    plies: usize,
    /// Moves given beyond the end of the game.
    ignored: usize,
    /// The position then.
    fen: String,
    /// The board then.
    board: Option<View>,
}

pub(super) fn judge(arguments: &Arguments) -> Outcome {
    let usual = GoRules::default();
    let rules = GoRules {
        escape_liberties: arguments.escape_liberties.unwrap_or(usual.escape_liberties),
        ..usual
    };
    let start = match &arguments.fen {
        Some(fen) => Capture::from_fen(fen)?,
        None => Capture::initial(),
    };
    let mut line = Line::new(start);
    let mut verdict = line.verdict(rules);
    let mut moves = arguments.moves.split_whitespace();
    while verdict.is_none() {
        let Some(text) = moves.next() else { break };
        line.play(read_move(&line, text)?);
        verdict = line.verdict(rules);
    }
    let answer = Answer {
        result: verdict.map_or("ongoing", Verdict::result_text),
        winner: verdict
            .and_then(|verdict| verdict.winner)
            .map(|side| Capture::SIDE_NAMES[side.index()]),
        cause: verdict.map(|verdict| verdict.cause),
        plies: line.len(),
        ignored: moves.count(),
        fen: line.position().to_fen(),
        board: line.view(),
    };
    if arguments.json {
        say_json(&answer)?;
        return Ok(Exit::Success);
    }
    match (answer.winner, answer.cause) {
        (Some(winner), Some(cause)) => {
            let text = format!(
                "{winner} wins ({cause}) after {}",
                count(answer.plies as u64, "ply", "plies")
            );
            say(&text)?;
            if answer.ignored > 0 {
                let text = format!(
                    "({} beyond the end ignored)",
                    count(answer.ignored as u64, "move", "moves")
                );
                say(&text)?;
            }
        }
        _ => say(&format!(
            "ongoing after {}",
            count(answer.plies as u64, "ply", "plies")
        ))?,
    }
    say_rows(answer.board.as_ref())?;
    say(&answer.fen)?;
    Ok(Exit::Success)
}
