//! Answers in Leitai's words.

use super::dialect::Dialect;
use super::probe::Said;
use crate::card::AnyPosition;
use crate::config::{Limits, Passing, Profile, Protocol};
use crate::game::Move;
use crate::player::{Choice, Failure};

/// The answer in Leitai's words, if it can be believed.
pub(crate) fn validate(
    said: &Said,
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

/// The legal move that a program's text stands for here: in its own form or, by CECP, in
/// whatever notation the game reads.
///
/// # Errors
/// It is no move, or not a legal one.
pub fn read_in(profile: &Profile, position: &dyn AnyPosition, text: &str) -> Result<Move, Failure> {
    let read = Dialect::of(position.card(), profile).read(text);
    let any = profile.protocol == Protocol::Cecp;
    match read {
        Some(mv) => position.parse_move(&mv).map_err(|_| Failure::IllegalMove),
        None if any => position.parse_move(text).map_err(|_| Failure::Malformed),
        None => Err(Failure::Malformed),
    }
}

/// The pass that a program has to make and is not asked for, because passes are not
/// spoken of; `None` if there is anything to ask.
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
