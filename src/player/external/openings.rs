//! How the openings of a run came about, for programs that know no positions but
//! those that moves lead to.

use std::collections::HashMap;
use std::sync::Arc;

use thiserror::Error;

use crate::card::AnyPosition;
use crate::config::{Config, Protocol, Variant};
use crate::count::quoted;
use crate::game::Move;
use crate::schedule::Book;

/// How many openings a message names.
const NAMED: usize = 3;

/// The moves that lead to openings from the usual start, by the key of the position;
/// where no program needs them there are none.
#[derive(Clone, Debug, Default)]
pub struct Openings(Arc<HashMap<u64, Vec<Move>>>);

/// Openings that a program cannot be told.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "the variant `{variant}` cannot be told {}: its protocol `{protocol}` knows moves from the \
     usual start and no positions, and no moves are known that lead there\nhelp: give the \
     openings as moves (`f5d6c3d3`), a line each, or let it speak `nboard` if it can",
    listed(.openings)
)]
pub struct UntoldOpenings {
    /// The variant.
    variant: String,
    /// Its protocol.
    protocol: &'static str,
    /// The names of the openings.
    openings: Vec<String>,
}

fn listed(names: &[String]) -> String {
    let mut text = quoted(names.iter().take(NAMED));
    if names.len() > NAMED {
        text += " and others";
    }
    match names.len() {
        1 => format!("the opening {text}"),
        _ => format!("the openings {text}"),
    }
}

/// Whether programs of the protocol know no positions.
pub(crate) fn needs_moves(protocol: Protocol) -> bool {
    protocol == Protocol::Gtp
}

impl Openings {
    /// What is known of the openings in the book: the moves that stand there, or
    /// those that the game finds.
    pub fn of(config: &Config, book: &Book) -> Self {
        if needing_moves(config).is_none() {
            return Self::default();
        }
        let openings = book.openings.iter();
        let mut missed = 0;
        let known = openings.filter_map(|opening| {
            let moves = opening.moves.clone().map(Vec::from).or_else(|| {
                // A book of such openings is refused, and that need not take long.
                let found = (missed <= NAMED).then(|| opening.position().moves_from_initial());
                let found = found.flatten();
                missed += usize::from(found.is_none());
                found
            });
            Some((opening.position().key(), moves?))
        });
        Self(Arc::new(known.collect()))
    }

    /// Whether no program has to be told how the openings came about.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The moves that lead to the position; `None` if nobody knows them.
    pub(crate) fn moves_to(&self, position: &dyn AnyPosition) -> Option<Vec<Move>> {
        let known = self.0.get(&position.key()).cloned();
        known.or_else(|| position.moves_from_initial())
    }

    /// Refuses a book with openings that a program of the config cannot be told.
    ///
    /// # Errors
    /// There are such openings.
    pub fn check(&self, config: &Config, book: &Book) -> Result<(), UntoldOpenings> {
        let Some((variant, protocol)) = needing_moves(config) else {
            return Ok(());
        };
        let untold = book.openings.iter().filter(|opening| {
            let key = opening.position().key();
            !self.0.contains_key(&key)
        });
        let openings: Vec<String> = untold.map(|opening| opening.id().into_owned()).collect();
        if openings.is_empty() {
            return Ok(());
        }
        Err(UntoldOpenings {
            variant: variant.name.clone(),
            protocol: protocol.name(),
            openings,
        })
    }
}

/// The first program that knows no positions, and its protocol.
fn needing_moves(config: &Config) -> Option<(&Variant, Protocol)> {
    config.variants.iter().find_map(|variant| {
        let protocol = variant.program.as_ref()?.profile.protocol;
        needs_moves(protocol).then_some((variant, protocol))
    })
}
