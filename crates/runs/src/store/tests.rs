//! Tests of failures that need internal access: a full disk, rows changed by others.

mod removed;

use rusqlite::params;
use tempfile::TempDir;

use super::{
    Appended, BatchFailure, BatchRow, Mode, Opening, PairRow, PlayedBy, RunHandle, RunMeta, Store,
    StoreProblem, StoredBook, WorkerName,
};
use leitai_game::{Cause, Move, Side, Verdict};
use leitai_players::play::{Evidence, EvidenceList, Fault, GameRecord, PairRecord, Ply};
use leitai_players::player::{PvFault, PvWarning, PvWarnings};
use leitai_stats::Pentanomial;

fn pair(index: u64) -> PairRow {
    let game = |first: usize| GameRecord {
        first,
        second: 1 - first,
        plies: (0..100)
            .map(|ply| Ply {
                mv: Move(ply),
                score: Some(ply as i16),
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
        elapsed_us: 1,
        finished: crate::store::FinishedAt::default(),
        worker: crate::store::PlayedBy::default(),
    }
}

fn store() -> (TempDir, Store, RunHandle) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path().join("games.sqlite"), Mode::Write).unwrap();
    let meta = RunMeta {
        id: "abc".to_owned(),
        game: "othello".to_owned(),
        config: "{}".to_owned(),
        source_name: String::new(),
        source_text: String::new(),
        seed: 0,
        version: "0.1.0".to_owned(),
        variants: vec!["a".to_owned(), "b".to_owned()],
        pairs: 10,
        reproducible: true,
    };
    let run = store.begin_run(&meta, &book()).unwrap();
    (folder, store, run)
}

/// A book of the start.
fn book() -> StoredBook {
    let start = Opening {
        id: "start".to_owned(),
        fen: "startpos".to_owned(),
        moves: Vec::new(),
    };
    StoredBook {
        digest: [7; 32],
        len: 1,
        held: vec![(0, start)],
    }
}

/// A changed text may judge the same games differently.
#[test]
fn a_run_is_known_by_the_latest_text_of_its_config() {
    let (_folder, store, run) = store();
    let begun = store.run("latest").unwrap().meta;
    let given = RunMeta {
        source_name: "other.toml".to_owned(),
        source_text: "# more".to_owned(),
        ..begun
    };
    let again = store.begin_run(&given, &book()).unwrap();
    assert_eq!(again.id(), run.id());
    assert_ne!(store.run("latest").unwrap().meta, given);
    store.update_source(&given).unwrap();
    assert_eq!(store.run("latest").unwrap().meta, given);
}

#[test]
fn a_full_disk_costs_the_pair_that_did_not_fit() {
    let (_folder, store, run) = store();
    let pages: i64 = store
        .conn
        .pragma_query_value(None, "page_count", |row| row.get(0))
        .unwrap();
    let limit = |pages: i64| {
        store
            .conn
            .query_row(&format!("PRAGMA max_page_count = {pages}"), [], |_| Ok(()))
            .unwrap();
    };
    limit(pages + 10);
    let mut indices = 0..1000;
    let (failed, error) = indices
        .find_map(|index| Some((index, store.append(&run, &pair(index)).err()?)))
        .unwrap();
    assert!(failed > 5);
    assert!(matches!(error.problem, StoreProblem::Full), "{error}");
    assert!(error.to_string().starts_with("no room is left"), "{error}");
    let there: Vec<PairRow> = store.pairs(&run).collect::<Result<_, _>>().unwrap();
    assert!(there.into_iter().eq((0..failed).map(pair)));
    limit(1_000_000);
    assert_eq!(store.append(&run, &pair(failed)).unwrap(), Appended::New);
    assert_eq!(store.recorded_indices(&run).unwrap().prefix(), failed + 1);
}

#[test]
fn rows_changed_by_other_hands_are_errors_that_name_the_pair() {
    let changes = [
        "UPDATE game SET moves = x'00' WHERE id = ?1",
        "UPDATE game SET scores = zeroblob(200) WHERE id = ?1",
        "UPDATE game SET nodes = substr(nodes, 1, 396) WHERE id = ?1",
        "UPDATE game SET cause = 'boredom' WHERE id = ?1",
        "UPDATE game SET winner = 1 WHERE id = ?1",
        "UPDATE game SET winner = 2 WHERE id = ?1",
        "UPDATE game SET first = -1 WHERE id = ?1",
        "UPDATE game SET hash = hash + 1 WHERE id = ?1",
        "DELETE FROM game WHERE id = ?1",
        "UPDATE pair SET opening = 3 WHERE key = ?1 / 2",
        "UPDATE pair SET digest = x'' WHERE key = ?1 / 2",
    ];
    for change in changes {
        let (_folder, store, run) = store();
        for index in 0..3 {
            store.append(&run, &pair(index)).unwrap();
        }
        let game = 2 * 2; // of the second pair, whose key is 2
        assert_eq!(
            store.conn.execute(change, params![game]).unwrap(),
            1,
            "{change}"
        );
        let error = store.pairs(&run).find_map(Result::err).expect(change);
        assert!(
            matches!(error.problem, StoreProblem::Damaged { .. }),
            "{change}: {error}"
        );
        assert!(
            error.to_string().contains("pair 1 of run `abc`"),
            "{change}: {error}"
        );
        assert!(store.append(&run, &pair(1)).is_err(), "{change}");
        assert_eq!(
            store.pairs(&run).filter(Result::is_err).count(),
            1,
            "it ends"
        );
    }
}

/// A pair with two failed attempts, finally lost by a crash.
fn troubled(index: u64) -> PairRow {
    let mut pair = pair(index);
    pair.record.games[0].verdict.cause = Cause::Crash;
    let fault = |attempt, game, cause| Fault {
        attempt,
        game,
        variant: 1 - game,
        cause,
    };
    pair.record.spoilt = vec![
        fault(1, 0, Cause::TimeForfeit),
        fault(1, 1, Cause::Crash),
        fault(2, 0, Cause::Stall),
    ];
    pair
}

#[test]
fn failed_attempts_come_back_with_their_pair_and_no_other() {
    let (_folder, store, run) = store();
    let all = |index: u64| {
        if index.is_multiple_of(3) {
            troubled(index)
        } else {
            pair(index)
        }
    };
    for index in (0..150).rev() {
        assert_eq!(store.append(&run, &all(index)).unwrap(), Appended::New);
        assert_eq!(
            store.append(&run, &all(index)).unwrap(),
            Appended::AlreadyThere
        );
    }
    let there: Vec<PairRow> = store.pairs(&run).collect::<Result<_, _>>().unwrap();
    assert!(there.into_iter().eq((0..150).map(all)));
    assert_eq!(store.pair(&run, 99).unwrap(), Some(troubled(99)));
    let error = store.append(&run, &pair(0)).unwrap_err();
    assert!(
        matches!(error.problem, StoreProblem::Conflict { .. }),
        "the run is reproducible: {error}"
    );
    let other = pair(0);
    let new = [150, 151].map(all);
    let among = [(&new[0], &[][..]), (&other, &[]), (&new[1], &[])];
    let error = store.append_all(&run, &among, |_| None).unwrap_err();
    assert!(matches!(error.problem, StoreProblem::Conflict { .. }));
    let is_recorded = |row: &PairRow| store.pair(&run, row.record.index).unwrap().is_some();
    assert_eq!(new.each_ref().map(is_recorded), [true, false]);
    let both = new.each_ref().map(|row| (row, &[][..]));
    let appended = store.append_all(&run, &both, |_| None).unwrap();
    assert_eq!(appended, [Appended::AlreadyThere, Appended::New]);
    let mut stranger = troubled(200);
    stranger.record.spoilt[1].variant = 2;
    let error = store.append(&run, &stranger).unwrap_err();
    assert!(
        matches!(error.problem, StoreProblem::Unstorable { .. }),
        "{error}"
    );
}

#[test]
fn failed_attempts_changed_by_other_hands_are_errors_that_name_the_pair() {
    let changes = [
        "DELETE FROM failure WHERE pair = 2",
        "DELETE FROM failure WHERE pair = 2 AND game = 1",
        "UPDATE failure SET variant = 0 WHERE pair = 2",
        "UPDATE failure SET variant = -1 WHERE pair = 2",
        "UPDATE failure SET attempt = attempt + 1 WHERE pair = 2 AND attempt = 2",
        "UPDATE failure SET cause = 'boredom' WHERE pair = 2",
        "UPDATE failure SET cause = 'crash' WHERE pair = 2",
        "INSERT INTO failure VALUES (2, 3, 0, 1, 'crash')",
    ];
    for change in changes {
        let (_folder, store, run) = store();
        for index in 0..3 {
            store.append(&run, &troubled(index)).unwrap();
        }
        assert!(store.conn.execute(change, []).unwrap() > 0, "{change}");
        let error = store.pairs(&run).find_map(Result::err).expect(change);
        assert!(
            error.to_string().contains("pair 1 of run `abc`"),
            "{change}: {error}"
        );
    }
}

/// Pins the digest of a pair without failed attempts.
#[test]
fn digests_of_old_still_hold() {
    let (_folder, store, run) = store();
    store.append(&run, &pair(3)).unwrap();
    let digest: Vec<u8> = store
        .conn
        .query_row("SELECT digest FROM pair", [], |row| row.get(0))
        .unwrap();
    assert_eq!(digest, [207, 76, 94, 48, 224, 206, 28, 62]);
}

#[test]
fn openings_changed_by_other_hands_are_an_error() {
    let (_folder, store, run) = store();
    store
        .conn
        .execute("UPDATE opening SET fen = 'other'", [])
        .unwrap();
    let error = store.openings(&run).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("openings of run `abc` were changed"),
        "{error}"
    );
}

/// Changes by other hands of a record with three openings of a book of five.
#[test]
fn openings_are_recorded_with_the_first_pair_and_all_changes_found() {
    let of = |number: usize| Opening {
        id: format!("line {number}"),
        fen: format!("fen {number}"),
        moves: vec![Move(number as u16)],
    };
    for change in [
        "UPDATE opening SET id = 'line 2' WHERE idx = 4",
        "UPDATE opening SET moves = x'0100' WHERE idx = 4",
        "UPDATE opening SET idx = 1 WHERE idx = 4",
        "DELETE FROM opening WHERE idx = 3",
        "INSERT INTO opening SELECT book, 1, id, fen, moves FROM opening WHERE idx = 3",
        "UPDATE book SET openings = 6",
        "UPDATE book SET digest = zeroblob(32)",
        "DELETE FROM opening",
    ] {
        let (_folder, store, run) = store();
        let meta = RunMeta {
            id: "def".to_owned(),
            ..store.run(run.id()).unwrap().meta
        };
        let book = StoredBook {
            digest: [9; 32],
            len: 5,
            held: Vec::new(),
        };
        let run = store.begin_run(&meta, &book).unwrap();
        assert_eq!(store.openings(&run).unwrap(), book);
        let drawn = |index, opening| PairRow {
            opening,
            ..pair(index)
        };
        let unknown = store.append(&run, &drawn(0, 4)).unwrap_err();
        assert!(unknown.to_string().contains("opening 4"), "{unknown}");
        assert_eq!(store.recorded_indices(&run).unwrap().count(), 0);
        let rows = [(0, 4), (1, 3), (2, 4)].map(|(index, opening)| drawn(index, opening));
        let new = rows.each_ref().map(|row| (row, &[0][..]));
        let appended = store.append_all(&run, &new, |index| Some(of(index)));
        assert_eq!(appended.unwrap(), [Appended::New; 3]);
        let held = [0, 3, 4].map(|index| (index, of(index))).to_vec();
        assert_eq!(store.openings(&run).unwrap(), StoredBook { held, ..book });
        assert_eq!(store.count_openings(&run).unwrap(), 3);
        store.check_openings(&run).unwrap();
        assert_eq!(run.openings, 5);
        assert!(store.conn.execute(change, []).unwrap() > 0, "{change}");
        let error = store.check_openings(&run).unwrap_err();
        assert!(error.to_string().contains("or are missing"), "{error}");
    }
}

#[test]
fn metadata_changed_by_other_hands_are_an_error() {
    for change in [
        "config = '{\"a\":1}'",
        "pairs = 11",
        "seed = 'x'",
        "variants = '[]'",
    ] {
        let (_folder, store, _) = store();
        store
            .conn
            .execute(&format!("UPDATE run SET {change}"), [])
            .unwrap();
        let error = store.run("latest").unwrap_err();
        assert!(
            error
                .to_string()
                .contains("run `abc` is not as it was begun"),
            "{error}"
        );
    }
}

#[test]
fn a_table_that_is_gone_is_damage() {
    let (_folder, store, run) = store();
    store.conn.execute_batch("DROP TABLE timing").unwrap();
    let error = store.append(&run, &pair(0)).unwrap_err();
    assert!(
        matches!(error.problem, StoreProblem::Damaged { .. }),
        "{error}"
    );
    assert!(error.to_string().contains("no such table"), "{error}");
}

fn batch(number: u64) -> BatchRow {
    BatchRow {
        number,
        plus: vec![1.5, -0.0, number as f64],
        minus: vec![f64::MIN_POSITIVE, 2.0, 3.0],
        result: Pentanomial([1, 0, 2, 0, number]),
        failures: Vec::new(),
        elapsed_us: 7,
    }
}

#[test]
fn batches_come_back_bit_for_bit_and_once() {
    let (_folder, store, run) = store();
    for number in [2, 0] {
        let appended = store.append_batch(&run, &batch(number)).unwrap();
        assert_eq!(appended, Appended::New);
    }
    let late = BatchRow {
        elapsed_us: 99,
        ..batch(2)
    };
    let again = store.append_batch(&run, &late).unwrap();
    assert_eq!(again, Appended::AlreadyThere, "time is not compared");
    assert_eq!(store.batches(&run).unwrap(), [batch(0), batch(2)]);
    let other = BatchRow {
        plus: vec![1.5, 0.0, 2.0],
        ..batch(2)
    };
    let conflict = store.append_batch(&run, &other).unwrap_err();
    assert!(matches!(conflict.problem, StoreProblem::Conflict(2, ..)));
    store
        .conn
        .execute("UPDATE batch SET ww = 3 WHERE number = 2", params![])
        .unwrap();
    let damaged = store.batches(&run).unwrap_err().to_string();
    assert!(damaged.contains("batch 2"), "{damaged}");
}

#[test]
fn a_batch_is_found_by_its_number() {
    let (_folder, store, run) = store();
    for number in [0, 1, 3] {
        store.append_batch(&run, &batch(number)).unwrap();
    }
    for number in [0, 1, 3] {
        assert_eq!(store.batch(&run, number).unwrap(), Some(batch(number)));
    }
    for number in [2, 4, u64::MAX] {
        assert_eq!(store.batch(&run, number).unwrap(), None);
    }
    // Three batches of 3, 4 and 6 pairs: batch(n) has 3 + n.
    assert_eq!(store.count_batches(&run).unwrap(), [3, 13]);
}

/// Evidence of a failure in that attempt and game.
fn evidence(attempt: u32, game: usize) -> Evidence {
    Evidence {
        attempt,
        game,
        plies: 7,
        position: "8/8 w".to_owned(),
        legal_moves: 3,
        symptoms: leitai_players::player::Symptoms {
            exit: Some(format!("exit status {attempt}{game}")),
            errors: vec!["it's \"over\"".to_owned()],
            ..leitai_players::player::Symptoms::default()
        },
    }
}

/// A batch in which its second player crashed in a pair that was played again, and
/// its first player then lost a game of that pair on time.
fn troubled_batch(number: u64) -> BatchRow {
    let failure = |attempt, game, variant, cause, counts| BatchFailure {
        pair: 10 * number + 3,
        fault: Fault {
            attempt,
            game,
            variant,
            cause,
        },
        counts,
        evidence: EvidenceList(vec![evidence(attempt, game)]),
    };
    BatchRow {
        failures: vec![
            failure(1, 1, 1, Cause::Crash, false),
            failure(2, 0, 0, Cause::TimeForfeit, true),
        ],
        ..batch(number)
    }
}

#[test]
fn failures_come_back_with_their_batch_and_no_other() {
    let (_folder, store, run) = store();
    let all = |number: u64| match number % 3 {
        0 => troubled_batch(number),
        _ => batch(number),
    };
    for number in (0..12).rev() {
        let appended = store.append_batch(&run, &all(number)).unwrap();
        assert_eq!(appended, Appended::New);
        let again = store.append_batch(&run, &all(number)).unwrap();
        assert_eq!(again, Appended::AlreadyThere);
    }
    let there = store.batches(&run).unwrap();
    assert!(there.into_iter().eq((0..12).map(all)));
    assert_eq!(store.batch(&run, 9).unwrap(), Some(troubled_batch(9)));
    assert_eq!(store.batch(&run, 10).unwrap(), Some(batch(10)));
    let conflict = store.append_batch(&run, &batch(0)).unwrap_err();
    assert!(
        matches!(conflict.problem, StoreProblem::Conflict { .. }),
        "the run is reproducible: {conflict}"
    );
    let mut stranger = troubled_batch(20);
    stranger.failures[1].fault.variant = 2;
    let error = store.append_batch(&run, &stranger).unwrap_err();
    assert!(
        matches!(error.problem, StoreProblem::Unstorable { .. }),
        "{error}"
    );
    assert_eq!(store.batch(&run, 20).unwrap(), None);
}

/// The evidence of a batch's failures is stored with its pairs.
#[test]
fn evidence_comes_back_with_its_pair_and_its_batch_and_goes_with_them() {
    let (_folder, store, run) = store();
    let list = || EvidenceList(vec![evidence(1, 1), evidence(2, 0)]);
    let with_evidence = |index: u64| {
        let mut row = troubled(index);
        row.record.evidence = list();
        row
    };
    // The pair of the batch, and another one.
    for index in [13, 20] {
        store.append(&run, &with_evidence(index)).unwrap();
    }
    store.append_batch(&run, &troubled_batch(1)).unwrap();
    let found = |index| store.pair(&run, index).unwrap().unwrap().record.evidence.0;
    assert_eq!(found(13), list().0);
    assert_eq!(found(20), list().0);
    let batch = store.batches(&run).unwrap().remove(0);
    let of_batch: Vec<Evidence> = batch
        .failures
        .into_iter()
        .flat_map(|it| it.evidence.0)
        .collect();
    assert_eq!(of_batch, list().0);
    // A change by another program is damage.
    let change = "UPDATE evidence SET detail = 'x' WHERE attempt = 1";
    assert_eq!(store.conn.execute(change, []).unwrap(), 2);
    let error = store.pair(&run, 20).unwrap_err().to_string();
    assert!(error.contains("the evidence of a failure"), "{error}");
    assert!(store.remove_pairs(&run, &[20], None).unwrap());
    let left = |sql: &str| {
        store
            .conn
            .query_row(sql, [], |row| row.get::<_, i64>(0))
            .unwrap()
    };
    assert_eq!(left("SELECT count(*) FROM evidence"), 2);
}

#[test]
fn failures_changed_by_other_hands_are_errors_that_name_the_batch() {
    let changes = [
        "DELETE FROM batch_failure WHERE number = 1",
        "DELETE FROM batch_failure WHERE number = 1 AND attempt = 1",
        "UPDATE batch_failure SET player = 1 - player WHERE number = 1",
        "UPDATE batch_failure SET player = -1 WHERE number = 1",
        "UPDATE batch_failure SET pair = pair + 1 WHERE number = 1",
        "UPDATE batch_failure SET counts = 1 WHERE number = 1",
        "UPDATE batch_failure SET cause = 'boredom' WHERE number = 1",
        "UPDATE batch_failure SET cause = 'stall' WHERE number = 1",
        "INSERT INTO batch_failure VALUES (1, 1, 13, 3, 0, 1, 'crash', 1)",
    ];
    for change in changes {
        let (_folder, store, run) = store();
        for number in 0..3 {
            store.append_batch(&run, &troubled_batch(number)).unwrap();
        }
        assert!(store.conn.execute(change, []).unwrap() > 0, "{change}");
        let error = store.batches(&run).unwrap_err().to_string();
        assert!(error.contains("batch 1 of run `abc`"), "{change}: {error}");
    }
}

/// Pins the digest of a batch without failures.
#[test]
fn digests_of_old_batches_still_hold() {
    let (_folder, store, run) = store();
    store.append_batch(&run, &batch(3)).unwrap();
    let digest: Vec<u8> = store
        .conn
        .query_row("SELECT digest FROM batch", [], |row| row.get(0))
        .unwrap();
    assert_eq!(digest, [162, 240, 174, 235, 34, 111, 84, 159]);
}

/// A log that is truncated during a commit is checked before its checkpoint, because the missing
/// frames would damage the file.
#[test]
fn a_log_that_was_cut_in_the_middle_of_a_commit_is_not_folded_in() {
    let (_folder, store, run) = store();
    let frames = || -> i64 {
        let asked = store
            .conn
            .query_row("PRAGMA wal_checkpoint(NOOP)", [], |row| row.get(1));
        asked.unwrap()
    };
    let first = (0..)
        .inspect(|&index| assert_eq!(store.append(&run, &pair(index)).unwrap(), Appended::New))
        .find(|_| frames() > 950)
        .unwrap();
    let before = std::fs::read(store.path()).unwrap();
    let tx = store.begin().unwrap();
    for index in first + 1..first + 151 {
        assert!(
            store
                .insert(&tx, &run, &pair(index), (&[], &|_| None))
                .unwrap()
        );
    }
    let log = super::files::sibling(store.path(), "-wal");
    let file = std::fs::File::options().write(true).open(log).unwrap();
    file.set_len(40_000).unwrap();
    tx.commit().unwrap();
    assert!(frames() > 1000);
    let error = store.append(&run, &pair(0)).unwrap_err();
    assert!(
        matches!(error.problem, StoreProblem::Lost(super::Loss::LogCut, _)),
        "{error}"
    );
    let path = store.path().to_owned();
    drop(store);
    assert!(std::fs::read(path).unwrap() == before);
}

/// A growing log is checkpointed repeatedly.
#[test]
fn a_long_log_is_folded_in() {
    let (_folder, store, run) = store();
    for index in 0..700 {
        store.append(&run, &pair(index)).unwrap();
    }
    let log = super::files::sibling(store.path(), "-wal");
    let log = std::fs::metadata(log).unwrap().len();
    let main = std::fs::metadata(store.path()).unwrap().len();
    assert!(log < 1100 * 4120, "{log}");
    assert!(main > 1_000_000, "{main}");
}

/// A warning of the second side at that ply.
fn warned(kind: PvFault, ply: u32) -> PvWarnings {
    PvWarnings {
        side: Side::Second,
        count: 7,
        first: PvWarning {
            kind,
            cause: (kind == PvFault::BeyondTheEnd).then_some(Cause::Checkmate),
            word: "a0a9".to_owned(),
            ply,
            position: "startpos".to_owned(),
            line: "info depth 1 pv a0a9 \u{fffd}".to_owned(),
        },
    }
}

#[test]
fn warnings_and_reported_times_come_back_with_their_pair_and_no_other() {
    let (_folder, store, run) = store();
    let mut told = pair(1);
    let games = &mut told.record.games;
    games[0].pv_warnings = vec![warned(PvFault::BeyondTheEnd, 4), warned(PvFault::NoMate, 9)];
    games[1].times.micros = (0..100).collect();
    games[1].times.reported = (0..100).map(|it| it * 1_000).collect();
    games[1].times.reported[7] = leitai_players::play::UNREPORTED;
    for row in [&pair(0), &told, &pair(2)] {
        assert_eq!(store.append(&run, row).unwrap(), Appended::New);
        let again = store.append(&run, row).unwrap();
        assert_eq!(again, Appended::AlreadyThere);
    }
    let rows: Vec<PairRow> = store.pairs(&run).collect::<Result<_, _>>().unwrap();
    assert_eq!(rows, [pair(0), told.clone(), pair(2)]);
    let reported = |row: &PairRow| row.record.games[1].times.reported.clone();
    assert_eq!(reported(&rows[1]), reported(&told));
    assert!(reported(&rows[0]).is_empty());
    // A repeated pair keeps nothing of the earlier one.
    assert!(store.remove_pairs(&run, &[1], None).unwrap());
    assert_eq!(store.append(&run, &pair(1)).unwrap(), Appended::New);
    let row = store.pair(&run, 1).unwrap().unwrap();
    assert_eq!((reported(&row), row), (Vec::new(), pair(1)));
}

#[test]
fn warnings_changed_by_other_hands_are_errors_that_name_the_pair() {
    for change in [
        "UPDATE pv_warning SET fault = 'boredom'",
        "UPDATE pv_warning SET cause = 'boredom'",
        "UPDATE pv_warning SET game = 2",
        "UPDATE pv_warning SET side = -1",
        "UPDATE pv_warning SET count = 0",
        "UPDATE pv_warning SET ply = -1",
    ] {
        let (_folder, store, run) = store();
        let mut told = pair(3);
        told.record.games[1].pv_warnings = vec![warned(PvFault::IllegalMove, 4)];
        store.append(&run, &told).unwrap();
        store.conn.execute(change, []).unwrap();
        let error = store.pair(&run, 3).unwrap_err();
        assert!(error.to_string().contains("pair 3"), "{change}: {error}");
    }
}

/// A pair played by a worker of that name.
fn played_by(name: &str, index: u64) -> PairRow {
    PairRow {
        worker: PlayedBy(Some(WorkerName::new(name).expect("a name"))),
        ..pair(index)
    }
}

#[test]
fn workers_come_back_with_their_pairs_and_no_other() {
    let (_folder, store, run) = store();
    let names = |index: u64| ["box-1", "box_2"].get(index as usize % 3).copied();
    for index in (0..100).rev() {
        let row = names(index).map_or_else(|| pair(index), |name| played_by(name, index));
        assert_eq!(store.append(&run, &row).unwrap(), Appended::New);
    }
    // The first recording is kept, and another worker is not a difference.
    let again = store.append(&run, &played_by("late", 0)).unwrap();
    assert_eq!(again, Appended::AlreadyThere);
    let name = |row: PairRow| row.worker.0.map(|name| name.to_string());
    let there: Vec<_> = store.pairs(&run).map(|row| name(row.unwrap())).collect();
    let all: Vec<_> = (0..100)
        .map(|index| names(index).map(str::to_owned))
        .collect();
    assert_eq!(there, all);
    let counts = store.workers(&run).unwrap();
    assert_eq!(counts, [("box-1".to_owned(), 34), ("box_2".to_owned(), 33)]);
    let of = |name: &str| store.pairs_of_worker(&run, name).unwrap();
    assert_eq!(
        of("box_2"),
        (0..33).map(|it| 3 * it + 1).collect::<Vec<_>>()
    );
    assert_eq!(of("late"), [] as [u64; 0]);

    // A repeated pair belongs to the worker that played it again.
    assert!(store.remove_pairs(&run, &[0, 1], None).unwrap());
    assert_eq!(store.append(&run, &pair(0)).unwrap(), Appended::New);
    let row = played_by("late", 1);
    assert_eq!(store.append(&run, &row).unwrap(), Appended::New);
    let of_pair = |index| name(store.pair(&run, index).unwrap().unwrap());
    assert_eq!([of_pair(0), of_pair(1)], [None, Some("late".to_owned())]);
    assert_eq!(store.workers(&run).unwrap()[2], ("late".to_owned(), 1));
}

#[test]
fn workers_changed_by_other_hands_are_errors_that_name_the_pair() {
    for change in ["UPDATE worker SET name = 'a b'", "DELETE FROM worker"] {
        let (_folder, store, run) = store();
        store.append(&run, &played_by("box", 3)).unwrap();
        store.conn.execute(change, []).unwrap();
        let error = store.pair(&run, 3).unwrap_err();
        assert!(error.to_string().contains("pair 3"), "{change}: {error}");
    }
}

/// A changed start is found again by a search: it is left out without an error.
#[test]
fn starts_are_read_back_or_left_out() {
    let (_folder, store, run) = store();
    let start = |lap| leitai_players::schedule::VariedStart {
        opening: u64::MAX - 3,
        lap,
        fen: format!("position {lap}"),
    };
    assert_eq!(store.starts(&run).unwrap(), []);
    store.add_starts(&run, &[start(1), start(2)]).unwrap();
    store.add_starts(&run, &[start(2), start(3)]).unwrap();
    assert_eq!(store.starts(&run).unwrap(), [1, 2, 3].map(start));
    let change = "UPDATE start SET fen = 'position 9' WHERE lap = 2";
    assert_eq!(store.conn.execute(change, []).unwrap(), 1);
    assert_eq!(store.starts(&run).unwrap(), [1, 3].map(start));
}

/// Data about a pair, a batch or a run outside the games is not covered by the digest of the games,
/// but by a separate one.
#[test]
fn times_changed_by_other_hands_are_errors_that_name_their_place() {
    let changes = [
        ("UPDATE move_time SET second = zeroblob(400)", "pair 3"),
        ("DELETE FROM move_time", "pair 3"),
        ("UPDATE reported_time SET first = zeroblob(400)", "pair 3"),
        ("DELETE FROM reported_time", "pair 3"),
        ("UPDATE timing SET elapsed_us = elapsed_us + 1", "pair 3"),
        ("UPDATE timing SET finished_at = finished_at + 1", "pair 3"),
        ("DELETE FROM timing", "pair 3"),
        ("UPDATE worker SET name = 'fox'", "pair 3"),
        ("DELETE FROM played_by", "pair 3"),
        ("UPDATE pv_warning SET count = 8", "pair 3"),
        ("UPDATE pv_warning SET line = 'other'", "pair 3"),
        ("DELETE FROM pv_warning", "pair 3"),
        ("UPDATE batch_timing SET elapsed_us = 8", "batch 2"),
        ("UPDATE run_timing SET created_at = created_at + 1", "begun"),
        ("UPDATE apart_digest SET digest = zeroblob(8)", ""),
    ];
    for (change, place) in changes {
        let (_folder, store, run) = store();
        let mut told = played_by("box", 3);
        let games = &mut told.record.games;
        games[1].pv_warnings = vec![warned(PvFault::IllegalMove, 4), warned(PvFault::NoMate, 9)];
        for game in games {
            game.times.micros = (1..=100).collect();
            game.times.reported = (1..=100).collect();
        }
        store.append(&run, &told).unwrap();
        store.append(&run, &pair(4)).unwrap();
        store.append_batch(&run, &batch(2)).unwrap();
        let read = || {
            store.runs()?;
            store.batches(&run)?;
            store.pairs(&run).collect::<Result<Vec<_>, _>>()
        };
        assert_eq!(read().unwrap(), [told.clone(), pair(4)]);
        store.conn.execute(change, []).unwrap();
        let error = read().unwrap_err();
        let is_damage = matches!(error.problem, StoreProblem::Damaged { .. });
        assert!(
            is_damage && error.to_string().contains(place),
            "{change}: {error}"
        );
    }
}

/// The digest of a pair does not depend on clocks.
#[test]
fn the_digest_of_a_pair_is_free_of_clocks() {
    let digests = [1, 2].map(|elapsed_us| {
        let (_folder, store, run) = store();
        let mut timed = pair(0);
        timed.elapsed_us = elapsed_us;
        timed.record.games[0].times.micros = vec![elapsed_us as u32; 100];
        store.append(&run, &timed).unwrap();
        assert_eq!(store.pair(&run, 0).unwrap(), Some(timed));
        let digest = "SELECT digest FROM pair";
        let digest: Vec<u8> = store.conn.query_row(digest, [], |row| row.get(0)).unwrap();
        digest
    });
    assert_eq!(digests[0], digests[1]);
}
