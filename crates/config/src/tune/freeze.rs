//! Reasons why a number named by an entry does not move.

use serde::{Serialize, Serializer};

use crate::Number;

/// The reason why a number does not move.
pub use leitai_game::numbers::Useless as Freeze;

/// The entry's `except` names it.
pub(super) const EXCEPT: Freeze = Freeze {
    name: "except",
    reason: "`except` names them",
};
/// It matches the anchor.
pub(super) const ANCHOR: Freeze = Freeze {
    name: "anchor",
    reason: "`anchor` names them",
};
/// It starts at the end of its own range.
pub(super) const AT_ITS_LIMIT: Freeze = Freeze {
    name: "at-its-limit",
    reason: "at the end of their own range they could move one way only",
};

/// Numbers that an entry names but that do not move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Frozen {
    /// The entry's path, as typed.
    pub entry: String,
    /// The reason.
    #[serde(serialize_with = "name_of")]
    pub why: Freeze,
    /// The numbers.
    pub numbers: Vec<Number>,
}

/// Returns whether the anchor freezes any number.
pub(super) fn is_anchored(frozen: &[Frozen]) -> bool {
    frozen.iter().any(|frozen| frozen.why == ANCHOR)
}

fn name_of<S: Serializer>(why: &Freeze, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(why.name)
}
