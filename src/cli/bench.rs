//! `leitai bench`: the signature of the search, and its speed.

use super::prelude::*;
use leitai_session::speed::{Bench, measure};

/// Search a fixed set of positions, and print the signature and the speed of the search.
///
/// Searches to a fixed depth with the preset `full` and the usual evaluation. The total number of nodes is the signature of the search: a change that is not meant to affect
/// the search keeps the signature. The speed is that of one thread.
#[derive(Debug, Args)]
#[command(after_help = examples("bench", "GAME --json"))]
pub(super) struct Arguments {
    /// The game.
    #[arg(default_value = games::first(), value_parser = games::parser())]
    game: Card,
    /// Depth in plies; by default one that takes about a second for the game.
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    depth: Option<u32>,
    /// Print JSON.
    #[arg(long)]
    json: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let json = Json::for_inputs(arguments.json.as_ref(), [])?;
    let answer = measure(arguments.game, arguments.depth)?;
    json.answer(&answer, || text(&answer))
}

fn text(answer: &Bench) -> String {
    let rows = answer.positions.iter();
    let rows = rows.map(|row| format!("{:12} {:>12}\n", row.id, row.nodes));
    format!(
        "{}depth        {:>12}\nseconds      {:>12.3}\nnodes/second {:>12.0}\nnodes        {:>12}",
        rows.collect::<String>(),
        answer.depth,
        answer.seconds,
        answer.nodes_per_second,
        answer.nodes
    )
}
