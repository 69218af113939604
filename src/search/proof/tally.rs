//! From the numbers of the children to those of the node.

use super::Counting;
use super::numbers::{INFINITE, LARGEST};

/// The numbers of a child as the side to move at the parent sees them, and
/// which other children it is to be counted with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Share {
    /// What the side to move needs to win by this child.
    pub(super) own: u32,
    /// What the other side needs to win in it.
    pub(super) other: u32,
    /// Children of one group meet in one position; each child begins alone.
    pub(super) group: u32,
}

/// The numbers of a node, and what the choice of a child needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tally {
    /// The least `own`: one success is enough.
    pub(super) own: u32,
    /// What the other side needs against all children.
    pub(super) other: u32,
    /// The child that is best for the side to move: the first with the least
    /// `own`. 0 if there is none.
    pub(super) best: usize,
    /// The least `own` of the other children; infinite if there is none.
    pub(super) second: u32,
    /// What the others add to `other`, beside the best.
    pub(super) rest: u64,
}

impl Tally {
    pub(super) fn of(shares: impl Iterator<Item = Share> + Clone, counting: Counting) -> Tally {
        let (mut own, mut second, mut best) = (INFINITE, INFINITE, 0);
        let (mut sum, mut largest, mut open) = (0_u64, 0_u32, 0_u64);
        for (place, share) in shares.clone().enumerate() {
            if share.own < own {
                (own, second, best) = (share.own, own, place);
            } else {
                second = second.min(share.own);
            }
            sum += u64::from(share.other);
            largest = largest.max(share.other);
            open += u64::from(share.other > 0);
        }
        let (other, rest) = if own == 0 {
            (u64::from(INFINITE), 0)
        } else {
            let own_part = shares.clone().nth(best).map_or(0, |share| share.other);
            match counting {
                Counting::Sum => (sum, sum - u64::from(own_part)),
                Counting::Weak => {
                    let others = open.saturating_sub(1);
                    (u64::from(largest) + others, others)
                }
                Counting::Sources => grouped(&shares, best),
            }
        };
        let other = if own == 0 {
            INFINITE
        } else {
            other.min(u64::from(LARGEST)) as u32
        };
        Tally {
            own,
            other,
            best,
            second,
            rest,
        }
    }
}

/// The sum over the groups of the largest of each, and the same without the
/// group of the best child.
fn grouped(shares: &(impl Iterator<Item = Share> + Clone), best: usize) -> (u64, u64) {
    let best_group = shares.clone().nth(best).map(|share| share.group);
    let (mut sum, mut rest) = (0, 0);
    for (place, share) in shares.clone().enumerate() {
        // A group is named after its first member.
        if share.group as usize != place {
            continue;
        }
        let members = shares
            .clone()
            .skip(place)
            .filter(|one| one.group == share.group);
        let largest = u64::from(members.map(|one| one.other).max().unwrap_or(0));
        sum += largest;
        if Some(share.group) != best_group {
            rest += largest;
        }
    }
    (sum, rest)
}
