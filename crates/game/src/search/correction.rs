//! Correction history: errors of static evaluations, compared with search results.

use super::continuation::REACH;
use super::{CorrectionHistory, Tactics};
use crate::eval::{MAX_EVAL, Score};

/// Number of entries of each table and side. Small, because every evaluation reads all tables, and
/// cache misses cost more than collisions.
const SIZE: usize = 1 << BITS;
const BITS: u32 = 12;

/// Entry value of one evaluation unit.
const GRAIN: i32 = 256;

/// Maximum weight of a new error, in units of 1 / [`GRAIN`].
const HEAVIEST: i32 = 16;

/// Mean errors of positions that are alike in one respect: pawns, pieces of either side, last two
/// moves.
pub struct Corrections {
    tables: [Vec<i16>; TABLES],
    parts: [i32; TABLES],
    limit: i32,
}

/// Number of tables: three by features of the board, one by the path.
const TABLES: usize = 4;

pub(super) type Places = [usize; TABLES];

impl Corrections {
    /// Corrections of zero.
    pub fn new(params: &CorrectionHistory) -> Self {
        let [pawns, pieces, moves] =
            [params.pawns, params.pieces, params.moves].map(|part| part as i32);
        Self {
            tables: std::array::from_fn(|_| vec![0; 2 * SIZE]),
            parts: [pawns, pieces, pieces, moves],
            limit: (params.limit as i32 * GRAIN).min(i32::from(i16::MAX)),
        }
    }

    /// Forgets all corrections.
    pub fn clear(&mut self) {
        for table in &mut self.tables {
            table.fill(0);
        }
    }

    /// The places of a position that was reached by moves with these slots.
    #[inline]
    pub fn places<P: Tactics>(position: &P, before: [Option<usize>; REACH]) -> Places {
        let [pawns, first, second] = position.structure();
        let [last, own, _] = before;
        let mixed = |path: u64, slot: Option<usize>| {
            (path + slot.map_or(0, |slot| slot as u64 + 1)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        };
        let path = mixed(mixed(0, last), own);
        let side = position.side_to_move().index() * SIZE;
        let place = |key: u64| side + (key >> (64 - BITS)) as usize;
        [place(pawns), place(first), place(second), place(path)]
    }

    /// The evaluation corrected by its expected error.
    #[inline]
    pub fn corrected(&self, places: &Places, score: Score) -> Score {
        let known = self.tables.iter().zip(places).zip(self.parts);
        let sum: i32 = known
            .map(|((table, &at), part)| i32::from(table[at]) * part)
            .sum();
        (score + sum / (100 * GRAIN)).clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// Learns that the result of a search to `depth` was `error` above the evaluation.
    #[inline]
    pub fn learn(&mut self, places: &Places, depth: u32, error: Score) {
        let weight = (depth as i32 + 1).min(HEAVIEST);
        let limit = self.limit;
        for (table, &at) in self.tables.iter_mut().zip(places) {
            let entry = &mut table[at];
            let error = (error * GRAIN).clamp(-limit, limit) - i32::from(*entry);
            // Fits: the result lies between the old entry and the error, and both are within the
            // limit.
            *entry += (error * weight / GRAIN) as i16;
        }
    }
}
