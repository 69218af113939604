//! Combines the numbers of the children into those of their node.

use super::Counting;
use super::numbers::{INFINITE, LARGEST};

/// A child's numbers from the view of the side to move at the parent, with the data for counting
/// them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Share {
    /// The number for a win of the side to move by this child.
    pub(super) own: u32,
    /// The number for a win of the other side in this child.
    pub(super) other: u32,
    /// Children of one group lead to the same position. A group has the index of its first member,
    /// and each child starts as a group of its own.
    pub(super) group: u32,
    /// True if it has been met at least as near to the root as its parent is now.
    pub(super) is_old: bool,
}

/// The numbers of a node, with the data for choosing a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tally {
    /// The least `own`: one winning child is enough.
    pub(super) own: u32,
    /// The number for a win of the other side against all children.
    pub(super) other: u32,
    /// The best child for the side to move: the first with the least `own`. 0 if there is none.
    pub(super) best: usize,
    /// The least `own` of the other children; infinite if there is none.
    pub(super) second: u32,
    /// The other side's number for the counted children without the best one; `None` if the best is
    /// not counted.
    pub(super) rest: Option<u64>,
}

impl Tally {
    #[inline]
    pub(super) fn of(shares: &(impl Iterator<Item = Share> + Clone), counting: Counting) -> Tally {
        let (mut own, mut second, mut best, mut part) = (INFINITE, INFINITE, 0, None);
        let (mut sum, mut largest, mut open) = (0_u64, 0_u32, 0_u64);
        for (place, share) in shares.clone().enumerate() {
            if share.own < own || part.is_none() {
                second = own;
                (own, best, part) = (share.own, place, Some(share));
            } else {
                second = second.min(share.own);
            }
            sum += u64::from(share.other);
            largest = largest.max(share.other);
            open += u64::from(share.other > 0);
        }
        let (other, rest) = match (counting, part) {
            (_, None) => (0, Some(0)),
            (Counting::Sum, Some(part)) => (sum, Some(sum - u64::from(part.other))),
            (Counting::Weak, Some(_)) => {
                let others = open.saturating_sub(1);
                (u64::from(largest) + others, Some(others))
            }
            (Counting::Sources, Some(part)) => grouped(shares, part),
            (Counting::Newer, Some(part)) => newer(shares, part),
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

/// The sum over the groups of each group's largest number, and the same sum without the best
/// child's group.
fn grouped(shares: &(impl Iterator<Item = Share> + Clone), best: Share) -> (u64, Option<u64>) {
    let (mut sum, mut rest) = (0, 0);
    for (place, share) in shares.clone().enumerate() {
        if share.group as usize != place {
            continue;
        }
        let members = shares.clone().skip(place);
        let members = members.filter(|one| one.group == share.group);
        let largest = u64::from(members.map(|one| one.other).max().unwrap_or(0));
        sum += largest;
        if best.group != share.group {
            rest += largest;
        }
    }
    (sum, Some(rest))
}

/// The sum over the children that are not old; if all open ones are old, the largest of them.
fn newer(shares: &(impl Iterator<Item = Share> + Clone), best: Share) -> (u64, Option<u64>) {
    let (mut sum, mut largest) = (0, 0);
    for share in shares.clone() {
        if share.is_old {
            largest = largest.max(u64::from(share.other));
        } else {
            sum += u64::from(share.other);
        }
    }
    match (sum, best.is_old) {
        (0, _) => (largest, Some(0)),
        (_, true) => (sum, None),
        (_, false) => (sum, Some(sum - u64::from(best.other))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(own: u32, other: u32, group: u32, is_old: bool) -> Share {
        Share {
            own,
            other,
            group,
            is_old,
        }
    }

    fn tally(shares: &[Share], counting: Counting) -> (u32, u32, usize, u32, Option<u64>) {
        let tally = Tally::of(&shares.iter().copied(), counting);
        (tally.own, tally.other, tally.best, tally.second, tally.rest)
    }

    #[test]
    fn each_way_to_count() {
        let shares = [
            share(4, 7, 0, false),
            share(2, 5, 1, true),
            share(2, 3, 0, false),
            share(INFINITE, 0, 3, false),
        ];
        assert_eq!(tally(&shares, Counting::Sum), (2, 15, 1, 2, Some(10)));
        assert_eq!(tally(&shares, Counting::Weak), (2, 9, 1, 2, Some(2)));
        assert_eq!(tally(&shares, Counting::Sources), (2, 12, 1, 2, Some(7)));
        assert_eq!(tally(&shares, Counting::Newer), (2, 10, 1, 2, None));
        assert_eq!(
            tally(&shares[1..2], Counting::Newer),
            (2, 5, 0, INFINITE, Some(0))
        );
        assert_eq!(tally(&shares[..2], Counting::Newer), (2, 7, 1, 4, None));
        assert_eq!(
            tally(&shares[2..], Counting::Newer),
            (2, 3, 0, INFINITE, Some(0))
        );
    }

    #[test]
    fn only_decided_positions_are_infinite() {
        let large = share(LARGEST, LARGEST, 0, false);
        let failed = share(INFINITE, 0, 1, false);
        let won = share(0, INFINITE, 2, false);
        for &counting in Counting::ALL {
            let (own, other, ..) = tally(&[large, large, large], counting);
            assert_eq!((own, other), (LARGEST, LARGEST), "{counting:?}");
            let (own, other, ..) = tally(&[large, failed], counting);
            assert_eq!((own, other), (LARGEST, LARGEST), "{counting:?}");
            let (own, other, best, ..) = tally(&[failed, large, won], counting);
            assert_eq!((own, other, best), (0, INFINITE, 2), "{counting:?}");
            assert_eq!(tally(&[failed, failed], counting).1, 0, "{counting:?}");
            assert_eq!(tally(&[], counting), (INFINITE, 0, 0, INFINITE, Some(0)));
        }
    }
}
