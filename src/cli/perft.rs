//! `leitai perft`: count the leaves of the legal move tree.

use std::time::Instant;

use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value};

use super::Exit;
use super::common::{Game, Outcome, for_game, say, say_json};
use crate::game::{Position, divide, perft};

/// Count the leaves of the legal move tree, the check of every move generator.
///
/// Only legality counts: repetition and move-count rules are not applied. In
/// Othello a forced pass is a ply and a finished game is one leaf at its own
/// depth, as in the published tables.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Which game.
    game: Game,
    /// Depth in plies.
    #[arg(long, short, value_parser = clap::value_parser!(u32).range(0..=64))]
    depth: u32,
    /// The position; the usual start if not given.
    ///
    /// Xiangqi: a FEN. Othello: 64 squares from a1 to h8 (X black, O white,
    /// - empty), a blank, and the side to move.
    #[arg(long, allow_hyphen_values = true)]
    fen: Option<String>,
    /// List the leaves below each move.
    #[arg(long)]
    divide: bool,
    /// Print JSON: `{"nodes": N}`, with --divide also `"divide": {move: n}`.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer {
    nodes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Map<String, Value>>,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    for_game!(arguments.game, count(arguments))
}

fn count<P: Position>(arguments: &Arguments) -> Outcome {
    let mut position = match &arguments.fen {
        Some(fen) => P::from_fen(fen)?,
        None => P::initial(),
    };
    let start = Instant::now();
    let mut answer = Answer {
        nodes: 0,
        divide: None,
    };
    if arguments.divide {
        let mut lines: Vec<(String, u64)> = divide(&mut position, arguments.depth)
            .into_iter()
            .map(|(mv, nodes)| (P::move_text(mv), nodes))
            .collect();
        lines.sort_unstable();
        answer.nodes = if lines.is_empty() {
            perft(&mut position, arguments.depth)
        } else {
            lines.iter().map(|(_, nodes)| nodes).sum()
        };
        answer.divide = Some(
            lines
                .into_iter()
                .map(|(mv, nodes)| (mv, nodes.into()))
                .collect(),
        );
    } else {
        answer.nodes = perft(&mut position, arguments.depth);
    }
    let seconds = start.elapsed().as_secs_f64();

    if arguments.json {
        say_json(&answer)?;
        return Ok(Exit::Success);
    }
    for (mv, nodes) in answer.divide.iter().flatten() {
        say(&format!("{mv}: {nodes}"))?;
    }
    let rate = answer.nodes as f64 / seconds.max(1e-9) / 1e6;
    say(&format!(
        "{} leaves at depth {} ({rate:.1} million/s)",
        answer.nodes, arguments.depth
    ))?;
    Ok(Exit::Success)
}
