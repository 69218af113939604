//! Validation of engine replies.

use super::dialect::Dialect;
use super::probe::SearchReply;
use crate::player::{Choice, Failure};
use leitai_config::{Limits, Passing, Profile, Protocol};
use leitai_game::Move;
use leitai_game::card::AnyPosition;

/// Converts a reply to a choice, if it is valid.
pub(crate) fn validate(
    said: &SearchReply,
    profile: &Profile,
    limits: &Limits,
    position: &dyn AnyPosition,
) -> Result<Choice, Failure> {
    let nodes = said.nodes.unwrap_or_default();
    let most = limits.nodes.map(|limit| profile.most_nodes(limit));
    if most.is_some_and(|most| nodes > most) {
        return Err(Failure::NodeOverrun);
    }
    let mv = read_in(profile, position, &said.text)?;
    Ok(Choice {
        mv: Some(mv),
        score: said.score,
        depth: said.depth.unwrap_or_default(),
        nodes,
    })
}

/// The legal move that an engine's text denotes: in its own form or, with CECP, in any notation
/// that the game reads.
///
/// # Errors
/// The text is not a move, or not a legal one.
pub fn read_in(profile: &Profile, position: &dyn AnyPosition, text: &str) -> Result<Move, Failure> {
    let read = Dialect::of(position.card(), profile).read(text);
    let any = profile.protocol == Protocol::Cecp;
    match read {
        Some(mv) => position.parse_move(&mv).map_err(|_| Failure::IllegalMove),
        None if any => position.parse_move(text).map_err(|_| Failure::Malformed),
        None => Err(Failure::Malformed),
    }
}

/// The forced pass of an engine whose protocol omits passes; `None` if there is a move to request.
pub fn silent_pass(profile: &Profile, position: &dyn AnyPosition) -> Option<Choice> {
    if profile.passes != Passing::Omit || position.count_legal_moves() != 1 {
        return None;
    }
    let dialect = Dialect::of(position.card(), profile);
    let pass = position
        .moves()
        .into_iter()
        .find(|&mv| dialect.is_pass(&position.card().move_text(mv)))?;
    Some(Choice {
        mv: Some(pass),
        score: None,
        depth: 0,
        nodes: 0,
    })
}
