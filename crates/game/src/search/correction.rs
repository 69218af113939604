//! Correction history: how far static evaluations lay from what searches found.

use super::continuation::REACH;
use super::{CorrectionHistory, Tactics};
use crate::eval::{MAX_EVAL, Score};

/// Entries of each table and side: few, for every evaluation reads all tables, and what is
/// not at hand costs more than the collisions.
const SIZE: usize = 1 << BITS;
const BITS: u32 = 12;

/// What an evaluation unit counts for in an entry.
const GRAIN: i32 = 256;

/// The most that a new error weighs, of [`GRAIN`].
const HEAVIEST: i32 = 16;

/// The mean errors of positions that are like each other in one respect: by the
/// pawns, by the pieces of either side, by the last two moves.
pub struct Corrections {
    tables: [Vec<i16>; TABLES],
    parts: [i32; TABLES],
    limit: i32,
}

/// Three from the board, one from the path.
const TABLES: usize = 4;

/// The places of a position in the tables.
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

    /// Where a position stands that was reached by moves of these slots.
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

    /// The evaluation with what is known of its error.
    #[inline]
    pub fn corrected(&self, places: &Places, score: Score) -> Score {
        let known = self.tables.iter().zip(places).zip(self.parts);
        let sum: i32 = known
            .map(|((table, &at), part)| i32::from(table[at]) * part)
            .sum();
        (score + sum / (100 * GRAIN)).clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// Learns that a search to `depth` found `error` more than the evaluation said.
    #[inline]
    pub fn learn(&mut self, places: &Places, depth: u32, error: Score) {
        let weight = (depth as i32 + 1).min(HEAVIEST);
        let limit = self.limit;
        for (table, &at) in self.tables.iter_mut().zip(places) {
            let entry = &mut table[at];
            let error = (error * GRAIN).clamp(-limit, limit) - i32::from(*entry);
            // Between the old entry and the error, neither of which is beyond the limit.
            *entry += (error * weight / GRAIN) as i16;
        }
    }
}
