//! From texts that came to positions and moves.

use super::command::PositionText;
use crate::game::xiangqi::Xiangqi;
use crate::game::{Line, Move, MoveList, Position};

/// The most moves that a game may have: more than any has, and few enough for
/// every counter.
const LONGEST_GAME: usize = 20_000;

/// Adds a move that is not there yet.
pub(super) fn push(moves: &mut MoveList, mv: Move) {
    if !moves.contains(&mv) {
        // Never full: these are different legal moves.
        let _ = moves.try_push(mv);
    }
}

/// The line of a position as it came; else what is wrong with it.
pub(super) fn read_line(text: &PositionText) -> Result<Line<Xiangqi>, String> {
    let start = match &text.fen {
        None => Xiangqi::initial(),
        Some(fen) => {
            Xiangqi::from_fen(fen).map_err(|error| format!("position refused: {error}"))?
        }
    };
    if text.moves.len() > LONGEST_GAME {
        return Err(format!(
            "position refused: {} moves, at most {LONGEST_GAME}",
            text.moves.len()
        ));
    }
    let mut line = Line::new(start);
    for (index, text) in text.moves.iter().enumerate() {
        let mv = read_move(line.position(), text).map_err(|reason| {
            let fen = line.position().to_fen();
            format!("position refused: ply {}: {reason} in {fen}", index + 1)
        })?;
        line.play(mv);
    }
    Ok(line)
}

/// Reads a move as engines write it, and in no other notation.
pub(super) fn read_move(position: &Xiangqi, text: &str) -> Result<Move, String> {
    let mv = position.parse_move(text);
    let mv = mv.map_err(|error| error.to_string())?;
    if Xiangqi::move_text(mv).eq_ignore_ascii_case(text) {
        Ok(mv)
    } else {
        Err(format!(
            "`{text}` is not written as `{}`",
            Xiangqi::move_text(mv)
        ))
    }
}
