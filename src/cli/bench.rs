//! `leitai bench`: the signature of the search, and its speed.

use super::prelude::*;
use crate::session::speed::{Bench, measure};

/// Search a fixed set of positions to a fixed depth with all features: the preset `full` and the
/// usual evaluation.
///
/// The total number of nodes is the signature of the search: a change that is not meant to affect
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
    show(json, &measure(arguments.game, arguments.depth)?)
}

fn show(json: Json, answer: &Bench) -> Outcome {
    let is_printed = json.is_printed();
    json.write(answer)?;
    if is_printed {
        return Ok(Exit::Success);
    }
    for row in &answer.positions {
        print(&format!("{:12} {:>12}", row.id, row.nodes))?;
    }
    print(&format!("depth        {:>12}", answer.depth))?;
    print(&format!("seconds      {:>12.3}", answer.seconds))?;
    print(&format!("nodes/second {:>12.0}", answer.nodes_per_second))?;
    print(&format!("nodes        {:>12}", answer.nodes))?;
    Ok(Exit::Success)
}
