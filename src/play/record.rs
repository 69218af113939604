//! What is kept of a played game: everything that is a function of the config
//! and the seed, and nothing that depends on the wall clock.

use sha2::{Digest, Sha256};

use crate::game::{Move, Position, Side, Verdict};

/// One move as it was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// The mover's score from its own point of view, within plus or minus
    /// 10 000; `None` if the player gave none.
    pub score: Option<i16>,
    /// Depth of the last finished iteration.
    pub depth: u8,
    /// Nodes searched for the move.
    pub nodes: u32,
}

/// One finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// Index (in the config's order) of the variant that moved first.
    pub first: usize,
    /// Index of the other variant.
    pub second: usize,
    /// The plies after the opening.
    pub plies: Vec<Ply>,
    /// How the game ended.
    pub verdict: Verdict,
}

impl GameRecord {
    /// The variant that played `side`.
    pub fn variant(&self, side: Side) -> usize {
        match side {
            Side::First => self.first,
            Side::Second => self.second,
        }
    }

    /// A 64-bit hash of the opening position and the moves: equal for two
    /// games exactly when (but for chance, 2^-64 a pair) they went the same
    /// way.
    pub fn transcript_hash<P: Position>(&self, opening: &P) -> u64 {
        let mut hasher = Sha256::new();
        hasher.update(opening.key().to_le_bytes());
        for ply in &self.plies {
            hasher.update(ply.mv.0.to_le_bytes());
        }
        let digest = hasher.finalize();
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&digest[..8]);
        u64::from_le_bytes(bytes)
    }
}

/// A finished pair: two games from one opening with colours swapped. The unit
/// of scheduling, of statistics and of durability.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairRecord {
    /// The pair's number in the schedule, from 0.
    pub index: u64,
    /// Game 0 with the pairing's first variant moving first, game 1 swapped.
    pub games: [GameRecord; 2],
    /// Transcript hashes of the two games.
    pub hashes: [u64; 2],
}

impl PairRecord {
    /// The pair's outcome for the variant that moved first in game 0, as a
    /// pentanomial cell: 0 lost both, 2 level, 4 won both.
    pub fn cell(&self) -> usize {
        let [one, two] = &self.games;
        usize::from(one.verdict.half_points(Side::First) + two.verdict.half_points(Side::Second))
    }
}
