//! `leitai show`: prints the board of a position.

use super::board::{print_board, read_line};
use super::prelude::*;
use leitai_report::board_svg;

/// Show the board of a position: as text, as a picture, or as JSON.
///
/// The last move goes from `( )` to `[ ]`; another highlighted place is in `< >`. A terminal shows
/// colours, unless `NO_COLOR` is set.
#[derive(Debug, Args)]
#[command(after_help = examples("show", "GAME --glyphs"))]
pub(super) struct Arguments {
    /// The game.
    #[arg(value_parser = games::parser())]
    game: Card,
    /// The position; by default the usual start.
    #[arg(long, allow_hyphen_values = true)]
    fen: Option<String>,
    /// Moves from that position, in any notation of the game.
    #[arg(long, default_value = "")]
    moves: String,
    /// Write pieces by their characters (帥, ●), not by letters.
    #[arg(long, conflicts_with_all = ["svg", "json"])]
    glyphs: bool,
    /// Print a picture instead of text.
    #[arg(long, conflicts_with = "json")]
    svg: Option<PathBuf>,
    /// Print JSON: `board`, and `fen`.
    #[arg(long)]
    json: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let mut files = CommandFiles::default();
    let svg = json_output::prepare("svg", arguments.svg.as_deref(), &mut files)?;
    let json = Json::prepare(arguments.json.as_ref(), &mut files)?;
    let line = read_line(arguments.game, arguments.fen.as_deref(), &arguments.moves)?;
    let (board, fen) = (line.view(), line.position().to_fen());
    let is_printed = json.is_printed();
    json.write(&serde_json::json!({ "board": board, "fen": fen }))?;
    if let Some(file) = svg {
        let Some(board) = board else {
            bail!(
                "{} does not describe its board: it has no picture",
                arguments.game.name()
            );
        };
        write_output(file, &board_svg(&board))?;
    } else if !is_printed {
        print_board(board.as_ref(), arguments.glyphs)?;
        print(&fen)?;
    }
    Ok(Exit::Success)
}
