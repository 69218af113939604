//! Conversion of Leitai's moves and positions to an engine's notation and back, and validation of
//! its replies.

use super::probe::SearchReply;
use crate::player::{Choice, ChoiceResult, Failure};
use leitai_config::{Limits, Profile};
use leitai_game::Move;
use leitai_game::card::{AnyPosition, GameCard, Ways};
use leitai_protocols::Passing;

/// Notation of moves and positions of one engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Dialect {
    card: &'static dyn GameCard,
    ways: Ways,
}

impl Dialect {
    pub(crate) fn of(card: &'static dyn GameCard, profile: &Profile) -> Self {
        let ways = profile.ways();
        Self { card, ways }
    }

    /// Converts a FEN of Leitai.
    pub(crate) fn fen(self, fen: &str) -> String {
        (self.card.facts().fen_for)(&self.ways, fen)
    }

    /// Converts a move of Leitai.
    pub(crate) fn write(self, mv: Move) -> String {
        self.card.move_for(&self.ways, mv)
    }

    /// The engine's name for the game; empty if it plays no other.
    pub(crate) fn game(self) -> &'static str {
        self.card.program_game_name(&self.ways)
    }

    /// Converts a move of the engine to Leitai's notation; `None` if the text is no move.
    pub(crate) fn read(self, theirs: &str) -> Option<String> {
        (self.card.facts().move_from)(&self.ways, theirs)
    }
}

/// Converts a reply to a choice, if it is valid.
pub(crate) fn validate(
    search: &SearchReply,
    profile: &Profile,
    limits: &Limits,
    position: &dyn AnyPosition,
) -> ChoiceResult {
    let most = limits.nodes.map(|limit| profile.most_nodes(limit));
    if most.is_some_and(|most| search.most_nodes > Some(most)) {
        return Err(Failure::NodeOverrun);
    }
    let mv = parse_engine_move(profile, position, &search.text)?;
    Ok(Choice {
        mv: Some(mv),
        score: search.score,
        depth: search.depth.unwrap_or_default(),
        nodes: search.nodes.unwrap_or_default(),
    })
}

/// The legal move that an engine's text denotes: in its own form or, if the protocol allows it, in
/// any notation that the game reads.
///
/// # Errors
/// The text is not a move, or not a legal one.
pub fn parse_engine_move(
    profile: &Profile,
    position: &dyn AnyPosition,
    text: &str,
) -> Result<Move, Failure> {
    match Dialect::of(position.card(), profile).read(text) {
        Some(mv) => position.parse_move(&mv).map_err(|_| Failure::IllegalMove),
        None if profile.protocol.any_notation => {
            position.parse_move(text).map_err(|_| Failure::Malformed)
        }
        None => Err(Failure::Malformed),
    }
}

/// The forced pass of an engine whose protocol omits passes; `None` if there is a move to request.
pub fn unsent_pass(profile: &Profile, position: &dyn AnyPosition) -> Option<Choice> {
    if profile.passes != Passing::Omit || position.count_legal_moves() != 1 {
        return None;
    }
    let card = position.card();
    let is_pass = |text: &str| !text.is_empty() && text == card.facts().pass;
    let mut moves = position.moves().into_iter();
    let pass = moves.find(|&mv| is_pass(&card.move_text(mv)))?;
    Some(Choice {
        mv: Some(pass),
        score: None,
        depth: 0,
        nodes: 0,
    })
}
