//! Answers in Leitai's words.

use super::dialect::Dialect;
use super::probe::Said;
use crate::card::AnyPosition;
use crate::config::{Limits, Passing, Profile};
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
    let mv = Dialect::of(position.card(), profile)
        .read(&said.text)
        .ok_or(Failure::Malformed)?;
    let mv = position.parse_move(&mv).map_err(|_| Failure::IllegalMove)?;
    Ok(Choice {
        mv: Some(mv),
        score: said.score,
        depth: said.depth.unwrap_or_default(),
        nodes,
    })
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
