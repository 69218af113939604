//! `leitai judge`: the referee's verdict on a list of moves.

use anyhow::Context;
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::Exit;
use super::common::{Outcome, say, say_json};
use crate::game::xiangqi::{RepetitionRule, Xiangqi, XiangqiRules};
use crate::game::{Cause, Line, Position, Verdict};

/// Judge a list of moves: has the game ended, who won, and why.
///
/// The moves are played one by one and judged after each. The first verdict
/// stands; moves given beyond it are ignored and counted.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Which game.
    game: JudgedGame,
    /// The position before the first move; the usual start if not given.
    #[arg(long)]
    fen: Option<String>,
    /// The moves, separated by blanks, in any notation of the game.
    #[arg(long, default_value = "")]
    moves: String,
    /// How a threefold repetition is judged.
    #[arg(long, default_value = "computer")]
    rule: Rule,
    /// Print JSON: `{"result": …, "cause": …, "plies": N, "ignored": N, "fen": …}`.
    #[arg(long)]
    json: bool,
}

/// The games whose history the referee judges.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum JudgedGame {
    /// Chinese chess
    Xiangqi,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Rule {
    /// Only perpetual check loses.
    Check,
    /// Perpetual check and perpetual chase lose.
    Computer,
}

impl From<Rule> for RepetitionRule {
    fn from(rule: Rule) -> Self {
        match rule {
            Rule::Check => RepetitionRule::Check,
            Rule::Computer => RepetitionRule::Computer,
        }
    }
}

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
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let JudgedGame::Xiangqi = arguments.game;
    let repetition = arguments.rule.into();
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
        let mv = line
            .position()
            .parse_move(text)
            .with_context(|| format!("ply {}, at {}", line.len() + 1, line.position().to_fen()))?;
        line.play(mv);
        verdict = line.verdict(rules);
    }
    let answer = Answer {
        result: verdict.map_or("ongoing", Verdict::result_text),
        cause: verdict.map(|verdict| verdict.cause),
        plies: line.len(),
        ignored: moves.count(),
        fen: line.position().to_fen(),
    };
    if arguments.json {
        say_json(&answer)?;
    } else {
        match answer.cause {
            None => say(&format!("ongoing after {} plies", answer.plies))?,
            Some(cause) => {
                say(&format!(
                    "{} by {cause} after {} plies",
                    answer.result, answer.plies
                ))?;
                if answer.ignored > 0 {
                    say(&format!(
                        "({} moves beyond the end ignored)",
                        answer.ignored
                    ))?;
                }
            }
        }
    }
    Ok(Exit::Success)
}

/// The start is judged by its legal moves only: no history, no rule on it.
fn no_moves(line: &Line<Xiangqi>) -> Option<Verdict> {
    (line.position().count_legal_moves() == 0).then(|| line.position().verdict_without_moves())
}
