//! Durations of pairs and of their moves.

use std::cell::RefCell;
use std::io::Read;

use flate2::read::ZlibDecoder;
use flate2::{Compress, Compression, FlushCompress, Status};
use rusqlite::{Connection, params};

use super::connection::execute;
use super::side_digests::stored;
use super::{FinishedAt, PairRow, Result, RunHandle, Store};
use leitai_players::play::{GameRecord, MoveReport, MoveTimes};

// Replaces a row that remained when another program removed the pair.
const INSERT_TIMING: &str = "\
    INSERT OR REPLACE INTO timing (pair, elapsed_us, finished_at) VALUES (?1, ?2, ?3)";
const INSERT: &str = "\
    INSERT OR REPLACE INTO move_time (pair, first, second) VALUES (?1, ?2, ?3)";
const SELECT: &str = "\
    SELECT p.idx, t.finished_at, m.first, m.second FROM pair p \
    JOIN timing t ON t.pair = p.key JOIN move_time m ON m.pair = p.key \
    WHERE p.run = ?1 AND p.idx BETWEEN ?2 AND ?3";
/// The ends of the last pairs of a run, or of the last batches of a tune, in milliseconds.
const SELECT_ENDS: &str = "\
    SELECT * FROM (SELECT t.finished_at FROM pair p JOIN timing t ON t.pair = p.key \
    WHERE p.run = ?1 ORDER BY p.key DESC LIMIT 65) \
    UNION ALL SELECT * FROM (SELECT finished_at FROM batch_timing \
    WHERE run = ?1 ORDER BY number DESC LIMIT 65)";

/// Size in bytes from which texts are compressed.
const LONG: usize = 1_000;

/// Room in bytes for more compressed text.
const ROOM: usize = 256;

/// Largest size in bytes of the players' reports on a game.
const LARGEST_REPORTS: u64 = 64 << 20;

const CLEAR_REPORTED: &str = "DELETE FROM reported_time WHERE pair = ?1";
const INSERT_REPORTED: &str = "\
    INSERT INTO reported_time (pair, first, second) VALUES (?1, ?2, ?3)";
const SELECT_REPORTED: &str = "\
    SELECT p.idx, m.first, m.second FROM pair p JOIN reported_time m ON m.pair = p.key \
    WHERE p.run = ?1 AND p.idx BETWEEN ?2 AND ?3";

const CLEAR_REPORTS: &str = "DELETE FROM move_report WHERE pair = ?1";
const INSERT_REPORTS: &str = "\
    INSERT INTO move_report (pair, first, second) VALUES (?1, ?2, ?3)";
const SELECT_REPORTS: &str = "\
    SELECT p.idx, m.first, m.second FROM pair p JOIN move_report m ON m.pair = p.key \
    WHERE p.run = ?1 AND p.idx BETWEEN ?2 AND ?3";

/// The stored move times of a pair's two games: measured, then as the players state them, then the
/// players' reports.
#[derive(Clone, Debug, Default)]
pub(super) struct TimeBlobs(pub(super) [Vec<u8>; 6]);

impl TimeBlobs {
    pub(super) fn of(pair: &PairRow, packer: &Packer) -> Self {
        let mut blobs = Self::default();
        for (number, game) in pair.record.games.iter().enumerate() {
            blobs.0[number] = bytes(game);
            blobs.0[2 + number] = little_endian(&game.times.reported);
            blobs.0[4 + number] = packer.pack(&game.times.reports);
        }
        blobs
    }
}

/// Writes the times of the pair with that key: its duration in microseconds, and its end.
pub(super) fn insert(
    conn: &Connection,
    key: i64,
    (elapsed_us, finished): (u64, i64),
    TimeBlobs([first, second, said_first, said_second, reports @ ..]): &TimeBlobs,
) -> rusqlite::Result<()> {
    execute(conn, INSERT_TIMING, [key, stored(elapsed_us), finished])?;
    execute(conn, INSERT, params![key, first, second])?;
    let said = [said_first, said_second];
    for (clear, insert, both) in [
        (CLEAR_REPORTED, INSERT_REPORTED, said),
        (CLEAR_REPORTS, INSERT_REPORTS, reports.each_ref()),
    ] {
        execute(conn, clear, [key])?;
        let [first, second] = both;
        if !first.is_empty() || !second.is_empty() {
            execute(conn, insert, params![key, first, second])?;
        }
    }
    Ok(())
}

impl Store {
    /// Pairs per second over the last pairs of a run; `None` if too few are recorded.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn recent_pace(&self, run: &RunHandle) -> Result<Option<f64>> {
        let ends: Vec<i64> = self.rows(SELECT_ENDS, [run.key], |row| row.get(0))?;
        let [batches, in_batches] = self.count_batches(run)?;
        let size = if batches == 0 {
            1.0
        } else {
            in_batches as f64 / batches as f64
        };
        let span = ends.iter().max().zip(ends.iter().min());
        let span = span.map_or(0, |(last, first)| last - first);
        let seconds = span as f64 / 1000.0;
        Ok((span > 0).then(|| size * (ends.len() - 1) as f64 / seconds))
    }

    /// Adds the recorded times to pairs, which are in ascending order. Returns the times as stored,
    /// too.
    pub(super) fn attach_times(
        &self,
        run: &RunHandle,
        pairs: &mut [PairRow],
    ) -> Result<Vec<TimeBlobs>> {
        let mut stored = vec![TimeBlobs::default(); pairs.len()];
        self.attach(SELECT, run, pairs, "", |place, pair, row| {
            let blobs: [Vec<u8>; 2] = [row.get(2)?, row.get(3)?];
            pair.finished = FinishedAt(Some(row.get(1)?));
            for (game, blob) in pair.record.games.iter_mut().zip(&blobs) {
                game.times = times(blob, game.plies.len());
            }
            stored[place].0[..2].clone_from_slice(&blobs);
            Ok(Some(()))
        })?;
        self.attach(SELECT_REPORTED, run, pairs, "", |place, pair, row| {
            let blobs: [Vec<u8>; 2] = [row.get(1)?, row.get(2)?];
            for (game, blob) in pair.record.games.iter_mut().zip(&blobs) {
                let reported = numbers(blob).unwrap_or_default();
                if reported.len() == game.times.micros.len() {
                    game.times.reported = reported;
                }
            }
            stored[place].0[2..4].clone_from_slice(&blobs);
            Ok(Some(()))
        })?;
        self.attach(SELECT_REPORTS, run, pairs, "", |place, pair, row| {
            let blobs: [Vec<u8>; 2] = [row.get(1)?, row.get(2)?];
            for (game, blob) in pair.record.games.iter_mut().zip(&blobs) {
                game.times.reports = unpacked(blob).unwrap_or_default();
            }
            stored[place].0[4..].clone_from_slice(&blobs);
            Ok(Some(()))
        })?;
        Ok(stored)
    }
}

fn bytes(game: &GameRecord) -> Vec<u8> {
    let MoveTimes { micros, late, .. } = &game.times;
    little_endian(micros.iter().chain(late))
}

fn little_endian<'t>(times: impl IntoIterator<Item = &'t u32>) -> Vec<u8> {
    times.into_iter().flat_map(|it| it.to_le_bytes()).collect()
}

/// The inverse of [`little_endian`].
fn numbers(bytes: &[u8]) -> Option<Vec<u32>> {
    let (all, rest) = bytes.as_chunks::<4>();
    let all = all.iter().map(|it| u32::from_le_bytes(*it));
    rest.is_empty().then(|| all.collect())
}

/// Compresses the kept output of players. Its tables, larger than most texts, are used again.
#[derive(Debug, Default)]
pub(super) struct Packer(RefCell<Option<Compress>>);

impl Packer {
    /// The players' reports as JSON, which is compressed if it is long; empty if none are kept.
    fn pack(&self, reports: &[MoveReport]) -> Vec<u8> {
        if reports.is_empty() {
            return Vec::new();
        }
        let text = serde_json::to_vec(reports).unwrap_or_default();
        if text.len() < LONG {
            return text;
        }
        let mut kept = self.0.borrow_mut();
        let compress = kept.get_or_insert_with(|| Compress::new(Compression::fast(), true));
        compress.reset();
        let mut packed = Vec::new();
        loop {
            packed.reserve(text.len() / 4 + ROOM);
            let rest = &text[compress.total_in() as usize..];
            match compress.compress_vec(rest, &mut packed, FlushCompress::Finish) {
                Ok(Status::StreamEnd) => return packed,
                Ok(_) => {}
                Err(_) => return Vec::new(),
            }
        }
    }
}

/// The inverse of [`Packer::pack`]; `None` for damaged bytes.
fn unpacked(bytes: &[u8]) -> Option<Vec<MoveReport>> {
    if bytes.is_empty() {
        return Some(Vec::new());
    }
    if bytes.starts_with(b"[") {
        return serde_json::from_slice(bytes).ok();
    }
    let text = ZlibDecoder::new(bytes).take(LARGEST_REPORTS);
    serde_json::from_reader(text).ok()
}

/// Decodes the times of a game with this number of plies. Times that do not fit the game count as
/// never recorded.
fn times(bytes: &[u8], plies: usize) -> MoveTimes {
    let may_be = |micros: &Vec<u32>| (plies..=plies + 2).contains(&micros.len());
    let Some(mut micros) = numbers(bytes).filter(may_be) else {
        return MoveTimes::default();
    };
    let is_late = micros.len() == plies + 2;
    let late = if is_late { micros.pop() } else { None };
    MoveTimes {
        micros,
        late,
        ..MoveTimes::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_of_any_length_are_unpacked() {
        let packer = Packer::default();
        for moves in [0, 1, 3, 400] {
            let report = |at| MoveReport {
                info: "info depth 9 score cp -3 pv e2e4".to_owned(),
                at: Some(at),
                ..MoveReport::default()
            };
            let reports: Vec<MoveReport> = (0..moves).map(report).collect();
            let packed = packer.pack(&reports);
            assert!(
                packed.len() < LONG + 40 * moves as usize,
                "{}",
                packed.len()
            );
            assert_eq!(unpacked(&packed), Some(reports));
        }
        assert_eq!(unpacked(b"[{]"), None);
        assert_eq!(unpacked(b"\x78\x9c\x00"), None);
    }
}
