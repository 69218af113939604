//! `leitai judge`: the referee's verdict on a list of moves.

mod othello;
mod xiangqi;

use anyhow::bail;
use clap::{Args, ValueEnum};

use super::common::{Game, Outcome};
use crate::game::othello::EmptySquares;
use crate::game::xiangqi::RepetitionRule;

/// Judge a list of moves: are they legal, has the game ended, who won, and why.
///
/// Xiangqi: the moves are played one by one and judged after each. The first
/// verdict stands; moves given beyond it are ignored and counted.
///
/// Othello: passes may be left out or written (pass, pa, ps, --). A move that is
/// not legal, or one after the end of the game, is told with its ply and the
/// reason, and the exit code is 1.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  leitai judge xiangqi --moves \"h2e2 h9g7\"
  leitai judge othello --moves f5d6c3d3c4 --json
  leitai judge othello --fen \"<64 squares> X\" --moves \"a1 pass b2\" --empties nobody

JSON of Xiangqi: result, cause, plies, ignored (moves beyond the end), fen.
JSON of Othello:
  legal            whether every move is legal
  error            null, or {ply, move, fault, reason, left_over} of the first that is not:
                   fault is no-move, occupied, turns-nothing, may-not-pass or game-over,
                   left_over the number of moves after the end
  over, result, winner, cause   of the game so far (1-0: black won)
  final_score      null, or disc difference for black, the empty squares counted by the rule
  empties_to       winner or nobody: that rule
  disc_difference, black, white, empty   discs on the board
  plies, passes    played, passes included; passed lists each: {ply, side, written}
  moves            as played, every pass written
  fen, side_to_move   the position then
  legal_moves      there: [\"pass\"] if a pass is forced, [] if the game is over")]
pub(super) struct Arguments {
    /// Which game.
    game: Game,
    /// The position before the first move; the usual start if not given.
    #[arg(long, allow_hyphen_values = true)]
    fen: Option<String>,
    /// The moves, in any notation of the game. Xiangqi: separated by blanks.
    #[arg(long, default_value = "", allow_hyphen_values = true)]
    moves: String,
    /// Xiangqi: how a threefold repetition is judged; `computer` if not given.
    #[arg(long)]
    rule: Option<Rule>,
    /// Othello: who gets the squares that stay empty; `winner` if not given.
    #[arg(long)]
    empties: Option<Empties>,
    /// Print JSON; see below.
    #[arg(long)]
    json: bool,
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

/// Who gets the squares that stay empty in Othello.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Empties {
    /// The winner.
    Winner,
    /// Nobody: only discs count.
    Nobody,
}

impl From<Empties> for EmptySquares {
    fn from(empties: Empties) -> Self {
        match empties {
            Empties::Winner => EmptySquares::Winner,
            Empties::Nobody => EmptySquares::Nobody,
        }
    }
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    match (arguments.game, arguments.rule, arguments.empties) {
        (Game::Xiangqi, _, Some(_)) => bail!("--empties is a rule of Othello: leave it out"),
        (Game::Othello, Some(_), _) => bail!("--rule is a rule of Xiangqi: leave it out"),
        (Game::Xiangqi, ..) => xiangqi::judge(arguments),
        (Game::Othello, ..) => othello::judge(arguments),
    }
}
