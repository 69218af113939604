//! Encodes plies as columns of bytes, with a digest that protects them.

use sha2::{Digest, Sha256};

use super::{PairRow, failures};
use leitai_game::{Move, Side};
use leitai_players::play::{GameRecord, Ply};

/// The stored score of a ply without a score; outside the range of scores from players.
const NO_SCORE: i16 = i16::MIN;

/// The plies of one game, column by column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Columns {
    /// `u16` little-endian.
    pub(super) moves: Vec<u8>,
    /// `i16` little-endian, [`NO_SCORE`] for none.
    pub(super) scores: Vec<u8>,
    /// `u8`.
    pub(super) depths: Vec<u8>,
    /// `u32` little-endian.
    pub(super) nodes: Vec<u8>,
}

/// Encodes plies as columns; `Err` describes a score that has no stored form.
pub(super) fn encode(plies: &[Ply]) -> Result<Columns, String> {
    if plies.iter().any(|ply| ply.score == Some(NO_SCORE)) {
        return Err(format!("a score of {NO_SCORE}"));
    }
    let plies = plies.iter();
    let scores = plies.clone().map(|ply| ply.score.unwrap_or(NO_SCORE));
    Ok(Columns {
        moves: plies
            .clone()
            .flat_map(|ply| ply.mv.0.to_le_bytes())
            .collect(),
        scores: scores.flat_map(i16::to_le_bytes).collect(),
        depths: plies.clone().map(|ply| ply.depth).collect(),
        nodes: plies.flat_map(|ply| ply.nodes.to_le_bytes()).collect(),
    })
}

/// Decodes plies from columns; `Err` describes inconsistent columns.
pub(super) fn decode(
    moves: &[u8],
    scores: &[u8],
    depths: &[u8],
    nodes: &[u8],
) -> Result<Vec<Ply>, String> {
    let (moves, odd_moves) = moves.as_chunks::<2>();
    let (scores, odd_scores) = scores.as_chunks::<2>();
    let (nodes, odd_nodes) = nodes.as_chunks::<4>();
    let plies = moves.len();
    let whole = odd_moves.is_empty() && odd_scores.is_empty() && odd_nodes.is_empty();
    if !whole || [scores.len(), depths.len(), nodes.len()] != [plies; 3] {
        return Err("the columns of its plies differ in length".to_owned());
    }
    let columns = moves.iter().zip(scores).zip(depths).zip(nodes);
    Ok(columns
        .map(|(((mv, score), &depth), nodes)| {
            let score = i16::from_le_bytes(*score);
            Ply {
                mv: Move(u16::from_le_bytes(*mv)),
                score: (score != NO_SCORE).then_some(score),
                depth,
                nodes: u32::from_le_bytes(*nodes),
            }
        })
        .collect())
}

/// The stored form of the first side's failure in a drawn game; that of the second side's failure
/// is one more.
const DRAWN_BY: i64 = 2;

/// Returns the stored form of a winner, or of the side that failed in a drawn game, if any.
pub(super) fn winner_code(winner: Option<Side>, drawn_by: Option<Side>) -> Option<i64> {
    let won = winner.map(|side| side.index() as i64);
    won.or_else(|| drawn_by.map(|side| DRAWN_BY + side.index() as i64))
}

/// Returns the winner of a stored form, and the side that failed in a drawn game; `Err` for an
/// invalid form.
pub(super) fn winner_of_code(code: Option<i64>) -> Result<[Option<Side>; 2], String> {
    match code {
        None => Ok([None, None]),
        Some(side @ 0..DRAWN_BY) => Ok([Some(Side::BOTH[side as usize]), None]),
        Some(side @ DRAWN_BY..4) => Ok([None, Some(Side::BOTH[(side - DRAWN_BY) as usize])]),
        Some(code) => Err(format!("a game of it was won by side {code}")),
    }
}

/// The winner of a drawn game in digests.
const DRAWN: u64 = 2;

/// Computes the first 8 bytes of a SHA-256 of everything in a pair that does not depend on the wall
/// clock. It detects damage that quick checks of the file miss, such as an overwritten page of a
/// move list.
pub(super) fn pair_digest(run: &str, pair: &PairRow, columns: &[Columns]) -> [u8; 8] {
    let mut hasher = Sha256::new();
    let mut number = |value: u64| hasher.update(value.to_le_bytes());
    number(pair.record.index);
    number(pair.pairing as u64);
    number(pair.variants[0] as u64);
    number(pair.variants[1] as u64);
    number(pair.opening as u64);
    hasher.update(run.as_bytes());
    let games = pair.record.games.iter().zip(&pair.record.hashes);
    for ((game, hash), columns) in games.zip(columns) {
        let GameRecord {
            first,
            second,
            plies,
            verdict,
            drawn_by,
            times: _,
            pv_warnings: _,
        } = game;
        let mut number = |value: u64| hasher.update(value.to_le_bytes());
        number(*first as u64);
        number(*second as u64);
        let drawn = drawn_by.map_or(DRAWN, |side| DRAWN + 1 + side.index() as u64);
        let winner = verdict.winner.map(|side| side.index() as u64);
        number(winner.unwrap_or(drawn));
        number(*hash);
        number(plies.len() as u64);
        hasher.update(verdict.cause.name().as_bytes());
        hasher.update(&columns.moves);
        hasher.update(&columns.scores);
        hasher.update(&columns.depths);
        hasher.update(&columns.nodes);
    }
    // Without failures nothing is hashed, so that digests from versions without failures stay
    // valid.
    for fault in &pair.record.spoilt {
        hasher.update(b"failure");
        failures::digest(fault, &mut hasher);
    }
    short(hasher)
}

/// Computes the first 8 bytes of the SHA-256 of these parts, one after the other.
pub(super) fn short_digest<const N: usize>(parts: [&[u8]; N]) -> [u8; 8] {
    short(parts.iter().fold(Sha256::new(), sha2::Digest::chain_update))
}

/// Returns the first 8 bytes of a hash.
pub(super) fn short(hasher: Sha256) -> [u8; 8] {
    let whole = hasher.finalize();
    std::array::from_fn(|at| whole[at])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ply(score: Option<i16>) -> Ply {
        Ply {
            mv: Move(0x1234),
            score,
            depth: 7,
            nodes: 70_000,
        }
    }

    #[test]
    fn columns_are_little_endian() {
        let columns = encode(&[ply(Some(-2)), ply(None)]).unwrap();
        assert_eq!(columns.moves, [0x34, 0x12, 0x34, 0x12]);
        assert_eq!(columns.scores, [0xfe, 0xff, 0x00, 0x80]);
        assert_eq!(columns.depths, [7, 7]);
        assert_eq!(columns.nodes[..4], [0x70, 0x11, 0x01, 0x00]);
    }

    #[test]
    fn the_score_that_means_none_is_refused() {
        assert!(encode(&[ply(Some(i16::MIN))]).is_err());
        assert!(encode(&[ply(Some(i16::MIN + 1))]).is_ok());
    }

    #[test]
    fn columns_of_different_lengths_are_refused() {
        let whole = encode(&[ply(None), ply(Some(1))]).unwrap();
        let read = |c: &Columns| decode(&c.moves, &c.scores, &c.depths, &c.nodes);
        assert_eq!(read(&whole).unwrap().len(), 2);
        for cut in 1..=2 {
            for column in 0..4 {
                let mut torn = whole.clone();
                let bytes = [
                    &mut torn.moves,
                    &mut torn.scores,
                    &mut torn.depths,
                    &mut torn.nodes,
                ];
                let bytes = bytes.into_iter().nth(column).unwrap();
                bytes.truncate(bytes.len() - cut);
                assert!(read(&torn).is_err(), "column {column} cut by {cut}");
            }
        }
    }
}
