//! Killers: quiet moves that cut off earlier at the same ply.

use super::KillerKind;
use super::params::Killers;
use crate::Move;

/// The killers of each ply, best first.
pub(super) struct KillerTable {
    moves: KillerMoves,
    /// Number of killers per ply.
    slots: usize,
}

enum KillerMoves {
    /// The latest move first.
    Recent(Vec<[Option<Move>; 2]>),
    Count(Vec<Counts>),
}

/// Number of moves per ply whose cut-offs are counted.
const COUNTED: usize = 32;

/// The moves of a ply with their cut-off counts, most frequent first. A new move replaces the last
/// one and continues from its count (Metwally, Agrawal & El Abbadi 2005, "Space-Saving"): no move
/// with more than one in [`COUNTED`] of all cut-offs is ever missing.
#[derive(Clone)]
struct Counts([(Option<Move>, u32); COUNTED]);

impl Counts {
    const NONE: Self = Self([(None, 0); COUNTED]);

    fn count(&mut self, mv: Move) {
        let Self(counts) = self;
        let known = counts.iter().position(|&(other, _)| other == Some(mv));
        let free = || counts.iter().position(|(other, _)| other.is_none());
        let mut place = known.or_else(free).unwrap_or(COUNTED - 1);
        let count = counts[place].1.saturating_add(1);
        counts[place] = (Some(mv), count);
        while place > 0 && counts[place - 1].1 < count {
            counts.swap(place - 1, place);
            place -= 1;
        }
    }
}

impl KillerTable {
    pub(super) fn new(params: &Killers, plies: usize) -> Self {
        Self {
            moves: match params.kind {
                KillerKind::Recent => KillerMoves::Recent(vec![[None; 2]; plies]),
                KillerKind::Count => KillerMoves::Count(vec![Counts::NONE; plies]),
            },
            slots: params.slots as usize,
        }
    }

    pub(super) fn clear(&mut self) {
        match &mut self.moves {
            KillerMoves::Recent(plies) => plies.fill([None; 2]),
            KillerMoves::Count(plies) => plies.fill(Counts::NONE),
        }
    }

    #[inline]
    pub(super) fn at(&self, ply: usize) -> [Option<Move>; 2] {
        let mut killers = match &self.moves {
            KillerMoves::Recent(plies) => plies.get(ply).copied().unwrap_or_default(),
            KillerMoves::Count(plies) => plies
                .get(ply)
                .map_or([None; 2], |Counts(counts)| [counts[0].0, counts[1].0]),
        };
        if self.slots < 2 {
            killers[1] = None;
        }
        killers
    }

    #[inline]
    pub(super) fn remember(&mut self, ply: usize, mv: Move) {
        match &mut self.moves {
            KillerMoves::Recent(plies) => {
                if let Some([first, second]) = plies.get_mut(ply)
                    && *first != Some(mv)
                {
                    *second = first.replace(mv);
                }
            }
            KillerMoves::Count(plies) => {
                if let Some(counts) = plies.get_mut(ply) {
                    counts.count(mv);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn table(kind: KillerKind, slots: u32) -> KillerTable {
        KillerTable::new(&Killers { kind, slots }, 4)
    }

    fn remember(table: &mut KillerTable, ply: usize, moves: &[u16]) {
        for &mv in moves {
            table.remember(ply, Move(mv));
        }
    }

    #[test]
    fn the_latest_stay() {
        for (slots, second) in [(2, Some(Move(3))), (1, None)] {
            let mut killers = table(KillerKind::Recent, slots);
            remember(&mut killers, 3, &[1, 2, 2, 3, 2]);
            assert_eq!(killers.at(3), [Some(Move(2)), second]);
            assert_eq!(killers.at(2), [None, None]);
            remember(&mut killers, 4, &[1]);
            assert_eq!(killers.at(4), [None, None], "beyond the plies");
            killers.clear();
            assert_eq!(killers.at(3), [None, None]);
        }
    }

    #[test]
    fn the_most_frequent_stay() {
        for (slots, second) in [(2, Some(Move(1))), (1, None)] {
            let mut killers = table(KillerKind::Count, slots);
            remember(&mut killers, 3, &[1, 2, 2, 3, 3, 3, 1, 4, 5]);
            // Of two moves with the same count, the one that reached it first leads.
            assert_eq!(killers.at(3)[0], Some(Move(3)));
            assert_eq!(killers.at(3)[1], second.map(|_| Move(2)));
            remember(&mut killers, 3, &[1, 1]);
            assert_eq!(killers.at(3), [Some(Move(1)), second.map(|_| Move(3))]);
            remember(&mut killers, 4, &[1]);
            assert_eq!(killers.at(4), [None, None], "beyond the plies");
            killers.clear();
            assert_eq!(killers.at(3), [None, None]);
        }
    }

    proptest! {
        /// With at most [`COUNTED`] different moves, the counts are exact; with more, a move that
        /// outweighs all others is still first.
        #[test]
        fn counts_find_the_most_frequent(
            moves in prop::collection::vec(0_u16..COUNTED as u16, 1..200),
            noise in prop::collection::vec(100_u16..1000, 0..200),
        ) {
            let mut killers = table(KillerKind::Count, 2);
            remember(&mut killers, 0, &moves);
            let times = |mv: Option<Move>| {
                moves.iter().filter(|&&other| Some(Move(other)) == mv).count()
            };
            let mut all: Vec<usize> = (0..COUNTED as u16).map(|mv| times(Some(Move(mv)))).collect();
            all.sort_unstable_by(|a, b| b.cmp(a));
            prop_assert_eq!(killers.at(0).map(times), [all[0], all[1]]);
            for &mv in &noise {
                remember(&mut killers, 0, &[mv, 7]);
            }
            remember(&mut killers, 0, &[7; 200]);
            prop_assert_eq!(killers.at(0)[0], Some(Move(7)));
        }
    }
}
