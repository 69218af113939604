//! What is said when a player's failure stops a run.

use serde::Serialize;

use super::Exit;
use super::terminal::note;
use crate::config::Variant;
use crate::game::Cause;
use crate::schedule::Book;
use crate::tournament::{Ending, Plan, Stop, TunePlan};

/// The failure that stopped a run, for a script.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Stopped {
    pair: u64,
    /// From 1, as everywhere in words.
    game: usize,
    opening: String,
    variant: String,
    cause: Cause,
}

impl Stopped {
    /// The failure that an ending tells of, if it does.
    pub(super) fn of(plan: &Plan, ending: &Ending) -> Option<Self> {
        match ending {
            Ending::Complete | Ending::Cancelled => None,
            Ending::Stopped(stop) => Some(Self::in_pair(plan, stop)),
        }
    }

    fn in_pair(plan: &Plan, stop: &Stop) -> Self {
        Self::new(stop, &plan.book, &plan.config.variants[stop.fault.variant])
    }

    /// The failure that stopped a tune, whose players are one variant.
    pub(super) fn in_batch(plan: &TunePlan, stop: &Stop) -> Self {
        Self::new(stop, &plan.book, plan.start())
    }

    fn new(stop: &Stop, book: &Book, variant: &Variant) -> Self {
        Self {
            pair: stop.pair,
            game: stop.fault.game + 1,
            opening: book.openings[stop.opening].id.clone(),
            variant: variant.name.clone(),
            cause: stop.fault.cause,
        }
    }

    /// Tells on standard error who failed where, and what to do: `again` is the
    /// command that carries on.
    pub(super) fn tell(&self, again: &str) -> Exit {
        let Self {
            pair,
            game,
            opening,
            variant,
            cause,
        } = self;
        note(&format!(
            "error: the variant `{variant}` failed: {cause} in game {game} of pair {pair}, from \
             the opening `{opening}`\n\
             help: `[failures]` stops the run at this; the pair is not recorded, all others that \
             were played are. Fix the program or the machine, then this carries on with that \
             pair:\n  {again}\n\
             help: a changed program file, or `replay` or `lose` for `{cause}` under \
             `[failures]`, is another run"
        ));
        Exit::PlayerFailed
    }
}

/// Tells on standard error who failed where; see [`Stopped::tell`].
pub(super) fn tell(plan: &Plan, stop: &Stop, again: &str) -> Exit {
    Stopped::in_pair(plan, stop).tell(again)
}
