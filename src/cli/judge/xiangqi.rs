//! Xiangqi: a game ends by mate, stalemate, or its history.

use serde::Serialize;

use super::{Arguments, Rule};
use crate::cli::Exit;
use crate::cli::board::{read_move, say_rows};
use crate::cli::common::{Outcome, say, say_json};
use crate::count::count;
use crate::game::{Cause, Line, Position, Verdict, View};
use crate::games::xiangqi::{Xiangqi, XiangqiRules};

#[derive(Serialize)]
struct Answer {
    result: &'static str,
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
    let repetition = arguments.rule.unwrap_or(Rule::Computer).into();
    let rules = XiangqiRules {
        repetition,
        ..XiangqiRules::default()
    };
    let start = match &arguments.fen {
        Some(fen) => Xiangqi::from_fen(fen)?,
        None => Xiangqi::initial(),
    };
    let mut line = Line::new(start);
    let mut verdict = no_moves(&line);
    let mut moves = arguments.moves.split_whitespace();
    while verdict.is_none() {
        let Some(text) = moves.next() else { break };
        line.play(read_move(&line, text)?);
        verdict = line.verdict(rules);
    }
    let answer = Answer {
        result: verdict.map_or("ongoing", Verdict::result_text),
        cause: verdict.map(|verdict| verdict.cause),
        plies: line.len(),
        ignored: moves.count(),
        fen: line.position().to_fen(),
        board: line.view(),
    };
    if arguments.json {
        say_json(&answer)?;
    } else {
        match answer.cause {
            None => say(&format!(
                "ongoing after {}",
                count(answer.plies as u64, "ply", "plies")
            ))?,
            Some(cause) => {
                say(&format!(
                    "{} by {cause} after {}",
                    answer.result,
                    count(answer.plies as u64, "ply", "plies")
                ))?;
                if answer.ignored > 0 {
                    say(&format!(
                        "({} beyond the end ignored)",
                        count(answer.ignored as u64, "move", "moves")
                    ))?;
                }
            }
        }
        say_rows(answer.board.as_ref())?;
    }
    Ok(Exit::Success)
}

/// The start is judged by its legal moves only: no history, no rule on it.
fn no_moves(line: &Line<Xiangqi>) -> Option<Verdict> {
    (line.position().count_legal_moves() == 0).then(|| line.position().verdict_without_moves())
}
