//! `leitai judge`: the referee's verdict on a list of moves.

mod go;
mod othello;
mod xiangqi;

use anyhow::bail;
use clap::{Args, ValueEnum};

use super::common::Outcome;
use super::games::{self, Card};
use crate::games::go::GoRules;
use crate::games::othello::EmptySquares;
use crate::games::xiangqi::RepetitionRule;

/// Judge a list of moves: are they legal, has the game ended, who won, and why.
///
/// Xiangqi: the moves are played one by one and judged after each. The first
/// verdict stands; moves given beyond it are ignored and counted.
///
/// Othello: passes may be left out or written (pass, pa, ps, --). A move that is
/// not legal, or one after the end of the game, is told with its ply and the
/// reason, and the exit code is 1.
///
/// Go block capture: the moves are points such as D4 and the defender's `pass`; the
/// first verdict stands.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  leitai judge xiangqi --moves \"h2e2 h9g7\"
  leitai judge othello --moves f5d6c3d3c4 --json
  leitai judge go --moves \"D5 C4 D3\" --escape-liberties 4
  leitai judge othello --fen \"<64 squares> X\" --moves \"a1 pass b2\" --empties nobody

JSON of Xiangqi: result, cause, plies, ignored (moves beyond the end), fen, board.
JSON of Go: the same and winner (attacker or defender).
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
  legal_moves      there: [\"pass\"] if a pass is forced, [] if the game is over
  board            what the board shows then")]
pub(super) struct Arguments {
    /// Which game.
    #[arg(value_parser = games::parser())]
    game: Card,
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
    /// Go: the defender has won with so many liberties, the attacker to move; 5 if not
    /// given, 0 asks for none.
    #[arg(long, value_name = "N", value_parser = escape_liberties)]
    escape_liberties: Option<u32>,
    /// Print JSON; see below.
    #[arg(long)]
    json: bool,
}

fn escape_liberties(text: &str) -> Result<u32, String> {
    let range = GoRules::ESCAPE_LIBERTIES;
    let number = text.parse().ok();
    number
        .filter(|number| *number == 0 || range.contains(number))
        .ok_or_else(|| format!("give 0, or {} to {}", range.start(), range.end()))
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
    let rules = [
        ("--rule", arguments.rule.is_some(), "xiangqi", "Xiangqi"),
        (
            "--empties",
            arguments.empties.is_some(),
            "othello",
            "Othello",
        ),
        (
            "--escape-liberties",
            arguments.escape_liberties.is_some(),
            "go",
            "Go",
        ),
    ];
    for (option, given, game, name) in rules {
        if given && game != arguments.game.name() {
            bail!("{option} is a rule of {name}: leave it out");
        }
    }
    match arguments.game.name() {
        "xiangqi" => xiangqi::judge(arguments),
        "othello" => othello::judge(arguments),
        _ => go::judge(arguments),
    }
}
