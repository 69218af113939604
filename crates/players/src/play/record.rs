//! Records of played games: all data that depend only on the config and the seed, and separately
//! the times of the moves.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::EvidenceList;
use crate::player::PvWarnings;
use leitai_game::card::AnyPosition;
use leitai_game::{Cause, Move, Side, Verdict};

/// One played move. Messages contain it as an array of its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(from = "PlyFields", into = "PlyFields")]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// The score from the mover's point of view, within plus or minus 10 000; `None` if the player
    /// gave none.
    pub score: Option<i16>,
    /// Depth of the last finished iteration.
    pub depth: u8,
    /// Nodes searched for the move.
    pub nodes: u32,
}

type PlyFields = (Move, Option<i16>, u8, u32);

impl From<PlyFields> for Ply {
    fn from((mv, score, depth, nodes): PlyFields) -> Self {
        Self {
            mv,
            score,
            depth,
            nodes,
        }
    }
}

impl From<Ply> for PlyFields {
    fn from(ply: Ply) -> Self {
        (ply.mv, ply.score, ply.depth, ply.nodes)
    }
}

/// Wall-clock times of the moves of a game, and the players' reports. Never compared: games are equal if their moves and
/// verdicts are.
#[derive(Clone, Debug, Default, Eq, Deserialize, Serialize)]
pub struct MoveTimes {
    /// Microseconds from each request to its reply; a game that was lost by a failure has one more
    /// than its plies. Empty if unknown.
    pub micros: Vec<u32>,
    /// Microseconds in excess of the last move's time, with the margin not subtracted; `None`
    /// unless this lost the game.
    pub late: Option<u32>,
    /// The players' reports, an entry for each of `micros`; empty unless the
    /// run keeps it.
    pub reports: Vec<MoveReport>,
    /// Microseconds like `micros`, but as reported by the players, with [`UNREPORTED`] for missing
    /// reports. Empty if no player reported any.
    pub reported: Vec<u32>,
}

/// A player's report on a move, as far as the run keeps it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
pub struct MoveReport {
    /// The `info` line with the score of the move; empty without one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub info: String,
    /// For each expression of the config, the last line that matches it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
    /// Milliseconds since 1970 UTC at the end of the first and the last move; otherwise, and if
    /// times are not kept, `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<u64>,
    /// Milliseconds on the player's clock after the move, negative if it was late; `None` without a
    /// clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left: Option<i64>,
}

/// The time of a move without a reported time.
pub const UNREPORTED: u32 = u32::MAX;

impl PartialEq for MoveTimes {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// One finished game.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct GameRecord {
    /// Index (in the config's order) of the variant that moved first.
    pub first: usize,
    /// Index of the other variant.
    pub second: usize,
    /// The plies after the opening.
    pub plies: Vec<Ply>,
    /// The verdict on the game.
    pub verdict: Verdict,
    /// The side that failed in a game that is nevertheless drawn, because the opponent could not
    /// have won it; `None` for all others.
    pub drawn_by: Option<Side>,
    /// Times of the moves.
    pub times: MoveTimes,
    /// Faults in the principal variations that players reported, each fault of each player once.
    pub pv_warnings: Vec<PvWarnings>,
}

impl GameRecord {
    /// The variant that played `side`.
    pub fn variant(&self, side: Side) -> usize {
        [self.first, self.second][side.index()]
    }

    /// The half points of a variant: 0, 1 or 2.
    pub fn half_points(&self, variant: usize) -> u8 {
        let side = Side::BOTH[usize::from(variant != self.first)];
        self.verdict.half_points(side)
    }

    /// A 64-bit hash of the opening position and the moves: equal for two games exactly if they are
    /// identical (except by chance, 2^-64 per pair).
    pub fn transcript_hash(&self, opening: &dyn AnyPosition) -> u64 {
        transcript_hash(opening, self.plies.iter().map(|ply| ply.mv))
    }
}

/// A 64-bit hash of a position and the moves from there.
pub fn transcript_hash(start: &dyn AnyPosition, moves: impl IntoIterator<Item = Move>) -> u64 {
    let mut hasher = Sha256::new();
    hasher.update(start.key().to_le_bytes());
    for mv in moves {
        hasher.update(mv.0.to_le_bytes());
    }
    let digest = hasher.finalize();
    u64::from_le_bytes(std::array::from_fn(|at| digest[at]))
}

/// A game that a player lost other than by its moves, or drew only because its opponent could not
/// win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Fault {
    /// Number of the attempt at the pair, from 1.
    pub attempt: u32,
    /// Index of the game in the pair, 0 or 1.
    pub game: usize,
    /// Index of the variant that failed.
    pub variant: usize,
    /// The kind of failure.
    pub cause: Cause,
}

impl Fault {
    /// The failure that ended a game, if one did.
    pub(super) fn of(played: &GameRecord, game: usize, attempt: u32) -> Option<Self> {
        let Verdict { winner, cause } = played.verdict;
        let side = winner.map(Side::other).or(played.drawn_by)?;
        let variant = played.variant(side);
        cause.is_failure().then_some(Self {
            attempt,
            game,
            variant,
            cause,
        })
    }
}

/// A finished pair: two games from one opening with sides exchanged. The unit of scheduling, of
/// statistics and of durability.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct PairRecord {
    /// The pair's number in the schedule, from 0.
    pub index: u64,
    /// The games, usually two: game 0 with the pairing's first variant moving first, game 1 swapped
    /// (see [`PairForm`](leitai_config::PairForm)).
    pub games: ArrayVec<GameRecord, 2>,
    /// Transcript hashes of the games.
    pub hashes: ArrayVec<u64, 2>,
    /// Failures in earlier attempts at the pair, which do not count, by attempt and game. Nearly
    /// always empty.
    pub spoilt: Vec<Fault>,
    /// Evidence of these failures and of those that ended its games.
    #[serde(skip)]
    pub evidence: EvidenceList,
}

impl PairRecord {
    /// The record of these games from `opening`, after spoilt attempts.
    pub fn new(
        index: u64,
        games: ArrayVec<GameRecord, 2>,
        spoilt: Vec<Fault>,
        evidence: EvidenceList,
        opening: &dyn AnyPosition,
    ) -> Self {
        let hashes = games.iter().map(|game| game.transcript_hash(opening));
        let hashes = hashes.collect();
        Self {
            index,
            games,
            hashes,
            spoilt,
            evidence,
        }
    }

    /// The pair's number in the schedule, and the number of its games.
    pub fn number(&self) -> (u64, u64) {
        (self.index, self.games.len() as u64)
    }

    /// Failures that ended games that count.
    pub fn faults(&self) -> impl Iterator<Item = Fault> {
        let attempt = self.replays() + 1;
        let games = self.games.iter().enumerate();
        games.filter_map(move |(number, game)| Fault::of(game, number, attempt))
    }

    /// The number of times that the pair was repeated.
    pub fn replays(&self) -> u32 {
        self.spoilt.last().map_or(0, |fault| fault.attempt)
    }

    /// The number of times that the pair was repeated because of a pause of the machine.
    pub fn pauses(&self) -> u64 {
        let is_pause = |fault: &&Fault| fault.cause == Cause::Pause;
        self.spoilt.iter().filter(is_pause).count() as u64
    }

    /// Returns whether both games have the same moves and the same verdict although the players
    /// exchanged sides. Equal games with the same sides say nothing about the players.
    pub fn is_alike(&self) -> bool {
        match self.games.as_slice() {
            [one, two] => {
                one.first == two.second
                    && self.hashes[0] == self.hashes[1]
                    && one.verdict == two.verdict
            }
            _ => false,
        }
    }

    /// The pair's outcome for one of its variants, as a pentanomial cell: 0 lost both games, 2 level,
    /// 4 won both. A single game counts twice, so that a pair without a second game has the same
    /// mean score, and as a unit of evidence the variance of its one game.
    pub fn cell(&self, variant: usize) -> usize {
        let points = self.games.iter().map(|game| game.half_points(variant));
        let points: usize = points.map(usize::from).sum();
        points * 2 / self.games.len().max(1)
    }

    /// The hashes of the games; of a single game, that of its order of players takes the place of
    /// the second.
    pub fn transcript(&self) -> [u64; 2] {
        let first = self.hashes.first().copied().unwrap_or_default();
        let order = self.games.first().map_or(0, |game| game.first as u64);
        [first, self.hashes.get(1).copied().unwrap_or(order)]
    }
}
