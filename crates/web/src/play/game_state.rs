//! The state of a game as sent to a page.

use serde::Serialize;
use serde_json::{Value, json};

use leitai_game::card::AnyLine;
use leitai_report::page::{Boards, GameData, SelectableMove};
use leitai_session::human::Line;

/// The state of a game: the data of a viewer, and the possible actions.
#[derive(Serialize)]
pub(super) struct GameState {
    #[serde(flatten)]
    pub(super) boards: Boards,
    pub(super) players: [String; 2],
    pub(super) games: Vec<GameData>,
    pub(super) version: u64,
    /// The side that the person plays: 0, 1, or `None` for both.
    pub(super) human: Option<usize>,
    /// The kind of search: `move`, `hint` or `analysis`.
    pub(super) thinking: Option<&'static str>,
    /// The legal moves, if the person is to move.
    pub(super) legal: Vec<SelectableMove>,
    /// The lines found for the position.
    pub(super) lines: Vec<Value>,
    pub(super) message: String,
}

/// A line of play, as JSON: the cells of its first move, the score from the point of view of the
/// side that moves first in the game, and the moves.
pub(super) fn line_view(line: &dyn AnyLine, found: &Line) -> Value {
    let side = line.position().side_to_move().index();
    let first = found.moves.first();
    json!({
        "cells": first.map_or_else(Vec::new, |&mv| Boards::cells_of(line, mv)),
        "score": found.score.map(|score| if side == 0 { score } else { -score }),
        "depth": found.depth,
        "nodes": found.nodes,
        "millis": found.time.as_millis() as u64,
        "words": Boards::written(line, &found.moves),
    })
}
