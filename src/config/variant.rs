//! One player.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::limits::Limits;
use super::program::Program;
use crate::numbers::EvalParams;
use crate::search::SearchParams;

/// One player: a search and an evaluation, with their numbers; or another
/// program.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// Unique, not empty.
    pub name: String,
    /// The search's switches; without meaning for another program.
    pub search: SearchParams,
    /// The evaluation's numbers; without meaning for another program.
    pub eval: EvalParams,
    /// The program that plays; `None` for a search of this process.
    pub program: Option<Box<Program>>,
    /// What it may spend on a move, in place of what all may; `None` for that.
    pub limits: Option<Limits>,
}

impl Serialize for Variant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = if self.program.is_some() { 2 } else { 3 };
        let fields = fields + usize::from(self.limits.is_some());
        let mut map = serializer.serialize_struct("Variant", fields)?;
        map.serialize_field("name", &self.name)?;
        if let Some(program) = &self.program {
            map.serialize_field("program", program)?;
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
