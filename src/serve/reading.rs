//! From texts that came to positions and moves.

use super::command::{PositionText, count};
use crate::game::{Line, Move, MoveList, Position, PositionError};
use crate::games::xiangqi::Xiangqi;

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

/// Plies without a capture after which a game is drawn under the move limit.
const MOVE_LIMIT: u32 = 120;

/// What is to be searched.
pub(super) struct Place {
    /// The game so far.
    pub(super) line: Line<Xiangqi>,
    /// Whether the game has gone on beyond the move limit: the other program
    /// knows none, and would not give the draw that a search would play for.
    pub(super) beyond_limit: bool,
}

/// The game of a position as it came; else what is wrong with it.
pub(super) fn read_place(text: &PositionText) -> Result<Place, String> {
    let (start, beyond_limit) = match &text.fen {
        None => (Xiangqi::initial(), false),
        Some(fen) => read_fen(fen).map_err(|error| format!("position refused: {error}"))?,
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
    Ok(Place {
        beyond_limit: beyond_limit || line.position().quiet_plies() >= MOVE_LIMIT,
        line,
    })
}

/// Reads a FEN, and whether its clock stands beyond the move limit. Such a one
/// is read as 0.
fn read_fen(fen: &str) -> Result<(Xiangqi, bool), PositionError> {
    let mut fields: Vec<&str> = fen.split_whitespace().collect();
    // After the board and the side.
    let clock = fields.iter_mut().skip(2).find(|field| **field != "-");
    let clock = clock.filter(|field| count(field) >= Some(MOVE_LIMIT.into()));
    let Some(clock) = clock else {
        return Ok((Xiangqi::from_fen(fen)?, false));
    };
    *clock = "0";
    Ok((Xiangqi::from_fen(&fields.join(" "))?, true))
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
