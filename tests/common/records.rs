//! Records to store, for the tests of the store.
#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot be set up has failed"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use leitai_game::{Cause, Move, Side, Verdict};
use leitai_players::play::{GameRecord, PairRecord, Ply};
use leitai_runs::store::{
    Mode, Opening, PairRow, RunHandle, RunMeta, Store, StoreError, StoredBook,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use tempfile::TempDir;

/// The modes of opening a record.
pub(crate) const MODES: [Mode; 2] = [Mode::Read, Mode::Write];

/// Metadata of a run with this ID, with two variants.
pub(crate) fn meta(id: &str) -> RunMeta {
    RunMeta {
        id: id.to_owned(),
        game: "xiangqi".to_owned(),
        config: r#"{"seed":7,"variants":["new","base"]}"#.to_owned(),
        source_name: "duel.toml".to_owned(),
        source_text: "seed = 7 # lucky\n".to_owned(),
        seed: u64::MAX - 7,
        version: "0.1.0".to_owned(),
        variants: vec!["new".to_owned(), "base".to_owned()],
        pairs: 1000,
        reproducible: true,
    }
}

/// A book of ten openings.
pub(crate) fn openings() -> impl Iterator<Item = Opening> + Clone {
    (0..10).map(|number| Opening {
        id: format!("line {number}"),
        fen: format!("position {number} w"),
        moves: Vec::new(),
    })
}

/// A book of these openings, all in the record.
pub(crate) fn book(openings: impl Iterator<Item = Opening>) -> StoredBook {
    let held: Vec<_> = openings.enumerate().collect();
    StoredBook {
        digest: [held.len() as u8; 32],
        len: held.len(),
        held,
    }
}

/// A pair that depends only on its number, with games of some 60 plies.
pub(crate) fn sample(index: u64) -> PairRow {
    sized(index, 60)
}

/// A pair whose games have about this number of plies.
pub(crate) fn sized(index: u64, plies: u64) -> PairRow {
    let game = |number: u64| GameRecord {
        first: usize::from(number == 1),
        second: usize::from(number == 0),
        plies: (0..plies + (index + number) % 7)
            .map(|ply| Ply {
                mv: Move((index * 31 + number * 17 + ply * 7) as u16),
                score: (ply % 5 != 0).then_some((ply * 13) as i16 - 300),
                depth: (ply % 9) as u8,
                nodes: (index * 1001 + ply * 20_011) as u32,
            })
            .collect(),
        verdict: match (index + number) % 3 {
            0 if index.is_multiple_of(5) => Verdict::draw(Cause::TimeForfeit),
            0 => Verdict::draw(Cause::Repetition),
            1 => Verdict::win(Side::First, Cause::Checkmate),
            _ => Verdict::win(Side::Second, Cause::ResignAdjudication),
        },
        drawn_by: ((index + number).is_multiple_of(3) && index.is_multiple_of(5))
            .then_some(Side::BOTH[(index % 2) as usize]),
        times: leitai_players::play::MoveTimes::default(),
        pv_warnings: Vec::new(),
    };
    PairRow {
        record: PairRecord {
            index,
            games: [game(0), game(1)].into(),
            hashes: [index.wrapping_mul(0x9e37_79b9_7f4a_7c15), !index].into(),
            spoilt: Vec::new(),
            evidence: leitai_players::play::EvidenceList::default(),
        },
        pairing: 0,
        variants: [0, 1],
        opening: (index % 10) as usize,
        elapsed_us: 1_500_000 + index,
        finished: leitai_runs::store::FinishedAt::default(),
        worker: leitai_runs::store::PlayedBy::default(),
    }
}

fn ply() -> impl Strategy<Value = Ply> {
    let score = proptest::option::of(-10_000_i16..=10_000);
    (any::<u16>(), score, any::<u8>(), any::<u32>()).prop_map(|(mv, score, depth, nodes)| Ply {
        mv: Move(mv),
        score,
        depth,
        nodes,
    })
}

fn game() -> impl Strategy<Value = GameRecord> {
    let winner = select(vec![None, Some(Side::First), Some(Side::Second)]);
    let drawn_by = select(vec![None, Some(Side::First), Some(Side::Second)]);
    let own = Cause::own("captured-all");
    let cause = select(Cause::all().chain([own]).collect::<Vec<_>>());
    let ending = (winner, drawn_by, cause);
    (0..2_usize, 0..2_usize, vec(ply(), 0..80), ending).prop_map(
        |(first, second, plies, (winner, drawn_by, cause))| GameRecord {
            first,
            second,
            plies,
            verdict: Verdict { winner, cause },
            drawn_by: drawn_by.filter(|_| winner.is_none()),
            times: leitai_players::play::MoveTimes::default(),
            pv_warnings: Vec::new(),
        },
    )
}

/// Any pair with this number that the record can hold.
pub(crate) fn any_pair(index: u64) -> impl Strategy<Value = PairRow> {
    let place = (any::<u32>(), [0..2_usize, 0..2_usize], 0..10_usize);
    let elapsed = 0..u64::MAX / 2;
    ([game(), game()], any::<[u64; 2]>(), place, elapsed).prop_map(
        move |(games, hashes, (pairing, variants, opening), elapsed_us)| PairRow {
            record: PairRecord {
                index,
                games: games.into(),
                hashes: hashes.into(),
                spoilt: Vec::new(),
                evidence: leitai_players::play::EvidenceList::default(),
            },
            pairing: pairing as usize,
            variants,
            opening,
            elapsed_us,
            finished: leitai_runs::store::FinishedAt::default(),
            worker: leitai_runs::store::PlayedBy::default(),
        },
    )
}

/// A temporary folder, and a path in it for a record.
pub(crate) fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.sqlite");
    (folder, path)
}

/// An open record at `path` with a run of `pairs` sample pairs.
pub(crate) fn recorded(path: &Path, pairs: u64) -> (Store, RunHandle) {
    let store = Store::open(path, Mode::Write).unwrap();
    let run = store.begin_run(&meta("abc123"), &book(openings())).unwrap();
    for index in 0..pairs {
        store.append(&run, &sample(index)).unwrap();
    }
    (store, run)
}

/// All pairs of a run, or the first error.
pub(crate) fn all(store: &Store, run: &RunHandle) -> Result<Vec<PairRow>, StoreError> {
    store.pairs(run).collect()
}

/// The names and contents of all files in a folder.
pub(crate) fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            let bytes = fs::read(entry.path()).unwrap_or_default();
            (entry.file_name().into_string().unwrap(), bytes)
        })
        .collect()
}

/// The errors of both modes, after checking that nothing in the folder changed.
pub(crate) fn refused(folder: &Path, path: &Path) -> [StoreError; 2] {
    let before = contents(folder);
    MODES.map(|mode| {
        let error = Store::open(path, mode).expect_err("it should be refused");
        assert!(
            contents(folder) == before,
            "{mode:?} changed the folder: {error}"
        );
        error
    })
}

/// Checks that both modes refuse with that message and change nothing.
pub(crate) fn refused_with(folder: &Path, path: &Path, message: &str) {
    for error in refused(folder, path) {
        let text = error.to_string();
        assert!(text.contains(message), "{text}");
        assert!(text.contains(path.to_str().unwrap()), "{text}");
    }
}
