//! `leitai analyze`: search one position with a variant of a config.

use super::board::{print_board, read_line};
use super::prelude::*;
use leitai_config::{GameChoice, Variant, full_variant};
use leitai_game::View;
use leitai_game::card::AnyLine;
use leitai_game::search::SearchLimits;
use leitai_players::player::thinker;

/// Search one position with the full search, or with a variant of a config.
///
/// The limits are those of the command line, else those of the config, else a million nodes. The
/// score is that of the side to move; a node is a move made below the root. The depth is that of
/// the last finished iteration. If a node limit ends the next iteration after it has searched the
/// best move so far, best move, score and pv are those of the unfinished iteration.
#[derive(Debug, Args)]
#[command(after_help = examples("analyze", "GAME --nodes 200000"))]
pub(super) struct Arguments {
    /// The game.
    #[arg(value_parser = games::parser())]
    game: Card,
    #[command(flatten)]
    player: VariantChoice,
    /// The position; by default the usual start.
    #[arg(long, allow_hyphen_values = true)]
    fen: Option<String>,
    /// Moves from that position, in any notation of the game.
    #[arg(long, default_value = "")]
    moves: String,
    /// Maximum depth in plies.
    #[arg(long, short, value_parser = clap::value_parser!(u32).range(1..=64))]
    depth: Option<u32>,
    /// Maximum number of nodes, never exceeded.
    #[arg(long, short)]
    nodes: Option<u64>,
    /// Print JSON: `{"best_move", "score", "depth", "nodes", "pv", "board"}`.
    #[arg(long)]
    json: Option<PathBuf>,
}

#[derive(Serialize)]
struct AnalysisOutput {
    /// `None` if the game has ended.
    best_move: Option<String>,
    score: i32,
    depth: u32,
    nodes: u64,
    pv: Vec<String>,
    /// The searched position.
    board: Option<View>,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let json = Json::for_inputs(arguments.json.as_ref(), &arguments.player.config)?;
    let (variant, game, usual) = player(arguments)?;
    let card = arguments.game;
    let Some(mut thinker) = thinker(&variant, &game) else {
        bail!("`{}` does not search {}", variant.name, card.name());
    };
    let line = read_line(card, arguments.fen.as_deref(), &arguments.moves)?;
    let limits = if arguments.depth.is_some() || arguments.nodes.is_some() {
        SearchLimits {
            nodes: arguments.nodes,
            depth: arguments.depth,
        }
    } else {
        usual
    };
    if limits.nodes.is_none() && limits.depth.is_none() {
        bail!("no limit: give --depth or --nodes (the config limits time only)");
    }

    if variant.search.solver.is_some() && limits.nodes.is_none() {
        bail!("a solver goes by nodes, not by depth: give --nodes");
    }
    thinker.new_game();
    let began = Instant::now();
    let report = thinker.run(&*line, &limits, &|| false, None);
    let seconds = began.elapsed().as_secs_f64();
    let position = line.position();
    let is_legal = report.best.is_some_and(|mv| position.is_legal(mv));
    if variant.player.is_some() && !is_legal && position.count_legal_moves() > 0 {
        bail!("`{}` chooses no legal move here", variant.name);
    }
    let answer = AnalysisOutput {
        best_move: report.best.map(|mv| card.move_text(mv)),
        score: report.score,
        depth: report.depth,
        nodes: report.nodes,
        pv: report.pv.iter().map(|&mv| card.move_text(mv)).collect(),
        board: line.view(),
    };
    if !json.is_printed() {
        print_board(answer.board.as_ref(), false)?;
    }
    json.answer(&answer, || {
        let best = answer.best_move.as_deref();
        format!(
            "best move  {}\nscore      {} for {}\ndepth      {}\n\
             nodes      {} ({:.2} million/s)\npv         {}",
            best.unwrap_or("none: the game is over"),
            answer.score,
            side(&*line),
            answer.depth,
            answer.nodes,
            answer.nodes as f64 / seconds.max(1e-9) / 1e6,
            answer.pv.join(" ")
        )
    })
}

/// Returns the variant, the game, and the limits that apply without those of the command line.
fn player(arguments: &Arguments) -> Result<(Variant, GameChoice, SearchLimits), Failure> {
    let card = arguments.game;
    let Some((variant, config)) = arguments.player.load(card)? else {
        let game = GameChoice::usual(card);
        let usual = SearchLimits {
            nodes: Some(DEFAULT_NODES),
            depth: None,
        };
        return Ok((full_variant(game)?, game, usual));
    };
    let usual = SearchLimits {
        nodes: config.limits.nodes,
        depth: config.limits.depth,
    };
    Ok((variant, config.game, usual))
}

/// Number of nodes that takes about a second.
const DEFAULT_NODES: u64 = 1_000_000;

fn side(line: &dyn AnyLine) -> &'static str {
    let position = line.position();
    position.card().side_names()[position.side_to_move().index()]
}
