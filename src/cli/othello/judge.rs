//! Othello: legality, passes and the score.

use crate::cli::board::print_rows;
use crate::cli::prelude::*;
use crate::cli::{JudgeInput, OwnJudge};
use leitai_base::foreign::Foreign;
use leitai_game::{Cause, Line, MoveList, Position, Side, Verdict, View, without_number};
use leitai_games::othello::{MoveFault, Othello, OthelloRules, PASS, Transcript, TranscriptError};

/// The referee.
pub(super) const JUDGE: OwnJudge = OwnJudge {
    help: "
Othello: passes may be left out or written (pass, pa, ps, --), and blanks too. A move that
is not legal, or one after the end of the game, is an error with its ply and the reason, and
the exit code is 1. JSON of Othello:
  legal            whether every move is legal
  error            null, or {ply, move, fault, reason, left_over} of the first illegal move:
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
  board            the board then",
    run: judge,
};

#[derive(Serialize)]
struct JudgeReport {
    legal: bool,
    error: Option<IllegalMove>,
    over: bool,
    result: &'static str,
    winner: Option<&'static str>,
    cause: Option<Cause>,
    final_score: Option<i32>,
    empties_to: &'static str,
    disc_difference: i32,
    black: u32,
    white: u32,
    empty: u32,
    plies: usize,
    passes: usize,
    passed: Vec<PassRow>,
    moves: Vec<String>,
    fen: String,
    side_to_move: &'static str,
    legal_moves: Vec<String>,
    board: Option<View>,
}

/// The first move that is not legal.
#[derive(Serialize)]
struct IllegalMove {
    ply: usize,
    #[serde(rename = "move")]
    text: Foreign,
    fault: &'static str,
    reason: String,
    left_over: usize,
}

impl IllegalMove {
    fn new(error: &TranscriptError) -> Self {
        Self {
            ply: error.ply,
            text: error.text.clone(),
            fault: error.fault.name(),
            reason: error.fault.to_string(),
            left_over: match error.fault {
                MoveFault::Over { left } => left,
                _ => 0,
            },
        }
    }
}

#[derive(Serialize)]
struct PassRow {
    ply: usize,
    side: &'static str,
    written: bool,
}

fn judge(arguments: JudgeInput) -> Outcome {
    let rules: OthelloRules = arguments.rules.typed();
    let start = match &arguments.fen {
        Some(fen) => Othello::from_fen(fen)?,
        None => Othello::initial(),
    };
    let words = arguments.moves.split_whitespace().map(without_number);
    let read = Transcript::read(&start, &words.collect::<Vec<_>>().join(" "));
    let report = JudgeReport::new(&read, rules);
    if !arguments.json.is_printed() {
        report.print()?;
    }
    arguments.json.write(&report)?;
    let Some(error) = &read.error else {
        return Ok(Exit::Success);
    };
    eprint(&format!("error: {error}"));
    if !report.over {
        eprint(&format!(
            "help: {} is to move at {}; legal: {}",
            report.side_to_move,
            report.fen,
            report.legal_moves.join(", ")
        ));
    }
    Ok(Exit::Failure)
}

impl JudgeReport {
    fn new(read: &Transcript, rules: OthelloRules) -> Self {
        let position = read.line.position();
        let mut legal = MoveList::new();
        position.legal_moves(&mut legal);
        let over = legal.is_empty();
        let verdict = over.then(|| position.verdict_without_moves());
        let discs = |side| position.discs(side).count_ones();
        let passed = passed(&read.line, &read.inserted);
        Self {
            legal: read.error.is_none(),
            error: read.error.as_ref().map(IllegalMove::new),
            over,
            result: verdict.map_or("ongoing", Verdict::result_text),
            winner: verdict.map(|verdict| verdict.winner.map_or("draw", name)),
            cause: verdict.map(|verdict| verdict.cause),
            final_score: over.then(|| position.final_score(Side::First, rules)),
            empties_to: rules.empties.name(),
            disc_difference: position.disc_difference(Side::First),
            black: discs(Side::First),
            white: discs(Side::Second),
            empty: position.empties(),
            plies: read.line.len(),
            passes: passed.len(),
            passed,
            moves: read.line.moves().map(Othello::move_text).collect(),
            fen: position.to_fen(),
            side_to_move: name(position.side_to_move()),
            legal_moves: legal.into_iter().map(Othello::move_text).collect(),
            board: read.line.view(),
        }
    }

    fn print(&self) -> Result<(), Failure> {
        let plies = count(self.plies as u64, "ply", "plies");
        match self.final_score {
            None => print(&format!(
                "ongoing after {plies}: {} to move",
                self.side_to_move
            ))?,
            Some(score) => {
                let empties = match self.empty {
                    0 => String::new(),
                    empty => format!(
                        " ({} for {})",
                        count(empty.into(), "empty square", "empty squares"),
                        self.empties_to
                    ),
                };
                let result = match self.winner {
                    Some("draw") | None => "draw".to_owned(),
                    Some(winner) => format!("{winner} wins"),
                };
                print(&format!(
                    "{result}, {score:+} for black{empties}, after {plies}"
                ))?;
            }
        }
        print(&format!(
            "discs: black {}, white {}, empty {}",
            self.black, self.white, self.empty
        ))?;
        if !self.passed.is_empty() {
            let plies = self.passed.iter().map(|pass| {
                let note = if pass.written { "" } else { ", not written" };
                format!("ply {} ({}{note})", pass.ply, pass.side)
            });
            let plies: Vec<String> = plies.collect();
            print(&format!("passes: {}", plies.join(", ")))?;
        }
        if !self.over {
            print(&format!("legal moves: {}", self.legal_moves.join(" ")))?;
        }
        print_rows(self.board.as_ref())?;
        print(&self.fen)
    }
}

const fn name(side: Side) -> &'static str {
    Othello::SIDE_NAMES[side.index()]
}

/// The passes of a line; those in `inserted` are missing in the transcript.
fn passed(line: &Line<Othello>, inserted: &[usize]) -> Vec<PassRow> {
    let first = line.start().side_to_move();
    (1..)
        .zip(line.moves())
        .filter(|&(_, mv)| mv == PASS)
        .map(|(ply, _)| PassRow {
            ply,
            side: name(if ply % 2 == 1 { first } else { first.other() }),
            written: !inserted.contains(&ply),
        })
        .collect()
}
