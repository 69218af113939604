//! Why a number that an entry names does not move.

use serde::{Serialize, Serializer};

use crate::Number;

/// Why a number does not move.
pub use leitai_game::numbers::Useless as Freeze;

/// The entry's `except` names it.
pub(super) const EXCEPT: Freeze = Freeze {
    name: "except",
    reason: "`except` names them",
};
/// It is the anchor.
pub(super) const ANCHOR: Freeze = Freeze {
    name: "anchor",
    reason: "`anchor` names them",
};
/// Its start is the end of its own range.
pub(super) const AT_ITS_LIMIT: Freeze = Freeze {
    name: "at-its-limit",
    reason: "at the end of their own range they could move one way only",
};

/// Numbers that an entry names and does not move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Frozen {
    /// The entry's path, as typed.
    pub entry: String,
    /// Why.
    #[serde(serialize_with = "name_of")]
    pub why: Freeze,
    /// Which.
    pub numbers: Vec<Number>,
}

/// Whether the anchor keeps anything where it is.
pub(super) fn is_anchored(frozen: &[Frozen]) -> bool {
    frozen.iter().any(|frozen| frozen.why == ANCHOR)
}

fn name_of<S: Serializer>(why: &Freeze, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(why.name)
}
