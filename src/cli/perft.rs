//! `leitai perft`: counts the leaves of the legal move tree.

use serde_json::{Map, Value};

use super::board::read_start;
use super::prelude::*;
use super::rules::RuleArguments;
use leitai_game::card::{Ways, divide};
use leitai_game::protocol::UCI;

/// Count the leaves of the legal move tree, the check of every move generator.
///
/// Only legality matters: rules of repetition and of move counts are ignored. A forced pass is a
/// ply. In games whose published tables do so (Reversi), a game that ends before the depth counts
/// as one leaf; with --full-depth it counts as none.
#[derive(Debug, Args)]
#[command(after_help = examples("perft", "GAME --depth 4"))]
pub(super) struct Arguments {
    /// The game.
    #[arg(value_parser = games::parser())]
    game: Card,
    /// Depth in plies.
    #[arg(long, short, value_parser = clap::value_parser!(u32).range(0..=64))]
    depth: u32,
    /// The position in the game's notation (as `leitai show` prints it); by default the usual
    /// start.
    #[arg(long, allow_hyphen_values = true)]
    fen: Option<String>,
    /// Count only leaves at the full depth, not games that end earlier.
    #[arg(long)]
    full_depth: bool,
    /// List the leaves below each move.
    #[arg(long)]
    divide: bool,
    #[command(flatten)]
    rules: RuleArguments,
    #[command(flatten)]
    threads: Threads,
    /// Print JSON: `{"nodes": N}`, with --divide also `"divide": {move: n}`.
    #[arg(long)]
    json: Option<PathBuf>,
}

#[derive(Serialize)]
struct PerftOutput {
    nodes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Map<String, Value>>,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let json = Json::for_inputs(arguments.json.as_ref(), [])?;
    let card = arguments.game;
    let rules = arguments.rules.only_of(card)?.rules;
    let line = read_start(card, arguments.fen.as_deref())?;
    let position = line.position();
    let (depth, full) = (arguments.depth, arguments.full_depth);
    let start = Instant::now();
    let below = divide(position, depth, full, arguments.threads.get());
    let ways = Ways::of(UCI).under(rules);
    let text = |(mv, leaves)| (card.move_for(&ways, mv), leaves);
    let mut lines: Vec<(String, u64)> = below.into_iter().map(text).collect();
    lines.sort_unstable();
    let nodes = if lines.is_empty() {
        position.perft(depth, full)
    } else {
        lines.iter().map(|(_, nodes)| nodes).sum()
    };
    let lines = lines.into_iter().map(|(mv, nodes)| (mv, nodes.into()));
    let answer = PerftOutput {
        nodes,
        divide: arguments.divide.then(|| lines.collect()),
    };
    let seconds = start.elapsed().as_secs_f64();

    json.answer(&answer, || {
        let divide = answer.divide.iter().flatten();
        let divide = divide.map(|(mv, nodes)| format!("{mv}: {nodes}\n"));
        format!(
            "{}{nodes} leaves at depth {depth} ({:.1} million/s)",
            divide.collect::<String>(),
            nodes as f64 / seconds.max(1e-9) / 1e6
        )
    })
}
