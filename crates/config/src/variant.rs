//! One player.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::limits::Limits;
use super::program::Program;
use leitai_game::card::NamedPlayer;
use leitai_game::numbers::EvalParams;
use leitai_game::search::SearchParams;

/// One player: a search and an evaluation, with their numbers; or another
/// program; or a player that is no search of ours.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// Unique, not empty.
    pub name: String,
    /// The search's switches; without meaning for whoever else plays.
    pub search: SearchParams,
    /// The evaluation's numbers; without meaning for whoever else plays.
    pub eval: EvalParams,
    /// The program that plays; `None` for a search of this process.
    pub program: Option<Box<Program>>,
    /// The player of another kind that plays it; `None` for a search of ours, or a program.
    pub player: Option<&'static dyn NamedPlayer>,
    /// What it may spend on a move, in place of what all may; `None` for that.
    pub limits: Option<Limits>,
}

impl Variant {
    /// Whether a search of ours plays it.
    pub fn is_search(&self) -> bool {
        self.program.is_none() && self.player.is_none()
    }
}

impl Serialize for Variant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = if self.is_search() { 3 } else { 2 };
        let fields = fields + usize::from(self.limits.is_some());
        let mut map = serializer.serialize_struct("Variant", fields)?;
        map.serialize_field("name", &self.name)?;
        if let Some(program) = &self.program {
            map.serialize_field("program", program)?;
        } else if let Some(player) = &self.player {
            map.serialize_field("player", player.name())?;
        } else {
            map.serialize_field("search", &self.search)?;
            map.serialize_field("eval", &self.eval)?;
        }
        if let Some(limits) = &self.limits {
            map.serialize_field("limits", limits)?;
        }
        map.end()
    }
}
