//! One player of a config.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::limits::Limits;
use super::program::Program;
use leitai_game::card::NamedPlayer;
use leitai_game::numbers::EvalParams;
use leitai_game::search::SearchParams;

/// One player: a search and an evaluation with their numbers, an external program, or a named
/// player of another kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// The unique name, not empty.
    pub name: String,
    /// The settings of the search; meaningless for other players.
    pub search: SearchParams,
    /// The numbers of the evaluation; meaningless for other players.
    pub eval: EvalParams,
    /// The external program; `None` for a player in this process.
    pub program: Option<Box<Program>>,
    /// The named player of another kind; `None` for a search or a program.
    pub player: Option<&'static dyn NamedPlayer>,
    /// Its own limits per move; `None` for the limits of the config.
    pub limits: Option<Limits>,
}

impl Variant {
    /// Returns whether one of Leitai's searches plays it.
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
