//! Cost of recording a pair and of reading one.

use divan::Bencher;
use divan::counter::ItemsCount;
use leitai_game::{Cause, Move, Side, Verdict};
use leitai_players::play::{GameRecord, PairRecord, Ply};
use leitai_runs::store::{Mode, Opening, PairRow, RunHandle, RunMeta, Store, StoredBook};
use tempfile::TempDir;

fn pair(index: u64, plies: u64) -> PairRow {
    let game = |first: usize| GameRecord {
        first,
        second: 1 - first,
        plies: (0..plies)
            .map(|ply| Ply {
                mv: Move((index * 31 + ply * 7) as u16),
                score: Some((ply % 300) as i16),
                depth: 8,
                nodes: 20_000,
            })
            .collect(),
        verdict: Verdict::win(Side::First, Cause::Checkmate),
        drawn_by: None,
        times: leitai_players::play::MoveTimes::default(),
        pv_warnings: Vec::new(),
    };
    PairRow {
        record: PairRecord {
            index,
            games: [game(0), game(1)].into(),
            hashes: [index, u64::MAX - index].into(),
            spoilt: Vec::new(),
            evidence: leitai_players::play::EvidenceList::default(),
        },
        pairing: 0,
        variants: [0, 1],
        opening: 0,
        elapsed_us: 1_000_000,
        finished: leitai_runs::store::FinishedAt::default(),
        worker: leitai_runs::store::PlayedBy::default(),
    }
}

fn store() -> (TempDir, Store, RunHandle) {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let store = Store::open(folder.path().join("bench.sqlite"), Mode::Write).expect("a record");
    let meta = RunMeta {
        id: "be".to_owned(),
        game: "xiangqi".to_owned(),
        config: "{}".to_owned(),
        source_name: String::new(),
        source_text: String::new(),
        seed: 1,
        version: String::new(),
        variants: vec!["a".to_owned(), "b".to_owned()],
        pairs: 1_000_000,
        reproducible: true,
    };
    let start = Opening {
        id: "start".to_owned(),
        fen: "startpos".to_owned(),
        moves: Vec::new(),
    };
    let book = StoredBook {
        digest: [0; 32],
        len: 1,
        held: vec![(0, start)],
    };
    let run = store.begin_run(&meta, &book).expect("a run");
    (folder, store, run)
}

/// A pair in a transaction of its own, by plies per game.
#[divan::bench(args = [60, 120], sample_size = 200)]
fn append(bencher: Bencher, plies: u64) {
    let (_folder, store, run) = store();
    let mut next = 0;
    bencher
        .with_inputs(|| {
            next += 1;
            pair(next, plies)
        })
        .bench_local_refs(|pair| store.append(&run, pair).expect("an append"));
}

/// A pair that the record already has.
#[divan::bench(sample_size = 200)]
fn append_again(bencher: Bencher) {
    let (_folder, store, run) = store();
    let pair = pair(0, 120);
    bencher.bench_local(|| store.append(&run, &pair).expect("an append"));
}

/// All pairs in order, each checked against its digest.
#[divan::bench(args = [1000])]
fn read(bencher: Bencher, pairs: u64) {
    let (_folder, store, run) = store();
    for index in 0..pairs {
        store.append(&run, &pair(index, 120)).expect("an append");
    }
    bencher
        .counter(ItemsCount::new(pairs))
        .bench_local(|| store.pairs(&run).flatten().count());
}
