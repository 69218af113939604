//! Parses positions and moves.

use super::command::PositionText;
use leitai_base::settings::Settings;
use leitai_game::card::{AnyLine, AnyPosition, GameCard, GameChoice, Protocol, Rules, Ways};
use leitai_game::{Move, MoveList};

/// Limit of moves in a game: more than any game has, and within the range of every counter.
const LONGEST_GAME: usize = 20_000;

/// Adds a move unless it is already in the list.
pub(super) fn push(moves: &mut MoveList, mv: Move) {
    if !moves.contains(&mv) {
        // The list holds all different legal moves, so it is never full.
        let _ = moves.try_push(mv);
    }
}

/// Formats a move in engine notation under these rules.
pub(super) fn written(card: &dyn GameCard, mv: Move, rules: &Rules) -> String {
    card.move_for(&Ways::of(Protocol::Uci).under(*rules), mv)
}

/// The game to search.
pub(super) struct Place {
    /// The game up to the present position.
    pub(super) line: Box<dyn AnyLine>,
    /// The rules for the rest of the game.
    pub(super) rules: Rules,
}

/// Replays the game of a received position, or returns the problem.
pub(super) fn read_place(game: &GameChoice, text: &PositionText) -> Result<Place, String> {
    let (start, rules) = match &text.fen {
        None => (game.initial(), game.rules),
        Some(fen) => {
            let read = game.card.asked_about(fen, &game.rules);
            read.map_err(|error| format!("position refused: {error}"))?
        }
    };
    if text.moves.len() > LONGEST_GAME {
        return Err(format!(
            "position refused: {} moves, at most {LONGEST_GAME}",
            text.moves.len()
        ));
    }
    let mut line = game.card.line(&*start);
    for (index, text) in text.moves.iter().enumerate() {
        let mv = read_move(line.position(), text, &rules).map_err(|reason| {
            let fen = line.position().to_fen();
            format!("position refused: ply {}: {reason} in {fen}", index + 1)
        })?;
        line.play(mv);
    }
    let rules = line.position().rules_to_go_on(&rules);
    Ok(Place { line, rules })
}

/// Parses a move in engine notation, also with other values of rules that programs choose: castling
/// in both forms, regardless of the Chess960 option. Other notations are errors.
pub(super) fn read_move(
    position: &dyn AnyPosition,
    text: &str,
    rules: &Rules,
) -> Result<Move, String> {
    let mv = position.parse_move(text);
    let mv = mv.map_err(|error| error.to_string())?;
    let card = position.card();
    let is_it = |rules: &Rules| written(card, mv, rules).eq_ignore_ascii_case(text);
    let mut chosen = card.facts().rule_options.iter();
    if is_it(rules) || chosen.any(|(_, name)| is_it(&flipped(rules, name))) {
        Ok(mv)
    } else {
        let written = written(card, mv, rules);
        Err(format!("`{text}` is not written as `{written}`"))
    }
}

/// Returns the rules with the named on-off rule flipped.
fn flipped(rules: &Rules, name: &str) -> Rules {
    let mut rules = *rules;
    if let Some(place) = rules.list().iter().position(|rule| rule.name == name) {
        rules.set(place, i64::from(rules.get(place) == 0));
    }
    rules
}
