//! The numbers of a dimension in the resolved form of a config.

use std::collections::{HashMap, HashSet};

use serde::{Serialize, Serializer};

use super::Member;
use crate::config::Number;
use crate::numbers::Spelling;

/// A member as it is written.
#[derive(Serialize)]
struct Written<'a> {
    number: &'a Number,
    offset: i64,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    alone: bool,
}

/// Writes the members. Where values are written sparsely, so are these: a number of the
/// first stage stands for those of all later ones that have its offset too, and says
/// `alone` where it does not.
pub(super) fn serialize<S: Serializer>(
    members: &[Member],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let offsets = members
        .iter()
        .map(|member| (&member.number, member.offset))
        .collect::<HashMap<_, _>>();
    let mut followers = HashSet::new();
    let mut alone = Vec::with_capacity(members.len());
    for Member { number, offset } in members {
        let table = number.of_eval().map(|entry| entry.table());
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
    }))
}
