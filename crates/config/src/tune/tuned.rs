//! The numbers that a tune adjusts, their notation in the resolved form of a config, and the
//! reasons why other numbers do not move.

use std::collections::{HashMap, HashSet};

use serde::{Serialize, Serializer};

use crate::{Decimal, Number, Variant};
use leitai_game::numbers::{Entry, Spelling};

/// The reason why a number does not move.
pub use leitai_game::numbers::Useless as FreezeReason;

/// One dimension of the tuner's space: numbers that move together.
///
/// Each number is the dimension's value plus its own offset. The value is that of the first number
/// for a number that moves alone, with its mirror image, or with itself in later stages of the
/// game. For a group the value is the common change of its numbers, 0 at the start.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TunedDimension {
    /// The path of the first number, or the name of the group.
    pub name: String,
    /// The numbers, at least one.
    #[serde(serialize_with = "serialize")]
    pub members: Vec<DimensionMember>,
    /// The value in the config's variant, in units of the last [decimal](Self::decimals); strictly
    /// between the bounds.
    pub start: i64,
    /// The minimum value, in units.
    pub min: i64,
    /// The maximum value, in units.
    pub max: i64,
    /// A plausible distance of the best value from the start: at least one unit, at most half of
    /// the distance between the bounds.
    pub step: f64,
}

impl TunedDimension {
    /// The number of decimals of the numbers, 0 to 9; 0 except for options of programs.
    pub fn decimals(&self) -> u8 {
        self.members.first().map_or(0, |it| it.number.decimals())
    }

    /// A value of this number of units.
    pub fn decimal(&self, units: i64) -> Decimal {
        let decimals = self.decimals();
        Decimal { units, decimals }
    }

    /// The size of a unit.
    pub fn unit(&self) -> f64 {
        self.decimal(1).value()
    }

    /// The units of the nearest value within the bounds; the start if `value` is not finite.
    pub fn nearest_units(&self, value: f64) -> i64 {
        if !value.is_finite() {
            return self.start;
        }
        let units = Decimal::nearest(value, self.decimals()).units;
        units.clamp(self.min, self.max)
    }

    /// The value of a variant: that of the first number.
    pub fn value_of(&self, variant: &Variant) -> Option<i64> {
        let first = self.members.first()?;
        Some(first.number.get(variant)? - first.offset)
    }
}

/// A number of a dimension.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DimensionMember {
    /// The number.
    pub number: Number,
    /// Difference between the number and the dimension's value.
    pub offset: i64,
}

/// The serialised form of a member.
#[derive(Serialize)]
struct Written<'a> {
    number: &'a Number,
    offset: i64,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    alone: bool,
    #[serde(skip_serializing_if = "is_zero")]
    decimals: u8,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(decimals: &u8) -> bool {
    *decimals == 0
}

/// Writes the members. If the game's values have the sparse spelling, a number of the first stage
/// represents the same number of all later stages with the same offset, and is marked as `alone` if
/// another stage has a different offset.
fn serialize<S: Serializer>(members: &[DimensionMember], serializer: S) -> Result<S::Ok, S::Error> {
    let offsets = members.iter().map(|member| (&member.number, member.offset));
    let offsets: HashMap<_, _> = offsets.collect();
    let mut followers = HashSet::new();
    let mut alone = Vec::with_capacity(members.len());
    for DimensionMember { number, offset } in members {
        let table = number.of_eval().map(Entry::table);
        let is_sparse = table.is_some_and(|table| table.spelling == Spelling::Sparse);
        let later = if is_sparse {
            number.in_later_stages()
        } else {
            Vec::new()
        };
        let follow = later.iter().all(|it| offsets.get(it) == Some(offset));
        alone.push(!later.is_empty() && !follow);
        if follow {
            followers.extend(later);
        }
    }
    let written = members.iter().zip(alone);
    let written = written.filter(|(member, _)| !followers.contains(&member.number));
    serializer.collect_seq(written.map(|(member, alone)| Written {
        number: &member.number,
        offset: member.offset,
        alone,
        decimals: member.number.decimals(),
    }))
}

/// The entry's `except` names it.
pub(super) const EXCEPT: FreezeReason = FreezeReason {
    name: "except",
    reason: "`except` names them",
};
/// It matches the anchor.
pub(super) const ANCHOR: FreezeReason = FreezeReason {
    name: "anchor",
    reason: "`anchor` names them",
};
/// It starts at the end of its own range.
pub(super) const AT_ITS_LIMIT: FreezeReason = FreezeReason {
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
    pub why: FreezeReason,
    /// The numbers.
    pub numbers: Vec<Number>,
}

/// Returns whether the anchor freezes any number.
pub(super) fn is_anchored(frozen: &[Frozen]) -> bool {
    frozen.iter().any(|frozen| frozen.why == ANCHOR)
}

fn name_of<S: Serializer>(why: &FreezeReason, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(why.name)
}
