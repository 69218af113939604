//! The moves that lead to the openings of a run, for engines that only know positions as moves from
//! the usual start.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use thiserror::Error;

use crate::schedule::{Book, Opening};
use leitai_base::count::quoted;
use leitai_config::{Config, Variant};
use leitai_game::Move;
use leitai_game::card::AnyPosition;
use leitai_protocols::Protocol;

/// Largest number of openings in a message.
const MAX_LISTED: usize = 3;

/// The moves from the usual start to openings, by the key of the position; empty if no engine needs
/// them.
#[derive(Clone, Debug, Default)]
pub struct Openings(Arc<HashMap<u64, Vec<Move>>>);

/// Openings that cannot be sent to an engine.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct UnsentOpenings(String);

impl Openings {
    /// Collects the moves to the openings of the book: those in the book, or those that the game
    /// finds.
    pub fn of(config: &Config, book: &Book) -> Self {
        if needing_moves(config).is_none() {
            return Self::default();
        }
        let openings = book.iter();
        let mut missed = 0;
        let known = openings.filter_map(|opening| {
            let moves = opening.moves.clone().map(Vec::from).or_else(|| {
                // A book with more such openings is refused, so the search can stop early.
                let found = (missed <= MAX_LISTED).then(|| opening.position().moves_from_initial());
                let found = found.flatten();
                missed += usize::from(found.is_none());
                found
            });
            Some((opening.position().key(), moves?))
        });
        Self(Arc::new(known.collect()))
    }

    /// Returns whether no engine needs the moves.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The moves that lead to the position; `None` if unknown.
    pub(crate) fn moves_to(&self, position: &dyn AnyPosition) -> Option<Vec<Move>> {
        let known = self.0.get(&position.key()).cloned();
        known.or_else(|| position.moves_from_initial())
    }

    /// Checks that all openings of a book can be sent to the engines of the config.
    ///
    /// # Errors
    /// Some openings cannot be sent.
    pub fn check(&self, config: &Config, book: &Book) -> Result<(), UnsentOpenings> {
        let Some((variant, protocol)) = needing_moves(config) else {
            return Ok(());
        };
        let is_unknown =
            |opening: &Cow<'_, Opening>| !self.0.contains_key(&opening.position().key());
        let unknown = book.iter().filter(is_unknown);
        let openings: Vec<String> = unknown.map(|opening| opening.id().into_owned()).collect();
        if openings.is_empty() {
            return Ok(());
        }
        let plural = if openings.len() == 1 { "" } else { "s" };
        let others = ["", " and others"][usize::from(openings.len() > MAX_LISTED)];
        Err(UnsentOpenings(format!(
            "the variant `{}` cannot start from the opening{plural} {}{others}: its protocol `{}` \
             has moves from the usual start and no positions, and no known moves lead there\n\
             help: give the openings as moves (`f5d6c3d3`), a line each, or use `nboard` if the \
             engine supports it",
            variant.name,
            quoted(openings.iter().take(MAX_LISTED)),
            protocol.name
        )))
    }
}

/// The first variant whose protocol has no positions, and the protocol.
fn needing_moves(config: &Config) -> Option<(&Variant, &'static Protocol)> {
    config.variants.iter().find_map(|variant| {
        let protocol = variant.program.as_ref()?.profile.protocol;
        protocol.moves_only.then_some((variant, protocol))
    })
}
