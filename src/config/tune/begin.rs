//! A tune that begins elsewhere than the config has it.

use super::bounds::own_range;
use super::{Freeze, Frozen, Tune, Tuned};
use crate::config::Variant;

impl Tune {
    /// The same tune from other numbers of its variant, such as fitted ones. Bounds
    /// keep their distance from the start, as far as the numbers' own ranges allow; a
    /// dimension that is left no room on one side is frozen.
    #[must_use]
    pub fn beginning_at(&self, variant: &Variant) -> Tune {
        let mut tune = self.clone();
        tune.dimensions.clear();
        for dimension in &self.dimensions {
            match dimension.beginning_at(variant) {
                Some(dimension) => tune.dimensions.push(dimension),
                None => tune.frozen.push(Frozen {
                    entry: dimension.name.clone(),
                    why: Freeze::AtItsLimit,
                    numbers: dimension
                        .members
                        .iter()
                        .map(|member| member.number.clone())
                        .collect(),
                }),
            }
        }
        tune
    }
}

impl Tuned {
    /// The dimension from the numbers of that variant; `None` if it could move one way
    /// only.
    fn beginning_at(&self, variant: &Variant) -> Option<Self> {
        let mut moved = self.clone();
        let first = self.members.first()?;
        // A group's value is the amount by which it has moved, whatever its numbers.
        let is_group = first.number.path() != self.name;
        if !is_group {
            moved.start = first.number.get(variant)?;
        }
        for member in &mut moved.members {
            member.offset = member.number.get(variant)? - moved.start;
        }
        let (least, most) = own_range(&moved.members);
        let way = moved.start - self.start;
        moved.min = (self.min + way).max(least);
        moved.max = (self.max + way).min(most);
        (moved.min < moved.start && moved.start < moved.max).then_some(moved)
    }
}
