//! What is said when a player's failure stops a run.

use serde::Serialize;

use super::Exit;
use super::common::note;
use crate::game::Cause;
use crate::player::Playable;
use crate::tournament::{Ending, Plan, Stop};

/// The failure that stopped a run, for a script.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Stopped<'a> {
    pair: u64,
    /// From 1, as everywhere in words.
    game: usize,
    opening: &'a str,
    variant: &'a str,
    cause: Cause,
}

impl<'a> Stopped<'a> {
    /// The failure that an ending tells of, if it does.
    pub(super) fn of<P: Playable>(plan: &'a Plan<P>, ending: &Ending) -> Option<Self> {
        match ending {
            Ending::Complete | Ending::Cancelled => None,
            Ending::Stopped(stop) => Some(Self::new(plan, stop)),
        }
    }

    fn new<P: Playable>(plan: &'a Plan<P>, stop: &Stop) -> Self {
        Self {
            pair: stop.pair,
            game: stop.fault.game + 1,
            opening: &plan.book.openings[stop.opening].id,
            variant: &plan.config.variants[stop.fault.variant].name,
            cause: stop.fault.cause,
        }
    }
}

/// Tells on standard error who failed where, and what to do: `again` is the
/// command that carries on.
pub(super) fn tell<P: Playable>(plan: &Plan<P>, stop: &Stop, again: &str) -> Exit {
    let Stopped {
        pair,
        game,
        opening,
        variant,
        cause,
    } = Stopped::new(plan, stop);
    note(&format!(
        "error: the variant `{variant}` failed: {cause} in game {game} of pair {pair}, from the \
         opening `{opening}`\n\
         help: `[failures]` stops the run at this; the pair is not recorded, all others that were \
         played are. Mend the program or the machine, then this carries on with that pair:\n  \
         {again}\n\
         help: a changed program file, or `replay` or `lose` for `{cause}` under `[failures]`, is \
         another run"
    ));
    Exit::PlayerFailed
}
